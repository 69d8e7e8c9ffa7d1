//! What happens to the values in old files when the type of a member changes, according to the
//! texts of the two types. The rules are in docs/EVOLUTION.md.

use Fate::{Depends, Loads, Refused};

/// Which of the old values can be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// All of them.
    Loads,
    /// Some of them, or it is not known.
    Depends,
    /// None of them.
    Refused,
}

impl Fate {
    /// Returns the fate of a value with two parts.
    fn and(self, other: Fate) -> Fate {
        match (self, other) {
            (Refused, _) | (_, Refused) => Refused,
            (Loads, Loads) => Loads,
            _ => Depends,
        }
    }

    /// Returns the fate of a container, which may contain no such value at all.
    fn if_any(self) -> Fate {
        loads_if(self == Loads)
    }
}

fn loads_if(all: bool) -> Fate {
    if all { Loads } else { Depends }
}

/// Returns the fate of a value of type `old` that is loaded as `new`.
pub(super) fn of(old: &str, new: &str) -> Fate {
    if old == new {
        return Loads;
    }
    match (Type::parse(old), Type::parse(new)) {
        (_, Type::Word("any")) => Loads,
        (Type::Word("any" | "Weak" | "_"), _) | (_, Type::Word("Weak" | "_")) => Depends,
        (Type::Pointer(old), Type::Pointer(new)) => of(old, new),
        // `Some(null)` cannot be loaded into an option of a type that is never null.
        (Type::Option(old), Type::Option(new)) => {
            of(old, new).if_any().and(loads_if(!is_nullable(old) || is_nullable(new)))
        }
        (Type::Option(_), _) => Depends,
        // Null becomes `None`.
        (Type::Word("()"), Type::Option(_)) => Loads,
        (_, Type::Option(new)) => of(old, new),
        // The file may only refer to an object that is stored elsewhere.
        (Type::Pointer(old), _) => of(old, new).and(Depends),
        (_, Type::Pointer(new)) => of(old, new),
        (Type::Word(old), Type::Word(new)) => words(old, new),
        (old, new) => containers(&old, &new),
    }
}

/// Returns the only item of a tuple with one item.
pub(super) fn single(ty: &str) -> Option<&str> {
    match Type::parse(ty) {
        Type::Tuple(items) if items.len() == 1 => Some(items[0]),
        _ => None,
    }
}

fn is_nullable(ty: &str) -> bool {
    match Type::parse(ty) {
        Type::Option(_) | Type::Word("()" | "Weak" | "any" | "_") => true,
        Type::Pointer(pointee) => is_nullable(pointee),
        _ => false,
    }
}

/// Returns the fate for two types if at least one of them has parts.
fn containers(old: &Type<'_>, new: &Type<'_>) -> Fate {
    match (old, new) {
        (Type::Map(key, value), Type::Map(new_key, new_value)) => {
            of(key, new_key).and(of(value, new_value)).if_any()
        }
        (Type::Vec(old), Type::Vec(new)) => of(old, new).if_any(),
        (Type::Array(old, len), Type::Array(new, new_len)) if len == new_len => of(old, new),
        (Type::Array(..), Type::Array(..)) => Refused,
        (Type::Array(old, _), Type::Vec(new)) => of(old, new),
        (Type::Tuple(old), Type::Tuple(new)) if old.len() != new.len() => Refused,
        (Type::Tuple(old), Type::Tuple(new)) => {
            old.iter().zip(new).fold(Loads, |fate, (old, new)| fate.and(of(old, new)))
        }
        (Type::Tuple(old), Type::Vec(new)) => {
            old.iter().fold(Loads, |fate, old| fate.and(of(old, new)))
        }
        // ObjectBlob does not distinguish a number of 32 bits from an array with one such number.
        (Type::Word("i32" | "u32" | "f32"), Type::Vec(_)) => Depends,
        (Type::Word(word), _) | (_, Type::Word(word)) if is_scalar(word) => Refused,
        _ => Depends,
    }
}

/// Returns the fate for two types of one word each: scalars, structs and enums.
fn words(old: &str, new: &str) -> Fate {
    match (Number::of(old), Number::of(new)) {
        (Some(old), Some(new)) => old.becomes(new),
        // Other programs store wide integers as text.
        (None, Some(Number::Int { bits: 128, .. })) if old == "String" => Depends,
        (None, None) => match (old, new) {
            ("char", "String") => Loads,
            ("String", "char") => Depends,
            ("bool" | "char", _) | (_, "bool" | "char") => Refused,
            // An enum may be stored as text, and a struct may have the members of another one.
            _ => Depends,
        },
        _ => Refused,
    }
}

fn is_scalar(name: &str) -> bool {
    matches!(name, "bool" | "char" | "String") || Number::of(name).is_some()
}

/// A type of numbers.
#[derive(Clone, Copy)]
enum Number {
    Int { signed: bool, bits: u32 },
    Float { digits: u32 },
}

impl Number {
    fn of(name: &str) -> Option<Number> {
        match name {
            "f32" => Some(Number::Float { digits: 24 }),
            "f64" => Some(Number::Float { digits: 53 }),
            _ => {
                let bits = name.strip_prefix(['i', 'u'])?;
                let known = matches!(bits, "8" | "16" | "32" | "64" | "128");
                let bits = bits.parse().ok().filter(|_| known)?;
                Some(Number::Int { signed: name.starts_with('i'), bits })
            }
        }
    }

    fn becomes(self, new: Number) -> Fate {
        use Number::{Float, Int};
        match (self, new) {
            (Int { signed: false, bits }, Int { signed: true, bits: wide }) => {
                loads_if(wide > bits)
            }
            (Int { signed: true, .. }, Int { signed: false, .. }) => Depends,
            (Int { bits, .. }, Int { bits: wide, .. }) => loads_if(wide >= bits),
            (Int { signed, bits }, Float { digits }) => {
                loads_if(bits - u32::from(signed) <= digits)
            }
            (Float { digits: old }, Float { digits: new }) => loads_if(new >= old),
            (Float { .. }, Int { .. }) => Depends,
        }
    }
}

/// A type parsed from the text of a description, one level deep.
enum Type<'t> {
    /// A scalar, a struct or an enum.
    Word(&'t str),
    Option(&'t str),
    Pointer(&'t str),
    Vec(&'t str),
    Map(&'t str, &'t str),
    Array(&'t str, &'t str),
    Tuple(Vec<&'t str>),
}

impl<'t> Type<'t> {
    fn parse(text: &'t str) -> Self {
        if text == "bytes" {
            return Type::Vec("u8");
        }
        let inside = |open: &str, close| text.strip_prefix(open)?.strip_suffix(close);
        if let Some((item, len)) = inside("[", "]").and_then(|array| array.rsplit_once("; ")) {
            return Type::Array(item, len);
        }
        if let Some(items) = inside("(", ")").filter(|items| !items.is_empty()) {
            return Type::Tuple(arguments(items.strip_suffix(',').unwrap_or(items)));
        }
        let generic = |name| Some(arguments(inside(name, ">")?));
        match (generic("Option<"), generic("Pointer<"), generic("Vec<"), generic("Map<")) {
            (Some(of), ..) if of.len() == 1 => Type::Option(of[0]),
            (_, Some(of), ..) if of.len() == 1 => Type::Pointer(of[0]),
            (_, _, Some(of), _) if of.len() == 1 => Type::Vec(of[0]),
            (.., Some(of)) if of.len() == 2 => Type::Map(of[0], of[1]),
            _ => Type::Word(text),
        }
    }
}

/// Returns the texts between the commas of the outermost level.
fn arguments(list: &str) -> Vec<&str> {
    let mut level = 0_usize;
    let commas = list.char_indices().filter(|(_, c)| {
        match c {
            '<' | '(' | '[' => level += 1,
            '>' | ')' | ']' => level = level.saturating_sub(1),
            _ => {}
        }
        *c == ',' && level == 0
    });
    let (mut parts, mut from) = (Vec::new(), 0);
    for (at, _) in commas {
        parts.push(list[from..at].trim());
        from = at + 1;
    }
    parts.push(list[from..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::{Fate, of};

    #[test]
    fn as_the_table_of_evolution_has_it() {
        let all = [
            (
                Fate::Loads,
                "u8 u32, i8 i64, u8 i16, u64 u128, u16 f32, i32 f64, f32 f64, char String",
            ),
            (Fate::Loads, "u8 Option<u8>, Vec<u8> Option<Vec<u16>>, u8 Pointer<u16>, State any"),
            (Fate::Loads, "Pointer<u8> Pointer<u16>, Pointer<u8> Option<Pointer<u8>>"),
            (Fate::Loads, "bytes Vec<u32>, Vec<u8> bytes, [u8;2] Vec<u8>, (u8,u16) Vec<u32>"),
            (Fate::Loads, "(u8,u16) (u8,f32), [u8;2] [u16;2], Map<String,u8> Map<String,u16>"),
            (
                Fate::Loads,
                "Option<f32> Option<f64>, Option<u8> Option<Option<u8>>, Vec<(u8,u8)> Vec<(u8,u16)>, (u8,) (u16,)",
            ),
            (Fate::Depends, "u32 u8, i32 u32, u64 i64, u8 i8, i32 f32, u64 f64, f32 i32, f64 f32"),
            (Fate::Loads, "() Option<()>, u8 Option<Option<u8>>"),
            (
                Fate::Depends,
                "String char, String i128, Option<u8> u8, Option<Option<u8>> Option<u8>",
            ),
            (Fate::Depends, "Pointer<u8> u8, Weak u8, Pointer<u8> Weak, State String, Pos Place"),
            (Fate::Depends, "Vec<u16> Vec<u8>, Vec<u8> [u8;2], Vec<u8> Vec<String>, i32 Vec<i32>"),
            (
                Fate::Depends,
                "Option<u8> Option<String>, Map<u8,u8> Vec<(u8,u8)>, any u8, Dyn<u8> u9",
            ),
            (
                Fate::Refused,
                "u64 String, String u8, i128 String, bool u8, u8 bool, char u32, u8 State",
            ),
            (Fate::Refused, "bool State, String Vec<u8>, bytes String, u64 Vec<u64>, Vec<u8> u8"),
            (
                Fate::Refused,
                "[u8;2] [u8;3], (u8,u8) (u8,u8,u8), u8 Option<String>, (u8,bool) (u8,u8)",
            ),
            (
                Fate::Refused,
                "Pointer<String> u8, Hp u8, Map<u8,u8> String, char bool, u8 Pointer<Pos>",
            ),
        ];
        for (fate, pairs) in all {
            for pair in pairs.split(", ") {
                let (old, new) = pair.split_once(' ').unwrap();
                let [old, new] = [old, new].map(|ty| ty.replace(';', "; ").replace(',', ", "));
                assert_eq!(of(&old, &new), fate, "{old} as {new}");
            }
        }
    }
}
