//! `skip(keep)`: fields that stay when another value is loaded over theirs.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};

use crate::model::{Body, Field, Fields, Form, Input, Role, Variant};

/// The functions of `Blank` that see to it.
pub(crate) fn functions(input: &Input) -> TokenStream {
    let krate = &input.krate;
    let exchange = match &input.body {
        Body::Struct(fields) => of_struct(input, fields),
        Body::Enum(_) => quote! {
            if __enums {
                #krate::__private::Choice::exchange_kept(self, __other);
            }
        },
    };
    quote! {
        #[inline]
        fn load_over<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result
        where
            Self: #krate::Serialize,
        {
            #krate::__private::load_over(self, __ar)
        }
        #[inline]
        fn exchange_kept(&mut self, __other: &mut Self, __enums: ::core::primitive::bool) {
            let _ = (&__other, __enums);
            #exchange
        }
    }
}

/// Whether nothing is left of what the fields held when all that is saved of them was loaded.
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
        quote_spanned!(field.span()=> && #krate::__private::Probe::<#ty>::OVERWRITES)
    });
    quote!(true #(#fields)*)
}

/// As [`overwrites`], for a value of an enum that stays the variant that it is.
pub(crate) fn in_place(input: &Input, variants: &[Variant]) -> TokenStream {
    if variants.iter().any(|variant| variant.other) {
        return quote!(false);
    }
    let variants = variants.iter().map(|variant| overwrites(input, &variant.fields));
    quote!(true #(&& (#variants))*)
}

/// The function of `Choice`, for enums.
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
    quote! {
        #[allow(unreachable_patterns)] // of an enum with one variant
        match (self, __other) {
            #(#arms)*
            _ => {}
        }
    }
}

fn of_struct(input: &Input, fields: &Fields) -> TokenStream {
    let exchange = |field: &Field| {
        let member = field.locate(&field.member);
        let both = quote!(&mut self.#member, &mut __other.#member);
        match field.role {
            Role::Kept => quote! {
                if !__enums {
                    ::core::mem::swap(#both);
                }
            },
            _ => nested(input, field, &quote!(#both, __enums)),
        }
    };
    concerned(fields).map(exchange).collect()
}

/// The fields that are kept, or may hold some that are.
fn concerned(fields: &Fields) -> impl Iterator<Item = &Field> {
    fields.list.iter().filter(|field| field.role != Role::Skipped)
}

/// Exchanges what the field holds.
fn nested(input: &Input, field: &Field, arguments: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    let krate = field.locate(&input.krate);
    quote_spanned! {field.span()=>
        #krate::__private::Probe::<#ty>::exchange_kept(#arguments);
    }
}
