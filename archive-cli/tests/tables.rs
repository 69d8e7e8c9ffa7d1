//! `archive export`: which objects are rows, and what their cells are.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::{Rc, Weak};

use archive::{Format, Serialize, json};

use crate::run_command::{fails, folder, golden, ok, run};

#[derive(Default, Serialize)]
struct At {
    x: f32,
    y: f32,
}

#[derive(Default, Serialize)]
enum Order {
    #[default]
    Wait,
    Go(At, u8),
    Say {
        text: String,
    },
}

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    hp: u64,
    at: At,
    home: Option<At>,
    order: Order,
    orders: Vec<Order>,
    scores: BTreeMap<String, f64>,
    path: Vec<At>,
    save: bool,
}

#[derive(Default, Serialize)]
struct World {
    tick: u32,
    units: Vec<Unit>,
    by_name: BTreeMap<String, Unit>,
}

fn world() -> World {
    let unit = Unit {
        name: "a, \"b\"\n".into(),
        hp: u64::MAX,
        home: Some(At { x: 0.1, y: -0.0 }),
        order: Order::Go(At { x: 1.0, y: f32::NAN }, 7),
        orders: vec![Order::Wait, Order::Say { text: "ho".into() }],
        scores: [("x y".to_owned(), f64::INFINITY)].into(),
        path: vec![At { x: 3.0, y: 4.0 }],
        ..Unit::default()
    };
    let by_name = [("two words".to_owned(), Unit::default())].into();
    World { tick: 9, units: vec![unit, Unit::default()], by_name }
}

/// Exports files as CSV, and returns the text of a table.
fn csv(files: &[&str], folder: &Path, table: &str) -> String {
    let output = folder.join("tables");
    let args = [&["export"], files, &["--csv", output.to_str().unwrap()]].concat();
    ok(&args);
    std::fs::read_to_string(output.join(format!("{table}.csv"))).unwrap()
}

/// Writes a file, and returns its path.
fn file(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn objects_of_classes_are_rows() {
    let folder = folder();
    let save = file(folder.path(), "a.bin", Format::Binary.to_vec(&world()).unwrap());
    let units = csv(&[&save], folder.path(), "Unit");
    let expected = format!(
        "\"save\",\"key\",\"path\",\"name\",\"hp\",\"at.x\",\"at.y\",\"home\",\"home.x\",\"home.y\",\"order\",\"order.data\",\"orders\",\
         \"scores\",\"path_2\",\"save_2\"\n\
         \"{save}\",,\"units[0]\",\"a, \"\"b\"\"\n\",18446744073709551615,0.0,0.0,true,0.1,-0.0,\"Go\",\"[{{\"\"x\"\":1.0,\"\"y\"\":\"\"NaN\"\"}},7]\",\
         \"[{{\"\"variant\"\":\"\"Wait\"\"}},{{\"\"variant\"\":\"\"Say\"\",\"\"Say\"\":{{\"\"text\"\":\"\"ho\"\"}}}}]\",\
         \"{{\"\"x y\"\":\"\"inf\"\"}}\",\"[{{\"\"x\"\":3.0,\"\"y\"\":4.0}}]\",false\n\
         \"{save}\",,\"units[1]\",\"\",0,0.0,0.0,,,,\"Wait\",,\"[]\",\"{{}}\",\"[]\",false\n\
         \"{save}\",,\"by_name[\"\"two words\"\"]\",\"\",0,0.0,0.0,,,,\"Wait\",,\"[]\",\"{{}}\",\"[]\",false\n"
    );
    assert_eq!(units, expected);
    let worlds = csv(&[&save], folder.path(), "World");
    assert_eq!(worlds, format!("\"save\",\"key\",\"path\",\"tick\"\n\"{save}\",,\"\",9\n"));
    // Items of lists in rows are rows, too.
    let places = csv(&[&save], folder.path(), "At");
    assert!(places.ends_with(&format!("\"{save}\",,\"units[0].path[0]\",3.0,4.0\n")), "{places}");
    // A path leads to the object.
    assert_eq!(ok(&["get", &save, "by_name[\"two words\"].hp"]), "0\n");
    assert_eq!(ok(&["get", &save, "units[0].path[0].x"]), "3.0\n");
}

#[derive(Default, Serialize)]
struct Agent {
    name: String,
    leader: Weak<RefCell<Agent>>,
    next: Option<Rc<RefCell<Agent>>>,
    /// A shared value that is not an object.
    motto: Rc<String>,
}

#[derive(Default, Serialize)]
struct Team {
    first: Rc<RefCell<Agent>>,
    chosen: Vec<Rc<RefCell<Agent>>>,
}

#[test]
fn pointers_are_keys_at_any_depth() {
    let folder = folder();
    let mut team = Team::default();
    let motto = Rc::new("forward".to_owned());
    // A chain that is deeper than the format nests pointers.
    let mut last = team.first.clone();
    for number in 1..100 {
        let next =
            Agent { name: format!("agent {number}"), motto: motto.clone(), ..Agent::default() };
        let next = Rc::new(RefCell::new(next));
        next.borrow_mut().leader = Rc::downgrade(&team.first);
        last.borrow_mut().next = Some(next.clone());
        last = next;
    }
    team.chosen = vec![last, team.first.clone()];
    for format in [Format::Binary, Format::Json, Format::MessagePack] {
        let save = file(folder.path(), "team", format.to_vec(&team).unwrap());
        let table = if format == Format::Binary { "Agent" } else { "objects" };
        let agents = csv(&[&save], folder.path(), table);
        let head: Vec<&str> = agents.lines().next().unwrap().split(',').collect();
        let column =
            |name: &str| head.iter().position(|column| *column == format!("\"{name}\"")).unwrap();
        let rows: Vec<&str> = agents.lines().skip(1).filter(|row| row.contains("agent ")).collect();
        assert_eq!(rows.len(), 99, "{format}: {agents}");
        for row in rows {
            let cells: Vec<&str> = row.split(',').collect();
            assert_eq!(cells[2], format!("\"${}\"", cells[1]), "{row}");
            let name = ok(&["get", &save, &format!("${}.name", cells[1])]);
            assert_eq!(format!("{}\n", cells[column("name")]), name);
            assert_eq!(cells[column("leader")], "1", "{row}");
        }
        // The value that is not an object has a row with one cell.
        let mottos = match format {
            Format::Binary => csv(&[&save], folder.path(), "String"),
            _ => agents.clone(),
        };
        assert!(mottos.contains("\"forward\""), "{format}: {mottos}");
        let team = csv(&[&save], folder.path(), if table == "Agent" { "Team" } else { "root" });
        assert!(
            team.lines().nth(1).unwrap().starts_with(&format!("\"{save}\",,\"\",1,\"[")),
            "{team}"
        );
    }
}

mod old {
    use archive::Serialize;

    #[derive(Default, Serialize)]
    pub struct Unit {
        pub hp: String,
        pub at: u8,
    }
}

mod new {
    use archive::Serialize;

    #[derive(Default, Serialize)]
    pub struct Unit {
        pub hp: u16,
        pub at: f32,
        pub level: u8,
    }
}

/// Old versions of a class are in its table. A member whose kinds differ has a column for each.
#[test]
fn versions_of_a_class_are_one_table() {
    let folder = folder();
    let one = old::Unit { hp: "10".into(), at: 7 };
    let two = new::Unit { hp: 77, at: 0.5, level: 3 };
    let old = file(folder.path(), "old.bin", Format::Binary.to_vec(&vec![one]).unwrap());
    let new = file(folder.path(), "new.bin", Format::Binary.to_vec(&vec![two]).unwrap());
    assert_eq!(
        csv(&[&new, &old], folder.path(), "Unit"),
        format!(
            "\"save\",\"key\",\"path\",\"hp\",\"hp_text\",\"at\",\"level\"\n\
             \"{new}\",,\"[0]\",77,,0.5,3\n\
             \"{old}\",,\"[0]\",,\"10\",7.0,\n"
        )
    );
    assert!(csv(&[&old, &new], folder.path(), "Unit").contains("\"hp\",\"hp_int\""));
}

/// Files without types: each list of objects is a table with the name of its path.
#[test]
fn lists_of_files_without_types_are_tables() {
    let folder = folder();
    let text = r#"{"level":"Hall","units":[{"hp":1,"at":{"x":0.5},"tags":["a"],"orders":[{"to":1}]},{"hp":"two","HP":null,"save":3,"select":-1}],
        "mixed":[1,{"a":2},"b"],"none":[],"big":340282366920938463463374607431768211455,"grid":[[1,2],[3]]}"#;
    let save = file(folder.path(), "a.json", text);
    let units = csv(&[&save], folder.path(), "units");
    assert_eq!(
        units,
        format!(
            "\"save\",\"key\",\"path\",\"hp\",\"hp_text\",\"at\",\"at.x\",\"tags\",\"orders\",\"HP_2\",\"save_2\",\"select\"\n\
             \"{save}\",,\"units[0]\",1,,true,0.5,\"[\"\"a\"\"]\",\"[{{\"\"to\"\":1}}]\",,,\n\
             \"{save}\",,\"units[1]\",,\"two\",,,,,,3,-1\n"
        )
    );
    let orders = csv(&[&save], folder.path(), "units.orders");
    assert!(orders.ends_with("\"units[0].orders[0]\",1\n"), "{orders}");
    let mixed = csv(&[&save], folder.path(), "mixed");
    assert!(mixed.ends_with("\"mixed[1]\",2\n"), "{mixed}");
    let root = csv(&[&save], folder.path(), "root");
    let expected = "\"\",\"Hall\",\"[1,\"\"b\"\"]\",\"[]\",340282366920938463463374607431768211455,\"[[1,2],[3]]\"\n";
    assert!(root.ends_with(expected), "{root}");
}

/// A value that is not an object is a row of one cell, and a file of rows alone has no other table.
#[test]
fn any_root_has_a_row() {
    let folder = folder();
    for (text, expected) in [("7", "7"), ("[1,2]", "\"[1,2]\""), ("\"x\"", "\"x\"")] {
        let save = file(folder.path(), "a.json", text);
        let root = csv(&[&save], folder.path(), "root");
        assert_eq!(
            root,
            format!("\"save\",\"key\",\"path\",\"value\"\n\"{save}\",,\"\",{expected}\n")
        );
    }
    let save = file(folder.path(), "a.json", r#"[{"a":1},{"a":2}]"#);
    let root = csv(&[&save], folder.path(), "root");
    assert!(root.ends_with(",\"[1]\",2\n"), "{root}");
}

/// Names from files are names of columns and files, and nothing else.
#[test]
fn hostile_names_stay_names() {
    let folder = folder();
    let text = r#"{"../../up":[{"a\"); drop table units; --":1,"":2,"\u0000":3}],"CON":[{"a":1}],"con":[{"a":2}],"-x/.y":[{"a":1}]}"#;
    let save = file(folder.path(), "a.json", text);
    csv(&[&save], folder.path(), "con_2");
    let mut names: Vec<String> = std::fs::read_dir(folder.path().join("tables"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".csv") && !name.starts_with("_CON"))
        .collect();
    names.sort();
    assert_eq!(names, ["%2E.%2F..%2Fup.csv", "-x%2F.y.csv", "con_2.csv", "root.csv"]);
    let up = csv(&[&save], folder.path(), "%2E.%2F..%2Fup");
    assert!(
        up.starts_with(
            "\"save\",\"key\",\"path\",\"a\"\"); drop table units; --\",\"_\",\"\u{fffd}\"\n"
        ),
        "{up}"
    );
    // Objects with very many names are maps.
    let many: Vec<String> = (0..300).map(|at| format!("\"n{at}\":{at}")).collect();
    let maps = format!("[{{\"m\":{{{}}}}},{{\"m\":{{\"other\":1}}}}]", many.join(","));
    let save = file(folder.path(), "b.json", maps);
    let root = csv(&[&save], folder.path(), "root");
    assert!(root.starts_with("\"save\",\"key\",\"path\",\"m\"\n"), "{root}");
}

/// A folder appears once it is complete, and only an export is replaced.
#[test]
fn an_export_is_whole_or_absent() {
    let folder = folder();
    let good = file(folder.path(), "a.json", r#"[{"a":1}]"#);
    let bad = file(folder.path(), "b.json", r#"[{"a":1},"#);
    let output = folder.path().join("out");
    let output = output.to_str().unwrap();
    let errors = fails(&["export", &good, &bad, "--csv", output], 2);
    assert!(errors.contains("b.json"), "{errors}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    ok(&["export", &good, "--csv", output]);
    let json = ok(&["export", &good, &good, "--csv", output, "--json"]);
    let about: archive::Value = json::from_str(&json).unwrap();
    assert_eq!(about["tables"][0].to_string(), r#"{"table":"root","rows":2}"#);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
    // Another folder, a file, and the input are not replaced.
    let own = folder.path().join("own");
    std::fs::create_dir(&own).unwrap();
    ok(&["export", &good, "--csv", own.to_str().unwrap()]);
    // Not even an earlier export, if a user has put something into it.
    std::fs::write(own.join("notes.sql"), "select 1").unwrap();
    let errors = fails(&["export", &good, "--csv", own.to_str().unwrap()], 2);
    assert!(errors.contains("did not write") && own.join("notes.sql").exists(), "{errors}");
    std::fs::remove_file(own.join("_archive_export.json")).unwrap();
    let errors = fails(&["export", &good, "--csv", own.to_str().unwrap()], 2);
    assert!(errors.contains("did not write"), "{errors}");
    assert!(fails(&["export", &good, "--csv", &bad], 2).contains("name a folder"));
    assert!(fails(&["export", &good, "--csv", &good], 2).contains("would replace"));
    assert!(fails(&["export", &good], 2).contains("--csv"));
    assert!(own.join("root.csv").exists());
}

/// Files of all formats have tables.
#[test]
fn golden_files_have_tables() {
    let folder = folder();
    let output = folder.path().join("tables");
    for file in golden() {
        let done = run(&["export", file.text(), "--csv", output.to_str().unwrap()]);
        assert!(
            done.status.success(),
            "{}: {}",
            file.text(),
            String::from_utf8_lossy(&done.stderr)
        );
    }
}
