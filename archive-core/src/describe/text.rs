//! The text of a description, for people with the names of classes, for the signature with numbers.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::survey::{Key, Survey, key};
use crate::shape::{Class, Enum, Payload, Shape, ShapeFn, plain_name};

/// How deep a type goes between two classes, and of how many parts it consists: types without names
/// that hold themselves have no end.
const DEEPEST: usize = 12;
const PARTS: usize = 1024;

/// The text of a type.
pub(super) fn text(root: &'static Shape, survey: &Survey, named: bool) -> String {
    let mut text = Text {
        survey,
        named,
        out: String::new(),
        sections: Vec::new(),
        numbers: HashMap::new(),
        taken: HashSet::new(),
    };
    match root {
        Shape::Class(_) | Shape::Enum(_) => drop(text.of(root)),
        _ => {
            let root = text.of(root);
            text.line(0, format_args!("{root}"));
        }
    }
    let mut at = 0;
    while let Some((section, name)) = text.sections.get(at).cloned() {
        text.section(section, &name);
        at += 1;
    }
    text.out
}

struct Text<'s> {
    survey: &'s Survey,
    named: bool,
    out: String,
    /// What the text refers to, in the order in which it does, and what it calls them.
    sections: Vec<(Section, String)>,
    numbers: HashMap<Key, usize>,
    taken: HashSet<String>,
}

/// Something that has lines of its own.
#[derive(Clone, Copy)]
enum Section {
    Struct(&'static Class),
    Enum(&'static Enum),
}

impl Section {
    /// Enums have no name of a class, so that no variant is taken for its enum.
    fn key(self) -> Key {
        match self {
            Section::Struct(class) => key(class),
            Section::Enum(info) => ((info.type_name)(), "enum "),
        }
    }

    fn name(self) -> String {
        plain_name(match self {
            Section::Struct(class) => class.name(),
            Section::Enum(info) => info.name(),
        })
    }
}

impl Text<'_> {
    fn line(&mut self, indent: usize, line: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.out, "{:1$}{line}", "", indent * 4);
    }

    /// The type of a value.
    fn of(&mut self, shape: &'static Shape) -> String {
        let (mut out, mut parts) = (String::new(), PARTS);
        self.put(&mut out, shape, DEEPEST, &mut parts);
        out
    }

    fn put(&mut self, out: &mut String, shape: &'static Shape, deep: usize, parts: &mut usize) {
        if deep == 0 || *parts == 0 {
            out.push('_');
            return;
        }
        let deep = deep - 1;
        *parts -= 1;
        match shape {
            Shape::Primitive(primitive) => out.push_str(primitive.name()),
            Shape::Seq(item) => self.generic(out, "Vec", &[*item], deep, parts),
            Shape::Map(key, value) => self.generic(out, "Map", &[*key, *value], deep, parts),
            Shape::Option(value) => self.generic(out, "Option", &[*value], deep, parts),
            Shape::Pointer(body) if matches!(body(), Shape::Any) => out.push_str("Pointer<dyn>"),
            Shape::Pointer(body) => self.generic(out, "Pointer", &[*body], deep, parts),
            Shape::Array(item, len, _) => {
                out.push('[');
                self.put(out, item(), deep, parts);
                let _ = write!(out, "; {len}]");
            }
            Shape::Tuple(items, _) => self.tuple(out, items, deep, parts),
            Shape::Class(class) => out.push_str(&self.refer(Section::Struct(class))),
            Shape::Enum(info) => out.push_str(&self.refer(Section::Enum(info))),
            Shape::Weak => out.push_str("Weak"),
            Shape::Dyn => out.push_str("dyn"),
            Shape::Any => out.push_str("any"),
        }
    }

    fn generic(
        &mut self,
        out: &mut String,
        name: &str,
        arguments: &[ShapeFn],
        deep: usize,
        parts: &mut usize,
    ) {
        out.push_str(name);
        out.push('<');
        self.list(out, arguments, deep, parts);
        out.push('>');
    }

    fn tuple(&mut self, out: &mut String, items: &[ShapeFn], deep: usize, parts: &mut usize) {
        out.push('(');
        self.list(out, items, deep, parts);
        out.push_str(if items.len() == 1 { ",)" } else { ")" });
    }

    fn list(&mut self, out: &mut String, items: &[ShapeFn], deep: usize, parts: &mut usize) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.put(out, item(), deep, parts);
        }
    }

    /// What the text calls a class; its own lines follow later.
    fn refer(&mut self, section: Section) -> String {
        let next = self.sections.len();
        let number = *self.numbers.entry(section.key()).or_insert(next);
        if number == next {
            let name = if self.named { self.name(section) } else { format!("#{number}") };
            self.sections.push((section, name));
        }
        self.sections[number].1.clone()
    }

    /// The name of a class, told apart from those of others that have the same.
    fn name(&mut self, section: Section) -> String {
        let name = section.name();
        let mut unique = name.clone();
        let mut count = 1;
        while !self.taken.insert(unique.clone()) {
            count += 1;
            unique = format!("{name}#{count}");
        }
        unique
    }

    fn section(&mut self, section: Section, name: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        match section {
            Section::Struct(class) => {
                match class.version {
                    0 => self.line(0, format_args!("struct {name}")),
                    version => self.line(0, format_args!("struct {name}, version {version}")),
                }
                self.members(class, 1);
            }
            Section::Enum(info) => {
                self.line(0, format_args!("enum {name}"));
                self.variants(info);
            }
        }
    }

    fn members(&mut self, class: &'static Class, indent: usize) {
        let mut members = Vec::new();
        let whole = self.collect(class, &mut members);
        members.sort_by(|(a, _), (b, _)| a.cmp(b));
        for (name, shape) in members {
            let ty = self.of(shape);
            self.line(indent, format_args!("{}: {ty}", quoted(&name)));
        }
        if !whole {
            self.line(indent, format_args!("..."));
        }
    }

    /// The members of a class, those of flattened ones in their place. `false` says that there may
    /// be others.
    fn collect(
        &self,
        class: &'static Class,
        into: &mut Vec<(Cow<'static, str>, &'static Shape)>,
    ) -> bool {
        let Some(members) = class.members else {
            let Some(found) = self.survey.get(class) else { return false };
            let members = found.members.iter();
            into.extend(members.map(|(name, shape)| (Cow::Owned(name.clone()), *shape)));
            return !found.broken;
        };
        let mut whole = true;
        for member in members {
            match (member.shape)() {
                Shape::Class(inner) if member.flatten => whole &= self.collect(inner, into),
                shape => into.push((Cow::Borrowed(member.name), shape)),
            }
        }
        whole
    }

    fn variants(&mut self, info: &'static Enum) {
        let mut variants: Vec<_> = info.variants.iter().collect();
        variants.sort_by_key(|variant| variant.name);
        for variant in variants {
            let name = quoted(variant.name);
            match variant.payload {
                Payload::Unit => self.line(1, format_args!("{name}")),
                Payload::Newtype(value) => {
                    let ty = self.of(value());
                    self.line(1, format_args!("{name}({ty})"));
                }
                Payload::Tuple(items) => {
                    let (mut ty, mut parts) = (String::new(), PARTS);
                    self.tuple(&mut ty, items, DEEPEST, &mut parts);
                    self.line(1, format_args!("{name}{ty}"));
                }
                Payload::Struct(class) => {
                    self.line(1, format_args!("{name}:"));
                    self.members(class, 2);
                }
            }
        }
    }
}

/// A name as it stands in a line: whatever is no plain identifier stands in quotes.
fn quoted(name: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(plain) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("{name:?}"))
    }
}
