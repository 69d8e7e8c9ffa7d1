//! The schema of a binary file, from the types that it states.

use archive_binary::{MemberInfo, PayloadInfo, TypeContent, inspect_types};
use archive_core::{Error, ErrorKind, Result};

use crate::file::{MemberFile, SchemaFile, TypeFile, VariantFile};

impl SchemaFile {
    /// Describes the types that a binary file states. The [root](SchemaFile::root) is that of the file. A
    /// file states no defaults and no attributes, and no difference between kinds of lists and maps.
    ///
    /// ```
    /// use archive::types::{Record, Schema, SchemaFile};
    /// use archive::{Options, binary};
    ///
    /// #[derive(archive::Serialize)]
    /// struct Unit { name: String, at: Option<[f32; 2]> }
    ///
    /// let bytes = binary::to_vec(&vec![Unit { name: "Ann".into(), at: Some([1.0, 2.0]) }])?;
    /// let file = SchemaFile::of_file(&bytes)?;
    /// assert_eq!(file.root.as_str(), "Vec<Unit>");
    /// let ty = Schema::new(file)?.root()?.unwrap();
    /// let units: Record = binary::from_slice_with(&bytes, &Options::new().provide(ty))?;
    /// assert_eq!(units.get_as::<f32>("[0].at[1]")?, 2.0);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the file, and an error with the path of a member whose type no schema can describe.
    pub fn of_file(bytes: &[u8]) -> Result<SchemaFile> {
        let stated = inspect_types(bytes)?;
        let names = Names::new(stated.types.iter().map(|of| of.name.as_str()));
        let mut file =
            SchemaFile { root: names.spell(&stated.root)?.into(), ..SchemaFile::default() };
        for of in &stated.types {
            let name = names.of(&of.name);
            let ty = names.content(&of.content).map_err(|error| error.in_member(&name))?;
            file.types.insert(name, ty);
        }
        Ok(file)
    }
}

/// The names of the types in the file, and in the schema: a type with arguments is one type there.
struct Names(Vec<(String, String)>);

impl Names {
    fn new<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut known: Vec<(String, String)> = Vec::new();
        for name in names {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let plain: String = name.chars().map(|c| if is_part(c) { c } else { '_' }).collect();
            let mut unique = plain.clone();
            let mut number = 1;
            while known.iter().any(|(_, known)| *known == unique) {
                number += 1;
                unique = format!("{plain}_{number}");
            }
            known.push((name.to_owned(), unique));
        }
        // A long name may begin with a short one.
        known.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Names(known)
    }

    fn of(&self, name: &str) -> String {
        let known = self.0.iter().find(|(known, _)| known == name);
        known.map_or_else(|| name.to_owned(), |(_, name)| name.clone())
    }

    /// Spells a type of the file as schemas do.
    fn spell(&self, text: &str) -> Result<String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            if !is_part(first) {
                out.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let own = self.0.iter().find(|(name, _)| {
                rest.strip_prefix(name.as_str()).is_some_and(|after| !after.starts_with(is_part))
            });
            if let Some((name, unique)) = own {
                out.push_str(unique);
                rest = &rest[name.len()..];
                continue;
            }
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            rest = after;
            out.push_str(match word {
                "Map" => "BTreeMap",
                "any" => "Value",
                // The file does not say whether the object is in a cell, which makes no difference in it.
                "Pointer" if rest.starts_with('<') && !rest.starts_with("<dyn") => "Rc",
                "Pointer" | "Weak" | "dyn" | "object" => return Err(refused(text)),
                word => word,
            });
        }
        Ok(out)
    }

    fn content(&self, of: &TypeContent<'_>) -> Result<TypeFile> {
        Ok(match of {
            TypeContent::Class { version, members, .. } => TypeFile {
                version: *version,
                members: self.members(members)?,
                ..TypeFile::default()
            },
            TypeContent::Enum { variants, .. } => {
                let mut all = Vec::new();
                for variant in variants {
                    let mut file = VariantFile::new(variant.name, &[]);
                    match &variant.payload {
                        PayloadInfo::Unit => {}
                        PayloadInfo::Values(values) => {
                            for value in split(values) {
                                file.items.push(self.spell(value)?.into());
                            }
                        }
                        PayloadInfo::Members(members) => {
                            file.members = Some(self.members(members)?)
                        }
                        _ => return Err(refused(variant.name)),
                    }
                    all.push(file);
                }
                TypeFile { variants: all, ..TypeFile::default() }
            }
            _ => return Err(refused("a type")),
        })
    }

    fn members(&self, members: &[MemberInfo<'_>]) -> Result<Vec<MemberFile>> {
        let member = |of: &MemberInfo<'_>| {
            let ty = self.spell(&of.ty).map_err(|error| error.in_member(of.name))?;
            Ok(MemberFile::new(of.name, &ty))
        };
        members.iter().map(member).collect()
    }
}

/// Splits the values of a variant: `(u32, Vec<(u8, u8)>)`.
fn split(values: &str) -> Vec<&str> {
    let inner = values.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(values);
    let (mut depth, mut start, mut parts) = (0_usize, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(inner[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

#[cold]
fn refused(ty: &str) -> Error {
    let message = format_args!("a schema cannot describe the type `{ty}`");
    Error::new(ErrorKind::Unsupported, message)
}
