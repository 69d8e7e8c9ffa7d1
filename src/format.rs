//! For authors of formats: the traits that a format implements, the archives built on them, and the
//! descriptions of types.
//!
//! A format implements [`Encoder`] and [`Decoder`], which handle bytes only. [`Saving`] and
//! [`Loading`] turn them into an [`Archive`](crate::Archive) each, with all rules of the library:
//! pointers, versions, limits, reports. [`Backend`] combines both, and
//! [`Format::of`](crate::Format::of) makes the format available for selection at run time. Two
//! examples are complete text formats: `own_format` prints and parses a [`Value`](crate::Value), and
//! `streaming_format` implements the required methods of [`Encoder`] and [`Decoder`].
//!
//! Tools that visit values in memory use [`tool`](crate::tool).

#[doc(inline)]
pub use archive_core::backend::*;
#[doc(inline)]
pub use archive_core::{
    Backend, Begun, Body, BodyFacts, Class, Decoder, Either, Encoder, Enum, Erased, Found, Keyed,
    Kind, Known, LoadAny, LoadedHead, Loading, Loads, MapForm, Mark, Member, Members, OuterState,
    Payload, PayloadOf, PointerHead, PointerKind, Primitive, ROOTS, Reader, SavedMembers, Saves,
    Saving, Scalar, Session, Shape, Targets, ValueDecoder, ValueEncoder, Variant, VariantHead,
    Variants, Visitor, Walk, Way, Writer, block, decoder, encoder, entry_points, foreign, lookup,
    pointer, reserved, session, shape, spans,
};
