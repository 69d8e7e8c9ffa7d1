//! `get` and `inspect`.

use archive::path::{Path, Step};
use archive::{Value, json};

use crate::support::{golden, ok};

/// Every value of a tree, with its path.
fn places(value: &Value, at: &Path, found: &mut Vec<(Path, Value)>) {
    found.push((at.clone(), value.clone()));
    let mut inside = |step: Step, value: &Value| {
        let mut path = at.clone();
        path.push(step);
        places(value, &path, found);
    };
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| inside(index.into(), item));
        }
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| inside((&**name).into(), value));
        }
        _ => {}
    }
}

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
