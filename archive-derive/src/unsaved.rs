//! Fields that are not saved: an edit that is undone restores their old values.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::GenericParam;

use crate::bounds::is_phantom;
use crate::model::{Definition, Field, Fields, Input};
use crate::visit::Access;

/// Returns the code that visits the value, and then the code for the fields that are not saved.
pub(crate) fn after(input: &Input, visit: TokenStream, access: Access) -> TokenStream {
    let Some(unsaved) = unsaved(input, access) else { return visit };
    let krate = &input.krate;
    quote! {
        let __visited: #krate::Result = { #visit };
        __visited?;
        #unsaved
        __a::Ok(())
    }
}

fn unsaved(input: &Input, access: Access) -> Option<TokenStream> {
    match &input.definition {
        Definition::Struct(fields) => {
            let each: Vec<_> = concerned(input, fields)
                .map(|field| {
                    let member = field.locate(&field.member);
                    let value = match access {
                        Access::Mut => quote_spanned!(field.span()=> &mut self.#member),
                        Access::Shared => quote_spanned!(field.span()=> &self.#member),
                    };
                    visit(input, field, &value, access)
                })
                .collect();
            (!each.is_empty()).then(|| quote!(#(#each)*))
        }
        Definition::Enum(variants) => {
            let mut arms = Vec::new();
            for variant in variants {
                let ident = &variant.ident;
                let fields: Vec<&Field> = concerned(input, &variant.fields).collect();
                let bindings = fields.iter().map(|field| {
                    let (member, binding) = (&field.member, field.binding());
                    quote!(#member: #binding)
                });
                let visits = fields.iter().map(|field| {
                    let binding = field.binding();
                    visit(input, field, &quote!(#binding), access)
                });
                if !fields.is_empty() {
                    arms.push(quote!(Self::#ident { #(#bindings,)* .. } => { #(#visits)* }));
                }
            }
            let rest = (arms.len() < variants.len()).then(|| quote!(_ => {}));
            let value = match access {
                Access::Mut => quote!(&mut *self),
                Access::Shared => quote!(self),
            };
            (!arms.is_empty()).then(|| quote!(match #value { #(#arms)* #rest }))
        }
    }
}

fn visit(input: &Input, field: &Field, value: &TokenStream, access: Access) -> TokenStream {
    let (krate, ty) = (field.locate(&input.krate), &field.ty);
    let function = match access {
        Access::Mut => quote!(unsaved),
        Access::Shared => quote!(saved_unsaved),
    };
    quote_spanned! {field.span()=>
        #krate::#function(__ar, #value, __P::<#ty>::COPY);
    }
}

/// Returns the fields that are not saved and whose types cannot borrow anything: those that name no
/// parameter of the type.
fn concerned<'a>(input: &Input, fields: &'a Fields) -> impl Iterator<Item = &'a Field> {
    let mut names: Vec<Ident> = Vec::new();
    if input.is_generic() {
        names.extend([Ident::new("Self", input.ident.span()), input.ident.clone()]);
    }
    names.extend(input.generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Type(parameter) => Some(parameter.ident.clone()),
        GenericParam::Lifetime(parameter) => Some(parameter.lifetime.ident.clone()),
        GenericParam::Const(_) => None,
    }));
    let copied = |field: &&Field| field.role.is_skipped() && !is_phantom(&field.ty);
    let named = move |field: &&Field| !has_any(field.ty.to_token_stream(), &names);
    fields.list.iter().filter(copied).filter(named)
}

/// Returns whether one of the names occurs.
fn has_any(tokens: TokenStream, names: &[Ident]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.contains(&ident),
        TokenTree::Group(group) => has_any(group.stream(), names),
        _ => false,
    })
}
