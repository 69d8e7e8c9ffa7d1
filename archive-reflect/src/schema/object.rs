//! The schemas of objects with named members.

use archive_core::Value;
use archive_core::shape::{Class, Facts, Primitive, Shape};

use super::{Schemas, described, object, text, texts, typed, with};
use crate::{MemberMeta, Meta};

/// The maximum number of classes flattened into each other. A hand-written shape may flatten a
/// class into itself.
const DEEPEST: usize = 32;

/// The members of an object.
#[derive(Default)]
pub(super) struct Properties {
    list: Vec<(String, Value)>,
    required: Vec<String>,
    /// Whether there may be other members.
    is_open: bool,
}

impl Properties {
    pub(super) fn add(&mut self, name: &str, schema: Value) {
        if self.list.iter().all(|(known, _)| known != name) {
            self.list.push((name.to_owned(), schema));
        }
    }

    pub(super) fn require(&mut self, name: &str) {
        self.required.push(name.to_owned());
    }

    pub(super) fn open(&mut self) {
        self.is_open = true;
    }

    pub(super) fn finish(self) -> Value {
        let mut out = object([("type", text("object")), ("properties", Value::Object(self.list))]);
        if !self.required.is_empty() {
            out = with(out, "required", texts(self.required.iter().map(String::as_str)));
        }
        if !self.is_open {
            out = with(out, "additionalProperties", Value::Bool(false));
        }
        out
    }
}

impl Schemas<'_> {
    /// Returns the schema of the objects of a class.
    pub(super) fn class(&mut self, meta: &Meta, class: &'static Class) -> Value {
        let mut into = Properties::default();
        if std::mem::take(&mut self.is_root) {
            into.add("$schema", typed("string"));
        }
        self.members(meta, class, &mut into);
        into.finish()
    }

    /// Adds the members of a class.
    pub(super) fn members(&mut self, meta: &Meta, class: &'static Class, into: &mut Properties) {
        if class.version > 0 {
            let version = object([
                ("type", text("integer")),
                ("minimum", Value::from(0)),
                ("maximum", Value::from(class.version)),
            ]);
            into.add("$version", version);
        }
        self.flat(meta, class, into, 0);
    }

    fn flat(&mut self, meta: &Meta, class: &'static Class, into: &mut Properties, depth: usize) {
        if class.members.is_none() || depth == DEEPEST {
            into.open();
        }
        if depth == DEEPEST {
            return;
        }
        for member in meta.members_of(class) {
            match member.meta().shape {
                Shape::Class(inner) if member.is_flattened() => {
                    self.flat(member.meta(), inner, into, depth + 1);
                }
                _ => self.member(&member, into),
            }
        }
    }

    fn member(&mut self, member: &MemberMeta, into: &mut Properties) {
        let schema = annotated(self.of(member.meta()), member);
        if member.is_required() && member.aliases().is_empty() {
            into.require(member.name());
        }
        for alias in member.aliases() {
            into.add(alias, with(schema.clone(), "deprecated", Value::Bool(true)));
        }
        into.add(member.name(), schema);
    }
}

/// Adds the attributes for people to the schema of a member.
fn annotated(mut schema: Value, member: &MemberMeta) -> Value {
    let Facts { doc, label, unit, min, max, color, read_only, .. } = *member.facts();
    if !label.is_empty() {
        schema = with(schema, "title", text(label));
    }
    let told = match (doc, unit) {
        (doc, "") => doc.to_owned(),
        ("", unit) => format!("In {unit}."),
        (doc, unit) => format!("{doc}\n\nIn {unit}."),
    };
    schema = described(schema, &told);
    let mut bounds = Vec::new();
    bounds.extend(min.map(|min| ("minimum".to_owned(), Value::from(min))));
    bounds.extend(max.map(|max| ("maximum".to_owned(), Value::from(max))));
    if !bounds.is_empty() {
        // In addition to the bounds of the type. Both apply only to numbers, so null is accepted.
        let numbers = Value::Object(bounds);
        let each = match member.meta().shape {
            Shape::Array(..) | Shape::Tuple(..) => object([("items", numbers)]),
            _ => numbers,
        };
        schema = with(schema, "allOf", Value::Array(vec![each]));
    }
    if color && is_text(member.meta().shape) {
        // Editors show a color picker.
        schema = with(schema, "format", text("color"));
    }
    if read_only {
        schema = with(schema, "readOnly", Value::Bool(true));
    }
    schema
}

fn is_text(shape: &Shape) -> bool {
    match shape {
        Shape::Option(value) => is_text(value.get()),
        shape => matches!(shape, Shape::Primitive(Primitive::Str, _)),
    }
}
