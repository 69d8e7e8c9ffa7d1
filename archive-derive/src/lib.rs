//! `#[derive(Serialize)]` for `archive`: writes `Serialize`, `Save` and `Blank` from the fields of
//! a type.
//!
//! The attributes are described at [`Serialize`](derive@Serialize). `read` converts the input with
//! its `attributes` to a `model`, and `check` reports its errors. The model is the input of all
//! other modules. `serialize`, `save` and `blank` write the impls; they share `visit` for the
//! fields and `bounds` for generics. `shape` writes the constants, and `variants` the code that
//! only enums need. `form` handles the attributes that change how a field is saved, and `keep`
//! those that keep its value. `objects` checks that `polymorphic!` was called for the traits of
//! trait objects, and `from_serde` lists attributes that have another name in serde. After an
//! error, `fallback` writes empty impls instead, so that there are no further errors.

mod attributes;
mod blank;
mod bounds;
mod case;
mod check;
mod error;
mod facts;
mod fallback;
mod form;
mod found;
mod from_serde;
mod group;
mod keep;
mod model;
mod objects;
mod read;
mod save;
mod serialize;
mod shape;
mod unsaved;
mod value;
mod variants;
mod visit;

use proc_macro::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_macro_input};

#[doc = include_str!("../docs/attributes.md")]
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

/// Reports an error: this library has no such derive, because `Serialize` covers both directions.
#[doc(hidden)]
#[proc_macro_derive(Deserialize, attributes(archive))]
pub fn derive_deserialize(_: TokenStream) -> TokenStream {
    quote! {
        ::core::compile_error!(
            "`#[derive(archive::Serialize)]` saves and loads: remove `Deserialize`"
        );
    }
    .into()
}

/// Returns everything that the derive generates for a type without errors.
fn expand(input: &model::Input) -> proc_macro2::TokenStream {
    let (path, krate) = (&input.path, &input.krate);
    let shape = shape::impls(input);
    let serialize = serialize::impls(input);
    let save = save::impls(input);
    let blank = blank::impls(input);
    quote! {
        #[automatically_derived]
        #[allow(deprecated)] // a deprecated field is saved too
        const _: () = {
            use #path as #krate;
            #[allow(unused_imports)] // of a type whose fields implement all required traits
            use #krate::{Probe as __P, Unproven as _};
            #shape
            #serialize
            #save
            #blank
        };
    }
}

/// The messages of the derive for mistakes: `tests/ui/*.rs` do not compile, `tests/ui/*.stderr`
/// have the messages.
#[cfg(test)]
#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

/// The limit for the lines of code that are written for a struct with two members, as `rustfmt`
/// breaks them at 100 columns.
#[cfg(all(test, not(feature = "columns")))]
#[test]
fn lines_of_two_members() {
    const MAX_LINES: usize = 103;
    let input: DeriveInput = syn::parse_quote!(
        struct Unit {
            name: String,
            hp: u16,
        }
    );
    let Ok(input) = read::read(&input) else { panic!("a plain struct is refused") };
    let mut rustfmt = std::process::Command::new("rustfmt");
    rustfmt.args(["--edition", "2024", "--config", "max_width=100"]);
    let streams = rustfmt.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let Ok(mut run) = streams.spawn() else { return eprintln!("skipped: there is no rustfmt") };
    let text = expand(&input).to_string();
    std::io::Write::write_all(&mut run.stdin.take().unwrap(), text.as_bytes()).unwrap();
    let formatted = run.wait_with_output().unwrap();
    assert!(formatted.status.success());
    let formatted = String::from_utf8(formatted.stdout).unwrap();
    // A function with the attribute is compiled once for each unit that calls it: only those that save have it.
    assert_eq!(formatted.matches("#[inline]").count(), 1, "{formatted}");
    assert!(formatted.contains("#[inline]\n        fn save<"), "{formatted}");
    assert!(
        formatted.lines().count() <= MAX_LINES,
        "{} lines:\n{formatted}",
        formatted.lines().count()
    );
}

/// A type gets the same code under another name.
#[cfg(test)]
#[test]
fn an_alias_gets_the_same_code() {
    let written = |ty: &str| {
        let ty: syn::Type = syn::parse_str(ty).unwrap();
        let inputs: [DeriveInput; 4] = [
            syn::parse_quote!(struct Unit { #[archive(skip(keep))] a: #ty, b: #ty, #[archive(skip)] c: #ty }),
            syn::parse_quote!(struct Unit(#ty);),
            syn::parse_quote!(struct Unit(#ty, #ty);),
            syn::parse_quote!(enum Unit { A, B(#ty), C(#ty, #ty), D { a: #ty } }),
        ];
        let text = inputs.map(|input| match read::read(&input) {
            Ok(input) => expand(&input).to_string(),
            Err(_) => panic!("a plain type is refused"),
        });
        // `__a::bool` is not a field.
        let mut text = text.concat().replace("__a :: ", "__a::");
        let tokens = quote!(#ty).to_string();
        let in_message = tokens.replace(" < ", "<").replace(" >", ">");
        for (before, ty) in [(" ", &tokens), ("`", &in_message), ("(", &in_message)] {
            text = text.replace(&format!("{before}{ty}"), &format!("{before}_"));
        }
        text
    };
    let alias = written("Alias");
    for ty in [
        "bool",
        "char",
        "u8",
        "i128",
        "usize",
        "f32",
        "[f32; 3]",
        "[[u8; 2]; 2]",
        "(u8, String)",
        "String",
        "PathBuf",
        "Vec<u16>",
        "VecDeque<u16>",
        "Option<u8>",
        "Box<u8>",
        "Rc<u8>",
        "Arc<RefCell<u8>>",
        "Weak<u8>",
        "Cow<'static, str>",
        "BTreeMap<String, u8>",
        "HashMap<u8, u8>",
        "HashSet<u8>",
        "BTreeSet<u8>",
        "BinaryHeap<u8>",
        "std::vec::Vec<u8>",
    ] {
        assert_eq!(written(ty), alias, "{ty}");
    }
}
