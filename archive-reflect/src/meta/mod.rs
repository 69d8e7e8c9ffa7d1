//! [`Meta`]: the description of a type.

mod dump;
mod kind;
mod member;
mod name;
mod numbers;
mod property;
mod registered;
mod variant;
mod visited;

pub use kind::Kind;
pub use member::MemberMeta;
pub use numbers::Numbers;
pub use property::PropertyMeta;
pub use registered::Metas;
pub use variant::VariantMeta;

pub(crate) use visited::Visits;

use archive_core::__private::HasSupertrait;
use archive_core::shape::{About, Arguments, Class, Payload, Shape, ShapeOf, TypeInfo};
use archive_core::{Element, Options, Polymorphic};

/// The description of a type.
///
/// It consists of constants that the type already has, so it adds nothing to a program that does
/// not use it. Only the members of types with a hand-written `serialize` function are found by
/// running that function once, on first use.
///
/// ```
/// use std::collections::HashMap;
///
/// use archive::Serialize;
/// use archive::reflect::{Kind, Meta};
///
/// #[derive(Default, Serialize)]
/// struct Unit {
///     name: String,
///     bag: HashMap<String, u32>,
/// }
///
/// let meta = Meta::of::<Vec<Unit>>();
/// assert_eq!((meta.name().as_str(), meta.kind()), ("Vec<Unit>", Kind::Sequence));
/// let unit = meta.item().unwrap();
/// let names: Vec<_> = unit.members().iter().map(|member| member.name().to_owned()).collect();
/// assert_eq!(names, ["name", "bag"]);
/// assert_eq!(unit.member("bag").unwrap().meta().name(), "HashMap<String, u32>");
/// ```
///
/// Two descriptions are equal if the types have the same full name, size and alignment. `Display`
/// prints the type and its members with their offsets.
#[derive(Clone)]
pub struct Meta {
    pub(crate) shape: &'static Shape,
    pub(crate) info: &'static TypeInfo,
    pub(crate) visits: Visits,
}

impl Meta {
    /// Describes the type `T`.
    pub fn of<T: Element>() -> Meta {
        Meta { shape: T::SHAPE, info: TypeInfo::of::<T>(), visits: Visits::of::<T>() }
    }

    /// Describes the type of an object. For a trait object it is the concrete type.
    ///
    /// The members of a type with a hand-written function are known if the type is in the
    /// [installed](archive_core::Registry::install) registry; see [`Metas::meta_of`] for other
    /// registries.
    ///
    /// ```
    /// use archive::Serialize;
    /// use archive::reflect::Meta;
    ///
    /// trait Command: archive::Polymorphic {}
    /// archive::polymorphic!(dyn Command);
    /// #[derive(Default, Serialize)]
    /// struct MoveTo { x: i32, y: i32 }
    /// impl Command for MoveTo {}
    ///
    /// let command: Box<dyn Command> = Box::new(MoveTo { x: 1, y: 2 });
    /// assert_eq!(Meta::of_value(&*command), Meta::of::<MoveTo>());
    /// assert_eq!(Meta::of_value(&7_u16).name(), "u16");
    /// ```
    pub fn of_value<D: Polymorphic + ?Sized>(object: &D) -> Meta {
        let identity = HasSupertrait::identity(object);
        let registry = archive_core::Registry::installed().unwrap_or_default();
        Meta::of_identity(&identity, &registry)
    }

    /// Describes a part of a value that was found in a visit.
    pub(crate) fn of_part(
        shape: &'static Shape,
        info: &'static TypeInfo,
        options: &Options<'_>,
    ) -> Meta {
        let registry = options.settings().registry().cloned().unwrap_or_default();
        Meta { shape, info, visits: Visits::by(None, &registry) }
    }

    /// Describes what a shape refers to, within this type.
    pub(crate) fn part(&self, of: &ShapeOf) -> Meta {
        Meta { shape: of.get(), info: of.info(), visits: self.visits.clone() }
    }

    /// Describes a value by its shape alone.
    pub(crate) fn of_shape(&self, shape: &'static Shape) -> Meta {
        Meta { shape, info: TypeInfo::UNKNOWN, visits: self.visits.clone() }
    }

    /// Returns the name as written in Rust, without modules: `u32`, `Vec<Unit>`,
    /// `Rc<RefCell<dyn Command>>`. A class with another name in files has that name.
    pub fn name(&self) -> String {
        name::name(self.shape, self.info)
    }

    /// Returns the size of a value in bytes. `None` for a trait object or a slice, and for members
    /// that a hand-written function visits.
    pub fn size(&self) -> Option<usize> {
        self.info.layout.map(|(size, _)| size)
    }

    /// Returns the alignment of a value in bytes; `None` where there is no [`size`](Meta::size).
    pub fn align(&self) -> Option<usize> {
        self.info.layout.map(|(_, align)| align)
    }

    /// Returns the kind of the type, determined by how its values are stored.
    pub fn kind(&self) -> Kind {
        Kind::of(self.shape)
    }

    /// Returns the version that objects of the type are saved with; 0 for all other types.
    pub fn version(&self) -> u32 {
        self.class().map_or(0, |class| class.version)
    }

    /// Returns the doc comment of the type, or an empty text. Types with hand-written functions
    /// have none.
    pub fn doc(&self) -> &'static str {
        self.about().doc
    }

    /// Returns the members of an object, in the order in which they are saved. Empty for other
    /// kinds of types. The [`meta`](MemberMeta::meta) of a [flattened](MemberMeta::is_flattened)
    /// member has the members that are stored in its place.
    pub fn members(&self) -> Vec<MemberMeta> {
        self.class().map_or_else(Vec::new, |class| self.members_of(class))
    }

    /// Returns the member of that name, or of that alias if no member has the name.
    pub fn member(&self, name: &str) -> Option<MemberMeta> {
        let members = self.members();
        let named = members.iter().find(|member| member.name() == name);
        named.or_else(|| members.iter().find(|it| it.aliases().contains(&name))).cloned()
    }

    /// Returns whether [`members`](Meta::members) are all members that an object can have. They are
    /// not if the type keeps unknown members, or if a hand-written function visits them, because
    /// the function may branch.
    pub fn has_all_members(&self) -> bool {
        self.class().is_none_or(|class| class.members.is_some())
    }

    /// Returns the values that are computed and not stored (`get` and `set`).
    pub fn properties(&self) -> impl Iterator<Item = PropertyMeta> + '_ {
        let properties = self.about().properties;
        properties.iter().map(|property| PropertyMeta::new(property, self))
    }

    /// Returns the property of that name.
    pub fn property(&self, name: &str) -> Option<PropertyMeta> {
        self.properties().find(|property| property.name() == name)
    }

    /// Returns the variants of an enum, in the order of their declaration. Empty for other kinds of
    /// types.
    pub fn variants(&self) -> Vec<VariantMeta> {
        let Shape::Enum(info) = self.shape else { return Vec::new() };
        info.variants.iter().map(|variant| VariantMeta::new(variant, self)).collect()
    }

    /// Returns the type of the items of a sequence, of the values of a map, of the value of an
    /// option, and of the object that a pointer points to. `None` for a tuple, whose
    /// [`items`](Meta::items) differ, for a pointer to trait objects, and for all other types.
    pub fn item(&self) -> Option<Meta> {
        match self.shape {
            Shape::Seq(item, _) | Shape::Array(item, ..) => Some(self.part(item)),
            Shape::Option(value) | Shape::Map(_, value) => Some(self.part(value)),
            Shape::Pointer(pointee) | Shape::Weak(pointee) => {
                Some(self.part(pointee)).filter(|pointee| pointee.interface().is_none())
            }
            _ => None,
        }
    }

    /// Returns the types of the items of a tuple. Empty for other types.
    pub fn items(&self) -> Vec<Meta> {
        let Shape::Tuple(items, ..) = self.shape else { return Vec::new() };
        items.iter().map(|item| self.part(item)).collect()
    }

    /// Returns the number of items of an array or a tuple.
    pub fn len(&self) -> Option<usize> {
        match self.shape {
            Shape::Array(_, len, ..) => Some(*len),
            Shape::Tuple(items, ..) => Some(items.len()),
            _ => None,
        }
    }

    /// Returns whether this is an array without items.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Returns the type of the keys of a map.
    pub fn key(&self) -> Option<Meta> {
        let Shape::Map(key, _) = self.shape else { return None };
        Some(self.part(key))
    }

    /// Describes the stored type, without the `Box`es and cells around it.
    pub(crate) fn stored(&self) -> Meta {
        let mut info = self.info;
        while let Arguments::Inner(inner) = info.about.arguments {
            info = inner;
        }
        Meta { info, ..self.clone() }
    }

    /// Returns the description of the stored type.
    fn about(&self) -> &'static About {
        self.stored().info.about
    }

    pub(crate) fn class(&self) -> Option<&'static Class> {
        if let Shape::Class(class) = self.shape { Some(class) } else { None }
    }

    pub(crate) fn members_of(&self, class: &'static Class) -> Vec<MemberMeta> {
        let about = self.about().members;
        let known = class.members.or((!about.is_empty()).then_some(about));
        if let Some(members) = known {
            return members.iter().map(|member| MemberMeta::known(member, self)).collect();
        }
        let visited = self.visits.members(class).iter();
        visited.map(|(name, shape)| MemberMeta::visited(name, shape, self)).collect()
    }

    /// Returns the types of the values that a variant carries.
    pub(crate) fn payload(&self, payload: &'static Payload) -> Vec<Meta> {
        match payload {
            Payload::Newtype(value) => vec![self.part(value)],
            Payload::Tuple(items) => items.iter().map(|item| self.part(item)).collect(),
            Payload::Unit | Payload::Struct(_) => Vec::new(),
        }
    }
}

impl PartialEq for Meta {
    fn eq(&self, other: &Meta) -> bool {
        let same = std::ptr::eq(self.info, other.info) && std::ptr::eq(self.shape, other.shape);
        same || self.info.layout == other.info.layout
            && name::full(self.shape, self.info) == name::full(other.shape, other.info)
    }
}

impl Eq for Meta {}

impl std::fmt::Debug for Meta {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Meta({})", self.name())
    }
}

/// The options with which hand-written functions are run.
pub(crate) fn options(registry: &archive_core::Registry) -> Options<'_> {
    Options::new().registry(registry)
}
