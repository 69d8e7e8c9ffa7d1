//! `repair`: the parts of damaged files that can be read, and the report of lost parts.

use archive::save::{Compression, SaveFile};
use archive::store::Store;
use archive::store::storage::export_path;
use archive::{Format, Serialize, Value, json};

use crate::run_command::{Golden, command, fails, folder, golden, ok, run};

/// Repairs a file. Returns the exit status and the output.
fn repair(file: &str, out: &str, more: &[&str]) -> (i32, String) {
    let output = run(&[&["repair", file, "-o", out], more].concat());
    let text =
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), text)
}

#[test]
fn good_files_are_copied() {
    let folder = folder();
    let out = folder.path().join("out");
    for file in golden().into_iter().step_by(3) {
        let (status, text) = repair(file.text(), out.to_str().unwrap(), &[]);
        assert!(status == 0 && text.contains("not damaged"), "{}: {text}", file.text());
        assert_eq!(std::fs::read(&out).unwrap(), file.bytes());
    }
}

/// A file that is cut anywhere becomes the part before the cut, with all brackets closed.
#[test]
fn files_that_are_cut_short_are_closed() {
    let folder = folder();
    let (cut, out) = (folder.path().join("cut"), folder.path().join("out"));
    let (file, target) = (cut.to_str().unwrap(), out.to_str().unwrap());
    for golden in golden() {
        if !matches!(golden.format, Format::Json | Format::MessagePack) {
            continue;
        }
        let bytes = golden.bytes();
        for part in 1..6 {
            std::fs::write(&cut, &bytes[..bytes.len() * part / 6]).unwrap();
            let (status, text) = repair(file, target, &[]);
            assert!(status == 1 && text.starts_with("lost: "), "{} {part}: {text}", golden.text());
            let repaired = Golden { path: out.clone(), format: golden.format }.value();
            let (mut kept, mut all) = (0, 0);
            begins(&repaired, &golden.value(), &mut kept);
            begins(&golden.value(), &golden.value(), &mut all);
            // The values are not of equal length.
            assert!(
                kept < all && kept + 2 >= all * (part - 1) / 12,
                "{}: {kept} of {all}",
                golden.text()
            );
        }
    }
}

/// Checks that a tree is the beginning of another one. Counts the values.
fn begins(part: &Value, whole: &Value, count: &mut usize) {
    *count += 1;
    match (part, whole) {
        (Value::Array(part), Value::Array(whole)) => {
            assert!(part.len() <= whole.len());
            part.iter().zip(whole).for_each(|(part, whole)| begins(part, whole, count));
        }
        (Value::Object(part), Value::Object(whole)) => {
            assert!(part.len() <= whole.len());
            for ((name, part), (other, whole)) in part.iter().zip(whole) {
                assert_eq!(name, other);
                begins(part, whole, count);
            }
        }
        // A map without entries does not show the type of its keys.
        (Value::Object(part), Value::Array(_)) if part.is_empty() => {}
        (part, whole) => assert_eq!(part.to_string(), whole.to_string()),
    }
}

#[test]
fn the_place_of_the_damage_is_named() {
    let folder = folder();
    let (file, out) = (folder.path().join("a.json"), folder.path().join("b.json"));
    for (text, repaired, lost) in [
        (r#"{"units":[{"hp":7},{"hp":12"#, r#"{"units":[{"hp":7},{}]}"#, "lost: units[1]"),
        (
            r#"{"a":1,"b":,"c":3}"#,
            r#"{"a":1}"#,
            "lost: b and everything after it, at line 1 column 12",
        ),
        (r#"{"a":[1,2,"text"#, r#"{"a":[1,2]}"#, "lost: a[2] "),
        (r#"{"a":{"b":{}}} x"#, r#"{"a":{"b":{}}}"#, "lost: everything after the value"),
    ] {
        std::fs::write(&file, text).unwrap();
        let (status, message) = repair(file.to_str().unwrap(), out.to_str().unwrap(), &[]);
        assert_eq!(status, 1, "{message}");
        assert_eq!(std::fs::read_to_string(&out).unwrap(), repaired.to_owned() + "\n");
        assert!(message.starts_with(lost), "{text}: {message}");
    }
    std::fs::write(&file, "[").unwrap();
    assert_eq!(repair(file.to_str().unwrap(), out.to_str().unwrap(), &[]).0, 1);
}

#[test]
fn saves_are_repaired_from_backups_or_frames() {
    let folder = folder();
    let (path, out) = (folder.path().join("quick.sav"), folder.path().join("repaired.sav"));
    let (file, target) = (path.to_str().unwrap(), out.to_str().unwrap());
    let save = |units: &Vec<String>, format| {
        let save = SaveFile::new(&path).title("A title").compression(Compression::None);
        save.save(units, format).unwrap();
    };
    let units = |count: u32| (0..count).map(|at| format!("unit {at}")).collect::<Vec<_>>();
    save(&units(40_000), Format::Json);
    save(&units(50_000), Format::Json);
    assert_eq!(repair(file, target, &[]).0, 0);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();

    let (status, text) = repair(file, target, &[]);
    assert!(status == 1 && text.contains("quick.sav.1"), "{text}");
    let loaded = SaveFile::new(&out).load::<Vec<String>>().unwrap();
    assert_eq!(loaded.value, units(40_000));

    let (status, text) = repair(file, target, &["--partial"]);
    assert!(status == 1 && text.contains("is damaged"), "{text}");
    let loaded = SaveFile::new(&out).load::<Vec<String>>().unwrap();
    assert!(loaded.value.len() > 20_000 && units(50_000).starts_with(&loaded.value));
    assert_eq!(loaded.meta.title, "A title");

    // Nothing was renamed, and the file is unchanged.
    assert_eq!(std::fs::read(&path).unwrap(), &bytes[..bytes.len() / 2]);
    std::fs::remove_file(folder.path().join("quick.sav.1")).unwrap();
    save(&units(50_000), Format::Binary);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    std::fs::remove_file(folder.path().join("quick.sav.1")).ok();
    let message = fails(&["repair", file, "-o", target], 2);
    assert!(message.contains("There is no good backup"), "{message}");
}

#[test]
fn packed_objects_that_are_whole_are_kept() {
    let folder = folder();
    let (path, out) = (folder.path().join("a.bins"), folder.path().join("b.bins"));
    let object = |hp: u32| archive::bins::to_vec(&vec![hp; 10]).unwrap();
    let mut bytes = [object(1), object(2), object(3)].concat();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    std::fs::write(&path, &bytes).unwrap();
    let (status, text) = repair(path.to_str().unwrap(), out.to_str().unwrap(), &[]);
    assert!(status == 1 && text.contains("2 objects were kept"), "{text}");
    assert_eq!(std::fs::read(&out).unwrap(), [object(1), object(3)].concat());
}

#[derive(Default, Serialize)]
struct World {
    tick: u64,
}
archive::store::persistent!(World = "world");

#[test]
fn an_object_store_is_its_last_export() {
    let folder = folder();
    let (path, out) = (folder.path().join("a.store"), folder.path().join("b.store"));
    let store = Store::open(&path).unwrap();
    store.save(&World { tick: 7 }).unwrap();
    store.export(export_path(&path)).unwrap();
    drop(store);
    let file = path.to_str().unwrap();
    assert_eq!(ok(&["get", file, "world.1.tick"]), "7\n");
    assert_eq!(ok(&["get", file, "world[1].tick"]), "7\n");
    let value: Value = json::from_str(&ok(&["convert", file, "-"])).unwrap();
    assert_eq!(value.to_string(), r#"{"world":{"1":{"tick":7}}}"#);
    assert!(ok(&["verify", file]).contains("object store, 1 row, "));
    assert_eq!(repair(file, out.to_str().unwrap(), &[]).0, 0);

    let mut bytes = std::fs::read(&path).unwrap();
    bytes.iter_mut().skip(4096).for_each(|byte| *byte ^= 0x5a);
    std::fs::write(&path, &bytes).unwrap();
    let (status, text) = repair(file, out.to_str().unwrap(), &[]);
    assert!(status == 1 && text.contains("a.store.export was written"), "{text}");
    assert_eq!(ok(&["get", out.to_str().unwrap(), "world[1].tick"]), "7\n");
    assert_eq!(command(&["verify", file]).output().unwrap().status.code(), Some(1));
}

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    hp: u16,
}

/// The data before the damage, as JSON; or the file, if there is data after its end.
#[test]
fn binary_and_blob_files_are_read_up_to_the_damage() {
    let folder = folder();
    let (path, out) = (folder.path().join("units"), folder.path().join("out"));
    let (file, target) = (path.to_str().unwrap(), out.to_str().unwrap());
    let units: Vec<Unit> = (0..9).map(|hp| Unit { name: format!("unit {hp}"), hp }).collect();
    let whole = Format::Binary.to_vec(&units).unwrap();
    let damaged = |bytes: &[u8], text: &[u8]| {
        let at = bytes.windows(text.len()).position(|part| part == text).unwrap();
        let mut bytes = bytes.to_vec();
        bytes[at] = 0xff;
        bytes
    };
    let kept = r#"[{"name":"unit 0","hp":0},{"name":"unit 1","hp":1},{"name":"unit 2","hp":2},{}]"#;
    std::fs::write(&path, damaged(&whole, b"unit 3")).unwrap();
    let (status, text) = repair(file, target, &[]);
    assert_eq!(status, 1, "{text}");
    assert!(text.starts_with("lost: [3].name and everything after it, at byte"), "{text}");
    assert!(text.contains("lost: the types"), "{text}");
    assert_eq!(ok(&["get", target, "-c"]), kept.to_owned() + "\n");

    // Zeros after the end, as after a loss of power.
    std::fs::write(&path, [&whole[..], &[0; 5000]].concat()).unwrap();
    let (status, text) = repair(file, target, &[]);
    assert!(status == 1 && text.contains("at the end that did not belong to the file"), "{text}");
    assert!(std::fs::read(&out).unwrap() == whole);

    std::fs::remove_file(&out).unwrap();
    for len in [6, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&path, &whole[..len]).unwrap();
        let message = fails(&["repair", file, "-o", target], 2);
        assert!(message.contains("cannot be read without the types at its end"), "{message}");
        assert!(!out.exists());
    }

    let blob = Format::Blob.to_vec(&units).unwrap();
    std::fs::write(&path, damaged(&blob, b"unit 3")).unwrap();
    let (status, text) = repair(file, target, &[]);
    assert!(status == 1 && text.starts_with("lost: [3].name and everything after it"), "{text}");
    assert_eq!(ok(&["get", target, "-c"]), kept.to_owned() + "\n");
    std::fs::remove_file(&out).unwrap();
    std::fs::write(&path, &blob[..blob.len() - 1]).unwrap();
    let message = fails(&["repair", file, "-o", target], 2);
    assert!(message.contains("its sizes come first"), "{message}");
    assert!(!out.exists());
}
