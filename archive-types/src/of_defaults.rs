//! The defaults of a compiled type, from its blank values.

use std::collections::{BTreeMap, BTreeSet};

use archive_core::path::Path;
use archive_core::{Blank, Options, Save, Value};

use crate::file::{SchemaFile, TypeFile};
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
    let tree = (find.load)(&start(&root)).unwrap_or_default();
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

/// Returns a tree that loads as a blank value.
fn start(ty: &Spelling) -> Value {
    match ty {
        Spelling::List(_) | Spelling::Set(..) | Spelling::Map(..) => Value::Array(Vec::new()),
        Spelling::Array(item, len) => Value::Array(vec![start(item); *len]),
        Spelling::Tuple(items) => Value::Array(items.iter().map(start).collect()),
        Spelling::Named(_) => Value::Object(Vec::new()),
        _ => Value::Null,
    }
}

/// A step to a value in a tree.
#[derive(Clone)]
enum Step {
    Member(String),
    Item(usize),
    /// The first item of a list.
    First,
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
            Spelling::Shared(to, kind) if !kind.is_weak => {
                within(self, Step::Member("$value".to_owned()), to);
            }
            Spelling::Named(name) => self.named(name, steps, tree),
            _ => {}
        }
    }

    fn named(&mut self, name: &str, steps: &mut Vec<Step>, tree: &Value) {
        let Some(ty) = self.file.types.get(name) else { return };
        if !self.known.insert(name.to_owned()) {
            return;
        }
        if !ty.variants.is_empty() {
            // A variant with one value or with members is an object with one member.
            for variant in &ty.variants {
                steps.push(Step::Member(variant.name.to_string()));
                if let [item] = variant.items.as_slice()
                    && let Ok(item) = Spelling::parse(item)
                {
                    self.visit(&item, steps, tree);
                }
                self.members(&variant.members, steps, tree);
                steps.pop();
            }
            return;
        }
        let mut with = tree.clone();
        put(&mut with, steps);
        if let Some(saved) = (self.load)(&with) {
            if let Some(Value::Object(blank)) = at(&saved, steps) {
                let mut blank = blank.clone();
                for member in ty.members.iter().filter(|it| it.skip_if_default && !it.flatten) {
                    let path = path_of(steps, &member.name);
                    let value = (self.read)(&with, &path);
                    blank.extend(value.map(|value| (member.name.to_string(), value)));
                }
                self.blanks.insert(name.to_owned(), Value::Object(blank));
            }
            self.members(&ty.members, steps, &with);
        }
    }

    fn members(
        &mut self,
        members: &[crate::file::MemberFile],
        steps: &mut Vec<Step>,
        tree: &Value,
    ) {
        for member in members {
            let Ok(ty) = Spelling::parse(&member.ty) else { continue };
            if member.flatten {
                self.visit(&ty, steps, tree);
                continue;
            }
            steps.push(Step::Member(member.name.to_string()));
            self.visit(&ty, steps, tree);
            steps.pop();
        }
    }
}

/// Returns the path to a member of the object at the end of the steps.
fn path_of(steps: &[Step], member: &str) -> Path {
    let mut path = Path::new();
    for step in steps {
        match step {
            // A path goes through pointers as if they were not there.
            Step::Member(name) if name == "$value" => {}
            Step::Member(name) => path.push(name.as_str()),
            Step::Item(index) => path.push(*index),
            Step::First => path.push(0),
        }
    }
    path.push(member);
    path
}

/// Puts an object without members at the end of the steps.
fn put(tree: &mut Value, steps: &[Step]) {
    let Some((step, rest)) = steps.split_first() else {
        *tree = Value::Object(Vec::new());
        return;
    };
    match step {
        Step::Member(name) => {
            if !matches!(tree, Value::Object(_)) {
                *tree = Value::Object(Vec::new());
            }
            let Value::Object(members) = tree else { return };
            let at = members.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                members.push((name.clone(), Value::Null));
                members.len() - 1
            });
            put(&mut members[at].1, rest);
        }
        Step::Item(_) | Step::First => {
            let index = if let Step::Item(index) = step { *index } else { 0 };
            if !matches!(tree, Value::Array(items) if index < items.len()) {
                *tree = Value::Array(vec![Value::Null; index + 1]);
            }
            if let Value::Array(items) = tree {
                put(&mut items[index], rest);
            }
        }
    }
}

fn at<'v>(tree: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    let Some((step, rest)) = steps.split_first() else { return Some(tree) };
    let inner = match step {
        Step::Member(name) => tree.get(name)?,
        Step::Item(index) => tree.item(*index)?,
        Step::First => tree.item(0)?,
    };
    at(inner, rest)
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
        let Some(first) = self.types.get(name).and_then(|ty| ty.variants.first()) else {
            return false;
        };
        match value {
            Value::Str(variant) => {
                *variant == **first.name && first.items.is_empty() && first.members.is_empty()
            }
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
