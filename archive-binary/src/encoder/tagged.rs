//! Writes self-describing values.

use archive_core::backend::Visit;
use archive_core::pointer::{PointerHead, PointerKind};
use archive_core::shape::{Class, Shape};
use archive_core::{Options, Result, Session};

use super::{ByHand, Encoder};
use crate::fast_path;
use crate::tags;
use crate::types::TypeId;
use crate::varint::{put_bytes, put_u64, put_u128};

/// The number of bytes that are sent to a sink at once.
const PART: usize = 64 << 10;

impl Encoder<'_> {
    /// Begins a self-describing value.
    pub(crate) fn go_into_any(&mut self) {
        self.outer.push(std::mem::take(&mut self.open));
    }

    /// Ends a value. If it is not part of another one, the value around it continues.
    fn end_value(&mut self) -> Result {
        if self.open == 0 {
            self.open = self.outer.pop().unwrap_or_default();
        }
        if self.part.bytes.len() < PART { Ok(()) } else { self.pass_on() }
    }

    /// Sends the written part of a self-describing root to the sink. Does nothing once there are
    /// pointers, whose objects are found by their offsets, or values of known types, which may be
    /// moved.
    #[cold]
    fn pass_on(&mut self) -> Result {
        let is_plain = self.root == TypeId::ANY
            && self.outer.is_empty()
            && self.roots.is_none()
            && self.last_object == 0
            && self.part.pointees.is_empty()
            && self.other.bytes.is_empty();
        if let Some(sink) = &mut self.sink
            && is_plain
        {
            sink(&self.part.bytes)?;
            self.written += self.part.bytes.len() as u64;
            self.part.bytes.clear();
        }
        Ok(())
    }

    fn value(&mut self, tag: u8, bytes: &[u8]) -> Result {
        self.part.bytes.push(tag);
        self.part.bytes.extend_from_slice(bytes);
        self.end_value()
    }

    /// Begins the object of named roots. They are saved like members of a hand-written function.
    fn begin_roots(&mut self, class: &'static Class) -> Result {
        let roots = self.begin_by_hand(class, self.part.bytes.len());
        put_u64(&mut self.part.bytes, roots.number.into());
        (self.roots, self.is_untouched) = (Some(roots), false);
        Ok(())
    }

    fn named_root(&mut self, name: &str, shape: &'static Shape) -> Result {
        if let Some(roots) = self.roots {
            let node = self.member_by_hand(roots.node, name, shape);
            self.roots = Some(ByHand { node, ..roots });
        }
        if shape.is_any() {
            self.go_into_any();
        }
        Ok(())
    }

    fn end_roots(&mut self) -> Result {
        if let Some(roots) = self.roots.take()
            && let Some(number) = self.end_by_hand(&roots)?
        {
            self.patch(roots.at, roots.number.into(), number.into());
        }
        Ok(())
    }

    /// Opens a sequence or an object.
    fn begin(&mut self, tag: u8) -> Result {
        self.part.bytes.push(tag);
        self.open += 1;
        Ok(())
    }

    /// Ends a sequence or an object.
    fn end(&mut self) -> Result {
        self.part.bytes.push(tags::END);
        self.open = self.open.saturating_sub(1);
        self.end_value()
    }
}

impl archive_core::Encoder for Encoder<'_> {
    fn null(&mut self) -> Result {
        self.value(tags::NULL, &[])
    }
    fn bool(&mut self, value: bool) -> Result {
        self.value(if value { tags::TRUE } else { tags::FALSE }, &[])
    }
    fn u64(&mut self, value: u64) -> Result {
        self.u128(value.into())
    }
    fn i64(&mut self, value: i64) -> Result {
        self.i128(value.into())
    }
    fn u128(&mut self, value: u128) -> Result {
        self.part.bytes.push(tags::UINT);
        put_u128(&mut self.part.bytes, value);
        self.end_value()
    }
    fn i128(&mut self, value: i128) -> Result {
        if let Ok(value) = u128::try_from(value) {
            return self.u128(value);
        }
        self.part.bytes.push(tags::NEGATIVE);
        put_u128(&mut self.part.bytes, !value as u128);
        self.end_value()
    }
    fn f32(&mut self, value: f32) -> Result {
        self.value(tags::F32, &value.to_le_bytes())
    }
    fn f64(&mut self, value: f64) -> Result {
        self.value(tags::F64, &value.to_le_bytes())
    }
    fn str(&mut self, value: &str) -> Result {
        self.part.bytes.push(tags::STR);
        put_bytes(&mut self.part.bytes, value.as_bytes());
        self.end_value()
    }
    fn bytes(&mut self, value: &[u8]) -> Result {
        self.part.bytes.push(tags::BYTES);
        put_bytes(&mut self.part.bytes, value);
        self.end_value()
    }

    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result {
        self.begin(tags::SEQ)
    }
    fn item(&mut self) -> Result {
        Ok(())
    }
    fn end_seq(&mut self) -> Result {
        self.end()
    }

    fn begin_object(&mut self, class: &'static Class) -> Result {
        if std::ptr::eq(class, &archive_core::ROOTS) {
            return self.begin_roots(class);
        }
        self.begin(tags::OBJECT)
    }
    /// Writes the name of a member. Its length is stored plus one, because 0 ends the object.
    fn member(&mut self, name: &str, shape: &'static Shape) -> Result {
        if self.open == 0 {
            return self.named_root(name, shape);
        }
        put_u64(&mut self.part.bytes, name.len() as u64 + 1);
        self.part.bytes.extend_from_slice(name.as_bytes());
        Ok(())
    }
    fn end_object(&mut self) -> Result {
        if self.open == 0 { self.end_roots() } else { self.end() }
    }

    fn begin_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        self.part.bytes.push(match head.kind {
            PointerKind::Null => tags::NULL,
            PointerKind::Weak => tags::WEAK,
            PointerKind::Owned => tags::DYN,
            _ => tags::POINTER,
        });
        if head.kind != PointerKind::Null {
            let number = self.number_of(head)?;
            put_u64(&mut self.part.bytes, number);
            self.begin_pointee(head, self.part.bytes.len());
        }
        if head.has_pointee() && head.shape.is_any() {
            self.go_into_any();
        }
        Ok(())
    }
    fn end_pointer(&mut self, _: &PointerHead<'_>) -> Result {
        self.end_value()
    }

    fn typed(
        &mut self,
        visit: Visit<'_>,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool> {
        fast_path::save_part(self, visit, session, options).map(|()| true)
    }

    /// Deferred objects are stored after the data of the root, so that the root can be read by
    /// position.
    fn begin_deferred(&mut self) -> Result {
        std::mem::swap(&mut self.part, &mut self.other);
        Ok(())
    }
    fn end_deferred(&mut self) -> Result {
        std::mem::swap(&mut self.part, &mut self.other);
        Ok(())
    }

    fn begin_root(&mut self, shape: &'static Shape) -> Result {
        self.root = self.root_type(shape)?;
        self.is_untouched = self.root != TypeId::ANY;
        Ok(())
    }
    fn end_root(&mut self) -> Result {
        if self.is_untouched {
            return Err(self.unsupported("a value of a known type with `Saving::root`"));
        }
        Ok(())
    }
}
