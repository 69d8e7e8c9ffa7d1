//! The functions that save several values at once in columns, and that take values from columns.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};

use crate::model::{Definition, Field, Fields, Form, Input, Role, Style, Variant};
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
    let parts = fields.visited().map(part);
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
fn part(field: &Field) -> TokenStream {
    let (member, ty) = (field.locate(&field.member), &field.ty);
    quote_spanned!(field.span()=>
        __P::<#ty>::save_part(__group, |__value: &Self| &__value.#member, __ar)?;
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

/// The largest number of fields of a type with a function that takes values. The time to compile such a
/// function grows with the square of their number.
const FIELDS: usize = 64;

/// The largest number of fields of a type whose function is always inlined. Then its values are created
/// where they stay, and not copied there.
const INLINED: usize = 16;

/// Returns the function that takes values from columns, if a value is what its columns have.
pub(crate) fn taker(input: &Input) -> Option<TokenStream> {
    let krate = &input.krate;
    let is_whole = |fields: &Fields| fields.list.iter().all(|field| field.role == Role::Stored);
    let is_plain = |fields: &Fields| is_whole(fields) && fields.list.iter().all(is_plain);
    let is_known = match &input.definition {
        Definition::Struct(fields) => is_plain(fields),
        Definition::Enum(variants) => {
            let is_own = |variant: &Variant| !variant.other || variant.fields.list.is_empty();
            let is_known = |variant: &Variant| is_plain(&variant.fields) && is_own(variant);
            !variants.is_empty() && variants.iter().all(is_known)
        }
    };
    let count = match &input.definition {
        Definition::Struct(fields) => fields.list.len(),
        Definition::Enum(variants) => {
            variants.iter().map(|variant| variant.fields.list.len()).sum()
        }
    };
    let is_known = is_known && count <= FIELDS && input.after_load.is_none();
    if !cfg!(feature = "columns") || !is_known {
        return None;
    }
    let (takers, value) = match &input.definition {
        Definition::Struct(fields) => {
            let (takers, value) = taken(fields, 0);
            let filled = quote!(let __from = __P::<Self>::filled(__from)?;);
            (quote!(#filled #(#takers)*), quote!(Self { #(#value,)* }))
        }
        Definition::Enum(variants) => {
            let arms = variants.iter().enumerate().map(|(index, variant)| {
                let (ident, (_, value)) = (&variant.ident, taken(&variant.fields, index));
                // No variant is greater than the last one: the column was checked.
                let is_last = index + 1 == variants.len();
                let index = index as u32;
                let pattern = if is_last { quote!(_) } else { quote!(#index) };
                quote!(#pattern => Self::#ident { #(#value,)* })
            });
            let value = quote!(match __variants.variant() { #(#arms,)* });
            let takers = variants.iter().enumerate();
            let takers = takers.flat_map(|(index, variant)| taken(&variant.fields, index).0);
            (quote!(let (__variants, __from) = __from.column()?; #(#takers)*), value)
        }
    };
    let inline = if count <= INLINED { quote!(inline(always)) } else { quote!(inline) };
    Some(quote! {
        fn taker<'__c, '__r, __F: #krate::columns::Fill + '__c>(
            __from: #krate::columns::Takes<'__c, '__r, __F>,
        ) -> __a::Option<(
            impl ::core::ops::FnMut() -> Self,
            #krate::columns::Takes<'__c, '__r, __F>,
        )>
        where
            Self: '__c,
        {
            #takers
            __from.with(#[#inline] move || #value)
        }
    })
}

/// Returns the statements that create the functions which take the fields, and the fields with their
/// values.
fn taken(fields: &Fields, variant: usize) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let each = fields.list.iter().enumerate().map(|(index, field)| {
        let (member, ty) = (&field.member, &field.ty);
        let take = format_ident!("__take_{variant}_{index}");
        let taker = quote_spanned! {field.span()=>
            let (mut #take, __from) = __P::<#ty>::taker(__from)?;
        };
        (taker, quote!(#member: #take()))
    });
    each.unzip()
}
