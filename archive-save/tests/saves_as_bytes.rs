//! Saves as bytes: those of files, without a file system.

use std::io;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use archive::save::{Compression, File, FileSystem, Relation, SaveFile, Saves, relation};
use archive::{ErrorKind, Format, Options};

use crate::proof::power_cuts;
use crate::queue::Fails;
use crate::saved_worlds::{World, world};

/// No file system at all.
struct Nothing;

fn no<T>() -> io::Result<T> {
    Err(io::ErrorKind::Unsupported.into())
}

impl FileSystem for Nothing {
    fn create(&self, _: &Path, _: &Path) -> io::Result<Box<dyn File + '_>> {
        no()
    }
    fn open(&self, _: &Path) -> io::Result<Box<dyn File + '_>> {
        no()
    }
    fn exists(&self, _: &Path) -> io::Result<bool> {
        no()
    }
    fn rename(&self, _: &Path, _: &Path) -> io::Result<()> {
        no()
    }
    fn link(&self, _: &Path, _: &Path) -> io::Result<()> {
        no()
    }
    fn remove(&self, _: &Path) -> io::Result<()> {
        no()
    }
    fn list(&self, _: &Path) -> io::Result<Vec<String>> {
        no()
    }
    fn create_folder(&self, _: &Path) -> io::Result<()> {
        no()
    }
    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        no()
    }
    fn target(&self, _: &Path) -> io::Result<std::path::PathBuf> {
        no()
    }
}

fn file(name: &str) -> SaveFile {
    SaveFile::over(Nothing, name).game("skirmish").game_version(3)
}

fn full(name: &str) -> SaveFile {
    let file = file(name).title("Before the boss").play_time(Duration::from_millis(5_400_007));
    file.thumbnail(vec![7; 9_000])
        .metadata(&("harbour".to_owned(), 3_u8))
        .unwrap()
        .device("desktop")
}

#[test]
fn everything_comes_back() {
    let created = UNIX_EPOCH + Duration::from_millis(1_234_567_891_234);
    for format in Format::all() {
        for units in [0, 3, 20_000] {
            let (world, file) = (world(7, units), full("cloud/campaign").created(created));
            let bytes = file.to_bytes(&world, format).unwrap();
            let meta = SaveFile::peek_bytes(&bytes).unwrap();
            assert_eq!(
                (&*meta.title, meta.created, &*meta.format),
                ("Before the boss", created, format.name())
            );
            assert_eq!(
                (meta.play_time.as_millis(), &*meta.game, meta.game_version),
                (5_400_007, "skirmish", 3)
            );
            assert_eq!((meta.thumbnail.len(), meta.lineage.device()), (9_000, "desktop"));
            assert_eq!(meta.metadata::<(String, u8)>().unwrap(), ("harbour".into(), 3));
            let loaded = file.from_bytes::<World>(&bytes).unwrap();
            assert_eq!((loaded.value, loaded.meta, loaded.slot), (world, meta, None));
            assert_eq!(loaded.path, Path::new("cloud/campaign"));
            assert!(loaded.fell_back.is_none() && loaded.damaged.is_empty());
        }
    }
}

/// The bytes of a file, and a file of the bytes.
#[test]
fn the_bytes_are_those_of_a_file() {
    for compression in [Compression::None, Compression::Lz4] {
        for name in ["saves/a.sav", "saves/a.json"] {
            let system = power_cuts();
            let file = SaveFile::over(system.clone(), name).title("a").compression(compression);
            let world = world(7, 5_000);
            file.save(&world, Format::Json).unwrap();
            let saved = system.get(name).unwrap();
            assert_eq!(file.from_bytes::<World>(&saved).unwrap().value, world);

            let bytes = file.to_bytes(&world, Format::Json).unwrap();
            let other = power_cuts();
            other.put(name, bytes.clone());
            let read = SaveFile::over(other, name);
            assert_eq!(read.load::<World>().unwrap().value, world);
            if name.ends_with("json") {
                assert!(bytes == saved);
            } else {
                assert_eq!(SaveFile::peek_bytes(&bytes).unwrap(), read.meta().unwrap());
            }
        }
    }
}

#[test]
fn each_bit_and_each_length_is_an_error() {
    for compression in [Compression::None, Compression::Lz4] {
        let file = full("a").compression(compression).thumbnail([1, 2, 3]);
        let bytes = file.to_bytes(&world(7, 5), Format::Binary).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let error = file.from_bytes::<World>(&damaged).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Syntax, "bit {bit}: {error}");
        }
        for len in 0..bytes.len() {
            let error = file.from_bytes::<World>(&bytes[..len]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Syntax, "{len} bytes: {error}");
            assert!(SaveFile::peek_bytes(&bytes[..len]).is_err());
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(file.from_bytes::<World>(&longer).unwrap_err().kind(), ErrorKind::Syntax);
    }
    assert_eq!(
        file("a").from_bytes::<u8>(b"{}").unwrap_err().message(),
        "a is damaged: it does not begin with the signature of a save file"
    );
}

#[test]
fn saves_of_others_and_other_types_are_errors() {
    let bytes = file("a").game_version(4).to_bytes(&1, Format::Json).unwrap();
    assert_eq!(file("a").from_bytes::<i32>(&bytes).unwrap_err().kind(), ErrorKind::NewerVersion);
    let other = file("a").game("chess");
    assert_eq!(other.from_bytes::<i32>(&bytes).unwrap_err().kind(), ErrorKind::WrongType);
    let error = file("a").game_version(4).from_bytes::<String>(&bytes).unwrap_err();
    assert_eq!((error.kind(), error.file()), (ErrorKind::WrongType, Some("a")));
    let error = file("a.json").to_bytes(&1, Format::Binary).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

/// The cloud has only the bytes, and still knows which save continues which.
#[test]
fn bytes_have_a_lineage() {
    let (here, there) = (file("lineage, here"), file("lineage, there"));
    let first = here.to_bytes(&1, Format::Json).unwrap();
    let second = here.to_bytes(&2, Format::Json).unwrap();
    let meta = |bytes: &[u8]| SaveFile::peek_bytes(bytes).unwrap().lineage;
    assert_eq!(relation(&meta(&second), &meta(&first)), Relation::Ahead);
    there.from_bytes::<i32>(&first).unwrap();
    let other = there.to_bytes(&3, Format::Json).unwrap();
    assert_eq!(relation(&meta(&other), &meta(&first)), Relation::Ahead);
    assert_eq!(relation(&meta(&other), &meta(&second)), Relation::Diverged);
    // A save that fails does not count. This one fails at once: other tests save files meanwhile, and a process
    // remembers the last 256 files only.
    assert_eq!(here.to_bytes(&Fails, Format::Json).unwrap_err().kind(), ErrorKind::Custom);
    let third = here.to_bytes(&4, Format::Json).unwrap();
    assert_eq!(relation(&meta(&third), &meta(&second)), Relation::Ahead);
    assert_eq!(meta(&third).counter(), 3);
}

#[test]
fn slots_are_bytes_too() {
    let saves = Saves::over(power_cuts(), "saves").unwrap().game("skirmish");
    let slot = saves.slot("Ann: part 2").unwrap().title("the harbour").created(UNIX_EPOCH);
    let bytes = slot.to_bytes(&world(1, 2), Format::Binary).unwrap();
    let loaded = slot.from_bytes_with::<World>(&bytes, &Options::new().strict(true)).unwrap();
    assert_eq!((loaded.value, loaded.slot.as_deref()), (world(1, 2), Some("Ann: part 2")));
    assert_eq!((&*loaded.meta.title, loaded.meta.created), ("the harbour", UNIX_EPOCH));
    // Nothing was saved in the folder. In a file of that name, the bytes are the slot.
    assert!(saves.list().unwrap().is_empty());
    let system = power_cuts();
    system.put(slot.path(), bytes);
    let autosave = saves.autosave().unwrap();
    system.put(autosave.path(), autosave.to_bytes(&1, Format::Json).unwrap());
    let saves = Saves::over(system, "saves").unwrap();
    assert_eq!(saves.slot("Ann: part 2").unwrap().load::<World>().unwrap().value, world(1, 2));
    assert!(saves.slot("autosave 1").unwrap().is_autosave());
}
