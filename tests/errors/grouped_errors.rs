//! `keep_going` groups errors as notes are grouped: one for each kind and member of a class, with a count.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::common::forgiving;
use archive::{ErrorKind, Format, Options, Report, Serialize, Value, json};

#[derive(Debug, Default, Serialize)]
struct Unit<H> {
    name: String,
    hp: H,
}

fn units<H>(count: usize, hp: impl Fn(usize) -> H) -> Vec<Unit<H>> {
    (0..count).map(|at| Unit { name: format!("u{at}"), hp: hp(at) }).collect()
}

/// The path and the count of each error.
fn found(report: &Report) -> Vec<(&str, u64)> {
    report.counted_errors().map(|(error, count)| (error.path(), count)).collect()
}

#[test]
fn thousands_of_one_kind_are_one() {
    let options = Options::new().keep_going(true);
    for format in forgiving() {
        let bytes = format.to_vec(&units(3000, |at| 300 + at as u32)).unwrap();
        let (loaded, report) = format.from_slice_report::<Vec<Unit<u8>>>(&bytes, &options).unwrap();
        assert_eq!((loaded.len(), &*loaded[2999].name), (3000, "u2999"), "{format}");
        assert_eq!(found(&report), [("[0].hp", 3000)], "{format}: {report}");
        assert_eq!(report.errors()[0].message(), "300 does not fit u8");
        assert!(report.to_string().ends_with(", the first of 3,000 such errors\n"), "{report}");
        // A report has the errors of one file: the second load starts with an empty one.
        let (_, again) = format.from_slice_report::<Vec<Unit<u8>>>(&bytes, &options).unwrap();
        assert_eq!(found(&again), [("[0].hp", 3000)], "{format}");
    }
}

#[test]
fn a_single_error_is_as_before() {
    let options = Options::new().keep_going(true);
    let (_, report) =
        json::from_str_report::<Vec<Unit<u8>>>(r#"[{"name":"a","hp":300}]"#, &options).unwrap();
    assert_eq!(report.to_string(), format!("{}\n", report.errors()[0]));
}

/// Other kinds, other members and other classes stay apart.
#[test]
fn different_errors_are_separate() {
    #[derive(Debug, Default, Serialize)]
    struct Door {
        hp: u8,
    }
    #[derive(Debug, Default, Serialize)]
    struct World {
        units: Vec<Unit<u8>>,
        doors: Vec<Door>,
        more: BTreeMap<String, Unit<u8>>,
    }
    let text = r#"{
        "units":[{"name":1,"hp":300},{"name":2,"hp":"x"},{"name":"c","hp":301},{"name":3,"hp":null}],
        "doors":[{"hp":300},{"hp":-1}],
        "more":{"a":{"hp":300},"b":{"hp":7}}
    }"#;
    let tree: Value = json::from_str(text).unwrap();
    let options = Options::new().keep_going(true);
    for format in [Format::Json, Format::MessagePack, Format::Blob] {
        let bytes = format.to_vec(&tree).unwrap();
        let (world, report) = format.from_slice_report::<World>(&bytes, &options).unwrap();
        assert_eq!((world.units.len(), world.doors.len(), world.more["b"].hp), (4, 2, 7));
        let mut found: Vec<_> =
            report.counted_errors().map(|(it, count)| (it.path(), it.kind(), count)).collect();
        found.sort_by_key(|(path, ..)| path.to_string());
        let expected = [
            ("doors[0].hp", ErrorKind::OutOfRange, 2),
            ("units[0].hp", ErrorKind::OutOfRange, 3), // the one in `more` as well
            ("units[0].name", ErrorKind::WrongType, 3),
            ("units[1].hp", ErrorKind::WrongType, 2),
        ];
        assert_eq!(found, expected, "{format}: {report}");
    }
}

/// Numbers of a list, of a map, of lists in lists, of payloads and of cells have no class of their own.
#[test]
fn values_without_a_class() {
    #[derive(Debug, Serialize)]
    enum Order {
        Wait(u8),
        Walk { to: [u8; 2] },
    }
    #[derive(Debug, Default, Serialize)]
    struct Lists {
        flat: Vec<u8>,
        deep: Vec<Vec<u8>>,
        map: BTreeMap<String, u8>,
        orders: Vec<Order>,
        cells: Vec<Rc<RefCell<u8>>>,
        after: Vec<u8>,
    }
    const COUNT: usize = 2000;
    let list = |item: &str| vec![item; COUNT].join(",");
    let entries: Vec<String> = (0..COUNT).map(|at| format!("\"k{at:04}\":300")).collect();
    let orders = format!("{},{}", list(r#"{"Wait":300}"#), list(r#"{"Walk":{"to":[1,300]}}"#));
    let cells: Vec<String> =
        (1..=COUNT).map(|id| format!("{{\"$id\":{id},\"$value\":300}}")).collect();
    let text = format!(
        r#"{{"flat":[{}],"deep":[{}],"map":{{{}}},"orders":[{orders}],"cells":[{}],"after":[300,7]}}"#,
        list("300"),
        list("[300,1]"),
        entries.join(","),
        cells.join(","),
    );
    let options = Options::new().keep_going(true);
    let (lists, report) = json::from_str_report::<Lists>(&text, &options).unwrap();
    assert_eq!((lists.flat.len(), lists.deep.len(), lists.map.len()), (0, COUNT, 0));
    assert_eq!(lists.after, [7]);
    let counts: Vec<u64> = report.counted_errors().map(|(_, count)| count).collect();
    assert_eq!(counts.iter().sum::<u64>(), 6 * COUNT as u64 + 1, "{report}");
    assert!(counts.len() <= 8, "{report}");
    let (numbers, report) =
        json::from_str_report::<Vec<u8>>(&format!("[{},7]", list("300")), &options).unwrap();
    assert_eq!((numbers, found(&report)), (vec![7], vec![("[0]", COUNT as u64)]));
}

/// The list of an outer object and that of an inner one, which is in an item of the former.
#[test]
fn items_around_objects_with_items() {
    #[derive(Debug, Default, Serialize)]
    struct Squad {
        sizes: Vec<u8>,
    }
    let text = vec![r#"[300,{"sizes":[300,300]}]"#; 1500].join(",");
    let options = Options::new().keep_going(true);
    let text = format!("[{text}]");
    let (squads, report) = json::from_str_report::<Vec<(u8, Squad)>>(&text, &options).unwrap();
    assert_eq!(squads.len(), 1500);
    assert_eq!(found(&report), [("[0][0]", 1500), ("[0][1].sizes[0]", 3000)], "{report}");
}

/// A class that contains itself: the inner objects are complete before the outer one.
#[test]
fn recursive_classes() {
    #[derive(Debug, Default, Serialize)]
    struct Node {
        hp: u8,
        kids: Vec<Node>,
    }
    let text = r#"{"hp":300,"kids":[{"hp":300,"kids":[{"hp":300}]},{"hp":300}]}"#;
    let options = Options::new().keep_going(true);
    let (_, report) = json::from_str_report::<Node>(text, &options).unwrap();
    assert_eq!(found(&report), [("hp", 4)], "{report}");
}

/// A load of several roots has one report.
#[test]
fn several_roots() {
    let report = Cell::default();
    let options = Options::new().keep_going(true).report(&report);
    for format in forgiving() {
        let mut writer = format.writer();
        writer.save("a", &units(5, |_| 300_u32)).unwrap();
        writer.save("b", &units(7, |_| 300_u32)).unwrap();
        let bytes = writer.finish().unwrap();
        let mut reader = format.reader_with(&bytes, &options).unwrap();
        assert_eq!(reader.load::<Vec<Unit<u8>>>("a").unwrap().len(), 5, "{format}");
        assert_eq!(reader.load::<Vec<Unit<u8>>>("b").unwrap().len(), 7, "{format}");
        reader.finish().unwrap();
        assert_eq!(found(&report.take()), [("a[0].hp", 12)], "{format}");
    }
}

/// The limit counts different errors: repeated ones do not end a load.
#[test]
fn the_limit_counts_different_errors() {
    for format in forgiving() {
        let bytes = format.to_vec(&units(50, |_| 300_u32)).unwrap();
        let load = |most| {
            let options = Options::new().keep_going(true).max_errors(most);
            format.from_slice_report::<Vec<Unit<u8>>>(&bytes, &options)
        };
        assert_eq!(found(&load(1).unwrap().1), [("[0].hp", 50)], "{format}");
        let error = load(0).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "[0].hp"), "{format}");
    }
    let text = r#"[{"name":"","hp":300},{"name":"","hp":301},{"name":1,"hp":302}]"#;
    let load = |most| {
        let options = Options::new().keep_going(true).max_errors(most);
        json::from_str_report::<Vec<Unit<u8>>>(text, &options)
    };
    let error = load(1).unwrap_err();
    assert_eq!(error.path(), "[2].name");
    assert!(
        error.message().ends_with("; more than 1 error (`Options::max_errors` raises the limit)")
    );
    assert_eq!(found(&load(2).unwrap().1), [("[0].hp", 3), ("[2].name", 1)]);
}

/// Two members that are missing are two errors, in each object.
#[test]
fn missing_members() {
    let options = Options::new().keep_going(true).complete(true);
    let text = format!("[{}]", vec!["{}"; 1500].join(","));
    let (_, report) = json::from_str_report::<Vec<Unit<u8>>>(&text, &options).unwrap();
    assert_eq!(found(&report), [("[0].name", 1500), ("[0].hp", 1500)], "{report}");
}

/// The report of a hostile file is small if its errors are similar, however long the file is.
#[test]
fn memory_does_not_grow_with_the_number_of_errors() {
    let size = |count: usize| {
        let text = format!("[{}]", vec![r#"{"name":"","hp":300}"#; count].join(","));
        let options = Options::new().keep_going(true);
        let (_, report) = json::from_str_report::<Vec<Unit<u8>>>(&text, &options).unwrap();
        (report.errors().len(), report.to_string().len())
    };
    let (few, many) = (size(2000), size(9000));
    assert_eq!((few, many), ((1, few.1), (1, few.1)));
}
