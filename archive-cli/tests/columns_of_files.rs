//! Binary files with columns: every command reads them, and changes keep the columns.

use std::fs;

use archive::{Serialize, binary};

use crate::run_command::{fails, folder, ok, run};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Unit {
    name: String,
    hp: u16,
    orders: Vec<Order>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
enum Order {
    #[default]
    Wait,
    Move {
        to: (i32, i32),
    },
}

fn units() -> Vec<Unit> {
    let orders = |at: i32| vec![Order::Move { to: (at, -at) }, Order::Wait];
    let unit =
        |at: u16| Unit { name: format!("unit {at}"), hp: 90 + at % 9, orders: orders(at.into()) };
    (0..100).map(unit).collect()
}

#[test]
fn a_file_with_columns_is_the_same_value() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (rows, columns, back) = (path("rows.bin"), path("columns.bin"), path("back.bin"));
    fs::write(&rows, binary::to_vec(&units()).unwrap()).unwrap();

    ok(&["convert", "--columns", &rows, &columns]);
    let file = fs::read(&columns).unwrap();
    assert!(binary::columns::has_columns(&file) && file.len() < fs::read(&rows).unwrap().len());
    assert_eq!(binary::from_slice::<Vec<Unit>>(&file).unwrap(), units());
    ok(&["convert", &columns, &back]);
    assert_eq!(fs::read(&back).unwrap(), fs::read(&rows).unwrap());

    assert!(ok(&["inspect", &columns]).contains("binary with columns"));
    for args in
        [&["get", &rows, "[99].orders[0]"][..], &["get", &rows, "[*].name"], &["stats", &rows]]
    {
        let other: Vec<&str> =
            args.iter().map(|arg| if *arg == rows { &*columns } else { arg }).collect();
        if args[0] == "stats" {
            ok(&other);
        } else {
            assert_eq!(ok(args), ok(&other).replace(&columns, &rows));
        }
    }
    ok(&["diff", &rows, &columns]);
    ok(&["verify", &columns]);
    ok(&["convert", &columns, &path("units.json")]);
    ok(&["export", &columns, "--csv", &path("tables")]);
}

#[test]
fn a_change_keeps_the_columns() {
    let folder = folder();
    let path = folder.path().join("units.bin");
    let name = path.to_str().unwrap();
    let mut units = units();
    fs::write(&path, binary::columns::to_vec(&units).unwrap()).unwrap();
    ok(&["set", name, "[7].hp", "1"]);
    units[7].hp = 1;
    assert_eq!(fs::read(&path).unwrap(), binary::columns::to_vec(&units).unwrap());
    assert!(fails(&["set", name, "[7].hp", "70000"], 2).contains("70000"));
    assert_eq!(fs::read(&path).unwrap(), binary::columns::to_vec(&units).unwrap());
}

#[test]
fn columns_need_types() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (json, out) = (path("units.json"), path("out.bin"));
    fs::write(&json, "[1, 2]").unwrap();
    let message = "`--columns` needs a binary input that states its types, and a binary output";
    assert!(fails(&["convert", "--columns", &json, &out], 2).contains(message));
    assert!(fails(&["convert", "--columns", &json, &path("out.msgpack")], 2).contains(message));
    assert!(!fs::exists(out).unwrap());
}

/// The damage is in the text of a unit: those before it are readable.
#[test]
fn a_damaged_file_is_repaired_up_to_the_damage() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, out) = (path("units.bin"), path("units.json"));
    let mut bytes = binary::columns::to_vec(&units()).unwrap();
    let at = bytes.windows(7).position(|text| text == b"unit 50").unwrap();
    bytes[at] = 0xff;
    fs::write(&file, &bytes).unwrap();
    let message = fails(&["get", &file, "[50].name"], 2);
    assert!(message.contains("units.bin (as rows)") && message.contains("UTF-8"), "{message}");
    run(&["repair", &file, "-o", &out]);
    let names = ok(&["get", &out, "[*].name"]);
    assert!(names.contains("unit 49") && !names.contains("unit 50"), "{names}");
}
