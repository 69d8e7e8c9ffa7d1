//! [`ErrorKind`]: what kind of thing went wrong.

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input does not follow the format's grammar.
    Syntax,
    /// The input ends in the middle of a value.
    UnexpectedEnd,
    /// Something stands after the value.
    TrailingData,
    /// The value is of another type than the one asked for.
    WrongType,
    /// A number does not fit the type asked for.
    OutOfRange,
    /// A sequence has another number of items than the type.
    WrongLength,
    /// A member that the type does not have, under [`Options::strict`](crate::Options::strict).
    UnknownMember,
    /// A member that the file does not have and must have: one that is `required`, any under
    /// [`Options::complete`](crate::Options::complete), a trait object that has no default, a root that
    /// was asked for.
    MissingMember,
    /// A member, or a map key, that stands twice.
    DuplicateMember,
    /// A member name that is reserved (it starts with `$`).
    ReservedName,
    /// An enum variant that the type does not have.
    UnknownVariant,
    /// A type id that is not registered.
    UnknownType,
    /// A type id or a type that is registered already.
    DuplicateType,
    /// A trait object whose type is not registered.
    Unregistered,
    /// The file was written by a newer version of the type.
    NewerVersion,
    /// A pointer id without a body, with two bodies, or of another type.
    BadPointer,
    /// A cycle of strong pointers that cannot be built: bare `Rc` or `Arc`.
    StrongCycle,
    /// A type that holds itself without end, so that there is no value of it to load into.
    Endless,
    /// A cell that is borrowed, locked or poisoned.
    Borrowed,
    /// Nested deeper than the limit.
    DepthLimit,
    /// More elements, pointers or bytes than the limit.
    SizeLimit,
    /// A value that the caller must [provide](crate::Options::provide): the clock of a
    /// [`Time`](crate::Time).
    MissingContext,
    /// The format is not known, or cannot express the value.
    Unsupported,
    /// Reading or writing failed.
    Io,
    /// An error of a type's own function.
    Custom,
}

/// The kinds, and the list of all of them.
macro_rules! all {
    ($($kind:ident)*) => {
        impl ErrorKind {
            /// Every kind, in the order of the declaration.
            pub const ALL: &'static [ErrorKind] = &[$(ErrorKind::$kind),*];
        }

        /// Does not compile if a kind is missing in the list.
        const _: fn(ErrorKind) = |kind| match kind {
            $(ErrorKind::$kind => {})*
        };
    };
}
all! {
    Syntax UnexpectedEnd TrailingData WrongType OutOfRange WrongLength UnknownMember MissingMember
    DuplicateMember ReservedName UnknownVariant UnknownType DuplicateType Unregistered NewerVersion
    BadPointer StrongCycle Endless Borrowed DepthLimit SizeLimit MissingContext Unsupported Io Custom
}
