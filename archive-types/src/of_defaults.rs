//! The defaults of a compiled type, from its blank values.

use std::collections::{BTreeMap, BTreeSet};

use archive_core::path::Path;
use archive_core::{Blank, Options, Primitive, Save, Value};

use crate::file::{MemberFile, SchemaFile, TypeFile};
use crate::of_steps::{Step, Variant, at, path_of, put};
use crate::spelling::Spelling;

/// Adds the defaults of all types of the schema of `T`. A blank value of each is made by a load of an object
/// without members, in the first place that has one.
pub(crate) fn add<T: Blank + Save + 'static>(file: &mut SchemaFile) {
    let Ok(root) = Spelling::parse(&file.root) else { return };
    let mut find = Find {
        file,
        load: &|tree| {
            let loaded: T = tree.to_with(&Options::new()).ok()?;
            Value::of(&loaded).ok()
        },
        read: &|tree, path| {
            let loaded: T = tree.to_with(&Options::new()).ok()?;
            archive_reflect::get(&loaded, path, &Options::new()).ok()
        },
        known: BTreeSet::new(),
        blanks: BTreeMap::new(),
    };
    let start = find.blank(&root, 0).unwrap_or_default();
    let tree = (find.load)(&start).unwrap_or_default();
    find.visit(&root, &mut Vec::new(), &tree);
    let blanks = std::mem::take(&mut find.blanks);
    let all = Blanks { types: &file.types.clone(), blanks: &blanks };
    for (name, tree) in &blanks {
        let Some(ty) = file.types.get_mut(name) else { continue };
        for member in &mut ty.members {
            let Ok(spelling) = Spelling::parse(&member.ty) else { continue };
            if member.flatten {
                continue;
            }
            match tree.get(&member.name) {
                Some(value) if !all.is_blank(&spelling, value, 0) => {
                    member.default = value.clone().into();
                }
                _ => {}
            }
        }
    }
}

/// Finds a place of each type in a tree, and makes blank values there.
struct Find<'a> {
    file: &'a SchemaFile,
    load: &'a dyn Fn(&Value) -> Option<Value>,
    /// Reads a member of a loaded tree, which may be one that is not saved if it has its default.
    read: &'a dyn Fn(&Value, &Path) -> Option<Value>,
    known: BTreeSet<String>,
    blanks: BTreeMap<String, Value>,
}

impl Find<'_> {
    /// Visits the types in a type whose value is at the end of the steps.
    fn visit(&mut self, ty: &Spelling, steps: &mut Vec<Step>, tree: &Value) {
        let mut within = |this: &mut Self, step: Step, ty: &Spelling| {
            steps.push(step);
            this.visit(ty, steps, tree);
            steps.pop();
        };
        match ty {
            Spelling::List(item) | Spelling::Set(item, _) => within(self, Step::First, item),
            Spelling::Array(item, len) if *len > 0 => within(self, Step::Item(0), item),
            Spelling::Tuple(items) => {
                for (index, item) in items.iter().enumerate() {
                    within(self, Step::Item(index), item);
                }
            }
            Spelling::Option(value) => self.visit(value, steps, tree),
            Spelling::Map(key, value, _) => {
                if let Some(key) = self.blank(key, 0) {
                    within(self, Step::Entry(key), value);
                }
            }
            Spelling::Shared(to, kind) if !kind.is_weak => {
                within(self, Step::Member("$value".to_owned()), to);
            }
            Spelling::Named(name) => self.named(name, steps, tree),
            _ => {}
        }
    }

    /// Returns a tree that loads as a value of the type: one without members that may be absent.
    fn blank(&self, ty: &Spelling, depth: usize) -> Option<Value> {
        if depth > crate::limits::NESTING {
            return None;
        }
        Some(match ty {
            Spelling::Primitive(Primitive::Unit) | Spelling::Option(_) | Spelling::Any => {
                Value::Null
            }
            Spelling::Primitive(Primitive::Bool) => Value::Bool(false),
            Spelling::Primitive(Primitive::Str) => Value::Str(String::new()),
            Spelling::Primitive(Primitive::Char) => Value::Str("\0".to_owned()),
            Spelling::Primitive(Primitive::Bytes) => Value::Bytes(Vec::new()),
            Spelling::Primitive(_) => Value::from(0_u64),
            Spelling::List(_) | Spelling::Set(..) | Spelling::Map(..) => Value::Array(Vec::new()),
            Spelling::Array(item, len) => Value::Array(vec![self.blank(item, depth + 1)?; *len]),
            Spelling::Tuple(items) => {
                let items = items.iter().map(|item| self.blank(item, depth + 1));
                Value::Array(items.collect::<Option<_>>()?)
            }
            Spelling::Shared(..) | Spelling::Object(_) => return None,
            Spelling::Named(name) => match self.file.types.get(name)?.variants.as_slice() {
                [] => Value::Object(self.required(&self.file.types.get(name)?.members, depth)?),
                variants => {
                    let plain = variants.iter().find(|it| it.is_unit())?;
                    Value::Str(plain.name.to_string())
                }
            },
        })
    }

    /// Returns the members without which no object loads.
    fn required(&self, members: &[MemberFile], depth: usize) -> Option<Vec<(String, Value)>> {
        let mut required = Vec::new();
        for member in members {
            let ty = Spelling::parse(&member.ty).ok()?;
            match self.blank(&ty, depth + 1) {
                Some(Value::Object(inner)) if member.flatten => required.extend(inner),
                Some(value) if member.required => required.push((member.name.to_string(), value)),
                None if member.required || member.flatten => return None,
                _ => {}
            }
        }
        Some(required)
    }

    fn named(&mut self, name: &str, steps: &mut Vec<Step>, tree: &Value) {
        let Some(ty) = self.file.types.get(name) else { return };
        if !self.known.insert(name.to_owned()) {
            return;
        }
        if !ty.variants.is_empty() {
            for variant in &ty.variants {
                steps.push(Step::Variant(Variant {
                    name: variant.name.to_string(),
                    tag: ty.tag.to_string(),
                    content: ty.content.to_string(),
                }));
                if let [item] = variant.items.as_slice()
                    && let Ok(item) = Spelling::parse(item)
                {
                    self.visit(&item, steps, tree);
                }
                self.members(variant.members.as_deref().unwrap_or_default(), steps, tree);
                steps.pop();
            }
            return;
        }
        let Some(required) = self.required(&ty.members, 0) else { return };
        let mut with = tree.clone();
        put(&mut with, steps, required);
        self.object(name, steps, &with);
    }

    /// Visits a struct whose blank object is at the end of the steps.
    fn object(&mut self, name: &str, steps: &mut Vec<Step>, with: &Value) {
        let Some(ty) = self.file.types.get(name) else { return };
        self.known.insert(name.to_owned());
        if let Some(saved) = (self.load)(with) {
            if let Some(Value::Object(blank)) = at(&saved, steps) {
                let mut blank = blank.clone();
                for member in ty.members.iter().filter(|it| it.skip_if_default && !it.flatten) {
                    let path = path_of(steps, &member.name);
                    let value = (self.read)(with, &path);
                    blank.extend(value.map(|value| (member.name.to_string(), value)));
                }
                self.blanks.insert(name.to_owned(), Value::Object(blank));
            }
            self.members(&ty.members, steps, with);
        }
    }

    fn members(&mut self, members: &[MemberFile], steps: &mut Vec<Step>, tree: &Value) {
        for member in members {
            let Ok(ty) = Spelling::parse(&member.ty) else { continue };
            if member.flatten {
                // Its members are in the object that is there.
                if let Spelling::Named(name) = &ty {
                    self.object(name, steps, tree);
                }
                continue;
            }
            steps.push(Step::Member(member.name.to_string()));
            self.visit(&ty, steps, tree);
            steps.pop();
        }
    }
}

/// The blank values of the types of a schema.
struct Blanks<'a> {
    types: &'a BTreeMap<String, TypeFile>,
    blanks: &'a BTreeMap<String, Value>,
}

impl Blanks<'_> {
    /// Returns whether a value is that with which a member of the type starts without a default.
    fn is_blank(&self, ty: &Spelling, value: &Value, depth: usize) -> bool {
        match (ty, value) {
            (_, Value::Null) => true,
            (_, Value::Bool(value)) => !value,
            (_, Value::Number(number)) => matches!(number.to_string().as_str(), "0" | "0.0"),
            (Spelling::Named(name), _) => self.is_blank_named(name, value, depth),
            (_, Value::Str(text)) => text.is_empty() || text == "\0",
            (_, Value::Bytes(bytes)) => bytes.is_empty(),
            (Spelling::Array(item, _), Value::Array(items)) => {
                items.iter().all(|value| self.is_blank(item, value, depth))
            }
            (Spelling::Tuple(types), Value::Array(items)) => {
                types.iter().zip(items).all(|(ty, value)| self.is_blank(ty, value, depth))
            }
            (_, Value::Array(items)) => items.is_empty(),
            (_, Value::Object(members)) => members.is_empty(),
        }
    }

    fn is_blank_named(&self, name: &str, value: &Value, depth: usize) -> bool {
        if let Some(blank) = self.blanks.get(name) {
            return blank == value;
        }
        let Some(ty) = self.types.get(name) else { return false };
        let Some(first) = ty.variants.first() else { return false };
        match value {
            Value::Object(members) if !ty.tag.is_empty() => match members.as_slice() {
                [(tag, Value::Str(variant))] => *tag == **ty.tag && *variant == **first.name,
                _ => false,
            },
            Value::Str(variant) => *variant == **first.name && first.is_unit(),
            Value::Object(members) if depth < 16 => {
                match (members.as_slice(), first.items.as_slice()) {
                    ([(variant, value)], [item]) if *variant == **first.name => {
                        Spelling::parse(item)
                            .is_ok_and(|item| self.is_blank(&item, value, depth + 1))
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }
}
