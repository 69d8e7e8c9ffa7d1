//! The grammar: the JSON test suite, and real files read and written as `serde_json` does.

use crate::common::{check, files, fixtures, read, write};
use serde_json::Value;

#[test]
fn test_suite() {
    let Some(folder) = fixtures("json-test-suite/test_parsing") else {
        return;
    };
    let mut wrong = Vec::new();
    for (name, input) in files(&folder) {
        let (checked, tree) = (check(&input), read(&input));
        let fine = match name.as_bytes()[0] {
            b'y' => checked.is_ok() && tree.is_ok(),
            b'n' => checked.is_err() && tree.is_err(),
            _ => true,
        };
        if !fine {
            wrong.push(format!("{name}: skipped {checked:?}, read {tree:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn reads_and_writes_real_files_as_serde_json_does() {
    for folder in ["json-files", "ldtk"].into_iter().filter_map(fixtures) {
        for (name, input) in files(&folder).filter(|(name, _)| name != "LICENSE") {
            let expected: Value = serde_json::from_slice(&input).unwrap();
            check(&input).unwrap();
            assert!(read(&input).unwrap() == expected, "{name}");
            assert!(write(&expected, false) == serde_json::to_string(&expected).unwrap(), "{name}");
            let pretty = serde_json::to_string_pretty(&expected).unwrap();
            assert!(write(&expected, true) == pretty, "{name}");
            assert!(read(pretty.as_bytes()).unwrap() == expected, "{name}");
        }
    }
}
