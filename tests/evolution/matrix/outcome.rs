//! The expected result of a row.

use archive::{ErrorKind, Options};

use super::way::Way;

/// An error's kind and its path.
pub type Fault = (ErrorKind, &'static str);

/// The expected result of a row.
#[derive(Clone)]
pub struct Outcome {
    /// The value, as text, or the error.
    pub value: Result<&'static str, Fault>,
    pub absent: Vec<&'static str>,
    pub unknown: Vec<&'static str>,
    pub converted: Vec<&'static str>,
    pub dangling: Vec<&'static str>,
    pub repeated: Vec<&'static str>,
    /// The error under `strict`, if there is none without it.
    pub strict: Option<Fault>,
    /// The result of `keep_going` after an error inside of the value.
    pub keeps: Option<&'static str>,
    /// The rest of a value that is refused as a whole, if that is not a blank one.
    pub half: Option<&'static str>,
    /// Whether it is the same wherever the value is.
    pub placed: bool,
    /// The formats that differ, how, and why.
    pub except: Vec<(&'static [&'static str], Outcome, &'static str)>,
    /// The remark in the table.
    pub remark: &'static str,
    pub options: fn() -> Options<'static>,
    /// Those that it was saved with, if they are others.
    pub old_options: Option<fn() -> Options<'static>>,
    /// How the new type is shown, if it is not written out in the row.
    pub shown: Option<&'static str>,
}

/// It loads, as the value with that text.
pub fn loads(value: &'static str) -> Outcome {
    Outcome {
        value: Ok(value),
        absent: Vec::new(),
        unknown: Vec::new(),
        converted: Vec::new(),
        dangling: Vec::new(),
        repeated: Vec::new(),
        strict: None,
        keeps: None,
        half: None,
        placed: true,
        except: Vec::new(),
        remark: "",
        options: Options::new,
        old_options: None,
        shown: None,
    }
}

/// It is an error.
pub fn fails(kind: ErrorKind, path: &'static str) -> Outcome {
    Outcome { value: Err((kind, path)), ..loads("") }
}

impl Outcome {
    pub fn absent(mut self, path: &'static str) -> Self {
        self.absent.push(path);
        self
    }
    /// Without `strict` a note, with it an error.
    pub fn unknown(mut self, path: &'static str) -> Self {
        self.strict.get_or_insert((ErrorKind::UnknownMember, path));
        self.unknown.push(path);
        self
    }
    pub fn converted(mut self, path: &'static str) -> Self {
        self.converted.push(path);
        self
    }
    pub fn dangling(mut self, path: &'static str) -> Self {
        self.dangling.push(path);
        self
    }
    pub fn repeated(mut self, path: &'static str) -> Self {
        self.repeated.push(path);
        self
    }
    pub fn strict(mut self, kind: ErrorKind, path: &'static str) -> Self {
        self.strict = Some((kind, path));
        self
    }
    pub fn keeps(mut self, value: &'static str) -> Self {
        self.keeps = Some(value);
        self
    }
    /// A value is loaded in place up to the error, so part of it may be kept.
    pub fn half(mut self, value: &'static str) -> Self {
        self.half = Some(value);
        self
    }
    /// Inside of others the result may differ.
    pub fn unplaced(mut self) -> Self {
        self.placed = false;
        self
    }
    pub fn except(
        mut self,
        formats: &'static [&'static str],
        outcome: Outcome,
        why: &'static str,
    ) -> Self {
        self.except.push((formats, outcome, why));
        self
    }
    pub fn remark(mut self, remark: &'static str) -> Self {
        self.remark = remark;
        self
    }
    pub fn with(mut self, options: fn() -> Options<'static>) -> Self {
        self.options = options;
        self
    }

    pub fn saved_with(mut self, options: fn() -> Options<'static>) -> Self {
        self.old_options = Some(options);
        self
    }
    pub fn shown(mut self, new: &'static str) -> Self {
        self.shown = Some(new);
        self
    }

    /// The expected result in a format.
    pub fn of(&self, way: Way) -> &Outcome {
        let name = way.name();
        let other = self.except.iter().find(|(formats, ..)| formats.contains(&&*name));
        other.map_or(self, |(_, outcome, _)| outcome)
    }
}
