//! An [`Inspection`] as text for people: the types first, then the value.

use std::fmt;

use archive_describe::quoted;

use super::{
    Inspection, MemberInfo, PayloadInfo, RegisteredType, TypeContent, TypeInfo, TypesInfo,
};
use crate::container::{FOOTER, HEADER};

impl fmt::Display for Inspection<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = (self.data_len, self.tables_len, self.objects);
        types(f, parts, &self.root, &self.registered, &self.types)?;
        writeln!(f, "\n{:#}", self.value)
    }
}

impl fmt::Display for TypesInfo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = (self.data_len, self.tables_len, self.objects);
        types(f, parts, &self.root, &self.registered, &self.types)
    }
}

fn types(
    f: &mut fmt::Formatter<'_>,
    (data, tables, objects): (usize, usize, usize),
    root: &str,
    registered: &[RegisteredType<'_>],
    types: &[TypeInfo<'_>],
) -> fmt::Result {
    let whole = HEADER + data + tables + FOOTER;
    write!(f, "binary, {whole} bytes: {data} of data, {tables} of tables; ")?;
    match objects {
        0 => writeln!(f, "no shared objects")?,
        1 => writeln!(f, "1 shared object")?,
        many => writeln!(f, "{many} shared objects")?,
    }
    writeln!(f, "\nroot: {root}")?;
    for registered in registered {
        writeln!(f, "registered {}: {}", quoted(registered.id), registered.ty)?;
    }
    types.iter().try_for_each(|info| write!(f, "\n{info}"))
}

/// Displays one line with the name, and one for each member or variant.
impl fmt::Display for TypeInfo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut notes = Vec::new();
        match &self.content {
            TypeContent::Class { version, layout, .. } => {
                write!(f, "struct {}", self.name)?;
                if *version != 0 {
                    write!(f, ", version {version}")?;
                }
                notes.extend(layout.map(|layout| format!("layout {layout}")));
            }
            TypeContent::Enum { .. } => write!(f, "enum {}", self.name)?,
        }
        notes.extend(self.signature.map(|signature| format!("signature {signature:016x}")));
        if !notes.is_empty() {
            write!(f, "  // {}", notes.join(", "))?;
        }
        writeln!(f)?;
        match &self.content {
            TypeContent::Class { members, .. } => lines(f, members, 4),
            TypeContent::Enum { variants } => variants.iter().try_for_each(|variant| {
                let name = quoted(variant.name);
                match &variant.payload {
                    PayloadInfo::Unit => writeln!(f, "    {name}"),
                    PayloadInfo::Values(values) => writeln!(f, "    {name}{values}"),
                    PayloadInfo::Members(members) => {
                        writeln!(f, "    {name}:")?;
                        lines(f, members, 8)
                    }
                }
            }),
        }
    }
}

fn lines(f: &mut fmt::Formatter<'_>, members: &[MemberInfo<'_>], indent: usize) -> fmt::Result {
    members
        .iter()
        .try_for_each(|MemberInfo { name, ty }| writeln!(f, "{:indent$}{}: {ty}", "", quoted(name)))
}
