//! Every format against the law.

use archive::report::NoteKind;
use archive::tool::Watch;
use archive::{Error, ErrorKind};
use proptest::prelude::*;

use super::data::Graph;
use super::file::File;
use super::law::{self, Fate, Mode, Note, Outcome};
use super::program::{Loaded, Program};
use super::style::Style;
use crate::common::tree::Tree;
use crate::common::{Format, forgiving, text};

type Checked = Result<(), TestCaseError>;

/// An old program's file, and a new program.
pub struct Case<'a> {
    pub old: &'a dyn Program,
    pub new: &'a dyn Program,
    /// What is in the file.
    pub graph: Graph,
    /// What the new program has already.
    pub existing: Graph,
}

/// The number of loads for which the law knows the result, by result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Census {
    pub loaded: u32,
    pub refused: u32,
    pub odd: u32,
}

impl Case<'_> {
    fn describe(&self) -> String {
        let (old, new) = (self.old.schema(), self.new.schema());
        format!("\nold\n{old}new\n{new}value {:?}\n", self.graph)
    }

    pub fn check(&self, census: &mut Census) -> Checked {
        let file = File::new(self.old.schema(), &self.graph);
        let mut all = forgiving();
        all.push(Format::of::<Tree>());
        for format in all {
            let bytes = self.old.save(&format, &self.graph);
            if format.name() == "binary" {
                self.unchanged(&bytes)?;
            }
            for mode in [Mode::Plain, Mode::Strict, Mode::KeepGoing] {
                let law = law::load(
                    &file,
                    self.new.schema(),
                    None,
                    Style::of(&format),
                    mode,
                    !self.new.is_compiled(),
                );
                let (strict, keep_going) = (mode == Mode::Strict, mode == Mode::KeepGoing);
                let loaded = self.new.load(&format, &bytes, strict, keep_going);
                match &law {
                    Err(Fate::Odd) => census.odd += 1,
                    Err(Fate::Fail(..)) => census.refused += 1,
                    Ok(_) => census.loaded += 1,
                }
                if mode == Mode::Plain {
                    if let Ok(loaded) = &loaded {
                        self.saved_again(&format, loaded)?;
                    }
                    self.without_report(&format, &bytes, loaded.as_ref())?;
                }
                // Bins files are refused for any other type.
                let refused = |error: &Error| error.message().contains("of another layout");
                if mode == Mode::Strict && law.is_ok() && loaded.as_ref().is_err_and(refused) {
                    prop_assert_eq!(format.name(), "bins", "{}", self.describe());
                    continue;
                }
                let context = || format!("{format} {mode:?}: {}{}", text(&bytes), self.describe());
                agree(law, loaded, self.new.is_compiled(), &context)?;
            }
            self.over_existing(&format, &file, &bytes)?;
        }
        Ok(())
    }

    /// A file is saved by its own types as it is.
    fn unchanged(&self, file: &[u8]) -> Checked {
        let saved = archive::binary::Document::from_slice(file).and_then(|file| file.to_vec());
        let saved =
            saved.map_err(|error| TestCaseError::fail(format!("{error}{}", self.describe())))?;
        prop_assert_eq!(text(&saved), text(file), "{}", self.describe());
        Ok(())
    }

    /// A load gives the same with a report and without one, and knows whether the report would be
    /// empty.
    fn without_report(
        &self,
        format: &Format,
        bytes: &[u8],
        with: Result<&Loaded, &Error>,
    ) -> Checked {
        let watch = Watch::default();
        let without = self.new.load_without_report(format, bytes, &watch);
        if let Ok(Loaded { report, .. }) = with {
            let what = format_args!("{format}: {}{}", text(bytes), self.describe()).to_string();
            prop_assert_eq!(watch.found(), !report.is_empty(), "{}", what);
        }
        let place = |error: &Error| (error.kind(), error.path().to_owned());
        let with = with.map(|loaded| text(&loaded.saved)).map_err(place);
        let without = without.map(|saved| text(&saved)).map_err(|error| place(&error));
        prop_assert_eq!(with, without, "{}: {}{}", format, text(bytes), self.describe());
        Ok(())
    }

    /// A migrated value is saved like any other.
    fn saved_again(&self, format: &Format, loaded: &Loaded) -> Checked {
        let again = self.new.load(format, &loaded.saved, true, false);
        let again = again.map_err(|error| {
            TestCaseError::fail(format!("{format}: {error} {}", self.describe()))
        })?;
        prop_assert!(again.report.is_empty(), "{}: {}{}", format, again.report, self.describe());
        prop_assert_eq!(&again.graph, &loaded.graph, "{}{}", format, self.describe());
        let (first, second) = (text(&loaded.saved), text(&again.saved));
        prop_assert_eq!(first, second, "{}{}", format, self.describe());
        Ok(())
    }

    /// Members that the file lacks keep their values.
    fn over_existing(&self, format: &Format, file: &File<'_>, bytes: &[u8]) -> Checked {
        let style = Style::of(format);
        let law =
            law::load(file, self.new.schema(), Some(&self.existing), style, Mode::Plain, true);
        let loaded = self.new.load_over(format, bytes, &self.existing);
        match (law, loaded) {
            (Err(Fate::Odd), _) | (Err(_), Err(_)) => {}
            (Ok(outcome), Ok(graph)) => {
                prop_assert_eq!(graph, outcome.graph, "{}{}", format, self.describe());
            }
            (law, loaded) => {
                prop_assert!(false, "{}: {:?}, {:?}{}", format, law, loaded, self.describe());
            }
        }
        Ok(())
    }
}

fn agree(
    law: Result<Outcome, Fate>,
    loaded: Result<Loaded, Error>,
    is_compiled: bool,
    context: &dyn Fn() -> String,
) -> Checked {
    match (law, loaded) {
        (Err(Fate::Odd), _) => {}
        (Ok(outcome), Ok(Loaded { graph, report, .. })) => {
            // Bins files also report another type.
            let notes = report.notes().iter().filter(|note| note.kind != NoteKind::OtherLayout);
            let notes: Vec<Note> =
                notes.map(|note| (note.path.clone(), note.kind.clone(), note.count)).collect();
            prop_assert_eq!(&notes, &outcome.notes, "{}", context());
            let errors: Vec<_> =
                report.errors().iter().map(|e| (e.kind(), e.path().to_owned())).collect();
            prop_assert_eq!(&errors, &outcome.errors, "{} {}", report, context());
            let of_arrays = errors.iter().any(|(kind, _)| *kind == ErrorKind::WrongLength);
            if !is_compiled || !of_arrays {
                prop_assert_eq!(&graph, &outcome.graph, "{} {}", report, context());
            }
        }
        (Err(Fate::Fail(kind, path)), Err(error)) => {
            prop_assert_eq!(
                (error.kind(), error.path()),
                (kind, &*path),
                "{} {}",
                error,
                context()
            );
            // A tree has no positions.
            let placed = error.position().is_some() || context().starts_with("tree");
            prop_assert!(placed, "{} {}", error, context());
        }
        (law, loaded) => {
            let loaded = loaded.map(|loaded| (loaded.graph, loaded.report));
            prop_assert!(false, "law {:?}, loaded {:?} {}", law, loaded, context());
        }
    }
    Ok(())
}
