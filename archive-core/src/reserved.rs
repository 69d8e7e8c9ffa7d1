//! The names of members that say what a format itself has to say. They begin with `$`, and no member of a type
//! does.

/// The id of the object that a pointer points to.
pub const ID: &str = "$id";
/// The id under which the type of an object is registered, if a trait object points to it.
pub const TYPE: &str = "$type";
/// The object that a pointer points to.
pub const VALUE: &str = "$value";
/// The id of an object that a pointer does not hold.
pub const WEAK: &str = "$weak";
/// Whether the object of a pointer stands at the end of the outermost one.
pub const LATER: &str = "$later";
/// The objects that stand at the end of the outermost pointer.
pub const DEFERRED: &str = "$deferred";
/// The one member of the object in which an option stands whose value is itself null: `{"$some":null}`.
pub const SOME: &str = "$some";
/// The version of an object, if it has one.
pub const VERSION: &str = "$version";

/// The names that the members of pointers have, in formats that write pointers as objects.
pub const POINTER: [&str; 6] = [ID, TYPE, VALUE, WEAK, LATER, DEFERRED];

/// The names that objects of the library's own begin with: [`SOME`] and [`POINTER`].
pub const OWN: [&str; 7] = [SOME, ID, TYPE, VALUE, WEAK, LATER, DEFERRED];
