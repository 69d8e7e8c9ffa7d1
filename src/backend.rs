//! For authors of formats and tools: what a format implements, the archives that it gets for it, and what
//! types look like.
//!
//! A format implements [`Encoder`] and [`Decoder`], which know bytes and no rules. [`Saving`] and
//! [`Loading`] make an [`Archive`](crate::Archive) of each, with all rules of the library: pointers, versions, limits, reports.
//! [`Backend`] names both, and [`Format::of`](crate::Format::of) makes the format one that can be picked at run time. The example
//! `own_format` is a whole text format in one file.
//!
//! A tool that looks at values where they are implements [`Archive`](crate::Archive) itself, over a [`Session`]: see the example
//! `tree`.

#[doc(inline)]
pub use archive_core::backend::*;
#[doc(inline)]
pub use archive_core::{
    Backend, Body, Class, Decoder, Encoder, Enum, Erased, Found, Keyed, Kind, Known, LoadAny,
    LoadedHead, Loading, MapForm, Mark, Member, Members, Payload, PayloadOf, PointerHead,
    PointerKind, Primitive, ROOTS, Reader, RootFormat, SavedMembers, Saving, Scalar, Session,
    Shape, Targets, ValueDecoder, ValueEncoder, Variant, VariantHead, Variants, Writer, block,
    decoder, encoder, entry_points, foreign, lookup, pointer, reserved, session, shape, spans,
};
