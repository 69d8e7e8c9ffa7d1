//! [`Types`]: the types that a save states.

use std::collections::HashMap;
use std::rc::Rc;

use archive::binary::{MemberInfo, PayloadInfo, TypeContent, TypesInfo};
use archive::format::reserved;

/// The number of a type.
pub type Id = usize;

/// The type of a value without a stated type that is written as JSON.
pub const RAW: Id = 0;
/// The type of a value without a stated type whose objects become rows and columns.
pub const OBSERVED: Id = 1;

/// A type.
#[derive(Clone, Debug)]
pub enum Node {
    Raw,
    Observed,
    Unit,
    Bool,
    Int(i128, u128),
    F32,
    F64,
    Text,
    Bytes,
    Option(Id),
    List(Id),
    Map(Id, Id),
    Tuple(Vec<Id>),
    Class(Rc<str>, Vec<(Rc<str>, Id)>),
    Enum(Vec<(Rc<str>, Option<Id>)>),
    /// A shared object.
    Pointer(Id),
    Weak,
    /// A shared object of a registered type.
    SharedTrait,
    /// An object of a registered type.
    Trait,
    /// A value whose type is stored with it.
    Open,
}

/// The types of a save.
pub struct Types {
    nodes: Vec<Node>,
    /// The text of each type that has a name or parts.
    texts: HashMap<String, Id>,
    registered: HashMap<String, Id>,
    pub root: Id,
}

impl Types {
    /// The types of a file that states none.
    pub fn none() -> Self {
        Types {
            nodes: vec![Node::Raw, Node::Observed],
            texts: HashMap::new(),
            registered: HashMap::new(),
            root: OBSERVED,
        }
    }

    /// The types that the tables of a file state.
    pub fn new(stated: &TypesInfo<'_>) -> Self {
        let mut types = Types::none();
        for of in &stated.types {
            types.texts.insert(of.name.clone(), types.nodes.len());
            types.nodes.push(Node::Open);
        }
        for of in &stated.types {
            let node = types.content(of.name.as_str(), &of.content);
            let id = types.texts[&of.name];
            types.nodes[id] = node;
        }
        for of in &stated.registered {
            let id = types.read(&of.ty);
            types.registered.insert(of.id.to_owned(), id);
        }
        types.root = types.read(&stated.root);
        types
    }

    /// Returns the name of the class of the root.
    pub fn root_class(&self) -> Option<Rc<str>> {
        match self.get(self.some(self.root)) {
            Node::Class(name, _) => Some(name.clone()),
            _ => None,
        }
    }

    /// Gives the objects of classes the tables of these names.
    pub fn rename(&mut self, names: &HashMap<Rc<str>, Rc<str>>) {
        for node in &mut self.nodes {
            if let Node::Class(name, _) = node
                && let Some(other) = names.get(name)
            {
                *name = other.clone();
            }
        }
    }

    pub fn get(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    /// Returns the type of the objects with that type id.
    pub fn registered(&self, name: &str) -> Option<Id> {
        self.registered.get(name).copied()
    }

    pub fn all_registered(&self) -> impl Iterator<Item = Id> {
        self.registered.values().copied()
    }

    /// Returns the name of the table of objects of a type.
    pub fn table(&self, id: Id) -> Option<Rc<str>> {
        match self.get(id) {
            Node::Class(name, _) => Some(name.clone()),
            Node::Raw | Node::Observed | Node::Open => None,
            _ => self.texts.iter().find(|(_, of)| **of == id).map(|(text, _)| (&**text).into()),
        }
    }

    /// Returns the type of the value of an option. An option whose value may itself be null stays one.
    pub fn some(&self, mut id: Id) -> Id {
        while let Node::Option(inner) = *self.get(id) {
            if matches!(self.get(inner), Node::Option(_) | Node::Unit | Node::Open) {
                break;
            }
            id = inner;
        }
        id
    }

    /// Returns whether values of a type, which is not an option otherwise, are written as JSON.
    pub fn is_raw(&self, id: Id) -> bool {
        matches!(self.get(id), Node::Raw | Node::Option(_))
    }

    /// Returns the type in all options.
    pub fn inside(&self, mut id: Id) -> Id {
        while let Node::Option(inner) = *self.get(id) {
            id = inner;
        }
        id
    }

    /// Returns whether lists and maps in a value of the root may leave out their objects, which are rows. Others
    /// would lose what is not a row, for example `None`, an enum or an empty list.
    pub fn is_outer(&self, id: Id) -> bool {
        let is_class = |id: &Id| matches!(self.get(*id), Node::Class(..));
        let are_rows = |item: &Id| match self.get(*item) {
            Node::Trait => self.registered.values().all(is_class),
            _ => is_class(item),
        };
        match (self.get(id), self.get(self.some(id))) {
            (_, Node::Raw | Node::Option(_)) => false,
            (Node::Option(_), Node::List(_) | Node::Map(..)) => false,
            (Node::List(item), _) => {
                are_rows(item) || matches!(self.get(*item), Node::Open | Node::Observed)
            }
            (Node::Map(_, value), _) => are_rows(value),
            _ => true,
        }
    }

    /// Returns whether values must be read to find their columns: some have no stated type, or are objects in one that
    /// is written as JSON.
    pub fn are_open(&self) -> bool {
        let is_open = |id: Id| match self.get(id) {
            Node::Open | Node::Trait | Node::SharedTrait => true,
            Node::Option(_) => self.is_raw(self.some(id)),
            _ => false,
        };
        self.root == OBSERVED || (0..self.nodes.len()).any(is_open)
    }

    fn content(&mut self, name: &str, of: &TypeContent<'_>) -> Node {
        match of {
            TypeContent::Class { version, members, .. } => {
                Node::Class(name.into(), self.members(members, *version))
            }
            TypeContent::Enum { variants, .. } => {
                let payload = |variant: &archive::binary::VariantInfo<'_>| {
                    let payload = match &variant.payload {
                        PayloadInfo::Unit => None,
                        PayloadInfo::Values(values) => match self.several(values) {
                            Node::Tuple(items) if items.len() == 1 => Some(items[0]),
                            node => Some(self.add(node)),
                        },
                        PayloadInfo::Members(members) => {
                            let members = self.members(members, 0);
                            Some(self.add(Node::Class(variant.name.into(), members)))
                        }
                        _ => Some(RAW),
                    };
                    (variant.name.into(), payload)
                };
                Node::Enum(variants.iter().map(payload).collect())
            }
            _ => Node::Open,
        }
    }

    fn members(&mut self, members: &[MemberInfo<'_>], version: u32) -> Vec<(Rc<str>, Id)> {
        let mut all = Vec::new();
        if version != 0 {
            all.push((reserved::VERSION.into(), self.read("u32")));
        }
        all.extend(members.iter().map(|member| (member.name.into(), self.read(&member.ty))));
        all
    }

    fn add(&mut self, node: Node) -> Id {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Returns the type with that text.
    fn read(&mut self, text: &str) -> Id {
        if let Some(id) = self.texts.get(text) {
            return *id;
        }
        let node = self.node(text);
        let id = self.add(node);
        self.texts.insert(text.to_owned(), id);
        id
    }

    fn node(&mut self, text: &str) -> Node {
        let signed = |bits: u32| Node::Int(i128::MIN >> (128 - bits), u128::MAX >> (129 - bits));
        let unsigned = |bits: u32| Node::Int(0, u128::MAX >> (128 - bits));
        match text {
            "()" => return Node::Unit,
            "bool" => return Node::Bool,
            "u8" => return unsigned(8),
            "u16" => return unsigned(16),
            "u32" => return unsigned(32),
            "u64" | "usize" => return unsigned(64),
            "u128" => return unsigned(128),
            "i8" => return signed(8),
            "i16" => return signed(16),
            "i32" => return signed(32),
            "i64" | "isize" => return signed(64),
            "i128" => return signed(128),
            "f32" => return Node::F32,
            "f64" => return Node::F64,
            "String" | "char" => return Node::Text,
            "bytes" => return Node::Bytes,
            "Weak" => return Node::Weak,
            "Pointer<dyn>" => return Node::SharedTrait,
            "dyn" => return Node::Trait,
            _ => {}
        }
        if text.starts_with('(') {
            return self.several(text);
        }
        if let Some(inner) = text.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
            let item = inner.rsplit_once(';').map_or(inner, |(item, _)| item);
            return Node::List(self.read(item));
        }
        let generic = text.strip_suffix('>').and_then(|text| text.split_once('<'));
        let parts: Vec<&str> = generic.map(|(_, inner)| split(inner)).unwrap_or_default();
        match (generic.map(|(head, _)| head), parts[..].first(), parts.get(1)) {
            (Some("Option"), Some(value), None) => Node::Option(self.read(value)),
            (Some("Vec"), Some(item), None) => Node::List(self.read(item)),
            (Some("Pointer"), Some(pointee), None) => Node::Pointer(self.read(pointee)),
            (Some("Map"), Some(key), Some(value)) => {
                let key = self.read(key);
                Node::Map(key, self.read(value))
            }
            _ => Node::Open,
        }
    }

    /// Returns the tuple with that text.
    fn several(&mut self, text: &str) -> Node {
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let items = split(inner.unwrap_or_default());
        Node::Tuple(items.into_iter().map(|item| self.read(item)).collect())
    }
}

/// Splits a text at the commas that are outside of all brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        parts.push(last);
    }
    parts
}
