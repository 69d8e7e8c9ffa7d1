//! Descriptions of the files of a type: as text for people, and as a number that changes with the
//! text.
//!
//! [`describe`] and [`signature`] are for programs. The rest is for tools: [`Survey`] runs the functions of types
//! on a made-up file to find out which members they visit; [`Text`] writes a description of any [`Types`].

mod explorer;
mod scenario;
mod shapes;
mod survey;
mod text;
mod types;

use std::fmt;

pub use explorer::Explorer;
pub use scenario::{Part, Scenario, Variation};
pub use text::{Text, quoted, signature_of};
pub use types::{Carried, Content, Form, Members, Types};

use archive_core::{Element, Options};
use shapes::Program;
pub use shapes::signature_of_shape;
pub use survey::Survey;

/// A description of the files of a type: the names and types of all members, at any depth.
/// [`describe`] creates it. It displays as text with one line for each member.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Description {
    text: String,
    signature: u64,
}

impl Description {
    /// Returns the number for this description: see [`signature`](fn@signature).
    pub fn signature(&self) -> u64 {
        self.signature
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Describes the files of `T`.
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
///   section begins with `struct`, the name and the version if it is not 0, or with `enum` and the
///   name. Names are written without modules; if two types have the same name, the second is
///   `Name#2`. A struct with the name of a built-in type is like a second one: `String#2`.
/// - Members are sorted by their names in the file, including those of `flatten`ed members, so the
///   text does not depend on the order of fields. Variants are sorted too: `Idle`, `Wait(u32)` with
///   one value, `Hit(u32, f32)` with several, `Walk:` with members in the lines after it.
/// - Types are written as in Rust, in the form in which they are stored: `u8`, `String`, `bytes`,
///   `()`, `Vec<T>` for all sequences, `[T; 3]`, `(T, U)`, `Map<K, V>`, `Option<T>`. `Pointer<T>`
///   is an object that may be shared, `Pointer<dyn>` a shared trait object, `Weak` a pointer that
///   is never saved with its object, `dyn` an owned trait object and `any` a
///   [`Value`](archive_core::Value). The types of trait objects are not part of the text: describe those
///   types too. Types without names that contain themselves (`struct List(Vec<List>)`) are followed
///   12 levels deep.
///
/// # Types written by hand
///
/// The members of derived types are constants. The members of a hand-written function are only
/// known when it runs. Therefore it is run: it loads from a made-up file that has every member that
/// it requests. In that file each sequence has one item, each enum takes each of its variants in
/// turn, objects have the current version, and text is that of the blank value. The function is run
/// twice: first with options that have a value, truth values that are `true` and numbers that are
/// 1, then with empty options, `false` and 0. The members of both runs are listed. If a function
/// branches, only the members on these branches are listed: members for older versions and members
/// that depend on a text are not. If the function returns an error of its own, or no value can be
/// created to run it on, the list of members ends with `...`. `after_load` functions are not
/// called.
///
/// # Panics
/// Panics if a function of a type in `T` panics.
pub fn describe<T: Element>() -> Description {
    describe_with::<T>(&Options::new())
}

/// Like [`describe`], with options for the functions of the types: context, a registry.
///
/// # Panics
/// Panics if [`describe`] does.
pub fn describe_with<T: Element>(options: &Options<'_>) -> Description {
    let survey = Survey::of::<T>(options);
    let types = Program(&survey);
    // Writing to a string does not fail, and the types of the program never count as exhausted.
    let text = text::text(&types, T::SHAPE).unwrap_or_default();
    let signature = signature_of(&types, T::SHAPE).unwrap_or_default();
    Description { text, signature }
}

/// Returns a number for the files of `T`: two types have the same number if their
/// [descriptions](describe) differ only in the names of structs and enums.
///
/// The number changes when, anywhere in `T`, a member or a variant is added, removed or renamed,
/// when its type changes (the width of a number, the length of an array, the items of a sequence),
/// and when a version changes. It does not change when members or variants are reordered, when
/// types are renamed or moved to other modules, or when names for loading (`alias`) are added.
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
/// The number is the 64-bit FNV-1a hash of the description's UTF-8 text, in which structs and enums
/// are called `#0`, `#1` and so on instead of their names, in the order in which the text first
/// mentions them; a root that is a struct or an enum is `#0`. The text for the example above, with
/// LF after every line:
///
/// ```text
/// struct #0
///     x: f32
///     y: f32
/// ```
///
/// The number of a type is the same in all versions of this library; for hand-written types, as
/// long as their functions visit the same members. Bins files contain it in their headers.
///
/// # Panics
/// Panics if [`describe`] does.
pub fn signature<T: Element>() -> u64 {
    describe::<T>().signature()
}
