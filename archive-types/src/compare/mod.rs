//! [`check`]: what files of an old schema are to a new one.

mod members;
mod scalars;
mod sequences;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use archive_core::{ErrorKind, Primitive};

use crate::errors::Found;
use crate::file::SchemaFile;
use crate::parse::{self, Carried, Content, Definition, Definitions};
use crate::spelling::Spelling;

/// A difference between two schemas, and its effect on files of the old one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The type, and the member or the variant in it: `Unit.hp`, `State.Walk`.
    pub path: String,
    /// The effect.
    pub effect: Effect,
    /// What has changed.
    pub message: String,
}

/// The effect of a [`Difference`], in the words of the page on evolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// The file loads, and the report has a note.
    Noted,
    /// A value that does not fit is an error of this kind.
    MayFail(ErrorKind),
    /// Every file that has the value is an error of this kind.
    Fails(ErrorKind),
}

/// `Unit.hp: narrowed from u16 to u8: a value that does not fit is OutOfRange`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)?;
        match self.effect {
            Effect::Noted => Ok(()),
            Effect::MayFail(kind) => write!(f, ": a value that does not fit is {kind:?}"),
            Effect::Fails(kind) => write!(f, ": {kind:?}"),
        }
    }
}

/// Returns what has changed between two schemas that matters to the files of the old one. Types are
/// compared that have one name in both, and those that their members have. Changes that no file notices are
/// left out: a member that was reordered, an integer that was widened, a type under another name.
///
/// ```
/// use archive::types::{SchemaFile, check};
///
/// let old: SchemaFile = archive::json::from_str(r#"{"types":{"Unit":{"members":[
///     {"name":"name","type":"String"}, {"name":"hp","type":"u16"}, {"name":"mood","type":"u8"}]}}}"#)?;
/// let new: SchemaFile = archive::json::from_str(r#"{"types":{"Unit":{"members":[
///     {"name":"title","type":"String","aliases":["name"]}, {"name":"hp","type":"u8"},
///     {"name":"level","type":"u32","default":1}]}}}"#)?;
/// let lines: Vec<_> = check(&old, &new).iter().map(ToString::to_string).collect();
/// assert_eq!(lines, [
///     "Unit.hp: narrowed from `u16` to `u8`: a value that does not fit is OutOfRange",
///     "Unit.level: added: absent in old files, so it has its default",
///     "Unit.mood: removed: unknown in old files, and skipped",
/// ]);
/// # Ok::<(), archive::Error>(())
/// ```
pub fn check(old: &SchemaFile, new: &SchemaFile) -> Vec<Difference> {
    let (mut one, mut other) = (Found::default(), Found::default());
    let (old, new) = (parse::parse(old, &mut one), parse::parse(new, &mut other));
    let mut compare =
        Compare { old: &old, new: &new, seen: BTreeSet::new(), found: BTreeMap::new() };
    for name in old.keys().filter(|name| new.contains_key(*name)) {
        compare.named((*name, *name), name, true);
    }
    let found = compare.found.into_iter();
    found.map(|((path, message), effect)| Difference { path, effect, message }).collect()
}

struct Compare<'c, 'f> {
    old: &'c Definitions<'f>,
    new: &'c Definitions<'f>,
    /// The pairs of types that were compared.
    seen: BTreeSet<(&'c str, &'c str)>,
    /// The effects by path and message.
    found: BTreeMap<(String, String), Effect>,
}

/// A place of a value: its path, and whether every value of the type has it.
#[derive(Clone, Copy)]
struct Place<'p>(&'p str, bool);

impl<'c> Compare<'c, '_> {
    fn add(&mut self, path: &str, effect: Effect, message: String) {
        self.found.insert((path.to_owned(), message), effect);
    }

    fn noted(&mut self, place: Place<'_>, message: impl fmt::Display) {
        self.add(place.0, Effect::Noted, message.to_string());
    }

    fn may_fail(&mut self, place: Place<'_>, kind: ErrorKind, message: impl fmt::Display) {
        self.add(place.0, Effect::MayFail(kind), message.to_string());
    }

    /// Adds an error of every value. In a list or a variant, it may fail: there may be no such value.
    fn fails(&mut self, place: Place<'_>, kind: ErrorKind, message: impl fmt::Display) {
        let effect = if place.1 { Effect::Fails(kind) } else { Effect::MayFail(kind) };
        self.add(place.0, effect, message.to_string());
    }

    fn wrong(&mut self, place: Place<'_>, old: &Spelling, new: &Spelling) {
        self.fails(place, ErrorKind::WrongType, format_args!("`{old}` became `{new}`"));
    }

    /// Compares two types of values.
    fn types(&mut self, place: Place<'_>, old: &'c Spelling, new: &'c Spelling) {
        match (old, new) {
            (_, Spelling::Any) => {}
            (Spelling::Any, _) => {
                self.may_fail(place, ErrorKind::WrongType, format_args!("`Value` became `{new}`"));
            }
            (Spelling::Option(old), Spelling::Option(new)) => self.types(place, old, new),
            (_, Spelling::Option(new)) => self.types(place, old, new),
            (Spelling::Option(inner), _) => {
                let message = format_args!("no longer optional, from `{old}` to `{new}`");
                self.may_fail(place, ErrorKind::WrongType, message);
                self.types(Place(place.0, false), inner, new);
            }
            (Spelling::Shared(one, from), Spelling::Shared(other, to)) => {
                if from.is_weak && !to.is_weak {
                    self.may_fail(place, ErrorKind::BadPointer, "no longer weak");
                }
                self.types(place, one, other);
            }
            (Spelling::Shared(one, _), _) => {
                self.may_fail(place, ErrorKind::BadPointer, "no longer shared");
                self.types(place, one, new);
            }
            (_, Spelling::Shared(other, _)) => self.types(place, old, other),
            (Spelling::Named(one), Spelling::Named(other)) => {
                self.named((one, other), place.0, place.1);
            }
            (Spelling::Object(one), Spelling::Object(other)) if one == other => {}
            (Spelling::Primitive(one), Spelling::Primitive(other)) => {
                self.scalars(place, *one, *other)
            }
            (Spelling::Primitive(Primitive::Str), Spelling::Named(name)) => {
                match self.new.get(name.as_str()) {
                    Some(Definition { content: Content::Enum(_), .. }) => {
                        let message = format_args!("text became the enum `{name}`");
                        self.may_fail(place, ErrorKind::UnknownVariant, message);
                    }
                    _ => self.wrong(place, old, new),
                }
            }
            (Spelling::Named(name), Spelling::Primitive(Primitive::Str)) => {
                match self.old.get(name.as_str()) {
                    Some(Definition { content: Content::Enum(variants), .. }) => {
                        if !variants.iter().all(|it| matches!(it, Carried::Nothing)) {
                            let message = format_args!("the enum `{name}` became text");
                            self.may_fail(place, ErrorKind::WrongType, message);
                        }
                    }
                    _ => self.wrong(place, old, new),
                }
            }
            _ => self.sequences(place, old, new),
        }
    }

    fn named(&mut self, (one, other): (&'c str, &'c str), path: &str, certain: bool) {
        let (old, new) = (self.old, self.new);
        let (Some(from), Some(to)) = (old.get(one), new.get(other)) else { return };
        let place = Place(path, certain);
        match (&from.content, &to.content) {
            (Content::Struct(_), Content::Enum(_)) | (Content::Enum(_), Content::Struct(_)) => {
                self.fails(place, ErrorKind::WrongType, format_args!("`{one}` became `{other}`"));
            }
            _ if !self.seen.insert((one, other)) => {}
            (Content::Struct(members), Content::Struct(to_members)) => {
                if from.file.version > to.file.version {
                    let (old, new) = (from.file.version, to.file.version);
                    let message = format_args!("the version went from {old} to {new}");
                    self.fails(Place(other, true), ErrorKind::NewerVersion, message);
                }
                let (members, to) = (self.all(members, self.old), self.all(to_members, self.new));
                self.members(other, &members, &to);
            }
            (Content::Enum(variants), Content::Enum(to_variants)) => {
                self.tags(other, from.file, to.file);
                self.variants(other, (from, variants.as_slice()), (to, to_variants.as_slice()));
            }
        }
    }
}
