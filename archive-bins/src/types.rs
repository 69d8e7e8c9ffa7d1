//! The types of variables, identified by their names: `u16`, `[f32; 3]`, `(u8, char)`, `Vec<i64>`.

use archive_core::shape::Primitive;

/// How deep the items of a type may nest, and how many types one name may consist of.
const MAX_DEPTH: usize = 16;
const MAX_TYPES: usize = 1024;

/// A type of a variable, or of an item inside one.
#[derive(Debug)]
pub(crate) struct Type {
    pub(crate) kind: TypeKind,
    /// The size of a value in bytes; 0 if it differs from value to value.
    pub(crate) size: usize,
    /// How many levels of containers with items a value has.
    levels: usize,
}

/// The kind of a [`Type`]. Items are indices into the list of types.
#[derive(Debug)]
pub(crate) enum TypeKind {
    Primitive(Primitive),
    /// A fixed number of items of a type.
    Array(u32, usize),
    /// Items, each with its offset.
    Tuple(Vec<(u32, usize)>),
    /// Any number of items of a type.
    Seq(u32),
}

impl Type {
    /// The type of the items of `bytes`.
    pub(crate) const BYTE: Type =
        Type { kind: TypeKind::Primitive(Primitive::U8), size: 1, levels: 0 };

    /// Returns whether values differ in size.
    pub(crate) fn varies(&self) -> bool {
        use Primitive::{Bytes, Str};
        matches!(self.kind, TypeKind::Seq(_) | TypeKind::Primitive(Str | Bytes))
    }

    /// Returns how many levels a value of `size` bytes nests.
    pub(crate) fn levels(&self, size: usize) -> usize {
        if matches!(self.kind, TypeKind::Seq(_)) && size == 0 { 1 } else { self.levels }
    }

    /// Returns whether a value may take `size` bytes. `types` are the types to which items refer.
    pub(crate) fn fits(&self, size: usize, types: &[Type]) -> bool {
        match self.kind {
            TypeKind::Seq(item) => size.is_multiple_of(types[item as usize].size),
            _ => self.varies() || size == self.size,
        }
    }
}

/// Returns whether the name is that of a type whose values differ in size. Their sizes are then
/// left out of the signature.
pub(crate) fn varies(name: &str) -> bool {
    matches!(name, "String" | "bytes") || (name.starts_with("Vec<") && name.ends_with('>'))
}

/// Adds the type with that name; returns `None` if the type is unknown.
pub(crate) fn parse(name: &str, types: &mut Vec<Type>) -> Option<u32> {
    let start = types.len();
    let mut parser = Parser { rest: name, types, left: MAX_TYPES };
    let found = parser.outermost().filter(|_| parser.rest.is_empty());
    if found.is_none() {
        types.truncate(start);
    }
    found
}

struct Parser<'a, 't> {
    rest: &'a str,
    types: &'t mut Vec<Type>,
    left: usize,
}

impl Parser<'_, '_> {
    fn outermost(&mut self) -> Option<u32> {
        for (name, primitive) in
            [("String", Primitive::Str), ("bytes", Primitive::Bytes), ("()", Primitive::Unit)]
        {
            if self.rest == name {
                self.rest = "";
                return Some(self.add(TypeKind::Primitive(primitive), 0));
            }
        }
        if !self.eat("Vec<") {
            return self.plain(MAX_DEPTH);
        }
        let item = self.item(MAX_DEPTH)?;
        self.eat(">").then(|| self.add(TypeKind::Seq(item), 0))
    }

    /// Parses a type of fixed size.
    fn plain(&mut self, deepest: usize) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        let deepest = deepest.checked_sub(1)?;
        if self.eat("[") {
            let item = self.item(deepest)?;
            if !self.eat("; ") {
                return None;
            }
            let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
            let (count, rest) = self.rest.split_at(digits);
            if count.len() > 1 && count.starts_with('0') {
                return None;
            }
            self.rest = rest;
            let count: usize = count.parse().ok()?;
            let size = count.checked_mul(self.types[item as usize].size)?;
            return self.eat("]").then(|| self.add(TypeKind::Array(item, count), size));
        }
        if self.eat("(") {
            let (mut items, mut size) = (Vec::new(), 0_usize);
            loop {
                let item = self.plain(deepest)?;
                items.push((item, size));
                size = size.checked_add(self.types[item as usize].size)?;
                let end = if items.len() == 1 { ",)" } else { ")" };
                if self.eat(end) {
                    return Some(self.add(TypeKind::Tuple(items), size));
                }
                if !self.eat(", ") {
                    return None;
                }
            }
        }
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        let (primitive, size) = SCALARS.iter().find(|(scalar, _)| scalar.name() == name)?;
        self.rest = rest;
        Some(self.add(TypeKind::Primitive(*primitive), *size))
    }

    /// Parses a type of fixed size that is not 0, so that the input bounds the number of items.
    fn item(&mut self, deepest: usize) -> Option<u32> {
        self.plain(deepest).filter(|item| self.types[*item as usize].size > 0)
    }

    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn add(&mut self, kind: TypeKind, size: usize) -> u32 {
        let inner = |item: &u32| self.types[*item as usize].levels + 1;
        let levels = match &kind {
            TypeKind::Primitive(_) => 0,
            TypeKind::Array(_, 0) => 1,
            TypeKind::Array(item, _) | TypeKind::Seq(item) => inner(item),
            TypeKind::Tuple(items) => items.iter().map(|(item, _)| inner(item)).max().unwrap_or(1),
        };
        self.types.push(Type { kind, size, levels });
        self.types.len() as u32 - 1
    }
}

/// The scalars of fixed size, and their sizes.
const SCALARS: [(Primitive, usize); 14] = [
    (Primitive::Bool, 1),
    (Primitive::U8, 1),
    (Primitive::U16, 2),
    (Primitive::U32, 4),
    (Primitive::U64, 8),
    (Primitive::U128, 16),
    (Primitive::I8, 1),
    (Primitive::I16, 2),
    (Primitive::I32, 4),
    (Primitive::I64, 8),
    (Primitive::I128, 16),
    (Primitive::F32, 4),
    (Primitive::F64, 8),
    (Primitive::Char, 4),
];

/// Returns the size of a scalar of fixed size.
pub(crate) fn size_of(primitive: Primitive) -> Option<usize> {
    SCALARS.iter().find(|(scalar, _)| *scalar == primitive).map(|(_, size)| *size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names() {
        let mut types = Vec::new();
        for (name, size) in [
            ("u8", 1),
            ("char", 4),
            ("[f32; 3]", 12),
            ("[[f32; 3]; 2]", 24),
            ("(u8, i128)", 17),
            ("(u8,)", 1),
            ("[(u8, [u16; 2]); 4]", 20),
            ("([u8; 0], u8)", 1),
            ("String", 0),
            ("bytes", 0),
            ("()", 0),
            ("Vec<(u8, u8)>", 0),
        ] {
            let found = parse(name, &mut types).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(types[found as usize].size, size, "{name}");
            assert_eq!(types[found as usize].varies(), varies(name), "{name}");
        }
    }

    #[test]
    fn unknown_names() {
        let deep = format!("{}u8{}", "[".repeat(100_000), "; 1]".repeat(100_000));
        let wide = format!("(u8{})", ", u8".repeat(100_000));
        let huge = format!("[u128; {}]", u64::MAX);
        for name in [
            "",
            "Colour",
            "u8 ",
            "u24",
            "[u8;3]",
            "[u8; 03]",
            "[u8; ]",
            "[u8; -1]",
            "[[u8; 0]; 3]",
            "Vec<[u8; 0]>",
            "Vec<Vec<u8>>",
            "Vec<String>",
            "(u8)",
            "(u8, u8,)",
            "[u8; 3]]",
            "[()]",
            "[String; 2]",
            &deep,
            &wide,
            &huge,
        ] {
            let mut types = Vec::new();
            let short: String = name.chars().take(20).collect();
            assert_eq!(parse(name, &mut types), None, "{short}");
            assert!(types.is_empty(), "{short}");
        }
    }
}
