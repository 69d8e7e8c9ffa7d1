//! For authors of formats: the traits that a format implements, and the archives that it gets in return. Types are
//! described in [`shape`](crate::shape).
//!
//! A format implements [`Encoder`] and [`Decoder`], which handle bytes only. [`Saving`] and
//! [`Loading`] turn them into an [`Archive`](crate::Archive) each, with all rules of the library:
//! pointers, versions, limits, reports. [`Backend`] combines both, and
//! [`Format::of`](crate::Format::of) makes the format available for selection at run time. Two
//! examples are complete text formats: `own_format` prints and parses a [`Value`](crate::Value), and
//! `streaming_format` implements the required methods of [`Encoder`] and [`Decoder`].
//!
//! Bodies, scalars and the other types that archives work with are in [`tool`](crate::tool).

#[doc(inline)]
pub use archive_core::backend::*;
#[doc(inline)]
pub use archive_core::{
    Backend, Decoder, Encoder, Kind, LoadedHead, Loading, MapForm, Mark, OptionForm, PointerHead,
    PointerKind, ROOTS, Reader, Saving, Session, Settings, Source, Targets, ValueDecoder,
    ValueEncoder, VariantHead, Writer, block, decoder, encoder, entry_points, foreign, lookup,
    pointer, reserved, session, spans,
};
