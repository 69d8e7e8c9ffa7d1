//! `impl Save`: the same code as for `Serialize`, through a shared reference.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::bounds::{Needs, head};
use crate::model::{Definition, Fields, Input, Style};
use crate::variants;
use crate::visit::{self, Access};
use crate::{facts, form, group, unsaved};

/// Returns the impl and the impls that it needs. For `mut_only`, returns the impl that allows a
/// type without `Save` in a cell.
pub(crate) fn impls(input: &Input) -> TokenStream {
    if input.mut_only {
        return in_cell(input);
    }
    match &input.definition {
        Definition::Enum(variants) => {
            let choice = variants::saved_choice(input, variants);
            let save = save(input, of_enum(input));
            quote!(#choice #save)
        }
        Definition::Struct(fields) => match fields.style {
            Style::Unit => save(input, of_unit(input)),
            Style::Newtype => save(input, of_newtype(input, fields)),
            Style::Tuple => {
                let visit = of_fields(input, fields);
                let save = save(input, of_tuple(input, fields));
                quote!(#visit #save)
            }
            Style::Named => save(input, of_named(input, fields)),
        },
    }
}

fn save(input: &Input, items: TokenStream) -> TokenStream {
    let krate = &input.krate;
    let head = head(input, quote!(#krate::Save), Needs::Save);
    let group = group::function(input);
    quote!(#head { #items #group })
}

fn function(input: &Input, body: TokenStream) -> TokenStream {
    let krate = &input.krate;
    let body = unsaved::after(input, body, Access::Shared);
    let show = facts::show_object(input);
    quote! {
        #[inline]
        fn save<__A: #krate::Archive>(&self, __ar: &mut __A) -> #krate::Result {
            #show
            #body
        }
    }
}

fn of_unit(input: &Input) -> TokenStream {
    let krate = &input.krate;
    function(input, quote!(#krate::Visitor::scalar(__ar, #krate::Scalar::Unit)))
}

fn of_newtype(input: &Input, fields: &Fields) -> TokenStream {
    let krate = &input.krate;
    let fields = visit::of_self(fields, Access::Shared);
    let visits = fields.iter().map(|(field, value)| {
        let ty = &field.ty;
        let body = |members| form::body(input, field, value, Access::Shared, members);
        let save = match body(true) {
            Some(body) => quote!(#krate::inner_body::<Self, _, _>(__ar, #body)),
            None => quote!(__P::<#ty>::save(#value, __ar)),
        };
        let save = function(input, save);
        let checked = visit::checked(field, value, Access::Shared);
        let here = field.locate(krate);
        let inner = match body(false) {
            Some(body) => quote!(#krate::inner_body::<Self, _, _>(__ar, #body)),
            None => quote_spanned!(field.span()=> #here::save_inner(__ar, #checked)),
        };
        let inner = unsaved::after(input, inner, Access::Shared);
        quote! {
            #save
            #[inline]
            fn save_value<__A: #krate::Archive>(&self, __ar: &mut __A) -> #krate::Result {
                #inner
            }
        }
    });
    quote!(#(#visits)*)
}

fn of_tuple(input: &Input, fields: &Fields) -> TokenStream {
    let krate = &input.krate;
    let shape = quote!(<Self as #krate::Items<0>>::SHAPE);
    let body = quote!(&mut #krate::SavedFieldsOf(self));
    let count = fields.visited().count();
    function(input, quote!(#krate::Walk::seq(__ar, #shape, #count, #body)))
}

/// Saves the items of a tuple struct.
fn of_fields(input: &Input, fields: &Fields) -> TokenStream {
    let krate = &input.krate;
    let head = head(input, quote!(#krate::SavedFields), Needs::Save);
    let fields = visit::of_self(fields, Access::Shared);
    let body = visit::each(input, Style::Tuple, 0, &fields, Access::Shared);
    quote! {
        #head {
            #[inline]
            fn save_fields<__A: #krate::Archive>(&self, __ar: &mut __A) -> #krate::Result {
                #body
            }
        }
    }
}

fn of_named(input: &Input, fields: &Fields) -> TokenStream {
    let visited = visit::of_self(fields, Access::Shared);
    let members = visit::each(input, Style::Named, 0, &visited, Access::Shared);
    function(input, facts::with_properties(input, fields, members, Access::Shared))
}

fn of_enum(input: &Input) -> TokenStream {
    let krate = &input.krate;
    let info = quote!(<Self as #krate::Choice>::INFO);
    let body = quote!(&mut #krate::SavedChoiceOf(self));
    function(input, quote!(#krate::Walk::variant(__ar, #info, #body)))
}

/// Returns the impl for `mut_only`: in a shared cell, the value is saved through `&mut`. Such a
/// cell can contain only types that borrow nothing.
fn in_cell(input: &Input) -> TokenStream {
    if input.generics.lifetimes().next().is_some() {
        return TokenStream::new();
    }
    let krate = &input.krate;
    let head = head(input, quote!(#krate::InCell), Needs::Cell);
    quote! {
        #head {
            fn save_cell<__P: #krate::Contains<Self>, __A: #krate::Archive>(
                __cell: &__P,
                __ar: &mut __A,
            ) -> #krate::Result {
                #krate::save_cell_mut::<Self, __P, __A>(__cell, __ar)
            }
        }
    }
}
