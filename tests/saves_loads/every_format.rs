//! Over random values: what is saved is loaded with the same options, and what would not load is
//! refused while saving.

mod nodes;

use archive::{Error, ErrorKind, Options, Value};
use proptest::prelude::*;

use crate::common::{EachBackend, Erased, each_backend, formats};
use nodes::{Node, node, options};

/// Limits of which one is tight, or all are.
fn limits() -> impl Strategy<Value = (bool, Options<'static>)> {
    let (depth, elements, empty, pointers) = (1..=20_usize, 0..=50_u64, 0..=20_u64, 0..=5_u64);
    (0..5, depth, elements, empty, pointers).prop_map(|(which, depth, elements, empty, pointers)| {
        let options = options();
        let options = match which {
            0 => options.max_depth(depth),
            1 => options.max_elements(elements),
            2 => options.max_empty_elements(empty),
            3 => options.max_pointers(pointers),
            _ => options
                .max_depth(depth)
                .max_elements(elements)
                .max_empty_elements(empty)
                .max_pointers(pointers),
        };
        (which < 4, options)
    })
}

/// What one way of saving and loading does with a value and its limits.
struct Outcome {
    saved: Result<Node, Error>,
    /// Of what was saved without limits, loaded with them.
    loaded: Result<Node, Error>,
}

fn check(way: &str, value: &Node, options: &Options<'_>, single: bool, waits: bool, of: Outcome) {
    let what = format!("{way}, {:?}: {value:?}", options.get_limits());
    match (&of.saved, &of.loaded) {
        (Ok(saved), loaded) => {
            assert_eq!(saved, value, "{what}");
            // What waits when it is saved under a limit need not when it is saved without.
            match loaded {
                Ok(loaded) => assert_eq!(loaded, value, "{what}"),
                Err(error) => assert!(waits, "not refused: {error}: {what}"),
            }
        }
        (Err(error), Ok(_)) => panic!("refused: {error}: {what}"),
        (Err(saved), Err(loaded)) => {
            let limits = [ErrorKind::DepthLimit, ErrorKind::SizeLimit];
            assert!(limits.contains(&saved.kind()), "{saved}: {what}");
            assert!(saved.message().contains("(`Options::max_"), "{saved}: {what}");
            if single {
                assert_eq!(saved.kind(), loaded.kind(), "{saved}, {loaded}: {what}");
            }
        }
    }
}

/// The value in a format, named in the source.
struct Static<'a>(&'a Node, &'a Options<'a>, bool, bool);

impl EachBackend for Static<'_> {
    fn visit<F: archive::Backend<Output: AsRef<[u8]>>>(&mut self) {
        let Static(value, options, single, waits) = *self;
        let load = |file: F::Output| F::from_slice_with::<Node>(file.as_ref(), options);
        let saved = F::to_vec_with(value, options).map(|file| {
            F::from_slice_with::<Node>(&file, options)
                .unwrap_or_else(|e| panic!("{}: does not load: {e}: {:?} {value:?}", F::NAME, options.get_limits()))
        });
        let file = F::to_vec_with(value, &nodes::options()).unwrap();
        let loaded = F::from_slice_with::<Node>(&file, options);
        check(F::NAME, value, options, single, waits, Outcome { saved, loaded });
        let _ = load;
    }
}

fn law(value: &Node, options: &Options<'_>, single: bool) {
    let generous = nodes::options();
    let json = Value::of_with(value, options).map(|tree| tree.to_string());
    let waits = json.is_ok_and(|json| json.contains("$later"));
    let tight = options.get_limits();
    for format in formats() {
        let load = |file: &[u8]| format.from_slice_with::<Node>(file, options);
        let must = |file: Vec<u8>, way: &str| {
            load(&file).unwrap_or_else(|e| panic!("{format}, {way}: saved, not loaded: {e}: {tight:?} {value:?}"))
        };
        let file = format.to_vec_with(value, &generous).unwrap();
        let name = format.to_string();
        let saved = format.to_vec_with(value, options).map(|file| must(file, "&"));
        check(&name, value, options, single, waits, Outcome { saved, loaded: load(&file) });
        let mut copy = value.clone();
        let saved = format.to_vec_with(&mut Erased(&mut copy), options);
        let saved = saved.map(|file| must(file, "erased"));
        let mut into = Node::Nothing;
        let loaded = format.load_into_with(&mut Erased(&mut into), &file, options).map(|()| into);
        check(&format!("{name}, erased"), value, options, single, waits, Outcome { saved, loaded });
    }
    each_backend(&mut Static(value, options, single, waits));
    let tree = Value::of_with(value, &generous).unwrap();
    let saved = Value::of_with(value, options).map(|tree| {
        tree.to_with::<Node>(options)
            .unwrap_or_else(|e| panic!("Value: saved, not loaded: {e}: {tight:?} {value:?}"))
    });
    let loaded = tree.to_with::<Node>(options);
    check("Value", value, options, single, waits, Outcome { saved, loaded });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_saves_loads(value in node(), (single, options) in limits()) {
        law(&value, &options, single);
    }
}
