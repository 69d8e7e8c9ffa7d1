//! Files of the first version of the layout, which must always load.

use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use archive::Format;
use archive::save::{Compression, Meta, Relation, SaveFile, relation};

use crate::proof::power_cuts;
use crate::saved_worlds::{World, world};

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v1").join(name)
}

/// The files, how each is compressed, and in which format.
fn files() -> Vec<(&'static str, Compression, Format)> {
    vec![
        ("stored.sav", Compression::None, Format::Json),
        ("lz4.sav", Compression::Lz4, Format::Binary),
        ("later.sav", Compression::Lz4, Format::MessagePack),
        #[cfg(feature = "zstd")]
        ("zstd.sav", Compression::Zstd, Format::Binary),
    ]
}

/// The content of a file. In MessagePack it has more than one frame.
fn value(name: &str) -> World {
    world(7, if name == "stored.sav" { 20 } else { 3_000 })
}

#[test]
fn golden_files_load() {
    for (name, _, format) in files() {
        let bytes = std::fs::read(golden(name)).unwrap();
        let system = power_cuts();
        system.put(name, bytes.clone());
        let file = SaveFile::over(system, name).game("skirmish").game_version(3);
        let loaded = file.load::<World>().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(loaded.value == value(name), "{name}");
        assert_eq!(loaded.meta.format, format.name());
        check(&loaded.meta);
        let read = crate::save_layout::read(&bytes);
        assert_eq!(read.thumbnail, [0x89, b'P', b'N', b'G']);
        assert_eq!(read.methods.len() > 1, name == "later.sav", "{name}: {:?}", read.methods);
    }
}

fn check(meta: &Meta) {
    assert_eq!((&*meta.game, meta.game_version, &*meta.title), ("skirmish", 3, "Before the boss"));
    assert_eq!(meta.play_time, Duration::from_secs(5_400));
    assert!(meta.created > UNIX_EPOCH);
    assert_eq!(meta.metadata::<Vec<String>>().unwrap(), ["The harbour"]);
    assert_eq!(meta.lineage.device(), "deck");
}

/// The lineage of the file is still known.
#[test]
fn lineages_of_golden_files_are_known() {
    let meta = |name| SaveFile::peek(golden(name)).unwrap();
    let (first, later) = (meta("lz4.sav").lineage, meta("later.sav").lineage);
    assert_eq!(relation(&later, &first), Relation::Ahead);
    assert_eq!(relation(&first, &later), Relation::Behind);
    assert_eq!(relation(&first, &meta("stored.sav").lineage), Relation::Diverged);
    assert_eq!((first.counter(), later.counter()), (1, 3));
}

#[test]
fn the_smallest_file_loads() {
    let system = power_cuts();
    system.put("smallest.sav", std::fs::read(golden("smallest.sav")).unwrap());
    let loaded = SaveFile::over(system, "smallest.sav").load::<String>().unwrap();
    assert_eq!(loaded.value, "hp");
    assert_eq!(loaded.meta.metadata::<[u8; 1]>().unwrap(), [3]);
}

/// Writes the missing files. Existing ones are never changed.
#[test]
#[ignore = "the files are written once"]
fn write_golden_files() {
    let system = power_cuts();
    std::fs::create_dir_all(golden("")).unwrap();
    if !golden("smallest.sav").exists() {
        let file = SaveFile::over(system.clone(), "smallest.sav").metadata(&[3]).unwrap();
        file.save("hp", Format::Json).unwrap();
        std::fs::write(golden("smallest.sav"), system.get("smallest.sav").unwrap()).unwrap();
    }
    for (name, compression, format) in files() {
        if golden(name).exists() {
            continue;
        }
        // A clock that has advanced.
        _ = SaveFile::over(system.clone(), name).meta();
        if name == "later.sav" {
            system.put(name, std::fs::read(golden("lz4.sav")).unwrap());
            SaveFile::over(system.clone(), name).save(&1, Format::Json).unwrap();
        }
        SaveFile::over(system.clone(), name)
            .game("skirmish")
            .game_version(3)
            .title("Before the boss")
            .play_time(Duration::from_secs(5_400))
            .thumbnail(*b"\x89PNG")
            .metadata(&vec!["The harbour".to_owned()])
            .unwrap()
            .device("deck")
            .compression(compression)
            .save(&value(name), format)
            .unwrap();
        std::fs::write(golden(name), system.get(name).unwrap()).unwrap();
    }
}
