//! `get` and `inspect`.

use archive::path::Path;
use archive::{Value, json};

use crate::run_command::{golden, ok, places};

/// A sample of the places in each golden file.
#[test]
fn get_finds_all_values_of_a_tree() {
    for file in golden() {
        let mut all = Vec::new();
        places(&file.value(), &Path::new(), &mut all);
        // The members of pointers are named as text formats name them, and bytes have items in a tree alone.
        for (path, value) in all.iter().step_by(all.len() / 5 + 1) {
            let text = path.to_string();
            if text.contains('$') {
                continue;
            }
            let found: Value = json::from_str(&ok(&["get", file.text(), &text])).unwrap();
            // Ids are numbers of their file: a tree that is saved alone has other ones.
            let (found, value) = (json::to_string(&found), json::to_string(value));
            assert_eq!(found.unwrap(), value.unwrap(), "{} {text}", file.text());
        }
    }
}

#[test]
fn inspect_shows_every_golden_file() {
    for file in golden() {
        let text = ok(&["inspect", file.text(), "--depth", "9"]);
        assert!(text.lines().count() > 2, "{}: {text}", file.text());
        let value: Value = json::from_str(&ok(&["inspect", file.text(), "--json"])).unwrap();
        assert_eq!(value["values"].as_array().unwrap().len(), 1);
    }
}

/// The data after the last value of a path is not read. The data before it is checked.
#[test]
fn get_reads_as_far_as_it_must() {
    let folder = crate::run_command::folder();
    let path = folder.path().join("a.json");
    let file = path.to_str().unwrap();
    let long = "{\"x\": [1, \"two\", 3.5e1], /* it's */ \"y\": null}, ".repeat(20_000);
    std::fs::write(&path, format!("[{long} {{\"a\": 7}}, oops")).unwrap();
    assert_eq!(ok(&["get", file, "[20000].a"]), "7\n");
    assert_eq!(ok(&["get", file, "[0].x[1]"]), "\"two\"\n");
    let message = crate::run_command::fails(&["get", file, "[*].a"], 2);
    assert!(message.contains("[20001]") && message.contains("`o`"), "{message}");
    std::fs::write(&path, format!("[{long} {{\"a\" 7}}, {{\"b\": 8}}]")).unwrap();
    let message = crate::run_command::fails(&["get", file, "[20001].b"], 2);
    assert!(message.contains("[20000]") && message.contains("expected `:`"), "{message}");
    // An object that is referred to may be anywhere.
    let pointers = format!("[{{\"$id\": 1}}, {long} {{\"$id\": 1, \"$value\": {{\"hp\": 9}}}}]");
    std::fs::write(&path, pointers).unwrap();
    for at in ["[0].hp", "$1.hp", "[20001].hp"] {
        assert_eq!(ok(&["get", file, at]), "9\n", "{at}");
    }
}
