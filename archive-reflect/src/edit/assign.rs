//! [`Assign`]: an archive that loads one number, truth value or text.

use archive_core::{
    Archive, ArchiveKind, Begun, Class, Elsewhere, Enum, Error, Loads, Member, Number, Options,
    OuterState, Result, Scalar, Session, Shape, Value, Visitor, Walk,
};

use crate::look::Visit;

/// Loads a scalar out of a tree without a decoder. Returns an error, and changes nothing, if the place is not a scalar
/// of that kind or the value does not fit it.
pub(super) fn assign(place: Visit<'_>, value: &Value, options: &Options<'_>) -> Result {
    place(&mut Assign { value, session: Session::new(), options }.erased())
}

struct Assign<'a> {
    value: &'a Value,
    session: Session,
    options: &'a Options<'a>,
}

#[cold]
fn refused() -> Error {
    Error::custom("internal error: the place is loaded in another way")
}

impl Assign<'_> {
    fn number<N>(&self, slot: &mut N, convert: impl FnOnce(Number) -> Result<N>) -> Result {
        let Value::Number(number) = self.value else { return Err(refused()) };
        *slot = convert(*number)?;
        Ok(())
    }
}

impl Visitor for Assign<'_> {
    fn loads(&self) -> bool {
        true
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.session, self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.session, self.options)
    }
    fn scalar(&mut self, scalar: Scalar<'_>) -> Result {
        match (scalar, self.value) {
            (Scalar::U8(slot), _) => self.number(slot, Number::to_integer),
            (Scalar::U16(slot), _) => self.number(slot, Number::to_integer),
            (Scalar::U32(slot), _) => self.number(slot, Number::to_integer),
            (Scalar::U64(slot), _) => self.number(slot, Number::to_integer),
            (Scalar::I8(slot), _) => self.number(slot, Number::to_integer),
            (Scalar::I16(slot), _) => self.number(slot, Number::to_integer),
            (Scalar::I32(slot), _) => self.number(slot, Number::to_integer),
            (Scalar::I64(slot), _) => self.number(slot, Number::to_integer),
            (Scalar::F32(slot), _) => self.number(slot, Number::to_f32),
            (Scalar::F64(slot), _) => self.number(slot, Number::to_f64),
            (Scalar::Bool(slot), Value::Bool(value)) => {
                *slot = *value;
                Ok(())
            }
            (Scalar::String(slot), Value::Str(text)) => {
                slot.clone_from(text);
                Ok(())
            }
            _ => Err(refused()),
        }
    }
    fn begin_member(&mut self, _: &str, _: &'static Shape) -> Result<Begun> {
        Err(refused())
    }
    fn begin_named(&mut self, _: &'static Member, _: bool) -> Result<Begun> {
        Err(refused())
    }
    fn begin_item(&mut self, _: usize) -> Result<Begun> {
        Err(refused())
    }
    fn begin_object(&mut self, _: &'static Class) -> Result<Option<OuterState>> {
        Err(refused())
    }
    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result<Option<OuterState>> {
        Err(refused())
    }
    fn begin_option(&mut self, _: &'static Shape, _: bool, _: bool) -> Result<(Begun, bool)> {
        Err(refused())
    }
    fn begin_variant(&mut self, _: &'static Enum, _: usize, _: bool) -> Result<Option<usize>> {
        Err(refused())
    }
}

impl Walk for Assign<'_> {
    type Way = Loads;
    const KIND: ArchiveKind = ArchiveKind { elsewhere: Elsewhere::DIRECT, ..ArchiveKind::EDIT };
}
