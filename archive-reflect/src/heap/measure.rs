//! [`Measure`]: an encoder that counts.

use std::collections::BTreeMap;

use archive_core::encoder::UNCOUNTED;
use archive_core::shape::{Arguments, Class, Enum, Member, Payload, Shape, ShapeOf, TypeInfo};
use archive_core::{Encoder, PointerHead, PointerKind, Registry, Result};

/// A value that comes next, or whose parts come next.
#[derive(Clone, Copy)]
struct NextValue {
    shape: &'static Shape,
    info: &'static TypeInfo,
}

impl NextValue {
    fn of(shape: &ShapeOf) -> Self {
        NextValue { shape: shape.get(), info: shape.info() }
    }
}

/// What is open around the next value.
enum Open {
    Object(&'static Class),
    /// A member of the object before it. The member's value is open.
    Member(&'static Class, String),
    /// A sequence, and how many of its items have come.
    Seq(&'static Shape, usize),
    /// The key and the value of an entry of a map, and how many of both have come.
    Entry([&'static ShapeOf; 2], usize),
}

/// Counts the bytes on the heap by class and member.
pub(super) struct Measure<'a> {
    /// The types of trait objects.
    registry: Option<&'a Registry>,
    /// The value that comes next, if its type is known.
    next: Option<NextValue>,
    open: Vec<Open>,
    pub(super) rows: BTreeMap<(&'static str, String), usize>,
}

impl<'a> Measure<'a> {
    pub(super) fn new(registry: Option<&'a Registry>) -> Self {
        Measure { registry, next: None, open: Vec::new(), rows: BTreeMap::new() }
    }

    fn add(&mut self, bytes: usize) {
        if bytes == 0 {
            return;
        }
        let member = self.open.iter().rev().find_map(|open| match open {
            Open::Member(class, member) => Some((class.name(), member.clone())),
            _ => None,
        });
        *self.rows.entry(member.unwrap_or_default()).or_default() += bytes;
    }

    /// Ends the value of a member, if one is open.
    fn close_member(&mut self) {
        if let Some(Open::Member(..)) = self.open.last() {
            self.open.pop();
        }
    }

    /// Begins a value: counts the boxes around it, and returns its type without them.
    fn begin(&mut self) -> Option<NextValue> {
        let mut place = self.next.take()?;
        while let Arguments::Inner(inner) = place.info.about.arguments {
            if place.info.about.name == "Box" {
                self.add(size(inner));
            }
            if matches!(place.info.about.name, "Rc" | "Arc" | "Cow") {
                break;
            }
            place.info = inner;
        }
        Some(place)
    }

    /// Counts a value that owns only its boxes.
    fn scalar(&mut self) -> Result {
        self.begin();
        Ok(())
    }
}

/// Returns the size of a value. For a cell, it is that of the value in the cell, which is smaller.
fn size(info: &TypeInfo) -> usize {
    match (info.layout, info.about.arguments) {
        (Some((size, _)), _) => size,
        (None, Arguments::Inner(inner)) => size(inner),
        _ => 0,
    }
}

/// Returns whether a text of this type owns its bytes. Other texts are created only for the save.
fn owns_text(place: Option<NextValue>) -> bool {
    const OWNERS: [&str; 8] =
        ["", "str", "Path", "PathBuf", "OsStr", "OsString", "CStr", "CString"];
    place.is_none_or(|place| OWNERS.contains(&place.info.about.name))
}

/// The numbers of strong and weak pointers before a shared object.
const COUNTS: usize = 2 * size_of::<usize>();

impl Encoder for Measure<'_> {
    fn null(&mut self) -> Result {
        self.scalar()
    }
    fn bool(&mut self, _: bool) -> Result {
        self.scalar()
    }
    fn i64(&mut self, _: i64) -> Result {
        self.scalar()
    }
    fn u64(&mut self, _: u64) -> Result {
        self.scalar()
    }
    fn i128(&mut self, _: i128) -> Result {
        self.scalar()
    }
    fn u128(&mut self, _: u128) -> Result {
        self.scalar()
    }
    fn f64(&mut self, _: f64) -> Result {
        self.scalar()
    }
    fn f32(&mut self, _: f32) -> Result {
        self.scalar()
    }
    fn char(&mut self, _: char) -> Result {
        self.scalar()
    }
    fn str(&mut self, value: &str) -> Result {
        let place = self.begin();
        if owns_text(place) {
            self.add(value.len());
        }
        Ok(())
    }
    fn bytes(&mut self, value: &[u8]) -> Result {
        let place = self.begin();
        if !is_shared(place) {
            self.add(value.len());
        }
        Ok(())
    }

    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result {
        let place = self.begin();
        let each = match shape {
            Shape::Seq(item, _) => size(item.info()),
            Shape::Map(key, value) => size(key.info()) + size(value.info()),
            _ => 0,
        };
        if len != UNCOUNTED && !is_shared(place) {
            self.add(len.saturating_mul(each));
        }
        self.open.push(match self.open.last() {
            Some(Open::Seq(Shape::Map(key, value), _)) => Open::Entry([key, value], 0),
            _ => Open::Seq(shape, 0),
        });
        Ok(())
    }
    fn item(&mut self) -> Result {
        let (item, count) = match self.open.last_mut() {
            Some(Open::Seq(Shape::Seq(item, _) | Shape::Array(item, ..), count)) => {
                (Some(item), count)
            }
            Some(Open::Seq(Shape::Tuple(items, ..), count)) => (items.get(*count), count),
            Some(Open::Entry(both, count)) => (both.get(*count).copied(), count),
            _ => return Ok(()),
        };
        *count += 1;
        self.next = item.map(NextValue::of);
        Ok(())
    }
    fn end_seq(&mut self) -> Result {
        self.open.pop();
        Ok(())
    }

    fn begin_object(&mut self, class: &'static Class) -> Result {
        self.begin();
        self.open.push(Open::Object(class));
        Ok(())
    }
    fn member(&mut self, name: &str, shape: &'static Shape) -> Result {
        self.close_member();
        self.next = Some(NextValue { shape, info: TypeInfo::UNKNOWN });
        if let Some(Open::Object(class)) = self.open.last() {
            self.open.push(Open::Member(class, name.to_owned()));
        }
        Ok(())
    }
    fn known_member(&mut self, info: &'static Member) -> Result {
        self.member(info.name, info.shape.get())?;
        self.next = Some(NextValue::of(&info.shape));
        Ok(())
    }
    fn end_object(&mut self) -> Result {
        self.close_member();
        self.open.pop();
        Ok(())
    }

    fn begin_some(&mut self, _: &'static Shape, _: bool) -> Result {
        if let Some(place) = self.begin()
            && let Shape::Option(value) = place.shape
        {
            self.next = Some(NextValue::of(value));
        }
        Ok(())
    }
    fn end_some(&mut self, _: bool) -> Result {
        Ok(())
    }
    fn begin_variant(&mut self, info: &'static Enum, index: usize) -> Result {
        self.begin();
        if let Payload::Newtype(value) = &info.variant(index)?.payload {
            self.next = Some(NextValue::of(value));
        }
        Ok(())
    }
    fn end_variant(&mut self) -> Result {
        Ok(())
    }

    fn begin_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        let place = self.begin();
        // A trait object has the size of its own type.
        let registered = head.type_name.and_then(|id| self.registry?.identity(id).ok());
        let own = registered.map_or(0, |identity| size(identity.info));
        match (head.kind, place) {
            (PointerKind::Owned, _) => self.add(own),
            (
                PointerKind::Stored | PointerKind::Later,
                Some(NextValue { shape: Shape::Pointer(object), .. }),
            ) => {
                self.add(COUNTS + own.max(size(object.info())));
                self.next = head.has_pointee().then(|| NextValue::of(object));
            }
            _ => {}
        }
        Ok(())
    }
    fn end_pointer(&mut self, _: &PointerHead<'_>) -> Result {
        self.next = None;
        Ok(())
    }
    fn begin_deferred(&mut self) -> Result {
        self.begin_seq(&Shape::Any, UNCOUNTED)
    }
    fn version(&mut self, _: u32) -> Result {
        Ok(())
    }
    fn fixed_members(&self) -> bool {
        true
    }
    fn fixed_shape(&self) -> bool {
        true
    }
}

/// Returns whether others may own the content of the value.
fn is_shared(place: Option<NextValue>) -> bool {
    place.is_some_and(|place| matches!(place.info.about.name, "Rc" | "Arc" | "Cow"))
}
