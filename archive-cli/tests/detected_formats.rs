//! Files whose first bytes or names show their format: errors of that format, with a position, and
//! `repair`.

use archive::save::SaveFile;
use archive::store::Store;
use archive::{Format, Serialize};

use crate::run_command::{fails, folder, ok, run};

#[derive(Default, Serialize)]
struct World {
    tick: u64,
}
archive::store::persistent!(World = "world");

#[test]
fn damaged_files_have_errors_of_their_format() {
    let folder = folder();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let utf16 = |text: &str, little: bool| -> Vec<u8> {
        let bytes = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    };
    let text = "{\"a\": \"\u{e9}\"}";
    for (name, bytes, place, kept) in [
        ("a.msgpack", b"\x82\xa1a\x01\xa1b\xc1".to_vec(), "byte 6", "{\"a\":1}"),
        ("a", b"\x82\xa1a\x01\xa1b\xc1".to_vec(), "byte 6", "{\"a\":1}"),
        ("a.msgpack", b"\x92\x01\xc1".to_vec(), "byte 2", "[1]"),
        ("a", b"{name: 1}".to_vec(), "line 1 column 2", "{}"),
        ("a.json", b"{name: 1}".to_vec(), "line 1 column 2", "{}"),
        ("a.json", b"tru".to_vec(), "line 1 column 4", ""),
        ("a.json", b"\x05".to_vec(), "line 1 column 1", ""),
        ("a", utf16(text, true), "is UTF-16", "{\"a\":\"\u{e9}\"}"),
        ("a", utf16(text, false), "is UTF-16", "{\"a\":\"\u{e9}\"}"),
        ("a", utf16(&format!("\u{feff}{text}"), true), "line 1 column 1", "{\"a\":\"\u{e9}\"}"),
        ("a", utf16(&format!("\u{feff}{text}"), false), "line 1 column 1", "{\"a\":\"\u{e9}\"}"),
        ("a.bin", b"damaged, so it is not one".to_vec(), "byte 0", ""),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, &bytes).unwrap();
        let file = path.to_str().unwrap();
        for args in [vec!["get", file], vec!["convert", file, out, "--to", "json"]] {
            let message = fails(&args, 2);
            assert!(message.contains(place), "{name} {bytes:?}: {message}");
        }
        assert!(fails(&["verify", file], 1).contains(place), "{name} {bytes:?}");
        let output = run(&["repair", file, "-o", out]);
        if kept.is_empty() {
            assert_eq!(output.status.code(), Some(2), "{name} {bytes:?}");
            continue;
        }
        assert_eq!(output.status.code(), Some(1), "{name} {bytes:?}");
        assert_eq!(ok(&["get", out, "-c"]).trim(), kept, "{name}");
        std::fs::remove_file(out).unwrap();
    }
}

/// MessagePack has no signature, and may look like ObjectBlob.
#[test]
fn whole_files_are_detected() {
    let folder = folder();
    for (name, bytes, json) in [
        ("a", &b"\x91\xcd\x01\x00"[..], "[256]"),
        ("a.msgpack", b"\x91\xcd\x01\x00", "[256]"),
        ("a.msgpack", b"\x00", "0"),
        ("a.json", b"7", "7"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(ok(&["get", path.to_str().unwrap(), "-c"]).trim(), json, "{name}");
    }
    for zeros in [1, 2, 4, 5, 100] {
        let path = folder.path().join("zero");
        std::fs::write(&path, vec![0; zeros]).unwrap();
        let message = fails(&["verify", path.to_str().unwrap()], 1);
        // Four zeros are an empty list of blobs.
        assert!(message.contains("all zero"), "{zeros}: {message}");
    }
    // Every short sequence of numbers.
    for numbers in 1..=64_usize {
        for first in [0_u32, 1, 255, 256, 65_536, u32::MAX] {
            let list: Vec<u32> = (0..numbers as u32).map(|at| first.wrapping_add(at)).collect();
            let path = folder.path().join("list");
            std::fs::write(&path, Format::MessagePack.to_vec(&list).unwrap()).unwrap();
            if numbers % 9 == 1 {
                let expected = archive::json::to_string(&list).unwrap();
                assert_eq!(ok(&["get", path.to_str().unwrap(), "-c"]).trim(), expected);
            }
        }
    }
}

/// Other files in the folder show what a damaged file was.
#[test]
fn neighbours_show_the_kind_of_a_damaged_file() {
    let folder = folder();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let path = folder.path().join("quick.sav");
    let game = || SaveFile::new(&path).backups(1);
    game().save(&vec![7], Format::Binary).unwrap();
    game().save(&vec![8], Format::Binary).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[..8].fill(0xee);
    std::fs::write(&path, bytes).unwrap();
    let message = fails(&["get", path.to_str().unwrap()], 2);
    assert!(message.contains("quick.sav"), "{message}");
    assert_eq!(run(&["repair", path.to_str().unwrap(), "-o", out]).status.code(), Some(1));
    assert_eq!(ok(&["get", out, "[0]"]), "7\n");

    let path = folder.path().join("a.store");
    let store = Store::open(&path).unwrap();
    store.save(&World { tick: 7 }).unwrap();
    store.export(archive::store::storage::export_path(&path)).unwrap();
    drop(store);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[..8].fill(0xee);
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(run(&["repair", path.to_str().unwrap(), "-o", out]).status.code(), Some(1));
    assert_eq!(ok(&["get", out, "world[1].tick"]), "7\n");
}
