//! JSON Schemas of the files of a type.

mod enums;
mod json_text;
mod object;
mod shared_objects;
mod values;

use std::collections::HashMap;

use archive_core::shape::Shape;
use archive_core::{Registry, Value};

use crate::Meta;

/// The version of JSON Schema.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

impl Meta {
    /// Returns a JSON Schema (2020-12) of the type's JSON files, as text, for editors that complete
    /// and check files while people write them.
    ///
    /// It describes the JSON that `archive::json` writes, and some of what it also accepts: members
    /// in any order, members left out unless they are `required`, aliases, maps as arrays and as
    /// objects, and values without an `$id` in place of shared ones. Unknown member names are
    /// errors, unless the type has a hand-written function or keeps unknown members. Doc comments
    /// are descriptions, a `label` is a title, and the `range` of a number is its minimum and
    /// maximum.
    ///
    /// The types of trait objects are those in the [installed](Registry::install) registry.
    ///
    /// ```
    /// use archive::Serialize;
    /// use archive::reflect::Meta;
    ///
    /// #[derive(Default, Serialize)]
    /// struct Door {
    ///     /// Whether a key is needed.
    ///     locked: bool,
    /// }
    ///
    /// assert_eq!(Meta::of::<Door>().json_schema(), r##"{
    ///   "$schema": "https://json-schema.org/draft/2020-12/schema",
    ///   "$ref": "#/$defs/Door",
    ///   "$defs": {
    ///     "Door": {
    ///       "type": "object",
    ///       "properties": {
    ///         "$schema": {
    ///           "type": "string"
    ///         },
    ///         "locked": {
    ///           "type": "boolean",
    ///           "description": "Whether a key is needed."
    ///         }
    ///       },
    ///       "additionalProperties": false
    ///     }
    ///   }
    /// }
    /// "##);
    /// ```
    pub fn json_schema(&self) -> String {
        self.json_schema_with(&Registry::installed().unwrap_or_default())
    }

    /// As [`json_schema`](Meta::json_schema), with the registry of trait objects.
    pub fn json_schema_with(&self, registry: &Registry) -> String {
        let mut schemas = Schemas {
            registry,
            definitions: Vec::new(),
            defined: HashMap::new(),
            open: Vec::new(),
            is_root: true,
        };
        let root = schemas.of(self);
        let mut all = vec![("$schema".to_owned(), text(DIALECT))];
        if let Value::Object(root) = root {
            all.extend(root);
        }
        if !schemas.definitions.is_empty() {
            all.push(("$defs".to_owned(), Value::Object(schemas.definitions)));
        }
        json_text::pretty(&Value::Object(all))
    }
}

/// Identifies a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    /// A class or an enum: the full name of the type, and its name in files.
    Named(&'static str, &'static str),
    /// Another type.
    At(*const Shape),
}

/// The schemas of the types so far.
struct Schemas<'r> {
    registry: &'r Registry,
    definitions: Vec<(String, Value)>,
    /// The indices of types among the definitions.
    defined: HashMap<Key, usize>,
    /// The types whose schemas are not finished.
    open: Vec<Key>,
    /// Whether the next object is the root, which may name its schema.
    is_root: bool,
}

impl Schemas<'_> {
    /// Returns the schema of the values of a type. Classes and enums become definitions. Other
    /// types that contain themselves (`struct List(Vec<List>)`) do so from the level on at which
    /// the recursion is noticed.
    fn of(&mut self, meta: &Meta) -> Value {
        let key = match meta.shape {
            Shape::Class(class) => Key::Named(class.type_name.get(), class.name()),
            Shape::Enum(info) => Key::Named(info.type_name.get(), "enum "),
            _ => Key::At(meta.shape),
        };
        if let Some(index) = self.defined.get(&key) {
            return reference(&self.definitions[*index].0);
        }
        if self.open.contains(&key) {
            return self.define(key, meta);
        }
        if matches!(key, Key::Named(..)) {
            self.define(key, meta);
        }
        self.open.push(key);
        let schema = match meta.shape {
            Shape::Class(class) => self.class(meta, class),
            Shape::Enum(_) => self.variants(meta),
            _ => self.value(meta),
        };
        self.open.pop();
        let schema = described(schema, meta.doc());
        match self.defined.get(&key) {
            Some(index) => {
                let (name, place) = &mut self.definitions[*index];
                *place = schema;
                reference(name)
            }
            None => schema,
        }
    }

    /// Adds a definition, which is filled later, and returns a reference to it.
    fn define(&mut self, key: Key, meta: &Meta) -> Value {
        let name = meta.stored().name();
        let word = |c: char| if c.is_alphanumeric() { c } else { '_' };
        let plain: String = name.chars().map(word).collect();
        let plain = plain.trim_matches('_');
        let numbered = (2_u32..).map(|number| format!("{plain}_{number}"));
        let is_free = |name: &String| self.definitions.iter().all(|(taken, _)| taken != name);
        let name = std::iter::once(plain.to_owned()).chain(numbered).find(is_free);
        let name = name.unwrap_or_default();
        let reference = reference(&name);
        self.defined.insert(key, self.definitions.len());
        self.definitions.push((name, Value::Bool(true)));
        reference
    }
}

fn reference(name: &str) -> Value {
    object([("$ref", text(&format!("#/$defs/{name}")))])
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn text(text: &str) -> Value {
    Value::Str(text.to_owned())
}

fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Value {
    Value::Array(texts.into_iter().map(text).collect())
}

fn typed(name: &str) -> Value {
    object([("type", text(name))])
}

fn any_of(mut schemas: Vec<Value>) -> Value {
    match schemas.len() {
        1 => schemas.remove(0),
        _ => object([("anyOf", Value::Array(schemas))]),
    }
}

/// Sets a keyword of a schema.
fn with(schema: Value, name: &str, value: Value) -> Value {
    let mut members = match schema {
        Value::Object(members) => members,
        // `true`
        _ => Vec::new(),
    };
    members.retain(|(known, _)| known != name);
    members.push((name.to_owned(), value));
    Value::Object(members)
}

fn described(schema: Value, doc: &str) -> Value {
    if doc.is_empty() { schema } else { with(schema, "description", text(doc)) }
}
