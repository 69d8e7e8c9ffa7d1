//! Files of programs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use archive::{Format, Value};

use super::memory_law::*;

/// A file of every type, in that format.
pub fn files(format: Format) -> Vec<Vec<u8>> {
    let options = saving();
    let node = Rc::new(RefCell::new(7_u64));
    let plain =
        |hp| Plain { hp, name: "a name".into(), choice: Choice::Number(3), ..<_>::default() };
    let lists = Lists {
        numbers: (0..20).collect(),
        ragged: vec![vec![vec![[1, 2, 3, 4]]; 2]; 2],
        units: vec![(); 5],
        text: "some text".into(),
        texts: ["a".to_owned(), "b".to_owned()].into(),
        map: [(1, 2), (3, 4)].into(),
        tree: [("key".to_owned(), vec![1, 2, 3])].into(),
        set: [1, 2, 3].into(),
        sorted: ["x".to_owned()].into(),
        nodes: vec![node.clone(), node.clone()],
        plain: vec![plain(1), plain(2)],
    };
    let things = things();
    let shared: Vec<Rc<RefCell<dyn Thing>>> = vec![Rc::new(RefCell::new(Mod::default()))];
    let shared = vec![shared[0].clone(), shared[0].clone()];
    let nest = Nest(vec![Nest(vec![Nest(vec![]), Nest(vec![])]), Nest(vec![Nest(vec![])])]);
    let leaf = || Some(Box::new(Tree::default()));
    let tree = Tree { left: leaf(), right: Some(Box::new(Tree { left: leaf(), right: None })) };
    let choices = vec![
        Choice::Nothing,
        Choice::Number(3),
        Choice::Text("t".into()),
        Choice::Pair { a: 1, b: Some(true) },
    ];
    let mut map: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for i in 0..20 {
        map.insert(format!("key {i}"), vec![i; 3]);
    }
    let files = [
        format.to_vec_with(&lists, &options),
        format.to_vec_with(&things, &options),
        format.to_vec_with(&shared, &options),
        format.to_vec_with(&nest, &options),
        format.to_vec_with(&tree, &options),
        format.to_vec_with(&choices, &options),
        format.to_vec_with(&map, &options),
        format.to_vec_with(&vec![plain(1), plain(2), plain(3)], &options),
        format.to_vec_with(&(0..40).collect::<Vec<u64>>(), &options),
        format.to_vec_with(&vec!["text".to_owned(); 5], &options),
        format.to_vec_with(&(0..9).map(|i| Rc::new(RefCell::new(i))).collect::<Vec<_>>(), &options),
        format.to_vec_with(&vec![(); 9], &options),
        format.to_vec_with(&Value::of_with(&lists, &options).unwrap(), &options),
    ];
    files.into_iter().filter_map(|file| file.ok()).collect()
}
