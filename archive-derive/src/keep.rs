//! `skip(keep)`: fields that keep their values when another value is loaded over the one that
//! contains them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};

use crate::model::{Definition, Field, Fields, Form, Input, Role, Style, Variant};
use crate::visit::is_primitive;

/// Returns the functions of `Blank` for kept fields.
pub(crate) fn functions(input: &Input) -> TokenStream {
    let krate = &input.krate;
    let kept = match &input.definition {
        Definition::Struct(fields) => of_struct(input, fields),
        Definition::Enum(_) => quote! {
            match <Self as #krate::Choice>::EXCHANGE_KEPT {
                ::core::option::Option::Some(_) => ::core::option::Option::Some(|__one, __other, __enums| {
                    if !__enums {
                        return;
                    }
                    if let ::core::option::Option::Some(__exchange) =
                        <Self as #krate::Choice>::EXCHANGE_KEPT
                    {
                        __exchange(__one, __other);
                    }
                }),
                ::core::option::Option::None => ::core::option::Option::None,
            }
        },
    };
    let pointer = match &input.definition {
        Definition::Struct(fields) if fields.style == Style::Newtype => {
            let types = fields.visited().map(|field| &field.ty);
            Some(quote! {
                const IS_POINTER: ::core::primitive::bool = false #(|| #krate::Probe::<#types>::POINTER)*;
            })
        }
        _ => None,
    };
    quote! {
        #pointer
        const EXCHANGE_KEPT: ::core::option::Option<#krate::Exchange<Self>> = #kept;

        #[inline]
        fn load_over<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result
        where
            Self: #krate::Serialize,
        {
            #krate::load_over(self, __ar)
        }
    }
}

/// Returns whether loading the saved fields replaces everything that the fields held.
pub(crate) fn overwrites(input: &Input, fields: &Fields) -> TokenStream {
    let whole = |field: &Field| match field.role {
        Role::Stored | Role::Flattened => matches!(field.form, Form::Own),
        Role::Kept => true,
        Role::Skipped | Role::Unknown => false,
    };
    if !fields.list.iter().all(whole) {
        return quote!(false);
    }
    let fields = fields.members().map(|field| {
        let krate = field.locate(&input.krate);
        let ty = &field.ty;
        quote_spanned!(field.span()=> && #krate::Probe::<#ty>::OVERWRITES)
    });
    quote!(true #(#fields)*)
}

/// As [`overwrites`], for a value of an enum whose variant does not change.
pub(crate) fn in_place(input: &Input, variants: &[Variant]) -> TokenStream {
    if variants.iter().any(|variant| variant.other) {
        return quote!(false);
    }
    let variants = variants.iter().map(|variant| overwrites(input, &variant.fields));
    quote!(true #(&& (#variants))*)
}

/// Returns the functions of `Choice` for kept fields of enums.
pub(crate) fn of_enum(variants: &[Variant], input: &Input) -> TokenStream {
    let arms = variants.iter().map(|variant| {
        let ident = &variant.ident;
        let (mut mine, mut others, mut exchanges) = (Vec::new(), Vec::new(), Vec::new());
        for field in concerned(&variant.fields) {
            let (one, other) =
                (format_ident!("__one{}", mine.len()), format_ident!("__other{}", mine.len()));
            exchanges.extend(match field.role {
                Role::Kept => vec![quote!(::core::mem::swap(#one, #other);)],
                _ => [quote!(false), quote!(true)]
                    .map(|enums| nested(input, field, &quote!(#one, #other, #enums)))
                    .to_vec(),
            });
            let member = &field.member;
            mine.push(quote!(#member: #one));
            others.push(quote!(#member: #other));
        }
        if exchanges.is_empty() {
            return TokenStream::new();
        }
        quote! {
            (Self::#ident { #(#mine,)* .. }, Self::#ident { #(#others,)* .. }) => { #(#exchanges)* }
        }
    });
    let fields = variants.iter().flat_map(|variant| concerned(&variant.fields));
    let exchange = quote! {
        #[allow(unreachable_patterns)] // of an enum with one variant
        |__one, __other| match (__one, __other) {
            #(#arms)*
            _ => {}
        }
    };
    let kept = if_any(input, fields, &exchange);
    quote! {
        const EXCHANGE_KEPT: ::core::option::Option<fn(&mut Self, &mut Self)> = #kept;
    }
}

fn of_struct(input: &Input, fields: &Fields) -> TokenStream {
    let exchanges = concerned(fields).map(|field| {
        let member = field.locate(&field.member);
        let both = quote!(&mut __one.#member, &mut __other.#member);
        match field.role {
            Role::Kept => quote! {
                if !__enums {
                    ::core::mem::swap(#both);
                }
            },
            _ => nested(input, field, &quote!(#both, __enums)),
        }
    });
    let exchange = quote!(|__one, __other, __enums| { #(#exchanges)* });
    if_any(input, concerned(fields), &exchange)
}

/// Returns the function, if one of the fields is kept or contains kept fields.
fn if_any<'a>(
    input: &Input,
    fields: impl Iterator<Item = &'a Field>,
    exchange: &TokenStream,
) -> TokenStream {
    let any: Vec<_> = fields
        .map(|field| {
            let (krate, ty) = (field.locate(&input.krate), &field.ty);
            match field.role {
                Role::Kept => quote!(true),
                _ => quote_spanned!(field.span()=> #krate::Probe::<#ty>::KEPT.is_some()),
            }
        })
        .collect();
    if any.is_empty() {
        return quote!(::core::option::Option::None);
    }
    quote! {
        if #(#any)||* {
            ::core::option::Option::Some(#exchange)
        } else {
            ::core::option::Option::None
        }
    }
}

/// Returns the fields that are kept or may contain kept fields.
fn concerned(fields: &Fields) -> impl Iterator<Item = &Field> {
    let none = |field: &&Field| field.role != Role::Kept && is_primitive(&field.ty);
    fields.list.iter().filter(move |field| field.role != Role::Skipped && !none(field))
}

/// Exchanges the kept values inside a field.
fn nested(input: &Input, field: &Field, arguments: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    let krate = field.locate(&input.krate);
    quote_spanned! {field.span()=>
        #krate::exchange(#krate::Probe::<#ty>::KEPT, #arguments);
    }
}
