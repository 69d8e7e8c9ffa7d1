//! Visits fields, through `&mut` or through `&`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use crate::attributes::Preset;
use crate::model::{Field, Fields, Form, Input, Role, Style};
use crate::{blank, form, objects};

/// The kind of reference through which values are visited: `Mut` for `Serialize`, `Shared` for
/// `Save`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Mut,
    Shared,
}

/// Returns the fields of `self`, each with an expression that refers to it.
pub(crate) fn of_self(fields: &Fields, access: Access) -> Vec<(&Field, TokenStream)> {
    let refer = |field: &Field| {
        let member = field.locate(&field.member);
        match access {
            Access::Mut => quote_spanned!(field.span()=> &mut self.#member),
            Access::Shared => shared(field),
        }
    };
    fields.visited().map(|field| (field, refer(field))).collect()
}

/// Returns a shared reference to a field of `self`.
pub(crate) fn shared(field: &Field) -> TokenStream {
    let member = field.locate(&field.member);
    quote_spanned!(field.span()=> &self.#member)
}

/// Returns the fields of a variant, each with the variable to which a pattern binds it.
pub(crate) fn bound(fields: &Fields) -> Vec<(&Field, TokenStream)> {
    let refer = |field: &Field| field.binding().into_token_stream();
    fields.visited().map(|field| (field, refer(field))).collect()
}

/// Returns whether the values of the fields are known not to be self-describing.
pub(crate) fn typed(fields: &Fields) -> TokenStream {
    let values = fields.visited().map(|field| {
        if !matches!(field.form, Form::Own) {
            return quote!(false);
        }
        let ty = &field.ty;
        quote_spanned!(field.span()=> __P::<#ty>::NEVER_ANY)
    });
    quote!((true #(&& #values)*))
}

/// Visits fields one by one, without the container around them.
pub(crate) fn each(
    input: &Input,
    style: Style,
    variant: usize,
    fields: &[(&Field, TokenStream)],
    access: Access,
) -> TokenStream {
    let members = members(input, style, variant, fields);
    let count = fields.len();
    let visits = fields.iter().enumerate().map(|(i, (field, value))| {
        if field.role == Role::Unknown {
            let visit = unknown(input, variant, field, value, access);
            return quote!(#visit?;);
        }
        if let Some(visit) = skip_if(input, field, value, access, i) {
            return visit;
        }
        match style {
            Style::Named => one_member(input, field, value, access, i, &quote!(__a::ALL)),
            _ => {
                let visit = one_item(input, field, value, access, (i, count));
                quote!(#visit?;)
            }
        }
    });
    quote!(#members #(#visits)* __a::Ok(()))
}

/// Visits the members of an object: all of them, or the one with the index `__at`.
pub(crate) fn each_or_one(input: &Input, fields: &[(&Field, TokenStream)]) -> TokenStream {
    let list = members(input, Style::Named, 0, fields);
    let visits = fields.iter().enumerate().map(|(i, (field, value))| {
        let visit = one_member(input, field, value, Access::Mut, i, &quote!(__at));
        match skip_if(input, field, value, Access::Mut, i) {
            None => quote!(if __at == __a::ALL || __at == #i { #visit }),
            Some(all) => quote! {
                if __at == __a::ALL {
                    #all
                } else if __at == #i {
                    #visit
                }
            },
        }
    });
    quote!(#list #(#visits)* __a::Ok(()))
}

/// Declares the descriptions of members, if there are any.
fn members(
    input: &Input,
    style: Style,
    variant: usize,
    fields: &[(&Field, TokenStream)],
) -> Option<TokenStream> {
    let krate = &input.krate;
    let described =
        fields.iter().any(|(field, _)| field.role == Role::Stored || field.skip_if.is_some());
    (style == Style::Named && described)
        .then(|| quote!(let __m = <Self as #krate::Named<#variant>>::MEMBERS;))
}

/// Returns the statements that visit a member.
fn one_member(
    input: &Input,
    field: &Field,
    value: &TokenStream,
    access: Access,
    index: usize,
    at: &TokenStream,
) -> TokenStream {
    let span = field.span();
    let krate = field.locate(&input.krate);
    let mut restored = None;
    let visit = if let Some(body) = form::body(input, field, value, access, false) {
        let krate = body.locate(krate);
        match access {
            Access::Mut => {
                quote_spanned!(body.span=> #krate::member_body(__ar, #at, &__m[#index], #body))
            }
            Access::Shared => {
                quote_spanned!(body.span=> #krate::Walk::named(__ar, &__m[#index], &mut #body))
            }
        }
    } else {
        let value = checked(field, value, access);
        match (field.role, access) {
            (Role::Flattened, Access::Mut) => {
                quote_spanned!(span=> #krate::Serialize::serialize(#value, __ar))
            }
            (Role::Flattened, Access::Shared) => {
                quote_spanned!(span=> #krate::Save::save(#value, __ar))
            }
            (_, Access::Mut) => match objects::known(field, &value) {
                Some(known) => {
                    quote_spanned!(span=> #krate::member_body(__ar, #at, &__m[#index], #known))
                }
                None => {
                    let restore = restore(input, &field.ty);
                    restored = Some(quote!(let __r = #restore;));
                    quote_spanned!(span=> #krate::member(__ar, #at, &__m[#index], #value, __r))
                }
            },
            (_, Access::Shared) => {
                quote_spanned!(span=> #krate::Walk::named(__ar, &__m[#index], &mut #value))
            }
        }
    };
    quote!(#restored #visit?;)
}

/// Visits an item of a tuple.
fn one_item(
    input: &Input,
    field: &Field,
    value: &TokenStream,
    access: Access,
    (index, count): (usize, usize),
) -> TokenStream {
    let span = field.span();
    let krate = field.locate(&input.krate);
    if let Some(body) = form::body(input, field, value, access, false) {
        let krate = body.locate(krate);
        return quote_spanned!(body.span=> #krate::item_body(__ar, #index, #count, #body));
    }
    let value = checked(field, value, access);
    match access {
        Access::Mut => match objects::known(field, &value) {
            Some(known) => quote_spanned!(span=> #krate::item_body(__ar, #index, #count, #known)),
            None => {
                let restore = restore(input, &field.ty);
                quote_spanned!(span=> #krate::item(__ar, #index, #count, #value, #restore))
            }
        },
        Access::Shared => quote_spanned!(span=> #krate::save_item(__ar, #index, #count, #value)),
    }
}

/// Returns the expression that restores an old value of the type.
pub(crate) fn restore(input: &Input, ty: &impl ToTokens) -> TokenStream {
    let krate = &input.krate;
    quote!(#krate::Restore(__P::<#ty>::COPY, __P::<#ty>::START))
}

/// Visits a member that is left out if it has its default value.
fn skip_if(
    input: &Input,
    field: &Field,
    value: &TokenStream,
    access: Access,
    index: usize,
) -> Option<TokenStream> {
    let skip_if = field.skip_if.as_ref()?;
    let span = Span::call_site().located_at(skip_if.span);
    let krate = &input.krate;
    let member = quote!(&__m[#index]);
    let body = |value: TokenStream| {
        let body = form::body(input, field, &value, access, false);
        body.map(ToTokens::into_token_stream).unwrap_or_else(|| match access {
            Access::Mut => value,
            Access::Shared => checked(field, &value, access),
        })
    };
    let ty = &field.ty;
    let start = Preset::Default(span);
    let options = quote!(#krate::Walk::options(__ar));
    let default = blank::preset(krate, field.preset.as_ref().unwrap_or(&start), ty, &options);
    let default = quote!(|| -> #ty { #default });
    let written = match &skip_if.test {
        Some(test) => {
            quote_spanned!(span=> #krate::Visitor::fixed_members(__ar) || !#test(&*(#value)))
        }
        None => quote_spanned!(span=> #krate::is_written(__ar, &*(#value), #default)),
    };
    Some(match access {
        Access::Mut => {
            let body = body(quote!(&mut *(#value)));
            quote! {
                if #krate::Archive::is_loading(__ar) {
                    let mut __body = #krate::Noticed::new(__ar, #body);
                    #krate::Walk::named(__ar, #member, &mut __body)?;
                    if __body.is_absent(__ar) {
                        *(#value) = (#default)();
                    }
                } else if #written {
                    #krate::Walk::named(__ar, #member, &mut #body)?;
                }
            }
        }
        Access::Shared => {
            let body = body(value.clone());
            quote! {
                if #written {
                    #krate::Walk::named(__ar, #member, &mut #body)?;
                }
            }
        }
    })
}

/// Returns the value. If it is saved through `&` and its type has no `Serialize`, returns a
/// substitute that has `Save`, so that the missing impl is reported only once.
pub(crate) fn checked(field: &Field, value: &TokenStream, access: Access) -> TokenStream {
    let ty = &field.ty;
    match access {
        Access::Mut => value.clone(),
        Access::Shared => {
            quote_spanned!(field.span()=> __P::<#ty>::shared(#value))
        }
    }
}

/// Visits the members that the type does not know.
fn unknown(
    input: &Input,
    variant: usize,
    field: &Field,
    value: &TokenStream,
    access: Access,
) -> TokenStream {
    let krate = field.locate(&input.krate);
    let ty = &field.ty;
    let named = quote!(<Self as #krate::Named<#variant>>);
    match access {
        Access::Mut => quote_spanned! {field.span()=>
            #krate::unknown(__ar, #named::CLASS, #named::MEMBERS, #value)
        },
        Access::Shared => quote_spanned! {field.span()=>
            #krate::save_unknown(
                __ar,
                #named::CLASS,
                #named::MEMBERS,
                __P::<#ty>::unknown(#value),
            )
        },
    }
}
