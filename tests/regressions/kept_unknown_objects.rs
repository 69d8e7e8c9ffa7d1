//! Objects of unknown types that are kept lost their references, their type or their path.

use std::cell::RefCell;
use std::rc::Rc;

use archive::{ErrorKind, Options, Registry, Serialize, Unknown, Value, json, register};

use super::things::{Thing, node, options};
use crate::common::{forgiving, formats};

#[derive(Debug, Default, PartialEq, Serialize)]
struct MoveTo {
    label: u32,
}
impl Thing for MoveTo {
    fn next(&mut self) -> &mut Option<Rc<RefCell<dyn Thing>>> {
        unreachable!()
    }
    fn other(&self) -> Option<Rc<RefCell<dyn Thing>>> {
        None
    }
    fn label(&self) -> u32 {
        self.label
    }
}
impl Thing for Unknown {
    fn next(&mut self) -> &mut Option<Rc<RefCell<dyn Thing>>> {
        unreachable!()
    }
    fn other(&self) -> Option<Rc<RefCell<dyn Thing>>> {
        None
    }
    fn label(&self) -> u32 {
        0
    }
}

/// Without the type `Node`.
fn without_node() -> Options<'static> {
    let mut registry = Registry::new();
    register!(registry, dyn Thing { MoveTo, Unknown }).unwrap();
    Options::new().registry(&registry).keep_unknown(true)
}

#[derive(Default, Serialize)]
struct Head {
    head: Option<Rc<RefCell<dyn Thing>>>,
}
#[derive(Default, Serialize)]
struct NoHead {
    #[archive(unknown)]
    rest: Unknown,
}

#[test]
fn deferred_objects_in_kept_members_are_not_unknown_members() {
    let mut head = None;
    for label in 0..60 {
        let made = node(label);
        *made.borrow_mut().next() = head.replace(made.clone());
    }
    let old = Head { head };
    for format in forgiving() {
        let bytes = format.to_vec_with(&old, &options()).unwrap();
        for strict in [false, true] {
            let options = options().strict(strict);
            let (kept, report) = format
                .from_slice_report::<NoHead>(&bytes, &options)
                .unwrap_or_else(|error| panic!("{format}: {error}"));
            assert!(report.is_empty(), "{format}: {report}");
            let again = format.to_vec_with(&kept, &options).unwrap();
            let mut next = format.from_slice_with::<Head>(&again, &options).unwrap().head;
            for label in (0..60).rev() {
                let node = next.unwrap();
                assert_eq!(node.borrow().label(), label, "{format}");
                next = node.borrow_mut().next().take();
            }
        }
    }
}

#[test]
fn a_kept_object_whose_data_is_refused_keeps_its_type_id() {
    let text = br#"{"head":{"$id":1},"gone":{"$id":1,"$type":"Mod","$value":{"$id":0}}}"#;
    let options = without_node().keep_going(true);
    let (head, report) = json::from_slice_report::<Head>(text, &options).unwrap();
    assert_eq!(report.errors().len(), 1, "{report}");
    for format in formats() {
        let bytes = format.to_vec_with(&head, &options).unwrap();
        let again: Head = format
            .from_slice_with(&bytes, &options)
            .unwrap_or_else(|error| panic!("{format}: {error}"));
        let object = again.head.unwrap();
        let object = object.borrow();
        let kept = (&*object as &dyn std::any::Any).downcast_ref::<Unknown>().unwrap();
        assert_eq!((kept.id(), kept.value()), ("Mod", &Value::Null), "{format}");
    }
}

#[test]
fn a_dangling_reference_in_a_kept_object_is_named() {
    let text = br#"{"head":{"$id":1,"$type":"Mod","$value":{"at":{"$id":9}}}}"#;
    let error = json::from_slice_with::<Head>(text, &without_node()).err().unwrap();
    assert_eq!((error.kind(), error.path()), (ErrorKind::BadPointer, "$9"));
}
