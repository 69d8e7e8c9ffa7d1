//! The names of members that belong to the format itself. They begin with `$`, and members of types
//! must not.

/// The id of the object that a pointer points to.
pub const ID: &str = "$id";
/// The type id under which the type of a trait object is registered.
pub const TYPE: &str = "$type";
/// The object that a pointer points to.
pub const VALUE: &str = "$value";
/// The id of an object that a pointer does not hold.
pub const WEAK: &str = "$weak";
/// Whether the body of the pointer's object is deferred to the end of the outermost pointer.
pub const LATER: &str = "$later";
/// The deferred objects, at the end of the outermost pointer.
pub const DEFERRED: &str = "$deferred";
/// The only member of the object that wraps the value of an option if that value is itself null:
/// `{"$some":null}`.
pub const SOME: &str = "$some";
/// The version of an object, if it is not 0.
pub const VERSION: &str = "$version";

/// The names of the members of pointers, in formats that store pointers as objects.
pub const POINTER: [&str; 6] = [ID, TYPE, VALUE, WEAK, LATER, DEFERRED];

/// The names that the first member of the library's own objects may have: [`SOME`] and [`POINTER`].
pub const OWN: [&str; 7] = [SOME, ID, TYPE, VALUE, WEAK, LATER, DEFERRED];
