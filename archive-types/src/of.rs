//! The schema of a compiled type, from its shape.

use std::collections::BTreeMap;

use archive_core::shape::{
    Absence, Arguments, Class, Enum, Facts, Member, Payload, Shape, ShapeOf, TypeInfo,
};
use archive_core::{Blank, Error, ErrorKind, Result, Save};

use crate::errors::Errors;
use crate::file::{MemberFile, SchemaFile, TypeFile, VariantFile};
use crate::of_defaults;
use crate::register::trait_name;
use crate::schema::{Schema, Type};

/// What messages call the sequences that are sets.
const SET: &str = "a set";

impl Schema {
    /// Describes a compiled type: makes a schema of all types in it, and returns the type of the schema that
    /// is saved as the compiled one. The schema's [root](SchemaFile::root) is that type.
    ///
    /// ```
    /// use archive::types::{Record, Schema};
    ///
    /// /// A visible object.
    /// #[derive(archive::Serialize)]
    /// struct Sprite { texture: String, #[archive(default = 1.0, range = 0.0..=9.0)] size: f32, parts: Vec<Sprite> }
    ///
    /// let ty = Schema::of::<Sprite>()?;
    /// let text = archive::json::to_string(ty.schema().file())?;
    /// assert_eq!(text, r#"{"types":{"Sprite":{"doc":"A visible object.","members":[{"name":"texture","type":"String"},{"name":"size","type":"f32","default":1.0,"range":[0.0,9.0]},{"name":"parts","type":"Vec<Sprite>"}]}},"root":"Sprite"}"#);
    /// assert_eq!(archive::json::to_string(&Record::new(ty))?, r#"{"texture":"","size":1.0,"parts":[]}"#);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// Types that are stored as another one, such as newtypes, are that one. Functions of types, such as
    /// `after_load`, are not part of a schema.
    ///
    /// # Errors
    /// An error with the path to a member whose type no schema can describe: one with a hand-written function, a
    /// pointer to a trait object, or a trait object that is not in an `Option` or a container.
    pub fn of<T: Blank + Save + 'static>() -> Result<Type, Errors> {
        let file = SchemaFile::of::<T>()?;
        let root = file.root.clone();
        Ok(Schema::new(file)?.get(&root)?)
    }
}

impl SchemaFile {
    /// Describes a compiled type, as [`Schema::of`] does.
    ///
    /// # Errors
    /// Those of [`Schema::of`].
    pub fn of<T: Blank + Save + 'static>() -> Result<SchemaFile> {
        let mut of = Of::default();
        let root = of.spell(T::SHAPE, TypeInfo::of::<T>())?;
        let mut file = SchemaFile { types: of.types, root: root.into() };
        of_defaults::add::<T>(&mut file);
        Ok(file)
    }

    /// Adds a compiled type, and all types in it, under their names. The types of the schema can then have it
    /// in their members. A type that is there already must be equal.
    ///
    /// ```
    /// use archive::types::{Record, Schema, SchemaFile};
    ///
    /// #[derive(archive::Serialize)]
    /// struct Position { x: f32, y: f32 }
    ///
    /// // What the program offers to mods.
    /// let mut offered = SchemaFile::default();
    /// offered.add::<Position>()?;
    ///
    /// let file = br#"{"types":{"Spawn":{"members":[{"name":"at","type":"Vec<Position>"}]}}}"#;
    /// let schema = Schema::from_slice_with(file, archive::Format::Json, &offered)?;
    /// let mut spawn = Record::new(schema.get("Spawn")?);
    /// spawn.set("at", archive::Value::of(&vec![Position { x: 1.0, y: 2.0 }])?)?;
    /// let at: Vec<Position> = spawn.get_as("at")?;
    /// assert_eq!(at[0].y, 2.0);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Schema::of`], and [`ErrorKind::DuplicateType`] for another type with the same name.
    pub fn add<T: Blank + Save + 'static>(&mut self) -> Result {
        self.merge(&SchemaFile::of::<T>()?)
    }

    /// Adds the types of another file. Types with one name must be equal.
    pub(crate) fn merge(&mut self, other: &SchemaFile) -> Result {
        for (name, ty) in &other.types {
            if self.types.get(name).is_some_and(|known| known != ty) {
                let message = format_args!("there is another type with the name `{name}`");
                let error = Error::new(ErrorKind::DuplicateType, message);
                return Err(error.in_member(name).in_member("types"));
            }
        }
        self.types.extend(other.types.iter().map(|(name, ty)| (name.clone(), ty.clone())));
        Ok(())
    }
}

/// The types that were described.
#[derive(Default)]
struct Of {
    types: BTreeMap<String, TypeFile>,
    /// The names in the schema by the full names of the types. The compiler copies constants, so addresses
    /// do not tell types apart.
    names: BTreeMap<&'static str, String>,
}

impl Of {
    /// Returns the name of a type in the schema, and whether it is new.
    fn name(&mut self, full: &'static str, name: &str) -> (String, bool) {
        if let Some(known) = self.names.get(full) {
            return (known.clone(), false);
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let plain: String = name.chars().map(|c| if is_part(c) { c } else { '_' }).collect();
        let plain = plain.trim_matches('_');
        let mut unique = plain.to_owned();
        let mut number = 1;
        while self.types.contains_key(&unique) {
            number += 1;
            unique = format!("{plain}_{number}");
        }
        self.names.insert(full, unique.clone());
        self.types.insert(unique.clone(), TypeFile::default());
        (unique, true)
    }

    fn part(&mut self, of: &ShapeOf) -> Result<String> {
        self.spell(of.get(), of.info())
    }

    /// Returns the type of items, which may be trait objects: a blank list has none.
    fn item(&mut self, of: &ShapeOf) -> Result<String> {
        match of.get() {
            Shape::Dyn => {
                let name = trait_name(innermost(of.info()).about.name);
                Ok(format!("Box<dyn {name}>"))
            }
            _ => self.part(of),
        }
    }

    fn parts(&mut self, of: &[ShapeOf]) -> Result<Vec<String>> {
        of.iter().map(|part| self.part(part)).collect()
    }

    fn spell(&mut self, shape: &'static Shape, info: &'static TypeInfo) -> Result<String> {
        Ok(match shape {
            Shape::Primitive(primitive, _) => primitive.name().to_owned(),
            Shape::Seq(item, SET) if is_hashed(info) => format!("HashSet<{}>", self.part(item)?),
            Shape::Seq(item, SET) => format!("BTreeSet<{}>", self.part(item)?),
            Shape::Seq(item, "") => format!("Vec<{}>", self.item(item)?),
            Shape::Array(item, len, _, "") => format!("[{}; {len}]", self.part(item)?),
            Shape::Tuple(items, _, "") => {
                let comma = if items.len() == 1 { "," } else { "" };
                format!("({}{comma})", self.parts(items)?.join(", "))
            }
            Shape::Map(key, value) => {
                let name = if is_hashed(info) { "HashMap" } else { "BTreeMap" };
                format!("{name}<{}, {}>", self.part(key)?, self.item(value)?)
            }
            Shape::Option(value) => format!("Option<{}>", self.item(value)?),
            Shape::Any => "Value".to_owned(),
            Shape::Class(class) => self.class(class, info)?,
            Shape::Enum(of) => self.enumeration(of, info)?,
            Shape::Pointer(to) | Shape::Weak(to) if !to.get().is_any() => {
                let name = if matches!(shape, Shape::Weak(_)) { "Weak" } else { "Rc" };
                let cells = ["RefCell", "Mutex", "RwLock", "Cell"];
                let content = self.part(to)?;
                match cells.contains(&to.info().about.name) {
                    true => format!("{name}<RefCell<{content}>>"),
                    false => format!("{name}<{content}>"),
                }
            }
            Shape::Pointer(_) | Shape::Weak(_) => return Err(refused("a shared trait object")),
            Shape::Dyn => {
                return Err(refused("a trait object that is not in an `Option` or a container"));
            }
            other => return Err(refused(format_args!("{}", other.meaning()))),
        })
    }

    fn class(&mut self, class: &'static Class, info: &'static TypeInfo) -> Result<String> {
        let (name, is_new) = self.name(class.type_name.get(), class.name());
        if is_new {
            if !class.meaning.is_empty() {
                return Err(refused(class.meaning));
            }
            let members = self.members(class)?;
            let doc = info.about.doc.trim().to_owned();
            let file = TypeFile { doc, version: class.version, members, ..TypeFile::default() };
            self.types.insert(name.clone(), file);
        }
        Ok(name)
    }

    fn members(&mut self, class: &'static Class) -> Result<Vec<MemberFile>> {
        let Some(members) = class.members else {
            return Err(refused(format_args!(
                "`{}`, whose function is written by hand",
                class.name()
            )));
        };
        let within = |member: &'static Member| move |error: Error| error.in_member(member.name);
        members.iter().map(|it| self.member(it).map_err(within(it))).collect()
    }

    fn member(&mut self, of: &'static Member) -> Result<MemberFile> {
        let ty = self.part(&of.shape)?;
        let Facts { doc, label, group, unit, min, max, step, multiline, read_only, hidden, .. } =
            *of.field.facts;
        Ok(MemberFile {
            name: if of.base.is_some() { ty.as_str().into() } else { of.name.into() },
            ty: ty.into(),
            aliases: of.aliases.iter().map(|alias| (*alias).into()).collect(),
            required: of.absence == Absence::Refused,
            skip_if_default: of.skip_if_default,
            flatten: of.flatten,
            base: of.base.is_some(),
            doc: doc.trim().to_owned(),
            label: label.to_owned(),
            group: group.to_owned(),
            unit: unit.to_owned(),
            range: (min.is_some() || max.is_some()).then_some((min, max)),
            step,
            multiline,
            read_only,
            hidden,
            ..MemberFile::default()
        })
    }

    fn enumeration(&mut self, of: &'static Enum, info: &'static TypeInfo) -> Result<String> {
        let (name, is_new) = self.name(of.type_name.get(), of.name());
        if is_new {
            let mut variants = Vec::new();
            for variant in of.variants {
                let mut file = VariantFile {
                    aliases: variant.aliases.iter().map(|alias| (*alias).into()).collect(),
                    other: variant.other,
                    doc: variant.doc.trim().to_owned(),
                    ..VariantFile::new(variant.name, &[])
                };
                let within = |error: Error| error.in_member(variant.name);
                match &variant.payload {
                    Payload::Unit => {}
                    Payload::Newtype(value) => {
                        file.items.push(self.part(value).map_err(within)?.into());
                    }
                    Payload::Tuple([]) => {
                        return Err(within(Error::custom(
                            "a variant without values is `V`, not `V()`",
                        )));
                    }
                    Payload::Tuple(items) => {
                        let items = self.parts(items).map_err(within)?;
                        file.items.extend(items.into_iter().map(Into::into));
                    }
                    Payload::Struct(class) => {
                        file.members = Some(self.members(class).map_err(within)?)
                    }
                }
                variants.push(file);
            }
            let doc = info.about.doc.trim().to_owned();
            let mut file = TypeFile { doc, variants, ..TypeFile::default() };
            if let Some(tag) = of.tag {
                file.tag = tag.name.into();
                file.content = tag.content.unwrap_or_default().into();
            }
            self.types.insert(name.clone(), file);
        }
        Ok(name)
    }
}

/// Returns whether a map or a set has no order of its own.
fn is_hashed(info: &'static TypeInfo) -> bool {
    let name = innermost(info).about.name;
    name.contains("Hash") || name.contains("Index")
}

/// Returns the type in a wrapper, such as a `Box`.
fn innermost(mut info: &'static TypeInfo) -> &'static TypeInfo {
    while let Arguments::Inner(inner) = info.about.arguments {
        info = inner;
    }
    info
}

#[cold]
fn refused(what: impl std::fmt::Display) -> Error {
    let message = format_args!("a schema cannot describe this type: {what}");
    Error::new(ErrorKind::Unsupported, message)
}
