//! What the files of a type hold: as text for people, and as a number that changes with it.

mod explorer;
mod guide;
mod hash;
mod shapes;
mod survey;
mod text;
mod types;

use std::fmt;

pub use explorer::Explorer;
pub use guide::{Guide, Place, Variation};
pub use hash::fnv1a;
pub use text::{Text, quoted, signature_of};
pub use types::{Carried, Content, Form, Members, Types};

use crate::Options;
use crate::blank::Element;
use shapes::Program;
pub use shapes::signature_of_shape;
use survey::Survey;

/// What the files of a type hold: the names and types of all members of everything in it. It
/// displays as text with one line for each member; [`describe`] makes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Description {
    text: String,
    signature: u64,
}

impl Description {
    /// The number that stands for it: see [`signature`](fn@signature).
    pub fn signature(&self) -> u64 {
        self.signature
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What the files of `T` hold.
///
/// ```
/// use std::collections::BTreeMap;
///
/// struct Item { name: String, weight: f32 }
/// archive::members!(Item { name, weight });
///
/// #[derive(Default)]
/// struct Unit { name: String, position: [f32; 3], pack: Vec<Item>, skills: BTreeMap<String, u8> }
/// archive::members!(Unit { name as "title", position, pack, skills });
/// # impl archive::Blank for Item {
/// #     fn blank(_: &archive::Options<'_>) -> Self { Item { name: String::new(), weight: 0.0 } }
/// # }
/// archive::blank!(Unit);
///
/// assert_eq!(archive::describe::<Unit>().to_string(), "\
/// struct Unit
///     pack: Vec<Item>
///     position: [f32; 3]
///     skills: Map<String, u8>
///     title: String
///
/// struct Item
///     name: String
///     weight: f32
/// ");
/// ```
///
/// - Every struct and every enum has a section, in the order in which the text mentions them. A
///   section begins with `struct`, the name and the version, if that is not 0, or with `enum` and
///   the name. Names stand without modules; where two types have the same name, the second is
///   `Name#2`.
/// - Members stand in the order of their names in the file, those of `flatten`ed members among them.
///   So the text does not depend on the order of fields. Variants stand in that order too: `Idle`,
///   `Wait(u32)` with one value, `Hit(u32, f32)` with several, `Walk:` with members in the lines
///   that follow.
/// - Types are written as in Rust, by what they are stored as: `u8`, `String`, `bytes`, `()`, `Vec<T>`
///   for all sequences, `[T; 3]`, `(T, U)`, `Map<K, V>`, `Option<T>`. `Pointer<T>` is an object that
///   may be shared, `Pointer<dyn>` one behind a trait object, `Weak` a pointer that never carries its
///   object, `dyn` an owned trait object and `any` a [`Value`](crate::Value). What stands behind a
///   trait object is not part of the text: describe those types too. Types without names that hold
///   themselves (`struct List(Vec<List>)`) are followed 12 levels deep.
///
/// # Types written by hand
///
/// The members of derived types are constants. What a function written by hand visits is known when
/// it runs, so it is run: loading from a file that holds all it asks for. In that file each sequence
/// has one item, each enum is each of its variants in turn, objects have the current version, and
/// text is as it was. This is done twice, first with options that hold a value, truth values that are
/// true and numbers that are 1, then with options that are empty, `false` and 0, and the members of
/// both runs are listed. So a function that branches shows what lies on these branches and no
/// other: members for older versions are not listed, and neither are those that depend on a text.
/// Where it ends with an error of its own, or no value can be made to run it on, the members end with
/// `...`. Functions of `after_load` are not called.
///
/// # Panics
/// If a function of a type in `T` does.
pub fn describe<T: Element>() -> Description {
    describe_with::<T>(&Options::new())
}

/// As [`describe`], with what the functions of the types need: context, a registry.
///
/// # Panics
/// As [`describe`].
pub fn describe_with<T: Element>(options: &Options<'_>) -> Description {
    let survey = Survey::of::<T>(options);
    let types = Program(&survey);
    // Writing to a string does not fail, and these types may be asked as often as it takes.
    let text = text::text(&types, T::SHAPE).unwrap_or_default();
    let signature = signature_of(&types, T::SHAPE).unwrap_or_default();
    Description { text, signature }
}

/// A number that stands for what the files of `T` hold: two types have the same if their
/// [descriptions](describe) differ in nothing but the names of structs and enums.
///
/// So it changes when, anywhere in `T`, a member or a variant is added, removed or renamed, when its
/// type changes (the width of a number, the length of an array, what a sequence holds), and when a
/// version does. It does not when members or variants are reordered, and when types are renamed or
/// moved to other modules; nor do other names for loading (`alias`) matter.
///
/// ```
/// #[derive(Default)]
/// struct Point { x: f32, y: f32 }
/// archive::members!(Point { x, y });
/// archive::blank!(Point);
///
/// #[derive(Default)]
/// struct Position { y: f32, x: f32 }
/// archive::members!(Position { y, x });
/// archive::blank!(Position);
///
/// let signature = archive::signature::<Point>();
/// assert_eq!(signature, archive::signature::<Position>());
/// assert_ne!(signature, archive::signature::<(f32, f32)>());
/// ```
///
/// # How it is computed
///
/// It is the FNV-1a hash of 64 bits of the description's UTF-8 text, in which the structs and enums
/// are not called by their names but `#0`, `#1` and so on, in the order in which the text first
/// mentions them; a root that is a struct or an enum is `#0`. The text for the example above, with
/// LF after every line:
///
/// ```text
/// struct #0
///     x: f32
///     y: f32
/// ```
///
/// Between versions of this library it stays the same for the same type, for types written by hand as
/// long as their functions visit the same. Store objects have it in their headers.
///
/// # Panics
/// As [`describe`].
pub fn signature<T: Element>() -> u64 {
    describe::<T>().signature()
}
