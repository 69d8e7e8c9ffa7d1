//! What people are told about types and fields: constants that tools read.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use crate::model::{Body, Field, Fields, Input, Style};

/// What people are told about a field.
pub(crate) struct Facts {
    /// The doc comment.
    pub(crate) doc: String,
}

/// Returns the text of the doc comment, one line for each of its lines.
pub(crate) fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    let lines: Vec<_> = lines.map(|line| line.trim().to_owned()).collect();
    lines.join("\n").trim().to_owned()
}

/// Returns the description of a field in memory.
pub(crate) fn field(input: &Input, field: &Field) -> TokenStream {
    let (krate, ty, member) = (&input.krate, &field.ty, &field.member);
    let offset = match &input.body {
        Body::Struct(_) => {
            quote!(::core::option::Option::Some(::core::mem::offset_of!(Self, #member)))
        }
        Body::Enum(_) => quote!(::core::option::Option::None),
    };
    let facts = facts(input, field);
    quote_spanned!(field.span()=> #krate::shape::Field::of::<#ty>(#offset, &#facts))
}

fn facts(input: &Input, field: &Field) -> TokenStream {
    let krate = &input.krate;
    let doc = &field.facts.doc;
    if doc.is_empty() {
        return quote!(#krate::shape::Facts::NONE);
    }
    quote!(#krate::shape::Facts { doc: #doc, ..#krate::shape::Facts::NONE })
}

/// Returns what people are told about the type, and its name if the shape does not have it.
pub(crate) fn about(input: &Input) -> Option<TokenStream> {
    let Input { krate, doc, .. } = input;
    let name = match &input.body {
        Body::Struct(Fields { style: Style::Named, .. }) | Body::Enum(_) => "",
        Body::Struct(_) => &input.name,
    };
    let nothing = name.is_empty() && doc.is_empty();
    (!nothing).then(|| {
        quote! {
            const ABOUT: &'static #krate::shape::About = &#krate::shape::About {
                doc: #doc,
                ..#krate::shape::About::named(#name)
            };
        }
    })
}
