//! `convert`: every file in every format.

use archive::{Format, Value, json};

use crate::support::{folder, golden, ok, options, piped};

/// What is streamed is what a tree has.
#[test]
fn golden_files_become_the_json_of_their_trees() {
    for file in golden() {
        let expected = json::to_string(&file.value()).unwrap();
        assert_eq!(ok(&["convert", file.text(), "-"]), expected + "\n", "{}", file.text());
    }
}

#[test]
fn golden_files_become_every_format() {
    let folder = folder();
    for (index, file) in golden().into_iter().enumerate() {
        for at in 0..3 {
            // All of them in turn.
            let to = ["json", "binary", "msgpack", "blob", "store"][(index + 2 * at) % 5];
            let out = folder.path().join("out");
            ok(&["convert", file.text(), out.to_str().unwrap(), "--to", to]);
            let format = if to == "store" {
                Format::of::<archive::blob::store::Store>()
            } else {
                Format::from_name(to).unwrap()
            };
            let bytes = std::fs::read(&out).unwrap();
            let value: Value = format.erased().from_slice_with(&bytes, &options()).unwrap();
            let tree = format.erased().to_vec_with(&file.value(), &options()).unwrap();
            let tree: Value = format.erased().from_slice_with(&tree, &options()).unwrap();
            let (value, tree) = (json::to_string(&value).unwrap(), json::to_string(&tree).unwrap());
            assert_eq!(value, tree, "{} to {to}", file.text());
        }
    }
}

/// From standard input to standard output, found out by content.
#[test]
fn standard_input_is_a_file() {
    for file in golden().into_iter().step_by(7) {
        let output = piped(&["convert", "-", "-"], &file.bytes());
        assert!(output.status.success());
        assert_eq!(String::from_utf8(output.stdout).unwrap(), ok(&["convert", file.text(), "-"]));
    }
}
