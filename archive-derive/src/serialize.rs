//! `impl Serialize`.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::bounds::{Needs, head};
use crate::model::{Definition, Field, Fields, Form, Input, Role, Style};
use crate::variants;
use crate::visit::{self, Access};
use crate::{facts, form, found, group, keep, objects, unsaved};

/// Returns the impl and the impls that it needs.
pub(crate) fn impls(input: &Input) -> TokenStream {
    match &input.definition {
        Definition::Enum(variants) => {
            let choice = variants::choice(input, variants);
            let serialize = serialize(input, of_enum(input));
            quote!(#choice #serialize)
        }
        Definition::Struct(fields) => match fields.style {
            Style::Unit => serialize(input, of_unit(input)),
            Style::Newtype => serialize(input, of_newtype(input, fields)),
            Style::Tuple => {
                let visit = of_fields(input, fields);
                let serialize = serialize(input, of_tuple(input, fields));
                quote!(#visit #serialize)
            }
            Style::Named => serialize(input, of_named(input, fields)),
        },
    }
}

/// Returns the impl with the items that differ between kinds of types: the shape and the functions.
fn serialize(input: &Input, items: TokenStream) -> TokenStream {
    let Input { krate, name, version, .. } = input;
    let head = head(input, quote!(#krate::Serialize), Needs::Serialize);
    let (raw, taker) = (raw(input), group::taker(input));
    let about = facts::about(input);
    let overwrites = match &input.definition {
        Definition::Struct(fields) => keep::overwrites(fields),
        // a value that gets another variant is created again
        Definition::Enum(_) => quote!(true),
    };
    let version = (*version != 0).then(|| quote!(const VERSION: __a::u32 = #version;));
    quote! {
        #head {
            const NAME: &'static __a::str = #name;
            #version
            #about
            const OVERWRITES: __a::bool = #overwrites;
            fn load_item<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result {
                #krate::load_item(self, __ar, __P::<Self>::START)
            }
            #raw
            #taker
            #items
        }
    }
}

/// Returns the claim that values have the same bytes in memory as in a block. It is true if values
/// consist only of their fields, without gaps.
fn raw(input: &Input) -> Option<TokenStream> {
    let Input { krate, .. } = input;
    let Definition::Struct(fields) = &input.definition else { return None };
    let plain = |field: &Field| {
        matches!(field.form, Form::Own) && matches!(field.role, Role::Stored | Role::Flattened)
    };
    if input.after_load.is_some() || fields.list.is_empty() || !fields.list.iter().all(plain) {
        return None;
    }
    let fields = fields.list.iter().map(|Field { member, ty, .. }| quote!(#member: #ty));
    // `krate` can be any path, so the core's macro makes the claim and proves it.
    Some(quote! {
        const RAW: __a::Option<#krate::Raw<Self>> =
            #krate::__raw!(#(#fields),*);
    })
}

fn of_unit(input: &Input) -> TokenStream {
    let krate = &input.krate;
    let visit = guarded(input, quote!(#krate::Visitor::scalar(__ar, #krate::Scalar::Unit)));
    quote! {
        const SHAPE: &'static #krate::shape::Shape =
            &#krate::shape::Shape::Primitive(#krate::shape::Primitive::Unit, "");
        const NULLABLE: __a::bool = true;

        fn saves_null(
            &self,
            _: &#krate::Options<'_>,
            _: __a::u32,
        ) -> __a::bool {
            true
        }
        fn serialize<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result {
            #visit
        }
    }
}

fn of_newtype(input: &Input, fields: &Fields) -> TokenStream {
    let krate = &input.krate;
    let fields = visit::of_self(fields, Access::Mut);
    let visits = fields.iter().map(|(field, value)| {
        let ty = &field.ty;
        let here = field.locate(krate);
        let (shape, nullable) = (form::shape(input, field), form::nullable(input, field));
        let saves_null = form::saves_null(input, field, &visit::shared(field));
        let body = |members| form::body(input, field, value, Access::Mut, members);
        let inner = match body(false) {
            Some(body) => quote!(#krate::inner_body::<Self, _, _>(__ar, #body)),
            None => match objects::known(field, value) {
                Some(known) => quote!(#krate::inner_body::<Self, _, _>(__ar, #known)),
                None => {
                    let restore = visit::restore(input, ty);
                    quote_spanned!(field.span()=> #here::inner(__ar, #value, #restore))
                }
            },
        };
        let members = match body(true) {
            Some(body) => quote!(#krate::inner_body::<Self, _, _>(__ar, #body)),
            None => quote!(__P::<#ty>::serialize(#value, __ar)),
        };
        let (members, inner) = (guarded(input, members), guarded(input, inner));
        quote! {
            const SHAPE: &'static #krate::shape::Shape = #shape;
            const NULLABLE: __a::bool = #nullable;
            const KEEPS_UNKNOWN: __a::bool =
                __P::<#ty>::KEEPS_UNKNOWN;

            fn saves_null(
                &self,
                __o: &#krate::Options<'_>,
                __levels: __a::u32,
            ) -> __a::bool {
                #saves_null
            }
            fn serialize<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result {
                #members
            }
            fn value<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result {
                #inner
            }
        }
    });
    quote!(#(#visits)*)
}

fn of_tuple(input: &Input, fields: &Fields) -> TokenStream {
    let krate = &input.krate;
    let shape = quote!(<Self as #krate::Items<0>>::SHAPE);
    let count = fields.visited().count();
    let fields = quote!(#krate::FieldsOf(&mut *self));
    let visit = guarded(input, quote!(#krate::Walk::seq(__ar, #shape, #count, &mut #fields)));
    quote! {
        const SHAPE: &'static #krate::shape::Shape = #shape;

        fn serialize<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result {
            #visit
        }
    }
}

/// Visits the items of a tuple struct.
fn of_fields(input: &Input, fields: &Fields) -> TokenStream {
    let krate = &input.krate;
    let head = head(input, quote!(#krate::Fields), Needs::Serialize);
    let typed = visit::typed(fields);
    let body =
        visit::each(input, Style::Tuple, 0, &visit::of_self(fields, Access::Mut), Access::Mut);
    quote! {
        #head {
            const BLOCK: __a::Option<#krate::BlockSize> =
                <Self as #krate::Items<0>>::SIZE;
            const NEVER_ANY: __a::bool = #typed;
            const LISTED: __a::bool = true;

            fn fields<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result {
                #body
            }
        }
    }
}

fn of_named(input: &Input, fields: &Fields) -> TokenStream {
    let krate = &input.krate;
    let found = found::functions(input, fields, after_load(input));
    let body = match &found {
        Some(_) => quote!(#krate::Serialize::members(self, __a::ALL, __ar)),
        None => {
            let visited = visit::of_self(fields, Access::Mut);
            visit::each(input, Style::Named, 0, &visited, Access::Mut)
        }
    };
    let body = facts::with_properties(input, fields, body, Access::Mut);
    let body = guarded(input, body);
    let value = input.after_load.is_some().then(|| {
        let restore = visit::restore(input, &quote!(Self));
        quote! {
            fn value<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result {
                let __class = <Self as #krate::Named<0>>::CLASS;
                #krate::guarded(self, __ar, __class, #restore)
            }
        }
    });
    let keeps_unknown = fields.unknown().map(|_| {
        quote!(
            const KEEPS_UNKNOWN: __a::bool = true;
        )
    });
    quote! {
        const SHAPE: &'static #krate::shape::Shape =
            &#krate::shape::Shape::Class(<Self as #krate::Named<0>>::CLASS);
        #keeps_unknown

        fn serialize<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result {
            #body
        }
        #value
        #found
    }
}

fn of_enum(input: &Input) -> TokenStream {
    let krate = &input.krate;
    let info = quote!(<Self as #krate::Choice>::INFO);
    let choice = quote!(#krate::ChoiceOf(&mut *self));
    let visit = guarded(input, quote!(#krate::Walk::variant(__ar, #info, &mut #choice)));
    quote! {
        const SHAPE: &'static #krate::shape::Shape = &#krate::shape::Shape::Enum(#info);

        fn serialize<__A: #krate::Archive>(&mut self, __ar: &mut __A) -> #krate::Result {
            #visit
        }
    }
}

/// Returns the code that visits the value and then calls the type's own function. A value that was
/// changed in place is restored if the function refuses it, or if loading it failed.
fn guarded(input: &Input, visit: TokenStream) -> TokenStream {
    let visit = unsaved::after(input, visit, Access::Mut);
    let Some(after) = after_load(input) else { return visit };
    let krate = &input.krate;
    let restore = visit::restore(input, &quote!(Self));
    quote! {
        let __restore: #krate::Restore<_, _> = #restore;
        let __old = __restore.before(self, __ar);
        let __result = #krate::attempt(|| {
            let __visited: #krate::Result = { #visit };
            __visited #after
        });
        __restore.after(self, __old, __result, __ar)
    }
}

/// Returns the call of the type's own function. It comes after the expression that visits the
/// value.
fn after_load(input: &Input) -> Option<TokenStream> {
    let path = input.after_load.as_ref()?;
    let span = Span::call_site().located_at(path.span());
    let krate = &input.krate;
    let function = match &input.definition {
        Definition::Struct(fields) if matches!(fields.style, Style::Named) => {
            quote_spanned!(span=> #krate::after_load::<Self, _, _, _>)
        }
        _ => quote_spanned!(span=> #krate::after_load_unversioned::<Self, _, _, _>),
    };
    Some(quote_spanned!(span=> ?; #function(#path, self, __ar)))
}
