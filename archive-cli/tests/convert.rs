//! `convert`: every file in every format.

use archive::{Format, Value, json};

use crate::run_command::{folder, golden, ok, options, piped};

/// A streamed conversion writes the same as one through a tree.
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
            let to = ["json", "binary", "msgpack", "blob", "bins"][(index + 2 * at) % 5];
            let out = folder.path().join("out");
            ok(&["convert", file.text(), out.to_str().unwrap(), "--to", to]);
            let format = if to == "bins" {
                Format::of::<archive::bins::Bins>()
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

/// From standard input to standard output. The content shows the format.
#[test]
fn standard_input_is_a_file() {
    for file in golden().into_iter().step_by(7) {
        let output = piped(&["convert", "-", "-"], &file.bytes());
        assert!(output.status.success());
        assert_eq!(String::from_utf8(output.stdout).unwrap(), ok(&["convert", file.text(), "-"]));
    }
}

/// Long text from standard input is read through a window and short text at once. Both accept the
/// same.
#[test]
fn text_of_any_length_is_read_the_same_way() {
    let folder = folder();
    let path = folder.path().join("a.json");
    let long = format!("[{} 0]", "1, /* it's, \" */ 2, // ,\n".repeat(30_000));
    for text in [
        "\u{feff}{ // a, \"\n \"a\": [1, 2,], /* \" */ \"b\": {\"c\": null,}, }",
        "/**/ [ /* , */ ] // \"",
        &long,
        "[1, /* open",
        "[1 2]",
        "[1, // end",
        "[1] x",
    ] {
        std::fs::write(&path, text).unwrap();
        for command in [&["convert"][..], &["verify"], &["get"]] {
            let output = |file: &str, input: &[u8]| {
                let mut args = command.to_vec();
                args.push(file);
                if command[0] == "convert" {
                    args.push("-");
                }
                let output = piped(&args, input);
                let errors = String::from_utf8(output.stderr).unwrap();
                // The error has the name of the file and the line in it.
                let message = errors.lines().next().unwrap_or_default().replace(file, "FILE");
                let shown = String::from_utf8(output.stdout).unwrap().replace(file, "FILE");
                (output.status.code(), shown, message.replace("standard input", "FILE"))
            };
            let of_file = output(path.to_str().unwrap(), b"");
            let mut of_input = output("-", text.as_bytes());
            of_input.1 = of_input.1.replace("standard input", "FILE");
            if command[0] == "verify" {
                (of_input.1, of_input.2) = (of_file.1.clone(), of_file.2.clone());
            }
            assert_eq!(of_input, of_file, "{command:?} {}", &text[..text.len().min(40)]);
        }
    }
}

/// Output through a temporary file is the same as that of a tree.
#[test]
fn long_files_are_the_same_in_every_format() {
    let folder = folder();
    let unit = |at: u32| {
        let orders: String = (0..at % 4).map(|order| format!("{{\"target\":{order}}},")).collect();
        let orders = orders.trim_end_matches(',');
        format!("{{\"id\":{at},\"name\":\"unit {at}\",\"at\":[0.5,{at}.25],\"orders\":[{orders}]}}")
    };
    let units: Vec<String> = (0..30_000).map(unit).collect();
    let numbers: Vec<String> = (0..200_000).map(|at| at.to_string()).collect();
    let text = format!("{{\"units\":[{}],\"numbers\":[{}]}}", units.join(","), numbers.join(","));
    let (path, out) = (folder.path().join("a.json"), folder.path().join("out"));
    std::fs::write(&path, &text).unwrap();
    let value: Value = json::from_str(&text).unwrap();
    let bins = Format::of::<archive::bins::Bins>();
    for (name, format) in [
        ("json", Format::Json),
        ("binary", Format::Binary),
        ("msgpack", Format::MessagePack),
        ("blob", Format::Blob),
        ("bins", bins),
    ] {
        ok(&["convert", path.to_str().unwrap(), out.to_str().unwrap(), "--to", name]);
        let mut expected = format.to_vec_with(&value, &options()).unwrap();
        expected.extend(if name == "json" { &b"\n"[..] } else { b"" });
        assert!(std::fs::read(&out).unwrap() == expected, "{name}");
        assert_eq!(ok(&["convert", out.to_str().unwrap(), "-"]), text.clone() + "\n", "{name}");
    }
}
