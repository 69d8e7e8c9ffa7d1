//! The structure of the type: constants that formats and tools read.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

use crate::bounds::{Needs, head};
use crate::facts;
use crate::form;
use crate::model::{Definition, Field, Fields, Form, Input, Name, Role, Style, Tag, Variant};

/// Returns the members of all objects of the type, and the items of all its sequences.
pub(crate) fn impls(input: &Input) -> TokenStream {
    input
        .groups()
        .map(|(index, fields)| match (fields.style, &input.definition) {
            (Style::Named, Definition::Struct(_)) => {
                let krate = &input.krate;
                let version = quote!(<Self as #krate::Serialize>::VERSION);
                named(input, index, fields, &input.name, version)
            }
            (Style::Named, Definition::Enum(variants)) => {
                named(input, index, fields, &variants[index].name.text.value(), quote!(0))
            }
            (Style::Tuple, _) => items(input, index, fields),
            _ => TokenStream::new(),
        })
        .collect()
}

fn named(
    input: &Input,
    index: usize,
    fields: &Fields,
    name: &str,
    version: TokenStream,
) -> TokenStream {
    let krate = &input.krate;
    let head = head(input, quote!(#krate::Named<#index>), Needs::Serialize);
    let members = fields.members().map(|field| {
        let Name { text, aliases, .. } = &field.name;
        let shape = form::shape_fn(input, field);
        let ty = &field.ty;
        let mut parts = Vec::new();
        if !aliases.is_empty() {
            parts.push(quote!(.with_aliases(&[#(#aliases),*])));
        }
        let text = match field.base {
            None => quote!(#text),
            Some(_) => {
                parts.push(quote!(.with_base(__P::<#ty>::BASE)));
                quote!(#krate::base_name(__P::<#ty>::NAME, #text))
            }
        };
        if field.role == Role::Flattened {
            parts.push(quote!(.flattened()));
        }
        // a blank value of a type with `Default` starts with that default
        let placeholder = match &input.definition {
            _ if field.preset.is_some() || field.skip_if.is_some() => quote!(false),
            Definition::Struct(_) if input.preset.is_some() => quote!(false),
            Definition::Struct(_) => quote!(!__P::<Self>::DEFAULT),
            Definition::Enum(_) => quote!(true),
        };
        let memory = facts::field(input, field);
        let skip_if = field.skip_if.is_some();
        if skip_if {
            parts.push(quote!(.skipped_if_default()));
        }
        let absence = match () {
            () if skip_if || field.preset.is_some() => Some(quote!(Defaults)),
            () if field.required => Some(quote!(Refused)),
            () if input.preset.is_some() => Some(quote!(Defaults)),
            () => None,
        };
        parts.extend(absence.map(|it| quote!(.with_absence(#krate::shape::Absence::#it))));
        quote! {
            #krate::shape::Member::new(#text, #shape)
                #(#parts)*
                .with_placeholder(#placeholder)
                .with_field(#memory)
        }
    });
    let flattened = fields.members().filter(|field| field.role == Role::Flattened).map(|field| {
        let ty = &field.ty;
        quote!(__P::<#ty>::SHAPE)
    });
    // unknown members of an object are known only after loading it
    let class = match fields.unknown() {
        Some(_) => quote! {
            #krate::shape::Class::new(
                #name,
                #krate::shape::NameOf::Type(::core::any::type_name::<Self>),
                #version,
            )
        },
        None => quote! {
            #krate::class::<Self, #index>(#name, #version, &[#(#flattened),*])
        },
    };
    let class = match sizes(input, fields) {
        None => class,
        Some(shapes) => quote!(#krate::sized(#class, &[#(#shapes),*])),
    };
    quote! {
        #head {
            const MEMBERS: &'static [#krate::shape::Member] = &[#(#members),*];
            const CLASS: &'static #krate::shape::Class = &#class;
        }
    }
}

/// Returns the shapes that decide whether values are blocks. Returns `None` if values are never
/// blocks: an enum has no block size, and neither have bytes, maps and sequences.
fn sizes(input: &Input, fields: &Fields) -> Option<Vec<TokenStream>> {
    let sized = |field: &Field| matches!(field.form, Form::Own | Form::With(_));
    let known = matches!(input.definition, Definition::Struct(_)) && fields.visited().all(sized);
    known.then(|| fields.visited().map(|field| form::shape(input, field)).collect())
}

fn items(input: &Input, index: usize, fields: &Fields) -> TokenStream {
    let krate = &input.krate;
    let head = head(input, quote!(#krate::Items<#index>), Needs::Serialize);
    let shapes = fields.visited().map(|field| form::shape_fn(input, field));
    let size = sizes(input, fields).map(|shapes| {
        quote! {
            const SIZE: __a::Option<#krate::BlockSize> =
                #krate::tuple_size(&[#(#shapes),*]);
        }
    });
    quote! {
        #head {
            const ITEMS: &'static [#krate::shape::ShapeOf] = &[#(#shapes),*];
            #size
        }
    }
}

/// Returns the description of an enum.
pub(crate) fn info(input: &Input, variants: &[Variant]) -> TokenStream {
    let Input { krate, name, .. } = input;
    let variants = variants.iter().enumerate().map(|(index, variant)| {
        let Name { text, aliases, .. } = &variant.name;
        let mut parts = Vec::new();
        if !aliases.is_empty() {
            parts.push(quote!(.with_aliases(&[#(#aliases),*])));
        }
        if !variant.doc.is_empty() {
            let doc = &variant.doc;
            parts.push(quote!(.with_doc(#doc)));
        }
        if variant.other {
            parts.push(quote!(.for_others()));
        }
        let payload = payload(input, index, &variant.fields);
        quote! {
            #krate::shape::Variant::new(#text, #krate::shape::Payload::#payload) #(#parts)*
        }
    });
    let tag = tag(input);
    quote! {
        &#krate::shape::Enum::new(
            #name,
            #krate::shape::NameOf::Type(::core::any::type_name::<Self>),
            &[#(#variants),*],
        )
        .with_tag(#tag)
    }
}

/// Returns the description of how the names of variants are stored.
fn tag(input: &Input) -> TokenStream {
    let (Definition::Enum(variants), Some(Tag { name, content })) = (&input.definition, &input.tag)
    else {
        return quote!(__a::None);
    };
    let Input { krate, name: own, .. } = input;
    let class = |name: &dyn ToTokens| {
        let none = quote!(__a::None);
        quote!(#krate::tagged_class(#none, #name, ::core::any::type_name::<Self>))
    };
    let classes = variants.iter().map(|variant| match variant.joined(input) {
        Some(field) => {
            let ty = &field.ty;
            quote_spanned!(field.span()=> #krate::shape::ClassOf::Type(__P::<#ty>::TAGGED))
        }
        None => {
            let class = class(&variant.name.text);
            quote!(#krate::shape::ClassOf::Type(|| const { &#class }))
        }
    });
    let plain = class(own);
    let content = match content {
        Some(content) => quote!(__a::Some(#content)),
        None => quote!(__a::None),
    };
    quote! {
        __a::Some(&#krate::shape::Tag {
            name: #name,
            content: #content,
            classes: &[#(#classes),*],
            class: #plain,
        })
    }
}

fn payload(input: &Input, index: usize, fields: &Fields) -> TokenStream {
    let krate = &input.krate;
    match fields.style {
        Style::Unit => quote!(Unit),
        Style::Newtype => {
            let shapes = fields.visited().map(|field| form::shape_fn(input, field));
            quote!(Newtype(#(#shapes)*))
        }
        Style::Tuple => quote!(Tuple(<Self as #krate::Items<#index>>::ITEMS)),
        Style::Named => quote!(Struct(<Self as #krate::Named<#index>>::CLASS)),
    }
}
