//! JSON Schemas of the files of a type.

mod enums;
mod object;
mod pointers;
mod print;
mod values;

use std::collections::{HashMap, HashSet};

use archive_core::shape::Shape;
use archive_core::{Registry, Value};

use crate::Meta;

/// The version of JSON Schema.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

impl Meta {
    /// Returns a JSON Schema (2020-12) of the type's JSON files, as text: for editors that complete
    /// and check files which people write.
    ///
    /// It describes what `archive::json` writes, and of what it reads beyond that: members in any order and left out unless they are `required`, aliases, maps as arrays
    /// and as objects, values without an `$id` in the place of shared ones. Member names that the
    /// type does not have are errors, unless its function is written by hand or it keeps unknown
    /// members. Doc comments are descriptions, a `label` is a title, and the `range` of a number is
    /// its minimum and maximum.
    ///
    /// The types of trait objects are those of the registry that is
    /// [installed](Registry::install).
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

    /// As [`json_schema`](Meta::json_schema), with the types of trait objects.
    pub fn json_schema_with(&self, registry: &Registry) -> String {
        let mut schemas = Schemas {
            registry,
            definitions: Vec::new(),
            names: HashMap::new(),
            taken: HashSet::new(),
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
        print::pretty(&Value::Object(all))
    }
}

/// Identifies a class or an enum: the full name of the type, and its name in files, which differs
/// between the variants of one enum.
type Key = (&'static str, &'static str);

/// The schemas of the types that were met so far.
struct Schemas<'r> {
    registry: &'r Registry,
    definitions: Vec<(String, Value)>,
    names: HashMap<Key, String>,
    taken: HashSet<String>,
    /// Whether the next object is the root, which may name its schema.
    is_root: bool,
}

impl Schemas<'_> {
    /// Returns the schema of the values of a type. Classes and enums are definitions, so recursive
    /// types have an end.
    fn of(&mut self, meta: &Meta) -> Value {
        let key = match meta.shape {
            Shape::Class(class) => (class.type_name.get(), class.name()),
            Shape::Enum(info) => (info.type_name.get(), "enum "),
            _ => {
                self.is_root = false;
                return self.value(meta);
            }
        };
        if let Some(name) = self.names.get(&key) {
            return reference(name);
        }
        let name = self.define(key, &meta.stored_name());
        let schema = match meta.shape {
            Shape::Class(class) => self.class(meta, class),
            _ => self.variants(meta),
        };
        let place = self.definitions.iter_mut().find(|(known, _)| *known == name);
        place.into_iter().for_each(|(_, place)| *place = described(schema.clone(), meta.doc()));
        reference(&name)
    }

    /// Reserves a name for a definition.
    fn define(&mut self, key: Key, name: &str) -> String {
        let word = |c: char| if c.is_alphanumeric() { c } else { '_' };
        let plain = name.chars().map(word).collect::<String>();
        let plain = plain.trim_matches('_');
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let mut names = std::iter::once(plain.to_owned()).chain(numbered);
        let name = names.find(|name| !self.taken.contains(name)).unwrap_or_default();
        self.taken.insert(name.clone());
        self.names.insert(key, name.clone());
        self.definitions.push((name.clone(), Value::Null));
        name
    }
}

impl Meta {
    /// Returns the name of a class or an enum, without the pointers and cells around it.
    fn stored_name(&self) -> String {
        match self.shape {
            Shape::Class(class) => class.name().to_owned(),
            Shape::Enum(info) => info.name().to_owned(),
            _ => self.name(),
        }
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

/// Adds a keyword to a schema.
fn with(schema: Value, name: &str, value: Value) -> Value {
    let mut members = match schema {
        Value::Object(members) => members,
        // `true`
        _ => Vec::new(),
    };
    members.push((name.to_owned(), value));
    Value::Object(members)
}

fn described(schema: Value, doc: &str) -> Value {
    if doc.is_empty() { schema } else { with(schema, "description", text(doc)) }
}
