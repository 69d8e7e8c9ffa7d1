//! [`Part`]: what is known of a part of the value before it is read.

use archive::path::{Path, Step};
use archive::reflect::{self, Facts, Kind, Meta, Numbers, Peek, Row, VariantMeta};
use archive::{Options, Polymorphic, Result, Value};

/// A part of the value: a member, an item, an entry.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) path: Path,
    pub(crate) label: String,
    pub(crate) meta: Meta,
    pub(crate) facts: &'static Facts,
    pub(crate) numbers: Option<Numbers>,
    pub(crate) is_read_only: bool,
    /// Whether it is shown as a color.
    pub(crate) is_color: bool,
    pub(crate) place: Place,
}

/// What a part is in the value around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It cannot be removed there.
    Fixed,
    /// An item of a list of that length.
    Item(usize),
    /// An element of a set.
    Element,
    /// An entry of a map.
    Entry,
}

impl Part {
    /// Describes the whole value.
    pub(crate) fn root(value: &dyn Polymorphic) -> Part {
        let meta = Meta::of_value(value);
        Part {
            path: Path::new(),
            label: meta.name(),
            numbers: meta.numbers(),
            meta,
            facts: Facts::PLAIN,
            is_read_only: false,
            is_color: false,
            place: Place::Fixed,
        }
    }

    /// Describes the part of a row. `around` is the part that it belongs to.
    pub(crate) fn of_row(row: &Row, around: &Part) -> Part {
        let path = row.path.to_path();
        let label = match (&row.member, &row.property) {
            (Some(member), _) => member.label().to_owned(),
            (_, Some(property)) => property.label().to_owned(),
            _ => step_label(path.last()),
        };
        let of_property = row.property.as_ref().is_some_and(reflect::PropertyMeta::is_read_only);
        Part {
            path,
            label,
            meta: row.meta.clone(),
            facts: row.facts(),
            numbers: row.numbers(),
            is_read_only: around.is_read_only || row.facts().read_only || of_property,
            is_color: row.facts().color,
            place: Place::Fixed,
        }
    }

    /// Describes an item of this list, an element of this set or an entry of this map.
    pub(crate) fn item(&self, step: Step, place: Place) -> Part {
        let meta = self.inner().item().unwrap_or_else(Meta::of::<Value>);
        // The attributes of a member that are about numbers are those of its items, too.
        let facts = if meta.numbers().is_some() { self.facts } else { Facts::PLAIN };
        Part {
            label: step_label(Some(&step)),
            path: self.path.join(&[step]),
            numbers: meta.numbers(),
            meta,
            facts,
            is_read_only: self.is_read_only,
            is_color: false,
            place,
        }
    }

    /// Describes a part at any path. Its attributes are unknown if the path is very long.
    pub(crate) fn at(value: &dyn Polymorphic, path: &Path, options: &Options<'_>) -> Part {
        let root = Part::root(value);
        let mut part = root.clone();
        if path.len() <= crate::lines::DEEPEST * 4 {
            for step in path.iter() {
                part = part.step(value, step, options).unwrap_or_else(|_| Part {
                    path: part.path.join(std::slice::from_ref(step)),
                    meta: Meta::of::<Value>(),
                    ..root.clone()
                });
            }
        }
        Part { label: path.to_string(), path: path.clone(), ..part }
    }

    /// Describes a direct part of this one.
    fn step(&self, value: &dyn Polymorphic, step: &Step, options: &Options<'_>) -> Result<Part> {
        let item = |place| Ok(self.item(step.clone(), place));
        match reflect::peek(value, &self.path, options)? {
            Peek::List(len) if self.inner().items().is_empty() => item(Place::Item(len)),
            Peek::Set(_) => item(Place::Element),
            Peek::Map(_) => item(Place::Entry),
            _ => {
                let rows = reflect::children(value, &self.path, options)?;
                let row = rows.iter().find(|row| row.path.last() == Some(step));
                Ok(row.map_or_else(
                    || self.item(step.clone(), Place::Fixed),
                    |row| Part::of_row(row, self),
                ))
            }
        }
    }

    /// Describes the type of the value in options and pointers.
    pub(crate) fn inner(&self) -> Meta {
        /// A type may be a pointer to itself.
        const DEEPEST: usize = 8;
        let mut meta = self.meta.clone();
        for _ in 0..DEEPEST {
            if !matches!(meta.kind(), Kind::Option | Kind::Pointer) {
                break;
            }
            let Some(item) = meta.item() else { break };
            meta = item;
        }
        meta
    }

    /// Returns whether the value is a pointer, or an option of one.
    pub(crate) fn is_pointer(&self) -> bool {
        let item = || self.meta.item().is_some_and(|item| item.kind() == Kind::Pointer);
        match self.meta.kind() {
            Kind::Pointer => true,
            Kind::Option => item(),
            _ => false,
        }
    }

    /// Returns the variants, if the value is an enum.
    pub(crate) fn variants(&self) -> Vec<VariantMeta> {
        self.inner().variants()
    }

    /// Returns the name of the variant that an enum has.
    pub(crate) fn variant(
        &self,
        value: &dyn Polymorphic,
        peek: &Peek,
        options: &Options<'_>,
    ) -> Option<String> {
        match peek {
            Peek::Variant(name) => return Some((*name).to_owned()),
            Peek::Scalar(Value::Str(name)) => return Some(name.clone()),
            Peek::Object if !self.variants().is_empty() => {}
            _ => return None,
        }
        // An enum with a tag: its only part is the variant, or it is an object with the tag alone.
        let rows = reflect::children(value, &self.path, options).ok()?;
        let row = rows.first()?;
        match (&row.value, row.path.last()) {
            (_, Some(Step::Name(name))) if row.path.len() > self.path.len() => {
                Some(name.as_str().to_owned())
            }
            (Value::Object(members), _) => members.first()?.1.as_str().map(str::to_owned),
            _ => None,
        }
    }

    /// Returns whether items can be added to the value and removed from it, if it is a list.
    pub(crate) fn has_any_length(&self) -> bool {
        self.inner().len().is_none()
    }
}

/// Returns the last step of a path for people.
pub(crate) fn step_label(step: Option<&Step>) -> String {
    match step {
        Some(Step::Name(name)) => name.as_str().to_owned(),
        Some(Step::Index(index)) => index.to_string(),
        Some(step) => [step.clone()].into_iter().collect::<Path>().to_string(),
        None => String::new(),
    }
}
