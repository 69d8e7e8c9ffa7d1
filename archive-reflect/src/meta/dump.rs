//! A description as text for people.

use std::fmt;

use super::{MemberMeta, Meta};

/// The type with its size, and its members with their types, names and offsets, where these are
/// known.
///
/// ```
/// use archive::Serialize;
/// use archive::reflect::Meta;
///
/// #[derive(Default, Serialize)]
/// #[repr(C)]
/// struct Sprite {
///     visible: bool,
///     layer: u16,
///     position: [f32; 2],
/// }
///
/// assert_eq!(Meta::of::<Sprite>().to_string(), "\
/// Sprite 12
/// {
///     bool visible 0
///     u16 layer 2
///     [f32; 2] position 4
/// }");
/// assert_eq!(Meta::of::<u16>().to_string(), "u16 2");
/// ```
impl fmt::Display for Meta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())?;
        if let Some(size) = self.size() {
            write!(f, " {size}")?;
        }
        let (members, variants) = (self.members(), self.variants());
        if members.is_empty() && variants.is_empty() {
            return Ok(());
        }
        f.write_str("\n{\n")?;
        for member in &members {
            writeln!(f, "    {}", Row(member))?;
        }
        for variant in &variants {
            f.write_str("    ")?;
            f.write_str(variant.name())?;
            let items: Vec<_> = variant.items().iter().map(Meta::name).collect();
            if !items.is_empty() {
                write!(f, "({})", items.join(", "))?;
            }
            f.write_str("\n")?;
            for member in variant.members() {
                writeln!(f, "        {}", Row(&member))?;
            }
        }
        f.write_str("}")
    }
}

struct Row<'a>(&'a MemberMeta);

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row(member) = self;
        if member.is_base() {
            f.write_str("base ")?;
        }
        write!(f, "{} {}", member.meta().name(), member.name())?;
        member.offset().map_or(Ok(()), |offset| write!(f, " {offset}"))
    }
}
