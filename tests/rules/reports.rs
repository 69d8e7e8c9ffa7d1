//! Every way to load tells what it noticed.

use crate::common::forgiving;
use archive::{ErrorKind, Format, NoteKind, Options, Report, Result, Serialize};

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
    // Bins files also say that the type is another.
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
        let (value, report) =
            format.from_reader_report::<New>(&bytes[..], &Options::new()).unwrap();
        check(&how, &value, 5, &report);
        let mut value = New { level: 9, ..New::default() };
        let report = format.load_into_report(&mut value, &bytes, &Options::new()).unwrap();
        check(&how, &value, 9, &report);

        for error in [
            format.from_reader_report::<New>(&bytes[..], &strict).map(drop),
            format.load_into_report(&mut New::default(), &bytes, &strict).map(drop),
        ] {
            assert_eq!(error.unwrap_err().kind(), ErrorKind::UnknownMember, "{format}");
        }
        let error = format.from_reader_report::<New>(Broken, &Options::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io, "{format}");
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
            let (value, report) = module::from_reader_report::<New>(&bytes[..], &Options::new())?;
            check($feature, &value, 5, &report);
            let options = Options::new();
            let (value, report) = module::from_reader_report::<New>(&bytes[..], &options)?;
            check($feature, &value, 5, &report);
            let mut value = New { level: 9, ..New::default() };
            let report = module::load_into_report(&mut value, &bytes, &Options::new())?;
            check($feature, &value, 9, &report);
            let report = module::load_into_report(&mut value, &bytes, &options)?;
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

/// With `keep_going` errors go into the report, here as everywhere.
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
        let report = format.load_into_report(&mut value, &bytes, &options).unwrap();
        assert_eq!((&*value.name, value.level), ("kept", 2), "{format}");
        assert_eq!(report.errors().len(), 1, "{format}: {report}");
    }
}
