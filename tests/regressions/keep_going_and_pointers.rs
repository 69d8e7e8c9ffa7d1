//! Errors in pointers, under `keep_going`.

use std::cell::RefCell;
use std::rc::Rc;

use archive::{ErrorKind, Options, Serialize, json};

#[test]
fn keep_going_and_pointers() {
    #[derive(Default, Debug, Serialize)]
    struct Point {
        x: u8,
    }
    #[derive(Default, Debug, Serialize)]
    struct Two {
        one: Option<Rc<RefCell<Point>>>,
        bare: Vec<Rc<Point>>,
        x: u8,
    }
    let options = Options::new().keep_going(true);
    // A dangling reference ended the load.
    let text = br#"{"one":{"$id":7},"x":9}"#;
    let (two, report) = json::from_slice_report::<Two>(text, &options).unwrap();
    assert_eq!((two.x, report.errors().len()), (9, 1), "{report}");
    // References to an object that failed were called cycles.
    let text = br#"{"bare":[{"$id":1,"$value":"no"},{"$id":1},{"$id":2,"$value":{"x":3}}],"x":9}"#;
    let (two, report) = json::from_slice_report::<Two>(text, &options).unwrap();
    assert_eq!((two.x, two.bare.len(), two.bare[0].x), (9, 1, 3));
    assert!(report.errors().iter().all(|e| e.kind() == ErrorKind::WrongType), "{report}");
    // Errors in objects that are searched for at the end are collected like any other.
    let refs: Vec<String> = (1..=200).map(|i| format!("{{\"$id\":{i}}}")).collect();
    let objects: Vec<String> =
        (1..=200).map(|i| format!("{{\"$id\":{i},\"$value\":[{i}]}}")).collect();
    let text = format!("{{\"cells\":[{}],\"gone\":[{}]}}", refs.join(","), objects.join(","));
    #[derive(Default, Serialize)]
    struct Cells {
        cells: Vec<Rc<RefCell<Point>>>,
    }
    let (cells, report) = json::from_slice_report::<Cells>(text.as_bytes(), &options).unwrap();
    let count: u64 = report.counted_errors().map(|(_, count)| count).sum();
    assert_eq!((cells.cells.len(), count), (200, 200));
    // The work is bounded, however many errors there are.
    let text = format!("[{}]", vec!["300"; 5000].join(",\n"));
    let (_, report) = json::from_slice_report::<Vec<u8>>(text.as_bytes(), &options).unwrap();
    assert_eq!((report.errors().len(), report.errors()[0].path()), (1, "[0]"));
}
