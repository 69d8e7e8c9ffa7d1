//! `#[derive(Serialize)]` for `archive`: writes `Serialize`, `Save` and `Blank` from the fields of
//! a type.
//!
//! The attributes are described at [`Serialize`](derive@Serialize). The
//! input with its `attributes` is `read` into a `model` and `check`ed; from it come the impls of `serialize`, `save` and `blank`, which
//! share `visit` for the fields and `bounds` for generics, the constants of `shape`, and what only
//! enums have, in `variants`. After an error there are empty impls instead (`fallback`), so that
//! the error is the only one.

mod attributes;
mod blank;
mod bounds;
mod case;
mod check;
mod error;
mod fallback;
mod model;
mod read;
mod save;
mod serialize;
mod shape;
mod value;
mod variants;
mod visit;

use proc_macro::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_macro_input};

/// Implements `Serialize`, `Save` and `Blank`.
///
/// # On a type
///
/// | `#[archive(...)]` | |
/// |---|---|
/// | `rename = "Name"` or `name = "Name"` | the name of the type in files that name types |
/// | `rename_all = "camelCase"` | spelling of the members, or of the variants of an enum: `lowercase`, `UPPERCASE`, `PascalCase`, `camelCase`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`, `SCREAMING-KEBAB-CASE` |
/// | `rename_all_fields = "..."` | spelling of the members of all struct variants |
/// | `version = 2` | the version that objects are saved with |
/// | `transparent` | saved as its only field; a struct with one unnamed field is that anyway |
/// | `mut_only` | without `Save`: for a type that holds one without it |
/// | `bound = "T: Trait"` | these bounds instead of the derived ones |
/// | `crate = path` | where `archive` is |
///
/// # On a field
///
/// | `#[archive(...)]` | |
/// |---|---|
/// | `rename = "name"` | its name in the file |
/// | `alias = "name"` | a name it had in older files; any number |
/// | `skip` | neither saved nor loaded |
/// | `default`, `default = expr` | what a blank value starts with; a member absent in the file keeps what it had |
/// | `flatten` | its members stand in the place of the field |
/// | `unknown` | it keeps the members of the file that the type does not have, and writes them back behind the others: see below |
///
/// # On a variant
///
/// | `#[archive(...)]` | |
/// |---|---|
/// | `rename`, `alias` | as on a field |
/// | `rename_all` | spelling of its members |
/// | `other` | what names become that no variant has; on one variant without data |
///
/// # Unknown members
///
/// One field of a struct or of a struct variant may be `unknown`: a `BTreeMap<String, Value>`,
/// `HashMap<String, Value>`, `Vec<(String, Value)>` or `Value`, or another type with `KeepUnknown`. So an older program
/// loads and saves the file of a newer one, in whichever formats, and loses nothing:
///
/// ```
/// # mod archive { pub use ::archive_core::*; pub use archive_derive::Serialize; }
/// # use std::collections::BTreeMap;
/// # use archive::Value;
/// # #[derive(Default, archive::Serialize)]
/// # #[archive(crate = ::archive_core)]
/// # struct Newer { name: String, mana: u32 }
/// #[derive(Default, archive::Serialize)]
/// # #[archive(crate = ::archive_core)]
/// struct Unit {
///     name: String,
///     #[archive(unknown)]
///     rest: BTreeMap<String, Value>,
/// }
///
/// let newer = Value::of(&Newer { name: "Ann".into(), mana: 7 })?;
/// let mut unit: Unit = newer.to()?;
/// assert_eq!(unit.rest["mana"], Value::from(7));
/// unit.name = "Bo".into();
/// assert_eq!(Value::of(&unit)?.to_string(), r#"{"name":"Bo","mana":7}"#);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// The field is emptied before it is filled, wherever it stands. Its members are neither reported as unknown
/// nor refused by `Options::strict`. One that has the name or an alias of a member that the type has meanwhile is left out when
/// saved. Pointers in it are those of `Value`: they come along with what they point to, apart from the
/// objects in known members. In the binary format objects of such a type carry the number of their layout, which is
/// a byte. A struct with such a field cannot be flattened, and beside it only derived structs can.
///
/// # Blank values
///
/// The blank value of a type is its `Default`, if it has one. Otherwise a struct starts with blank
/// fields, and an enum as the variant marked `#[default]`, or else as the first one that does not
/// hold the enum itself. A field's `default = expr` counts in either case.
#[proc_macro_derive(Serialize, attributes(archive, default))]
pub fn derive_serialize(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    match read::read(&input) {
        Ok(input) => expand(&input),
        Err(error) => {
            let message = error.into_compile_error();
            let fallback = fallback::impls(&input);
            quote!(#message #fallback)
        }
    }
    .into()
}

/// Everything the derive writes for a type without errors.
fn expand(input: &model::Input) -> proc_macro2::TokenStream {
    let krate = &input.krate;
    let shape = shape::impls(input);
    let serialize = serialize::impls(input);
    let save = save::impls(input);
    let blank = blank::impls(input);
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        const _: () = {
            #[allow(unused_imports)]
            use #krate::__private::Unproven as _;
            #shape
            #serialize
            #save
            #blank
        };
    }
}
