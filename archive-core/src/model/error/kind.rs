//! [`ErrorKind`]: the kinds of errors.

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input violates the format's grammar.
    Syntax,
    /// The input ends in the middle of a value.
    UnexpectedEnd,
    /// There is data after the value.
    TrailingData,
    /// The value has a different type than the program expects.
    WrongType,
    /// A number does not fit the type that the program expects.
    OutOfRange,
    /// A sequence has a different number of items than the type.
    WrongLength,
    /// A member that the type does not have, under [`Options::strict`](crate::Options::strict).
    UnknownMember,
    /// A member that must be in the file but is absent: a `required` one, any member with
    /// [`Options::complete`](crate::Options::complete), a trait object without a default, or a root
    /// that the program requested.
    MissingMember,
    /// A member, or a map key, that occurs twice.
    DuplicateMember,
    /// A member name that begins with `$`, which is reserved.
    ReservedName,
    /// An enum variant that the type does not have.
    UnknownVariant,
    /// A type id in the file that is not registered.
    UnknownType,
    /// A type, or a type id, that is registered twice.
    DuplicateType,
    /// A trait object whose type is not registered.
    Unregistered,
    /// The file was written by a newer version of the type.
    NewerVersion,
    /// A pointer to an object that is not stored, is stored twice, or has another type.
    BadPointer,
    /// A cycle of strong pointers that cannot be built: `Rc` or `Arc` without a cell inside.
    StrongCycle,
    /// A type that would contain itself, so that no value to load into can be created.
    Endless,
    /// A path to something that does not exist: there is no such member, item, key or variant, or a
    /// value on the path is null.
    NotFound,
    /// A value that cannot be changed in place: it is read-only, part of a value that can only be
    /// loaded as a whole, or shared without a cell.
    ReadOnly,
    /// A cell that is borrowed, locked or poisoned.
    Borrowed,
    /// Nested deeper than the limit.
    DepthLimit,
    /// More elements, pointers or bytes than a limit allows.
    SizeLimit,
    /// Somebody else has changed what the program would change, since the program read it.
    Conflict,
    /// The caller must [provide](crate::Options::provide) a value that is missing, such as the
    /// clock of a [`Time`](crate::Time).
    MissingContext,
    /// The format is unknown, or it cannot express the value.
    Unsupported,
    /// Reading or writing failed.
    Io,
    /// An error of a type's own function.
    Custom,
}

/// Implements the list of all kinds.
macro_rules! all {
    ($($kind:ident)*) => {
        impl ErrorKind {
            /// Every kind, in the order of the declaration.
            pub const ALL: &'static [ErrorKind] = &[$(ErrorKind::$kind),*];
        }

        /// Fails to compile if a kind is missing from the list.
        const _: fn(ErrorKind) = |kind| match kind {
            $(ErrorKind::$kind => {})*
        };
    };
}
all! {
    Syntax UnexpectedEnd TrailingData WrongType OutOfRange WrongLength UnknownMember MissingMember
    DuplicateMember ReservedName UnknownVariant UnknownType DuplicateType Unregistered NewerVersion
    BadPointer StrongCycle Endless NotFound ReadOnly Borrowed DepthLimit SizeLimit Conflict MissingContext Unsupported Io
    Custom
}
