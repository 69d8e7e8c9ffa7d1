//! Impls that do nothing, for a type with errors, so that other uses of the type cause no further
//! errors.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::attributes::OnType;
use crate::error::Errors;

/// Empty impls of everything that the derive implements.
pub(crate) fn impls(input: &DeriveInput) -> TokenStream {
    let on = OnType::parse(&input.attrs, &mut Errors::default());
    let krate = on.private();
    let ident = &input.ident;
    let (parameters, arguments, clause) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        const _: () = {
            impl #parameters #krate::Serialize for #ident #arguments #clause {
                fn serialize<__A: #krate::Archive>(&mut self, _: &mut __A) -> #krate::Result {
                    ::core::unreachable!()
                }
            }
            impl #parameters #krate::Save for #ident #arguments #clause {
                fn save<__A: #krate::Archive>(&self, _: &mut __A) -> #krate::Result {
                    ::core::unreachable!()
                }
            }
            impl #parameters #krate::Blank for #ident #arguments #clause {
                fn blank(_: &#krate::Options<'_>) -> Self {
                    ::core::unreachable!()
                }
            }
        };
    }
}
