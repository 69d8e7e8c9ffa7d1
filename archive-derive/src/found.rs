//! Loads the members of a struct one by one, in file order.
// Why: docs/decisions/members-and-evolution.md#types-with-trees-are-loaded-in-type-order

use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::attributes::Preset;
use crate::blank;
use crate::model::{Field, Fields, Input, Role};
use crate::visit::{self, Access};

/// The maximum number of members in a table of names: `Lookup::MAX_MEMBERS`.
const MAX_MEMBERS: usize = 128;

/// Returns the table of names and the functions that use it. `after` runs when all members were
/// visited. Returns `None` for types with a field for unknown members, flattened members or
/// aliases, and for types with no members or too many.
pub(crate) fn functions(
    input: &Input,
    fields: &Fields,
    after: Option<TokenStream>,
) -> Option<TokenStream> {
    let apart = |field: &Field| field.role == Role::Flattened || !field.name.aliases.is_empty();
    let count = fields.members().count();
    if fields.unknown().is_some()
        || fields.members().any(apart)
        || !(1..MAX_MEMBERS).contains(&count)
    {
        return None;
    }
    let krate = &input.krate;
    let list = visit::of_self(fields, Access::Mut);
    let visits = visit::each_or_one(input, &list);
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
                __at: __a::usize,
                __ar: &mut __A,
            ) {
                match __at {
                    #(#defaults,)*
                    _ => {}
                }
            }
        }
    });
    let finish = after.map(|after| {
        quote! {
            fn finish_members<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result {
                let __visited: #krate::Result = __a::Ok(());
                __visited #after
            }
        }
    });
    let completes = (absent.is_some() || finish.is_some()).then(|| {
        quote!(
            const COMPLETES: __a::bool = true;
        )
    });
    Some(quote! {
        #completes
        const LOOKUP: __a::Option<&'static #krate::lookup::Lookup> =
            #krate::Table::<Self, #count, { #krate::slots_for(#count) }>::unless(
                #(__P::<#types>::HOLDS_VALUES)||*,
            );

        fn members<__A: #krate::Archive>(
            &mut self,
            __at: __a::usize,
            __ar: &mut __A,
        ) -> #krate::Result {
            #visits
        }
        #absent
        #finish
    })
}

/// Returns the match arm that sets a member to its default, if the file left it out because it had
/// its default.
fn absent(input: &Input, index: usize, field: &Field, value: &TokenStream) -> Option<TokenStream> {
    let span = Span::call_site().located_at(field.skip_if.as_ref()?.span);
    let krate = &input.krate;
    let start = Preset::Default(span);
    let options = quote!(#krate::Walk::options(__ar));
    let preset = field.preset.as_ref().unwrap_or(&start);
    let default = blank::preset(krate, preset, &field.ty, &options);
    Some(quote!(#index => *(#value) = #default))
}
