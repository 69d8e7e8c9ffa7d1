//! Every way of loading reports its notes.

use crate::common::{forgiving, report_of, reported};
use std::cell::Cell;
use std::fmt::Debug;

use archive::report::NoteKind;
use archive::tool::Watch;
use archive::{
    Archive, Blank, Element, ErrorKind, Format, Options, Report, Result, Save, Serialize,
};

#[derive(Default, Serialize)]
struct Old {
    name: String,
    mood: u8,
    hp: f64,
}

#[derive(Default, Debug, PartialEq, Serialize)]
struct New {
    name: String,
    #[archive(default = 5)]
    level: u32,
    hp: f32,
}

fn old() -> Old {
    Old { name: "Ann".into(), mood: 3, hp: 0.1 }
}

fn check(how: &str, value: &New, level: u32, report: &Report) {
    assert_eq!(*value, New { name: "Ann".into(), level, hp: 0.1 }, "{how}");
    // Text is parsed at the width of the member, so JSON converts nothing.
    let notes = report.notes().iter();
    // Bins files also report another type.
    let said =
        |kind: &NoteKind| !matches!(kind, NoteKind::Converted { .. } | NoteKind::OtherLayout);
    let notes = notes.filter(|note| said(&note.kind));
    let mut notes: Vec<&str> = notes.map(|note| &*note.path).collect();
    notes.sort_unstable();
    assert_eq!(notes, ["level", "mood"], "{how}");
}

#[test]
fn all_ways_to_load_give_the_same_report() {
    let strict = Options::new().strict(true);
    for format in forgiving() {
        let how = format.to_string();
        let bytes = format.to_vec(&old()).unwrap();
        let (value, report) = format.from_slice_report::<New>(&bytes, &Options::new()).unwrap();
        check(&how, &value, 5, &report);
        let (value, report) = reported(&Options::new(), |options| {
            format.from_reader_with::<New>(&bytes[..], options)
        })
        .unwrap();
        check(&how, &value, 5, &report);
        let mut value = New { level: 9, ..New::default() };
        let report = report_of(&Options::new(), |options| {
            format.load_into_with(&mut value, &bytes, options)
        })
        .unwrap();
        check(&how, &value, 9, &report);

        for loaded in [
            reported(&strict, |strict| format.from_reader_with::<New>(&bytes[..], strict))
                .map(drop),
            report_of(&strict, |strict| format.load_into_with(&mut New::default(), &bytes, strict))
                .map(drop),
        ] {
            assert_eq!(loaded.unwrap_err().kind(), ErrorKind::UnknownMember, "{format}");
        }
        let error = format.from_reader_with::<New>(Broken, &Options::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io, "{format}");
    }
}

/// The notes about the value at a path, and the path of each inside the value.
fn notes_in(path: &str, report: &Report) -> Vec<(String, String, u64)> {
    let notes = report.notes().iter().filter(|note| note.kind != NoteKind::OtherLayout);
    let note = |note: &archive::report::Note| {
        let inside = note.path.strip_prefix(path).expect("a note about another value");
        (inside.trim_start_matches('.').to_owned(), format!("{:?}", note.kind), note.count)
    };
    notes.map(note).collect()
}

/// A named root is loaded, and reported, like the one root of a file. Without a report it is loaded on
/// another archive, with the same result.
#[test]
fn named_roots_are_loaded_like_one_root() {
    fn check<S, T>(saved: &S, differs: bool)
    where
        S: Save,
        T: Blank + Debug + Element + PartialEq + Serialize,
    {
        let (report, watch) = (Cell::default(), Watch::default());
        let (none, watching) = (Options::new(), Options::new().watch(&watch));
        let reporting = Options::new().report(&report);
        for format in forgiving() {
            let bytes = format.to_vec(saved).unwrap();
            let (one, expected) = format.from_slice_report::<T>(&bytes, &none).unwrap();
            let expected = notes_in("", &expected);
            assert_eq!(!expected.is_empty(), differs, "{format}: {expected:?}");

            let mut writer = format.writer();
            writer.save("root", saved).unwrap();
            let bytes = writer.finish().unwrap();
            for options in [&none, &watching, &reporting] {
                let mut reader = format.reader_with(&bytes, options).unwrap();
                assert_eq!(reader.load::<T>("root").unwrap(), one, "{format}");
                reader.finish().unwrap();
                let finished = report.take();
                let mut reader = format.reader_with(&bytes, options).unwrap();
                let mut over = T::blank(options);
                reader.serialize("root", &mut over).unwrap();
                assert_eq!(over, one, "{format}");
                drop(reader);
                let expected = if std::ptr::eq(options, &reporting) { &*expected } else { &[] };
                assert_eq!(notes_in("root", &finished), expected, "{format}");
                assert_eq!(notes_in("root", &report.take()), expected, "{format}");
            }
            assert!(!differs || watch.found(), "{format}");
        }
    }
    check::<Old, New>(&old(), true);
    check::<Vec<Old>, Vec<New>>(&vec![old(), old()], true);
    let new = || New { name: "Ann".into(), level: 9, hp: 0.1 };
    check::<New, New>(&new(), false);
    check::<Vec<New>, Vec<New>>(&vec![new(), new()], false);
}

/// The report of roots has the notes before an error, even though the reader is not finished.
#[test]
fn failed_roots_report_too() {
    let report = Cell::default();
    let options = Options::new().report(&report);
    for format in forgiving() {
        let mut writer = format.writer();
        writer.save("first", &old()).unwrap();
        writer.save("second", &300_u32).unwrap();
        let bytes = writer.finish().unwrap();
        let mut reader = format.reader_with(&bytes, &options).unwrap();
        reader.load::<New>("first").unwrap();
        assert_eq!(reader.load::<u8>("second").unwrap_err().path(), "second", "{format}");
        drop(reader);
        assert!(report.take().absent().eq(["first.level"]), "{format}");
    }
}

struct Broken;

impl std::io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("broken"))
    }
}

/// The functions of a format's module.
macro_rules! modules {
    ($($feature:literal $module:path: $format:expr;)*) => { $(
        {
            use $module as module;
            let format: Format = $format;
            let bytes = format.to_vec(&old())?;
            let options = &Options::new();
            let (value, report) =
                reported(options, |options| module::from_reader_with::<New>(&bytes[..], options))?;
            check($feature, &value, 5, &report);
            let mut value = New { level: 9, ..New::default() };
            let report =
                report_of(options, |options| module::load_into_with(&mut value, &bytes, options))?;
            check($feature, &value, 9, &report);
        }
    )* };
}

#[test]
fn each_module_has_them() -> Result {
    modules! {
        "json" archive::json: Format::Json;
        "binary" archive::binary: Format::Binary;
        "blob" archive::blob: Format::Blob;
        "msgpack" archive::msgpack: Format::MessagePack;
        "blob" archive::bins: Format::of::<archive::bins::Bins>();
    }
    Ok(())
}

/// A failed load reports its notes, and a load without notes clears the report.
#[test]
fn failed_loads_report_too() {
    #[derive(Serialize)]
    struct Long {
        mood: u8,
        level: u32,
    }
    #[derive(Debug, Serialize, Default)]
    struct Short {
        level: u8,
    }
    let level = |level| Long { mood: 1, level };
    let report = Cell::default();
    let options = Options::new().report(&report);
    for format in forgiving() {
        let file = format.to_vec(&vec![level(1), level(300)]).unwrap();
        let error = format.from_slice_with::<Vec<Short>>(&file, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfRange, "{format}");
        let noted = report.take();
        assert!(noted.unknown().eq(["[0].mood"]), "{format}: {noted}");

        let error = format.load_into_with(&mut vec![Short::default()], &file, &options);
        assert_eq!(error.unwrap_err().kind(), ErrorKind::OutOfRange, "{format}");
        let file = format.to_vec(&5_u8).unwrap();
        assert_eq!(format.from_reader_with::<u8>(&file[..], &options).unwrap(), 5);
        let noted = report.take();
        assert!(noted.is_empty(), "{format}: {noted}");
    }
}

/// The notes of a load that fails have whole paths, as its error has.
#[test]
fn notes_of_a_failed_load_have_whole_paths() {
    #[derive(Default, Serialize)]
    struct Long {
        mood: u8,
        level: u32,
    }
    #[derive(Debug, Serialize, Default)]
    struct Short {
        level: u8,
    }
    macro_rules! world {
        ($World:ident, $Camp:ident, $Unit:ident) => {
            #[derive(Default, Serialize)]
            struct $World {
                camps: Vec<$Camp>,
            }
            #[derive(Default, Serialize)]
            struct $Camp {
                by_name: std::collections::BTreeMap<String, Option<Box<$Unit>>>,
                shared: std::rc::Rc<std::cell::RefCell<Vec<$Unit>>>,
            }
        };
    }
    world!(World, Camp, Long);
    world!(NewWorld, NewCamp, Short);
    let level = |level| Long { mood: 1, level };
    let world = |in_map, in_list| {
        let entry = |name: &str, number| (name.to_owned(), Some(Box::new(level(number))));
        let by_name = [entry("a", 1), entry("b", in_map)].into();
        let shared = std::cell::RefCell::new(vec![level(1), level(in_list)]).into();
        World { camps: vec![Camp { by_name, shared }] }
    };
    let report = Cell::default();
    let options = Options::new().report(&report);
    for format in forgiving() {
        for (file, at) in [(world(300, 1), "by_name"), (world(1, 300), "shared[1]")] {
            let file = format.to_vec(&file).unwrap();
            let loaded = format.from_slice_with::<NewWorld>(&file, &options);
            let error = loaded.map(drop).unwrap_err();
            assert!(error.path().contains(at), "{format}: {error}");
            let noted = report.take();
            assert!(noted.unknown().count() > 0, "{format}: {noted}");
            for path in noted.unknown() {
                let is_whole = path.starts_with("camps[0].") || path.starts_with('$');
                assert!(is_whole && path.ends_with(".mood"), "{format}: {path}");
            }
        }
    }
}

/// With `keep_going`, errors go into the report.
#[test]
fn errors_are_collected() {
    #[derive(Serialize)]
    struct Wrong {
        name: u8,
        level: u32,
    }
    for format in forgiving() {
        let bytes = format.to_vec(&Wrong { name: 1, level: 2 }).unwrap();
        let options = Options::new().keep_going(true);
        let mut value = New { name: "kept".into(), ..New::default() };
        let report =
            report_of(&options, |options| format.load_into_with(&mut value, &bytes, options))
                .unwrap();
        assert_eq!((&*value.name, value.level), ("kept", 2), "{format}");
        assert_eq!(report.errors().len(), 1, "{format}: {report}");
    }
}
