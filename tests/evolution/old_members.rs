//! Members that are only loaded: the older build loads the files of the newer one, in every format.

use std::collections::BTreeMap;

use crate::common::forgiving;
use archive::{ErrorKind, Options, Result, Serialize, Value};

/// The older build.
#[derive(Debug, Default, PartialEq, Serialize)]
struct Old {
    name: String,
    is_open: bool,
}

/// The newer build, as the page says.
#[derive(Debug, Default, PartialEq, Serialize)]
#[archive(after_load = Self::open_or_not)]
struct Unknown {
    name: String,
    open: f32,
    #[archive(unknown)]
    rest: BTreeMap<String, Value>,
}

impl Unknown {
    fn open_or_not(&mut self) -> Result {
        if let Some(open) = self.rest.remove("is_open") {
            self.open = f32::from(u8::from(open.to::<bool>()?));
        }
        Ok(())
    }
}

/// The newer build with a field that is only loaded.
#[derive(Debug, Default, PartialEq, Serialize)]
#[archive(after_load = Self::open_or_not)]
struct Optional {
    name: String,
    open: f32,
    #[archive(rename = "is_open", skip_if_default)]
    was_open: Option<bool>,
}

impl Optional {
    fn open_or_not(&mut self) {
        if let Some(open) = self.was_open.take() {
            self.open = f32::from(u8::from(open));
        }
    }
}

fn old() -> Vec<Old> {
    vec![Old { name: "a".into(), is_open: true }, Old { name: "b".into(), is_open: false }]
}

#[test]
fn an_unknown_member_is_not_written_in_any_format() {
    for format in forgiving() {
        let new: Vec<Unknown> = format.from_slice(&format.to_vec(&old()).unwrap()).unwrap();
        assert_eq!((new[0].open, new[1].open), (1.0, 0.0), "{format}");
        let bytes = format.to_vec(&new).unwrap();
        let again: Vec<Unknown> = format.from_slice(&bytes).unwrap();
        assert_eq!(again, new, "{format}");
        let (older, report) =
            format.from_slice_report::<Vec<Old>>(&bytes, &Options::new()).unwrap();
        assert_eq!((&*older[0].name, older[0].is_open), ("a", false), "{format}");
        assert!(report.absent().eq(["[0].is_open"]), "{format}: {report}");
    }
}

/// The page names the formats in which this is different.
#[test]
fn an_optional_field_is_null_in_binary() {
    for format in forgiving() {
        let new: Vec<Optional> = format.from_slice(&format.to_vec(&old()).unwrap()).unwrap();
        assert_eq!((new[0].open, new[1].open), (1.0, 0.0), "{format}");
        let bytes = format.to_vec(&new).unwrap();
        assert_eq!(format.from_slice::<Vec<Optional>>(&bytes).unwrap(), new, "{format}");
        let older = format.from_slice_report::<Vec<Old>>(&bytes, &Options::new());
        if ["binary", "columns"].contains(&format.name()) {
            let error = older.unwrap_err();
            assert_eq!((error.kind(), error.path()), (ErrorKind::WrongType, "[0].is_open"));
        } else {
            let (older, report) = older.unwrap();
            assert!(older.iter().all(|door| !door.is_open), "{format}");
            assert!(report.absent().eq(["[0].is_open"]), "{format}: {report}");
        }
    }
}
