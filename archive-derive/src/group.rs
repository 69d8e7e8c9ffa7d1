//! The function that saves several values at once in columns.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::model::{Definition, Field, Fields, Form, Input, Role, Style};
use crate::visit::Access;
use crate::{facts, unsaved};

/// Returns the function, if it saves what the function for one value saves. Other types have the
/// default, which saves the values one by one.
pub(crate) fn function(input: &Input) -> Option<TokenStream> {
    let Definition::Struct(fields) = &input.definition else { return of_enum(input) };
    let krate = &input.krate;
    let is_plain = unsaved::after(input, TokenStream::new(), Access::Shared).is_empty()
        && facts::show_object(input).is_none()
        && fields.list.iter().all(|field| field.facts.get.is_none() && is_plain(field));
    if !cfg!(feature = "columns") || !is_plain {
        return None;
    }
    let parts = fields.visited().map(|field| part(input, field));
    let save = quote! {
        #(#parts)*
        __a::Ok(())
    };
    let save = match fields.style {
        Style::Unit => return None,
        Style::Newtype => quote!(#krate::of_newtype::<Self, _>(__ar, |__ar| { #save })),
        Style::Named => quote!(#krate::columns::group_of::<Self, _>(__ar, |__ar| { #save })),
        Style::Tuple => {
            let count = fields.visited().count();
            let save = quote!(|__ar| { #save });
            quote!(#krate::columns::tuples(#count, __group.len(), __ar, #save))
        }
    };
    Some(of_group(input, save))
}

fn of_group(input: &Input, save: TokenStream) -> TokenStream {
    let krate = &input.krate;
    quote! {
        fn save_group<__A: #krate::Archive>(
            __group: &[&Self],
            __ar: &mut __A,
        ) -> #krate::Result {
            #save
        }
    }
}

/// Whether the field is saved as its type defines, in every value.
fn is_plain(field: &Field) -> bool {
    field.role.is_skipped()
        || field.role == Role::Stored && matches!(field.form, Form::Own) && field.skip_if.is_none()
}

/// Returns the statement that saves a field of all values.
fn part(input: &Input, field: &Field) -> TokenStream {
    let krate = field.locate(&input.krate);
    let (member, ty) = (field.locate(&field.member), &field.ty);
    quote_spanned!(field.span()=>
        #krate::columns::part_of::<Self, #ty, _>(__group, |__value| &__value.#member, __ar)?;
    )
}

/// An enum without payloads has only the variants.
fn of_enum(input: &Input) -> Option<TokenStream> {
    let Definition::Enum(variants) = &input.definition else { return None };
    let has_payload = |fields: &Fields| fields.style != Style::Unit;
    if !cfg!(feature = "columns") || variants.iter().any(|variant| has_payload(&variant.fields)) {
        return None;
    }
    let krate = &input.krate;
    let save = quote! {
        let __variants = __group.iter().map(|__value| #krate::Choice::index(*__value));
        #krate::columns::columns(__ar)?.variants(__variants);
        __a::Ok(())
    };
    Some(of_group(input, save))
}
