//! `get` and `inspect`.

use archive::path::Path;
use archive::{Value, json};

use crate::support::{golden, ok, places};

/// A sample of the places in each golden file.
#[test]
fn get_finds_what_a_tree_has() {
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
            // Ids are numbers of their file: a tree that is saved alone has others.
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
