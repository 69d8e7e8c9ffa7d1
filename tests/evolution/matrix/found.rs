//! The actual and the expected result of a load.

use archive::report::NoteKind;
use archive::{Error, ErrorKind, Report};

use super::outcome::Outcome;
use super::places::{PATHS, Texts};

/// The result of a load.
#[derive(Debug, PartialEq)]
pub struct Found {
    /// The values by their places, as text, or the error.
    value: Result<Texts, (ErrorKind, String)>,
    notes: Vec<String>,
    errors: Vec<(ErrorKind, String)>,
}

impl Found {
    /// The values are at `places`.
    pub fn new<T>(
        loaded: Result<(T, Report), Error>,
        places: &[&str],
        text: impl FnOnce(T) -> Texts,
    ) -> Self {
        let fault = |error: &Error| (error.kind(), error.path().to_owned());
        match loaded {
            Err(error) => {
                Found { value: Err(fault(&error)), notes: Vec::new(), errors: Vec::new() }
            }
            Ok((value, report)) => {
                let notes = report.notes().iter().flat_map(|found| {
                    let count = usize::try_from(found.count).unwrap();
                    std::iter::repeat_n(note(found, places), count)
                });
                let mut notes: Vec<String> = notes.flatten().collect();
                notes.sort();
                let errors = report.errors().iter().map(fault).collect();
                Found { value: Ok(text(value)), notes, errors }
            }
        }
    }
}

/// The note, and the member of the value. A note is about all values that have the member, and has
/// the path of the first one. Bins files also report another type.
fn note(note: &archive::report::Note, places: &[&str]) -> Option<String> {
    let kind = match note.kind {
        NoteKind::Absent => "absent",
        NoteKind::Unknown => "unknown",
        NoteKind::Converted { .. } => "converted",
        NoteKind::Dangling => "dangling",
        NoteKind::OtherLayout => return None,
        NoteKind::Repeated => "repeated",
        _ => "other",
    };
    let inside = places.iter().find_map(|place| note.path.strip_prefix(place));
    let inside = inside.expect("a note is about one of the values");
    Some(format!("{kind} {}", inside.strip_prefix('.').unwrap_or(inside)))
}

impl Outcome {
    fn notes(&self, places: &[&str]) -> Vec<String> {
        let all = [
            ("absent", &self.absent),
            ("converted", &self.converted),
            ("dangling", &self.dangling),
            ("repeated", &self.repeated),
            ("unknown", &self.unknown),
        ];
        let mut notes = Vec::new();
        for (kind, paths) in all {
            for path in paths {
                notes.extend(places.iter().map(|_| format!("{kind} {path}")));
            }
        }
        notes.sort();
        notes
    }

    pub fn report(&self, places: &[&'static str]) -> Found {
        match self.value {
            Err((kind, path)) => Found::fault(kind, path),
            Ok(value) => Found {
                value: Ok(places.iter().map(|place| (*place, vec![value.to_owned()])).collect()),
                notes: self.notes(places),
                errors: Vec::new(),
            },
        }
    }

    /// The result under `strict`; if the file shows that the type is another one, nothing loads.
    pub fn under_strict(&self, tells: bool) -> Found {
        match (self.strict, self.value) {
            (Some((kind, path)), _) => Found::fault(kind, path),
            (None, Ok(_)) if tells => Found::fault(ErrorKind::WrongType, ""),
            _ => self.report(&[""]),
        }
    }

    /// The result of the value on its own under `keep_going`.
    pub fn going(&self) -> Found {
        match (self.value, self.keeps) {
            (Err((kind, path)), Some(kept)) => Found {
                value: Ok(vec![("", vec![kept.to_owned()])]),
                notes: self.notes(&[""]),
                errors: vec![(kind, path.to_owned())],
            },
            _ => self.report(&[""]),
        }
    }

    /// Its result inside of others: a value that is refused as a whole is blank, and is left out of
    /// lists and maps.
    pub fn in_places(&self, blank: &str) -> Found {
        let (Err((kind, path)), kept) = (self.value, self.keeps) else {
            return self.report(&PATHS);
        };
        let texts = PATHS.map(|place| {
            let left_out = place.starts_with("list") || place.starts_with("named");
            let text = match kept {
                Some(kept) => vec![kept.to_owned()],
                None if left_out => Vec::new(),
                None => vec![blank.to_owned()],
            };
            (place, text)
        });
        Found {
            value: Ok(texts.into()),
            notes: self.notes(&PATHS),
            errors: PATHS.map(|place| (kind, join(place, path))).into(),
        }
    }
}

impl Found {
    /// Compares a partly loaded value as a blank one.
    pub fn forget(&mut self, half: Option<&str>, blank: &str) {
        let texts = self.value.iter_mut().flatten().flat_map(|(_, texts)| texts);
        for text in texts.filter(|text| Some(&***text) == half) {
            *text = blank.to_owned();
        }
    }

    fn fault(kind: ErrorKind, path: &str) -> Self {
        Found { value: Err((kind, path.to_owned())), notes: Vec::new(), errors: Vec::new() }
    }
}

fn join(place: &str, path: &str) -> String {
    let dot = if place.is_empty() || path.is_empty() || path.starts_with('[') { "" } else { "." };
    format!("{place}{dot}{path}")
}
