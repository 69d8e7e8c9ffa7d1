//! The faults of `tests/faults` fit the present code. `tests/faults` shows that the tests find
//! them.

// The program that switches them on uses all of it.
#[allow(dead_code)]
#[path = "../faults/src/fault_list.rs"]
mod fault_list;

use std::fs;
use std::path::Path;

#[test]
fn faults_are_for_the_code_as_it_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("tests/faults/faults.txt")).unwrap();
    let faults = fault_list::faults(&text).unwrap();
    assert!(!faults.is_empty());
    for fault_list::Fault { number, name, file, find, replace, .. } in faults {
        let code = fs::read_to_string(root.join(&file));
        let code =
            code.unwrap_or_else(|error| panic!("fault {number}: {}: {error}", file.display()));
        let count = code.matches(&find).count();
        assert_eq!(
            count,
            1,
            "fault {number} ({name}): times that its text is in {}",
            file.display()
        );
        assert!(replace.contains("FAULT"), "fault {number} has no switch");
    }
}
