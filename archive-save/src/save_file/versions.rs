//! Compares the versions of objects in a body with those of the program's types, without loading
//! them.
// Why: docs/decisions/saves.md#an-older-build-destroys-nothing-of-a-newer-one

use std::collections::{HashMap, HashSet};

use archive_core::shape::{Class, Enum, Member, Payload, Shape, ShapeOf, Tag, each_member};
use archive_core::{Registry, Value, reserved};
use archive_format::Format;

/// An object of a newer version: its class in the program, and its version in the file.
pub struct Newer {
    pub class: &'static Class,
    pub found: u64,
}

/// Returns an object in the tree of a value of that shape whose version is newer than that of its
/// class. Values that a hand-written function loads have no shape, and are not searched.
pub fn newer(value: &Value, shape: &'static Shape, registry: Option<&Registry>) -> Option<Newer> {
    Walk { registry, later: HashMap::new() }.value(value, shape)
}

/// Returns whether the shape determines all versions in a value: it has no trait objects and no
/// values that a hand-written function loads. Two such shapes with one signature have the same
/// versions.
pub fn says_all(shape: &'static Shape) -> bool {
    let (mut seen, mut open) = (HashSet::new(), vec![shape]);
    while let Some(shape) = open.pop() {
        if !seen.insert(std::ptr::from_ref(shape).addr()) {
            continue;
        }
        match shape {
            Shape::Primitive(..) | Shape::Weak(_) => {}
            Shape::Seq(item, _) | Shape::Array(item, ..) | Shape::Option(item) => {
                open.push(item.get());
            }
            Shape::Pointer(item) => open.push(item.get()),
            Shape::Tuple(items, ..) => open.extend(items.iter().map(ShapeOf::get)),
            Shape::Map(key, item) => open.extend([key.get(), item.get()]),
            Shape::Class(Class { members: Some(members), .. }) => {
                open.extend(members.iter().map(|member| member.shape.get()));
            }
            Shape::Enum(info) => {
                for variant in info.variants {
                    match &variant.payload {
                        Payload::Unit => {}
                        Payload::Newtype(item) => open.push(item.get()),
                        Payload::Tuple(items) => open.extend(items.iter().map(ShapeOf::get)),
                        Payload::Struct(Class { members: Some(members), .. }) => {
                            open.extend(members.iter().map(|member| member.shape.get()));
                        }
                        Payload::Struct(_) => return false,
                    }
                }
            }
            _ => return false,
        }
    }
    true
}

/// Returns whether a body may have versions. In text formats the body then contains the name of the
/// version member.
pub fn may_have_versions(format: Format, body: &[u8]) -> bool {
    let is_text = matches!(format.name(), "json" | "msgpack" | "blob");
    let is_name = |at: usize| {
        let from = &body[at..];
        from.starts_with(reserved::VERSION.as_bytes()) || from.starts_with(b"\\u0024")
    };
    !is_text
        || body.iter().enumerate().any(|(at, byte)| matches!(byte, b'$' | b'\\') && is_name(at))
}

struct Walk<'r> {
    registry: Option<&'r Registry>,
    /// The shapes of objects that are stored after the objects which refer to them.
    later: HashMap<u64, &'static Shape>,
}

type Members = [(String, Value)];

impl Walk<'_> {
    fn value(&mut self, value: &Value, shape: &'static Shape) -> Option<Newer> {
        match (shape, value) {
            (Shape::Class(class), Value::Object(members)) => self.object(class, members),
            (Shape::Enum(info), value) => self.variant(info, value),
            (Shape::Seq(item, _) | Shape::Array(item, ..), Value::Array(items)) => {
                items.iter().find_map(|value| self.value(value, item.get()))
            }
            (Shape::Tuple(shapes, ..), Value::Array(items)) => self.tuple(shapes, items),
            (Shape::Map(key, item), Value::Array(entries)) => {
                entries.iter().find_map(|entry| self.tuple(&[*key, *item], entry.as_array()?))
            }
            (Shape::Map(_, item), Value::Object(members)) => {
                members.iter().find_map(|(_, value)| self.value(value, item.get()))
            }
            (Shape::Option(shape), value) => {
                let some = value.as_object().and_then(|members| match members {
                    [(name, value)] if name == reserved::SOME => Some(value),
                    _ => None,
                });
                self.value(some.unwrap_or(value), shape.get())
            }
            (Shape::Pointer(pointee), Value::Object(members)) => {
                self.pointer(pointee.get(), members)
            }
            (Shape::Dyn, Value::Object(members)) => self.pointer(&Shape::Any, members),
            _ => None,
        }
    }

    fn tuple(&mut self, shapes: &[ShapeOf], items: &[Value]) -> Option<Newer> {
        shapes.iter().zip(items).find_map(|(shape, value)| self.value(value, shape.get()))
    }

    fn object(&mut self, class: &'static Class, members: &Members) -> Option<Newer> {
        let found = find(members, reserved::VERSION).and_then(Value::as_u64).unwrap_or(0);
        if found > u64::from(class.version) {
            return Some(Newer { class, found });
        }
        let mut newer = None;
        // An error here means that one was found.
        _ = each_member(class.members?, &mut |member: &Member, shape| {
            let mut names = std::iter::once(&member.name).chain(member.aliases);
            let value = names.find_map(|name| find(members, name));
            newer = value.and_then(|value| self.value(value, shape));
            if newer.is_some() { Err(()) } else { Ok(()) }
        });
        newer
    }

    fn variant(&mut self, info: &'static Enum, value: &Value) -> Option<Newer> {
        let (name, value) = info.tag.and_then(|tag| tagged(tag, value)).or_else(|| {
            // Formats with tables of classes write an enum with a tag like any other.
            match value.as_object()? {
                [(name, value)] => Some((&**name, value)),
                _ => None,
            }
        })?;
        match &info.variants[info.find(name)?].payload {
            Payload::Unit => None,
            Payload::Newtype(shape) => self.value(value, shape.get()),
            Payload::Tuple(shapes) => self.tuple(shapes, value.as_array()?),
            Payload::Struct(class) => self.object(class, value.as_object()?),
        }
    }

    /// Searches the object of a pointer, and the objects that are stored after it.
    fn pointer(&mut self, pointee: &'static Shape, members: &Members) -> Option<Newer> {
        let id = find(members, reserved::ID).and_then(Value::as_u64);
        let shape = match find(members, reserved::TYPE).and_then(Value::as_str) {
            Some(name) if pointee.is_any() => self.registry?.identity(name).ok()?.shape,
            _ => pointee,
        };
        if let (Some(id), true) = (id, find(members, reserved::LATER).is_some()) {
            self.later.insert(id, shape);
        }
        let value = find(members, reserved::VALUE);
        let newer = value.and_then(|value| self.value(value, shape));
        let deferred = find(members, reserved::DEFERRED).and_then(Value::as_array);
        newer.or_else(|| {
            deferred.into_iter().flatten().find_map(|object| {
                let members = object.as_object()?;
                let id = find(members, reserved::ID).and_then(Value::as_u64)?;
                let shape = self.later.get(&id).copied().unwrap_or(&Shape::Any);
                self.pointer(shape, members)
            })
        })
    }
}

/// Returns the name of a variant that is the value of a member, and the payload.
fn tagged<'v>(tag: &Tag, value: &'v Value) -> Option<(&'v str, &'v Value)> {
    let members = value.as_object()?;
    let name = find(members, tag.name)?.as_str()?;
    Some((name, tag.content.map_or(Some(value), |content| find(members, content))?))
}

fn find<'v>(members: &'v Members, name: &str) -> Option<&'v Value> {
    members.iter().find(|(own, _)| own == name).map(|(_, value)| value)
}
