//! Chains of objects took stack or time for each object that follows.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::{Serialize, json};

use super::things::{Node, Thing, node, options};
use crate::common::{forgives, formats};

/// Runs on a stack as small as that of a thread.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

/// Objects that only the session owned were dropped recursively.
#[test]
fn dropping_objects_of_the_session_needs_no_stack() {
    #[derive(Default, Serialize)]
    struct Old {
        weak: Vec<Weak<RefCell<dyn Thing>>>,
        head: Option<Rc<RefCell<dyn Thing>>>,
    }
    #[derive(Default, Serialize)]
    struct New {
        weak: Vec<Weak<RefCell<dyn Thing>>>,
    }
    on_a_small_stack(|| {
        let options = options();
        let mut old = Old::default();
        for label in 0..30_000 {
            let node = node(label);
            *node.borrow_mut().next() = old.head.take();
            old.weak.push(Rc::downgrade(&node));
            old.head = Some(node);
        }
        for format in formats() {
            let bytes = format.to_vec_with(&old, &options).unwrap();
            if forgives(format) {
                let new: New = format.from_slice_with(&bytes, &options).unwrap();
                assert!(new.weak.iter().all(|weak| weak.upgrade().is_none()), "{format}");
            }
            // The value is dropped before the session notices that something follows it.
            let longer = [&bytes[..], b"x"].concat();
            assert!(format.from_slice_with::<Old>(&longer, &options).is_err(), "{format}");
        }
        let mut next = old.head.take();
        while let Some(node) = next {
            next = node.borrow_mut().next().take();
        }
    });
}

/// Each reference to a dynamic object that was not visited yet was followed recursively.
#[test]
fn weak_pointers_from_each_dynamic_object_to_the_next() {
    let options = options();
    let nodes: Vec<Rc<RefCell<dyn Thing>>> = (0..1000)
        .rev()
        .scan(None, |after: &mut Option<Rc<RefCell<dyn Thing>>>, label| {
            let other = after.as_ref().map(Rc::downgrade);
            let node: Rc<RefCell<dyn Thing>> =
                Rc::new(RefCell::new(Node { label, other, next: None }));
            *after = Some(node.clone());
            Some(node)
        })
        .collect();
    let nodes: Vec<_> = nodes.into_iter().rev().collect();
    for format in formats() {
        let bytes = format.to_vec_with(&nodes, &options).unwrap();
        let loaded: Vec<Rc<RefCell<dyn Thing>>> = format
            .from_slice_with(&bytes, &options)
            .unwrap_or_else(|error| panic!("{format}: {error}"));
        for (i, node) in loaded.iter().enumerate() {
            assert_eq!(node.borrow().label() as usize, i, "{format}");
            if let Some(after) = loaded.get(i + 1) {
                assert!(Rc::ptr_eq(&node.borrow().other().unwrap(), after), "{format} {i}");
            }
        }
    }
}

#[test]
fn many_pending_weak_pointers_are_looked_at_once() {
    #[derive(Default, Serialize)]
    struct Plain {
        a: u32,
        p: Option<Rc<RefCell<Plain>>>,
    }
    #[derive(Default, Serialize)]
    struct Head {
        weak: Vec<Weak<RefCell<Plain>>>,
        head: Option<Rc<RefCell<Plain>>>,
    }
    on_a_small_stack(|| {
        let n = 20_000;
        let weak = vec![format!("{{\"$weak\":{}}}", n + 1); n].join(",");
        let object =
            |i| format!("{{\"$id\":{i},\"$value\":{{\"a\":{i},\"p\":{{\"$id\":{}}}}}}}", i + 1);
        let mut objects: Vec<String> = (1..n).map(object).collect();
        objects.push(format!("{{\"$id\":{n},\"$value\":{{\"a\":{n}}}}}"));
        let text = format!(
            "{{\"weak\":[{weak}],\"head\":{{\"$id\":1}},\"gone\":[{}]}}",
            objects.join(",")
        );
        let head: Head = json::from_str(&text).unwrap();
        let (mut next, mut count) = (head.head, 0);
        while let Some(node) = next {
            count += 1;
            assert_eq!(node.borrow().a as usize, count);
            next = node.borrow_mut().p.take();
        }
        assert_eq!((count, head.weak.len()), (n, n));
    });
}

/// Objects were deferred only below the outermost pointer, not near the limit.
#[test]
fn a_chain_that_begins_deep() {
    #[derive(Default, Serialize)]
    struct Deep {
        inner: Option<Box<Deep>>,
        chain: Option<Rc<RefCell<Link>>>,
    }
    #[derive(Default, Serialize)]
    struct Link {
        next: Option<Rc<RefCell<Link>>>,
    }
    let mut chain = None;
    for _ in 0..1000 {
        chain = Some(Rc::new(RefCell::new(Link { next: chain })));
    }
    let mut deep = Deep { chain, inner: None };
    for _ in 0..105 {
        deep = Deep { inner: Some(Box::new(deep)), chain: None };
    }
    for format in formats() {
        let bytes = format.to_vec(&deep).unwrap_or_else(|error| panic!("{format}: {error}"));
        format.from_slice::<Deep>(&bytes).unwrap_or_else(|error| panic!("{format}: {error}"));
    }
}
