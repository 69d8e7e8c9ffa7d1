//! Loading the members of a struct one by one, in the order of the file.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::attributes::Preset;
use crate::model::{Field, Fields, Input, Role};
use crate::visit::{self, Access};
use crate::{blank, form};

/// The maximum number of members in a table of names: `Lookup::MOST`.
const MOST: usize = 128;

/// Returns the table of names and the functions that use it; `after` follows when all members were
/// visited. Returns `None` for types with a field for unknown members, flattened members or aliases,
/// and for types with no members or too many.
pub(crate) fn functions(
    input: &Input,
    fields: &Fields,
    after: Option<TokenStream>,
) -> Option<TokenStream> {
    let apart = |field: &Field| field.role == Role::Flattened || !field.name.aliases.is_empty();
    let count = fields.members().count();
    if fields.unknown().is_some() || fields.members().any(apart) || !(1..MOST).contains(&count) {
        return None;
    }
    let krate = &input.krate;
    let list = visit::of_self(fields, Access::Mut);
    let arms = list.iter().enumerate().map(|(i, (field, value))| {
        let member = visit::member(input, 0, i);
        match form::body(input, field, value, Access::Mut, false) {
            Some(body) => {
                let krate = body.locate(krate);
                quote_spanned!(body.span=> #i => #krate::Walk::found(__ar, #member, &mut #body))
            }
            None => {
                let krate = field.locate(krate);
                let ty = &field.ty;
                // A type without `Serialize` is reported where members are requested.
                let place = value;
                let value = quote_spanned!(field.span()=> #krate::Probe::<#ty>::found(#place, #member, __ar));
                let value = visit::unless_by_hand(input, field, place, &value, |body| {
                    quote!(#krate::Walk::found(__ar, #member, &mut #body))
                });
                quote!(#i => #value)
            }
        }
    });
    let types = fields.members().map(|field| &field.ty);
    let defaults: Vec<_> = list
        .iter()
        .enumerate()
        .filter_map(|(i, (field, value))| absent(input, i, field, value))
        .collect();
    let absent = (!defaults.is_empty()).then(|| {
        quote! {
            fn absent_member<__A: #krate::Archive>(
                &mut self,
                __index: ::core::primitive::usize,
                __ar: &mut __A,
            ) {
                match __index {
                    #(#defaults,)*
                    _ => {}
                }
            }
        }
    });
    let finish = after.map(|after| {
        quote! {
            #[inline]
            fn finish_members<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result {
                let __visited: #krate::Result = ::core::result::Result::Ok(());
                __visited #after
            }
        }
    });
    Some(quote! {
        const LOOKUP: ::core::option::Option<&'static #krate::lookup::Lookup> =
            if #(#krate::Probe::<#types>::HOLDS_VALUES)||* {
                ::core::option::Option::None
            } else {
                #krate::Table::<Self, #count, { #krate::slots_for(#count) }>::LOOKUP
            };

        #[inline]
        fn load_member<__A: #krate::Archive>(
            &mut self,
            __index: ::core::primitive::usize,
            __ar: &mut __A,
        ) -> #krate::Result {
            match __index {
                #(#arms,)*
                _ => ::core::result::Result::Ok(()),
            }
        }
        #absent
        #finish
    })
}

/// Returns the match arm that sets a member to its default if it was left out for having it.
fn absent(input: &Input, index: usize, field: &Field, value: &TokenStream) -> Option<TokenStream> {
    let span = Span::call_site().located_at(field.skip_if.as_ref()?.span);
    let krate = &input.krate;
    let start = Preset::Default(span);
    let options = quote!(#krate::Walk::options(__ar));
    let preset = field.preset.as_ref().unwrap_or(&start);
    let default = blank::preset(krate, preset, &field.ty, &options);
    Some(quote!(#index => *(#value) = #default))
}
