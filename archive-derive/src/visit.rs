//! Visiting fields, through `&mut` or through `&`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;

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

/// Returns whether the values of the fields are known not to describe themselves.
pub(crate) fn typed(fields: &Fields, krate: &syn::Path) -> TokenStream {
    let values = fields.visited().map(|field| {
        if !matches!(field.form, Form::Own) {
            return quote!(false);
        }
        let (krate, ty) = (field.locate(krate), &field.ty);
        quote_spanned!(field.span()=> #krate::Probe::<#ty>::NEVER_ANY)
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
    let count = fields.len();
    let visits = fields.iter().enumerate().map(|(i, (field, value))| {
        let span = field.span();
        let krate = field.locate(&input.krate);
        if field.role == Role::Unknown {
            let visit = unknown(input, variant, field, value, access);
            return quote!(#visit?;);
        }
        if let Some(visit) = skip_if(input, field, value, access, &|| member(input, variant, i)) {
            return visit;
        }
        if let Some(body) = form::body(input, field, value, access, false) {
            let krate = body.locate(krate);
            let visit = match style {
                Style::Named => {
                    let member = member(input, variant, i);
                    quote_spanned!(body.span=> #krate::Walk::named(__ar, #member, &mut #body))
                }
                _ => {
                    quote_spanned!(body.span=> #krate::item_body(__ar, #i, #count, #body))
                }
            };
            return quote!(#visit?;);
        }
        let value = checked(input, field, value, access);
        let visit = match (style, field.role, access) {
            (Style::Named, Role::Flattened, Access::Mut) => {
                quote_spanned!(span=> #krate::Serialize::serialize(#value, __ar))
            }
            (Style::Named, Role::Flattened, Access::Shared) => {
                quote_spanned!(span=> #krate::Save::save(#value, __ar))
            }
            (Style::Named, _, Access::Mut) => {
                let member = member(input, variant, i);
                let known = objects::known(input, field, &value);
                let otherwise = quote_spanned!(span=> #krate::Walk::member(__ar, #member, #known));
                unless_by_hand(
                    input,
                    field,
                    &value,
                    &otherwise,
                    |body| quote_spanned!(span=> #krate::Walk::named(__ar, #member, &mut #body)),
                )
            }
            (Style::Named, _, Access::Shared) => {
                let member = member(input, variant, i);
                quote_spanned!(span=> #krate::Walk::save_member(__ar, #member, #value))
            }
            (_, _, Access::Mut) => {
                let known = objects::known(input, field, &value);
                let otherwise = quote_spanned!(span=> #krate::item(__ar, #i, #count, #known));
                unless_by_hand(
                    input,
                    field,
                    &value,
                    &otherwise,
                    |body| quote_spanned!(span=> #krate::item_body(__ar, #i, #count, #body)),
                )
            }
            (_, _, Access::Shared) => {
                quote_spanned!(span=> #krate::save_item(__ar, #i, #count, #value))
            }
        };
        quote!((#visit)?;)
    });
    quote!(#(#visits)* ::core::result::Result::Ok(()))
}

/// Returns the expression that visits a field. For a field that a hand-written function visits,
/// this is the result of `visit` for a body that restores the old value if the function refuses the
/// new one.
pub(crate) fn unless_by_hand(
    input: &Input,
    field: &Field,
    value: &TokenStream,
    otherwise: &TokenStream,
    visit: impl Fn(TokenStream) -> TokenStream,
) -> TokenStream {
    let (span, krate, ty) = (field.span(), field.locate(&input.krate), &field.ty);
    if is_primitive(ty) {
        return otherwise.clone();
    }
    let restore = restore(input, &quote!(#ty));
    let probe = quote_spanned!(span=> #krate::Probe::<#ty>);
    let itself = visit(quote_spanned!(span=> #probe::restoring(#value, #restore)));
    let items = visit(quote_spanned!(span=> #probe::over(#value)));
    quote_spanned! {span=>
        if #probe::BY_HAND {
            #itself
        } else if #probe::ITEMS_BY_HAND && #probe::ELEMENT {
            #items
        } else {
            #otherwise
        }
    }
}

/// Returns whether the type has the name of a number, `bool` or `char`, or is an array of these.
pub(crate) fn is_primitive(ty: &Type) -> bool {
    const NAMES: [&str; 16] = [
        "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "u128", "u16",
        "u32", "u64", "u8", "usize",
    ];
    match ty {
        Type::Array(array) => is_primitive(&array.elem),
        Type::Path(path) => NAMES.iter().any(|name| path.path.is_ident(name)),
        _ => false,
    }
}

/// Returns the functions that restore an old value of the type.
pub(crate) fn restore(input: &Input, ty: &TokenStream) -> TokenStream {
    let krate = &input.krate;
    let probe = quote!(#krate::Probe::<#ty>);
    quote! {
        &#krate::Restore {
            copy: #probe::copy,
            fresh: #probe::fresh,
            kept: #probe::KEPT,
        }
    }
}

/// Visits a member that is left out if it has its default.
fn skip_if(
    input: &Input,
    field: &Field,
    value: &TokenStream,
    access: Access,
    member: &dyn Fn() -> TokenStream,
) -> Option<TokenStream> {
    let skip_if = field.skip_if.as_ref()?;
    let span = Span::call_site().located_at(skip_if.span);
    let krate = &input.krate;
    let member = member();
    let body = |value: TokenStream| {
        let body = form::body(input, field, &value, access, false);
        body.map(ToTokens::into_token_stream).unwrap_or_else(|| match access {
            Access::Mut => value,
            Access::Shared => checked(input, field, &value, access),
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
pub(crate) fn checked(
    input: &Input,
    field: &Field,
    value: &TokenStream,
    access: Access,
) -> TokenStream {
    let krate = field.locate(&input.krate);
    let ty = &field.ty;
    match access {
        Access::Mut => value.clone(),
        Access::Shared => {
            quote_spanned!(field.span()=> #krate::Probe::<#ty>::shared(#value))
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
                #krate::Probe::<#ty>::unknown(#value),
            )
        },
    }
}

/// Returns the description of a member.
pub(crate) fn member(input: &Input, variant: usize, index: usize) -> TokenStream {
    let krate = &input.krate;
    quote!(&<Self as #krate::Named<#variant>>::MEMBERS[#index])
}
