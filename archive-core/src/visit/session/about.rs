//! [`About`]: the member of a class that a note or an error of the report is about.

use super::place::Place;
use crate::model::shape::Class;

/// What a note or an error is about. The names are parts of its path.
#[derive(Clone, Copy, Debug)]
pub(super) struct About {
    /// The variant.
    pub(super) variant: Option<NameInPath>,
    /// The member of a class.
    pub(super) owner: Owner,
}

/// The member of a class that a note or an error is about. The name of the member is part of the
/// path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Owner {
    /// No member was reached yet: the path is only the part inside a member's value.
    Inside,
    /// The member was reached, but not its class.
    Member(NameInPath),
    /// Both are known.
    Class(NameInPath, &'static Class),
    /// The path begins at a shared object that has no members.
    None,
}

/// Where the name of a member is in a path, from its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameInPath {
    start: usize,
    end: usize,
}

/// The state of an error in the report.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) about: About,
    /// The number of errors that it represents, including itself; 0 if it is to be removed.
    pub(super) count: u64,
    /// Whether it is never joined to others.
    pub(super) apart: bool,
    /// Whether it was found to be the first of its kind.
    pub(super) stays: bool,
}

/// The type, the name of its class and the member, and the variant.
pub(super) type Names<'p> = (Option<(&'static str, &'static str, &'p str)>, Option<&'p str>);

impl About {
    pub(super) fn new() -> Self {
        About { variant: None, owner: Owner::Inside }
    }

    /// Prepends a component to the path, by calling `put`.
    pub(super) fn enter(
        &mut self,
        path: &mut String,
        place: Place<'_>,
        put: impl FnOnce(&mut String),
    ) {
        let inside = path.len();
        let joined = usize::from(inside > 0 && !path.starts_with('['));
        put(path);
        let name = (path.len() - inside).saturating_sub(joined);
        let in_path = NameInPath { start: path.len(), end: path.len() - name };
        match (self.owner, place) {
            (Owner::Inside, Place::Variant(_)) if inside == 0 => self.variant = Some(in_path),
            (Owner::Inside, Place::Member(_)) if name == 0 => self.owner = Owner::None,
            (Owner::Inside, Place::Member(_)) => self.owner = Owner::Member(in_path),
            _ => {}
        }
    }

    /// Called when the class of the member is known. Returns whether it was not known before.
    pub(super) fn set_class(&mut self, class: &'static Class) -> bool {
        let Owner::Member(name) = self.owner else { return false };
        self.owner = Owner::Class(name, class);
        true
    }

    /// Returns whether the class of the member is known.
    pub(super) fn has_class(&self) -> bool {
        matches!(self.owner, Owner::Class(..))
    }

    /// Returns the names in the path.
    pub(super) fn names<'p>(&self, path: &'p str) -> Names<'p> {
        let member = match self.owner {
            Owner::Class(name, class) => Some((class.type_name.get(), class.name(), name.of(path))),
            // A root of a file with several roots.
            Owner::Member(name) => Some(("", "", name.of(path))),
            Owner::Inside | Owner::None => None,
        };
        (member, self.variant.map(|name| name.of(path)))
    }
}

/// The program may have changed the path of its copy of a note. The name is then empty.
impl NameInPath {
    pub(super) fn of(self, path: &str) -> &str {
        let index = |from_end| path.len().checked_sub(from_end);
        let (start, end) = (index(self.start), index(self.end));
        start.zip(end).and_then(|(start, end)| path.get(start..end)).unwrap_or_default()
    }

    pub(super) fn before(self, path: &str) -> &str {
        let start = path.len().saturating_sub(self.start);
        let object = path.get(..start).unwrap_or_default();
        object.strip_suffix('.').unwrap_or(object)
    }
}
