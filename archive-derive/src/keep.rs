//! `skip(keep)`: fields that keep their values when another value is loaded over the one that
//! contains them.
// Why: docs/decisions/loading-values.md#kept-fields-are-exchanged

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};

use crate::model::{Definition, Field, Fields, Form, Input, Role, Style, Variant};

/// Returns the functions of `Blank` for kept fields.
pub(crate) fn functions(input: &Input) -> TokenStream {
    let krate = &input.krate;
    let kept = match &input.definition {
        Definition::Struct(fields) => of_struct(input, fields),
        Definition::Enum(_) => quote! {
            match <Self as #krate::Choice>::EXCHANGE_KEPT {
                __a::Some(_) => __a::Some(|__x, __y, __e| {
                    if !__e {
                        return;
                    }
                    if let __a::Some(__exchange) =
                        <Self as #krate::Choice>::EXCHANGE_KEPT
                    {
                        __exchange(__x, __y);
                    }
                }),
                __a::None => __a::None,
            }
        },
    };
    let pointer = match &input.definition {
        Definition::Struct(fields) if fields.style == Style::Newtype => {
            let types = fields.visited().map(|field| &field.ty);
            Some(quote! {
                const IS_POINTER: __a::bool = false #(|| __P::<#types>::POINTER)*;
            })
        }
        _ => None,
    };
    quote! {
        #pointer
        const EXCHANGE_KEPT: __a::Option<#krate::Exchange<Self>> = #kept;
    }
}

/// Returns whether loading the saved fields replaces the whole content of the fields.
pub(crate) fn overwrites(fields: &Fields) -> TokenStream {
    let whole = |field: &Field| match field.role {
        Role::Stored | Role::Flattened => matches!(field.form, Form::Own),
        Role::Kept => true,
        Role::Skipped | Role::Unknown => false,
    };
    if !fields.list.iter().all(whole) {
        return quote!(false);
    }
    let fields = fields.members().map(|field| {
        let ty = &field.ty;
        quote_spanned!(field.span()=> && __P::<#ty>::OVERWRITES)
    });
    quote!(true #(#fields)*)
}

/// Like [`overwrites`], for a value of an enum whose variant does not change.
pub(crate) fn in_place(variants: &[Variant]) -> TokenStream {
    if variants.iter().any(|variant| variant.other) {
        return quote!(false);
    }
    let variants = variants.iter().map(|variant| overwrites(&variant.fields));
    quote!(true #(&& (#variants))*)
}

/// Returns the functions of `Choice` for kept fields of enums.
pub(crate) fn of_enum(variants: &[Variant], input: &Input) -> TokenStream {
    let arms = variants.iter().map(|variant| {
        let ident = &variant.ident;
        let (mut mine, mut others, mut exchanges) = (Vec::new(), Vec::new(), Vec::new());
        for field in concerned(&variant.fields) {
            let (one, other) =
                (format_ident!("__x{}", mine.len()), format_ident!("__y{}", mine.len()));
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
        |__x, __y| match (__x, __y) {
            #(#arms)*
            _ => {}
        }
    };
    let kept = if_any(input, fields, quote!(kept_in_variant), &exchange);
    quote! {
        const EXCHANGE_KEPT: __a::Option<fn(&mut Self, &mut Self)> = #kept;
    }
}

fn of_struct(input: &Input, fields: &Fields) -> TokenStream {
    let exchanges = concerned(fields).map(|field| {
        let member = field.locate(&field.member);
        let both = quote!(&mut __x.#member, &mut __y.#member);
        match field.role {
            Role::Kept => quote! {
                if !__e {
                    ::core::mem::swap(#both);
                }
            },
            _ => nested(input, field, &quote!(#both, __e)),
        }
    });
    let exchange = quote!(|__x, __y, __e| { #(#exchanges)* });
    if_any(input, concerned(fields), quote!(kept), &exchange)
}

/// Returns the function, if one of the fields is kept or contains kept fields.
fn if_any<'a>(
    input: &Input,
    fields: impl Iterator<Item = &'a Field>,
    function: TokenStream,
    exchange: &TokenStream,
) -> TokenStream {
    let any: Vec<_> = fields
        .map(|field| {
            let ty = &field.ty;
            match field.role {
                Role::Kept => quote!(true),
                _ => quote_spanned!(field.span()=> __P::<#ty>::KEPT.is_some()),
            }
        })
        .collect();
    if any.is_empty() {
        return quote!(__a::None);
    }
    let krate = &input.krate;
    quote!(#krate::#function(#(#any)||*, #exchange))
}

/// Returns the fields that are kept or may contain kept fields.
fn concerned(fields: &Fields) -> impl Iterator<Item = &Field> {
    fields.list.iter().filter(|field| field.role != Role::Skipped)
}

/// Exchanges the kept values inside a field.
fn nested(input: &Input, field: &Field, arguments: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    let krate = field.locate(&input.krate);
    quote_spanned! {field.span()=>
        #krate::exchange(__P::<#ty>::KEPT, #arguments);
    }
}
