//! The names of types, composed from their shapes and type information.

use archive_core::shape::{Arguments, Primitive, Shape, ShapeOf, TypeInfo};

/// The maximum number of types inside each other in a name. A hand-written shape may contain itself
/// without a name.
const DEEPEST: usize = 64;

/// Returns the name of a type without modules.
pub(super) fn name(shape: &'static Shape, info: &'static TypeInfo) -> String {
    spelled(shape, info, DEEPEST, &|full, name| match arguments(full) {
        Some(arguments) if !name.contains('<') => {
            format!("{}{}", without_modules(name), without_modules(arguments))
        }
        _ => without_modules(name),
    })
}

/// Returns the name of a type with the modules of its classes and enums.
pub(super) fn full(shape: &'static Shape, info: &'static TypeInfo) -> String {
    spelled(shape, info, DEEPEST, &|full, name| format!("{full} {name}"))
}

/// Spells a type. `own` returns the name of a type of the program from its full name, or its module,
/// and its short name.
fn spelled(
    shape: &'static Shape,
    info: &'static TypeInfo,
    levels: usize,
    own: &dyn Fn(&str, &str) -> String,
) -> String {
    let Some(levels) = levels.checked_sub(1) else { return "_".to_owned() };
    let part = |of: &ShapeOf| spelled(of.get(), of.info(), levels, own);
    let all = |parts: &[ShapeOf]| parts.iter().map(part).collect::<Vec<_>>().join(", ");
    let name = without_modules(info.about.name);
    let arguments = match (info.about.arguments, shape) {
        (Arguments::None, _) if !name.is_empty() => return own(info.about.module, &name),
        (Arguments::Inner(inner), _) => spelled(shape, inner, levels, own),
        // Bytes do not mention the type of their items.
        (Arguments::OfShape, Shape::Primitive(Primitive::Bytes, _)) => "u8".to_owned(),
        (_, Shape::Primitive(primitive, _)) => return primitive.name().to_owned(),
        (_, Shape::Class(class)) => return own(class.type_name.get(), class.name()),
        (_, Shape::Enum(info)) => return own(info.type_name.get(), info.name()),
        (_, Shape::Array(item, len, ..)) => return format!("[{}; {len}]", part(item)),
        (_, Shape::Tuple(items, ..)) => return tuple(&all(items), items.len()),
        (_, Shape::Dyn) => return "dyn".to_owned(),
        (_, Shape::Map(key, value)) => all(&[*key, *value]),
        (_, Shape::Seq(inner, _) | Shape::Option(inner)) => part(inner),
        (_, Shape::Pointer(inner) | Shape::Weak(inner)) => part(inner),
        // Also `Shape::Any`.
        _ => return "any".to_owned(),
    };
    let name = match shape {
        _ if !name.is_empty() => &name,
        Shape::Seq(..) => "Vec",
        Shape::Map(..) => "Map",
        Shape::Option(_) => "Option",
        Shape::Weak(_) => "Weak",
        _ => "Pointer",
    };
    if name == "[]" { format!("[{arguments}]") } else { format!("{name}<{arguments}>") }
}

/// Returns the generic arguments in the full name of a type.
fn arguments(full: &str) -> Option<&str> {
    // The path of a type that is declared in a method begins with `<`.
    full.find('<').filter(|at| *at > 0).map(|at| &full[at..])
}

/// Returns the text without the modules before the names in it, and without the spaces of names
/// that passed through several macros: `NonZero < u8 >`.
fn without_modules(text: &str) -> String {
    let mut out = String::new();
    let mut word = 0;
    for c in text.chars() {
        match c {
            ':' => out.truncate(word),
            _ => {
                out.push(c);
                if !(c.is_alphanumeric() || c == '_') {
                    word = out.len();
                }
            }
        }
    }
    out.replace(" < ", "<").replace(" >", ">")
}

fn tuple(items: &str, len: usize) -> String {
    if len == 1 { format!("({items},)") } else { format!("({items})") }
}
