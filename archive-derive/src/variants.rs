//! Code that only enums need: finds and selects the variant of a value, and visits its payload.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::blank;
use crate::bounds::{Needs, head};
use crate::model::{Field, Input, Style, Variant};
use crate::shape;
use crate::visit::{self, Access};
use crate::{form, keep, objects};

/// Returns `impl Choice`, and `impl Fields` if a variant has several values.
pub(crate) fn choice(input: &Input, variants: &[Variant]) -> TokenStream {
    let krate = &input.krate;
    let head = head(input, quote!(#krate::Choice), Needs::Serialize);
    let info = shape::info(input, variants);
    let other = variants.iter().position(|variant| variant.other).map(|other| {
        quote! {
            const OTHER: __a::Option<__a::usize> = __a::Some(#other);
        }
    });
    let other_name = other_name(input, variants);
    let indices = variants
        .iter()
        .enumerate()
        .map(|(index, Variant { ident, .. })| quote!(Self::#ident { .. } => #index));
    let blanks = variants.iter().enumerate().map(|(index, variant)| {
        let blank = blank::variant(input, variant);
        quote!(#index => #blank)
    });
    let payload = payload(input, variants, Access::Mut);
    let members = members(input, variants, Access::Mut);
    let fields = fields(input, variants, Access::Mut);
    let keep = keep::of_enum(variants, input);
    let in_place = keep::in_place(variants);
    let typed = typed(variants);
    quote! {
        #head {
            const INFO: &'static #krate::shape::Enum = #info;
            const NEVER_ANY: __a::bool = #typed;
            const IN_PLACE: __a::bool = #in_place;
            #other
            #keep

            #other_name
            fn index(&self) -> __a::usize {
                match self {
                    #(#indices,)*
                }
            }
            fn make(__index: __a::usize, __o: &#krate::Options<'_>) -> #krate::Result<Self> {
                match __index {
                    #(#blanks,)*
                    _ => ::core::unreachable!(),
                }
            }
            fn payload<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result {
                #payload
            }
            #members
        }
        #fields
    }
}

/// Returns whether no variant has a self-describing payload, alone or in a tuple.
fn typed(variants: &[Variant]) -> TokenStream {
    let unnamed = |variant: &&Variant| variant.fields.style != Style::Named;
    let typed = variants.iter().filter(unnamed).map(|variant| visit::typed(&variant.fields));
    quote!(true #(&& #typed)*)
}

/// Returns the functions for an `other` variant that stores the unknown name.
fn other_name(input: &Input, variants: &[Variant]) -> TokenStream {
    let krate = &input.krate;
    let carries = |variant: &&Variant| variant.other && variant.fields.style == Style::Newtype;
    let Some(variant) = variants.iter().find(carries) else { return TokenStream::new() };
    let ident = &variant.ident;
    let names = variant.fields.visited().map(|field| {
        let Field { member, ty, .. } = field;
        let span = field.span();
        let here = field.locate(krate);
        let text = quote_spanned!(span=> <#ty as #here::UnknownName>);
        let make = quote_spanned!(span=> #text::from_name(__name));
        let name = quote_spanned!(span=> #text::name(__field));
        quote! {
            fn make_other(
                __name: &__a::str,
                _: &#krate::Options<'_>,
            ) -> #krate::Result<__a::Option<Self>> {
                __a::Ok(__a::Some(
                    Self::#ident { #member: #make },
                ))
            }
            #[allow(unreachable_patterns)] // of an enum with one variant
            fn other_name(&self) -> __a::Option<&__a::str> {
                match self {
                    Self::#ident { #member: __field } => __a::Some(#name),
                    _ => __a::None,
                }
            }
        }
    });
    quote!(#(#names)*)
}

/// Like [`choice`], through a shared reference.
pub(crate) fn saved_choice(input: &Input, variants: &[Variant]) -> TokenStream {
    let krate = &input.krate;
    let head = head(input, quote!(#krate::SavedChoice), Needs::Save);
    let payload = payload(input, variants, Access::Shared);
    let members = members(input, variants, Access::Shared);
    let fields = fields(input, variants, Access::Shared);
    quote! {
        #head {
            #[inline]
            fn save_payload<__A: #krate::Archive>(&self, __ar: &mut __A) -> #krate::Result {
                #payload
            }
            #members
        }
        #fields
    }
}

/// Visits the payload of the variant, with the sequence or the object around it.
fn payload(input: &Input, variants: &[Variant], access: Access) -> TokenStream {
    let krate = &input.krate;
    let body = match access {
        Access::Mut => quote!(&mut #krate::FieldsOf(self)),
        Access::Shared => quote!(&mut #krate::SavedFieldsOf(self)),
    };
    let arms = variants.iter().enumerate().map(|(index, variant)| {
        let ident = &variant.ident;
        let count = variant.fields.visited().count();
        let visit = match variant.fields.style {
            Style::Newtype => return newtype(input, variant, access),
            Style::Unit => quote!(__a::Ok(())),
            Style::Tuple => {
                let shape = quote!(<Self as #krate::Items<#index>>::SHAPE);
                quote!(#krate::Walk::seq(__ar, #shape, #count, #body))
            }
            Style::Named => {
                let class = quote!(<Self as #krate::Named<#index>>::CLASS);
                quote!(#krate::Walk::object(__ar, #class, #body))
            }
        };
        quote!(Self::#ident { .. } => #visit)
    });
    quote! {
        match self {
            #(#arms,)*
        }
    }
}

/// Returns the match arm of a variant with one value.
fn newtype(input: &Input, variant: &Variant, access: Access) -> TokenStream {
    let pattern = pattern(variant);
    let fields = visit::bound(&variant.fields);
    let visits = fields.iter().map(|(field, value)| {
        let krate = field.locate(&input.krate);
        if let Some(body) = form::body(input, field, value, access, false) {
            let krate = body.locate(krate);
            return quote_spanned!(body.span=> #krate::Body::run(&mut #body, __ar));
        }
        let value = visit::checked(field, value, access);
        match access {
            Access::Mut => match objects::known(field, &value) {
                Some(known) => {
                    quote_spanned!(field.span()=> #krate::Serialize::value(#known, __ar))
                }
                None => {
                    let restore = visit::restore(input, &field.ty);
                    quote_spanned!(field.span()=> #krate::payload(__ar, #value, #restore))
                }
            },
            Access::Shared => quote_spanned!(field.span()=> #krate::Save::save_value(#value, __ar)),
        }
    });
    quote!(#pattern => #(#visits)*)
}

/// Visits the members of the payload next to the tag, if the tag is in the same object.
fn members(input: &Input, variants: &[Variant], access: Access) -> Option<TokenStream> {
    let krate = &input.krate;
    input.tag.as_ref().filter(|tag| tag.content.is_none())?;
    let (function, fields) = match access {
        Access::Mut => (
            quote!(fn members<__A: #krate::Archive>(&mut self, __ar: &mut __A)),
            quote!(#krate::Fields::fields(self, __ar)),
        ),
        Access::Shared => (
            quote!(fn save_members<__A: #krate::Archive>(&self, __ar: &mut __A)),
            quote!(#krate::SavedFields::save_fields(self, __ar)),
        ),
    };
    let arms = variants.iter().map(|variant| {
        let ident = &variant.ident;
        if variant.fields.style == Style::Named {
            return quote!(Self::#ident { .. } => #fields);
        }
        let Some(field) = variant.joined(input) else {
            return quote!(Self::#ident { .. } => __a::Ok(()));
        };
        let (pattern, value, ty) = (pattern(variant), field.binding(), &field.ty);
        let probe = quote_spanned!(field.span()=> __P::<#ty>);
        match access {
            Access::Mut => {
                let restore = visit::restore(input, &quote!(#ty));
                quote! {
                    #pattern => {
                        let __restore: #krate::Restore<_, _> = #restore;
                        __restore.around(#value, __ar, |__value, __ar| #probe::serialize(__value, __ar))
                    }
                }
            }
            Access::Shared => quote!(#pattern => #probe::save(#value, __ar)),
        }
    });
    Some(quote! {
        #function -> #krate::Result {
            match self {
                #(#arms,)*
            }
        }
    })
}

/// Visits the fields inside the sequence or the object.
fn fields(input: &Input, variants: &[Variant], access: Access) -> TokenStream {
    let krate = &input.krate;
    let compound = || variants.iter().enumerate().filter(|(_, it)| it.fields.is_compound());
    let arms: Vec<_> = compound()
        .map(|(index, variant)| {
            let pattern = pattern(variant);
            let fields = visit::bound(&variant.fields);
            let visit = visit::each(input, variant.fields.style, index, &fields, access);
            quote!(#pattern => { #visit })
        })
        .collect();
    if arms.is_empty() {
        return TokenStream::new();
    }
    let rest = (arms.len() < variants.len()).then(|| quote!(_ => __a::Ok(()),));
    let listed = compound()
        .filter(|(_, it)| it.fields.style == Style::Named)
        .map(|(index, _)| quote!(<Self as #krate::Named<#index>>::CLASS.members.is_some()));
    let (head, function) = match access {
        Access::Mut => (
            head(input, quote!(#krate::Fields), Needs::Serialize),
            quote! {
                const NEVER_ANY: __a::bool = <Self as #krate::Choice>::NEVER_ANY;
                const LISTED: __a::bool = true #(&& #listed)*;

                fn fields<__A: #krate::Archive>(&mut self, __ar: &mut __A)
            },
        ),
        Access::Shared => (
            head(input, quote!(#krate::SavedFields), Needs::Save),
            quote! {
                #[inline]
                fn save_fields<__A: #krate::Archive>(&self, __ar: &mut __A)
            },
        ),
    };
    quote! {
        #head {
            #function -> #krate::Result {
                match self {
                    #(#arms,)*
                    #rest
                }
            }
        }
    }
}

/// Returns the pattern that binds the saved fields.
fn pattern(Variant { ident, fields, .. }: &Variant) -> TokenStream {
    let bindings = visit::bound(fields).into_iter().map(|(field, binding)| {
        let member = &field.member;
        quote!(#member: #binding)
    });
    quote!(Self::#ident { #(#bindings,)* .. })
}
