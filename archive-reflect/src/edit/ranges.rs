//! Checks the ranges of changed numbers.

use archive_core::shape::Facts;
use archive_core::{
    Archive, ArchiveKind, Begun, Body, Class, Error, ErrorKind, Member, Options, OuterState,
    PointerHead, Result, Saves, Scalar, Session, Shape, Value, Visitor, Walk,
};

use crate::look::Visit;

/// Checks that the numbers in a value are in their ranges. `facts` are the attributes of the member
/// that contains the value.
///
/// # Errors
/// [`ErrorKind::OutOfRange`] for a number outside of its range.
pub(super) fn check(
    value: Visit<'_>,
    facts: Option<&'static Facts>,
    options: &Options<'_>,
) -> Result {
    let open = vec![facts.unwrap_or(&Facts::NONE)];
    value(&mut Check { session: Session::new(), options, open }.erased())
}

struct Check<'a> {
    session: Session,
    options: &'a Options<'a>,
    /// The attributes of the open members.
    open: Vec<&'static Facts>,
}

impl Check<'_> {
    fn number(&self, number: f64) -> Result {
        self.open.last().map_or(Ok(()), |facts| check_number(number, facts))
    }

    fn leave(&mut self, done: Result) -> Result {
        self.session.leave();
        done
    }
}

/// Checks that a number is in the range of its member.
///
/// # Errors
/// [`ErrorKind::OutOfRange`] if it is not.
pub(super) fn check_number(number: f64, facts: &Facts) -> Result {
    let Facts { min, max, .. } = facts;
    // NaN is outside of every range.
    let is_in = min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max);
    if is_in { Ok(()) } else { Err(out_of_range(number, *min, *max)) }
}

/// Checks that a scalar is in the range of its member, whether it is stored as an `f32` or not. Text has no range.
///
/// # Errors
/// [`ErrorKind::OutOfRange`] if it is not.
#[expect(clippy::cast_possible_truncation, reason = "as a load of `f32` does")]
pub(super) fn allows(value: &Value, facts: Option<&'static Facts>) -> Result {
    let Some(facts) = facts.filter(|facts| facts.min.is_some() || facts.max.is_some()) else {
        return Ok(());
    };
    let Value::Number(number) = value else {
        return Err(Error::new(ErrorKind::OutOfRange, "text has no range"));
    };
    let number = number.to_f64()?;
    check_number(number, facts)?;
    check_number(f64::from(number as f32), facts)
}

#[cold]
fn out_of_range(number: f64, min: Option<f64>, max: Option<f64>) -> Error {
    let message = match (min, max) {
        (Some(min), Some(max)) => format!("{number} is not in the range from {min} to {max}"),
        (Some(min), None) => format!("{number} is less than {min}"),
        (None, max) => format!("{number} is more than {}", max.unwrap_or_default()),
    };
    Error::new(ErrorKind::OutOfRange, message)
}

impl Visitor for Check<'_> {
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.session, self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.session, self.options)
    }
    #[allow(clippy::cast_precision_loss, reason = "the ends of ranges are floats")]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.number(match value {
            Scalar::U8(value) => (*value).into(),
            Scalar::U16(value) => (*value).into(),
            Scalar::U32(value) => (*value).into(),
            Scalar::U64(value) => *value as f64,
            Scalar::U128(value) => *value as f64,
            Scalar::I8(value) => (*value).into(),
            Scalar::I16(value) => (*value).into(),
            Scalar::I32(value) => (*value).into(),
            Scalar::I64(value) => *value as f64,
            Scalar::I128(value) => *value as f64,
            Scalar::F32(value) => (*value).into(),
            Scalar::F64(value) => *value,
            _ => return Ok(()),
        })
    }
    fn begin_member(&mut self, _: &str, _: &'static Shape) -> Result<Begun> {
        self.open.push(&Facts::NONE);
        Ok(Begun::Here)
    }
    fn end_member(&mut self, name: &str, done: Result) -> Result {
        self.open.pop();
        done.map_err(|error| error.in_member(name))
    }
    fn begin_object(&mut self, class: &'static Class) -> Result<Option<OuterState>> {
        self.session.enter(self.options)?;
        let version = self.session.set_version(class.version);
        Ok(Some(OuterState { version, ..OuterState::default() }))
    }
    fn end_object(&mut self, _: &'static Class, outer: OuterState, done: Result) -> Result {
        self.session.set_version(outer.version);
        self.leave(done)
    }
    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result<Option<OuterState>> {
        self.session.enter(self.options)?;
        Ok(Some(OuterState::default()))
    }
    fn end_seq(&mut self, _: OuterState, _: usize) -> Result {
        self.leave(Ok(()))
    }
}

impl Walk for Check<'_> {
    type Way = Saves;
    const KIND: ArchiveKind = ArchiveKind { refuses_duplicates: true, ..ArchiveKind::TOOL };

    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        self.open.push(info.field.facts);
        let done = body.run(self);
        self.end_member(info.name, done)
    }
    /// Other objects did not change.
    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        if head.id == 0 && head.has_pointee() { body.run(self) } else { Ok(()) }
    }
}
