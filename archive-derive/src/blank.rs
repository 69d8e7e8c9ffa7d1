//! `impl Blank`: creates a value to load into.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use crate::attributes::Preset;
use crate::bounds::{Needs, head, mentions};
use crate::model::{Definition, Field, Fields, Form, Input, Role, Variant, locate};
use crate::{facts, keep};

/// Returns the impl, and the check that it can create a value.
pub(crate) fn impls(input: &Input) -> TokenStream {
    let krate = &input.krate;
    let check = check(input);
    let blank = head(input, quote!(#krate::Blank), Needs::Blank);
    let (preset, otherwise) = match &input.definition {
        Definition::Struct(fields) => {
            (presets(input, fields), members(input, quote!(Self), fields))
        }
        Definition::Enum(variants) => (TokenStream::new(), first_that_ends(input, variants)),
    };
    let start = |value: TokenStream| match preset.is_empty() {
        true => quote!({ let __value: Self = #value; __a::Ok(__value) }),
        false => quote!({ let mut __value: Self = #value; #preset __a::Ok(__value) }),
    };
    let make = match &input.preset {
        None => {
            let value = quote!(#krate::default_of(__P::<Self>::by_default()));
            let default = match preset.is_empty() {
                true => quote!({ __a::Ok(#value) }),
                false => start(value),
            };
            // The condition is a constant, so only one of the branches is compiled.
            quote!(if __P::<Self>::DEFAULT #default else { #otherwise })
        }
        Some(given) => {
            let this = match given {
                Preset::Default(span) => Ident::new("Self", Span::call_site().located_at(*span)),
                Preset::Expr(_) => format_ident!("Self"),
            };
            start(self::preset(krate, given, &this, &quote!(__o)))
        }
    };
    let keep = keep::functions(input);
    quote! {
        #check
        #blank {
            fn blank(__o: &#krate::Options<'_>) -> Self {
                #krate::unwrap_blank::<Self>(__o)
            }
            fn try_blank(__o: &#krate::Options<'_>) -> #krate::Result<Self> {
                let () = <Self as #krate::Checked>::CHECK;
                #make
            }
            #keep
        }
    }
}

/// Returns the expression of a blank value of a variant.
pub(crate) fn variant(input: &Input, variant: &Variant) -> TokenStream {
    let ident = &variant.ident;
    members(input, quote!(Self::#ident), &variant.fields)
}

/// Returns a blank value of the first variant that does not recurse endlessly: the marked one,
/// then those that do not mention the enum itself, then the rest.
fn first_that_ends(input: &Input, variants: &[Variant]) -> TokenStream {
    let krate = &input.krate;
    let holds_itself = |field: &Field| {
        let this = format_ident!("Self");
        mentions(&field.ty, &input.ident) || mentions(&field.ty, &this)
    };
    let rank = |index: &usize| {
        let Variant { default, fields, .. } = &variants[*index];
        (!default, fields.list.iter().any(holds_itself))
    };
    let mut order: Vec<usize> = (0..variants.len()).collect();
    order.sort_by_key(rank);
    let first = order[0];
    let preferred = variants[first].default;
    let make = quote!(<Self as #krate::Choice>::make(#first, __o));
    let choose = quote!(#krate::choose::<Self>(&[#(#order),*], #preferred, __o));
    let unset = variants[first].fields.list.iter().filter(|field| field.preset.is_none());
    let shapes =
        unset.map(|field| &field.ty).map(|ty| quote!(__P::<#ty>::SHAPE)).collect::<Vec<_>>();
    if shapes.is_empty() {
        return make;
    }
    quote!(if const { #krate::ends(&[#(#shapes),*]) } { #make } else { #choose })
}

/// Returns the expression of the value, field by field.
fn members(input: &Input, path: TokenStream, fields: &Fields) -> TokenStream {
    let krate = &input.krate;
    let members = fields.list.iter().map(|field| {
        let Field { member, ty, .. } = field;
        match &field.preset {
            Some(preset) => {
                let value = self::preset(krate, preset, ty, &quote!(__o));
                quote!(#member: #value)
            }
            // A match, since `?` would add two functions for each type.
            None => quote! {
                #member: match #krate::start(__P::<#ty>::START, __P::<#ty>::by_default, __o) {
                    __a::Ok(__value) => __value,
                    __a::Err(__error) => return __a::Err(__error),
                }
            },
        }
    });
    quote!(__a::Ok(#path { #(#members),* }))
}

/// Returns the value that an attribute sets for the type; a closure receives the `options`.
pub(crate) fn preset(
    krate: &impl ToTokens,
    preset: &Preset,
    ty: &impl ToTokens,
    options: &TokenStream,
) -> TokenStream {
    match preset {
        Preset::Expr(expr) => match &**expr {
            Expr::Closure(make) => quote_spanned! {make.span()=> {
                let __make: fn(&#krate::Options<'_>) -> #ty = #make;
                __make(#options)
            }},
            expr => expr.to_token_stream(),
        },
        Preset::Default(span) => {
            let span = Span::call_site().located_at(*span);
            let default = quote_spanned!(span=> ::core::default::Default);
            quote_spanned!(span=> <#ty as #default>::default())
        }
    }
}

/// Sets the fields that have their own initial values.
fn presets(input: &Input, fields: &Fields) -> TokenStream {
    let preset = |field: &Field| {
        let Some(given @ Preset::Expr(_)) = &field.preset else {
            return None;
        };
        let member = &field.member;
        let value = self::preset(&input.krate, given, &field.ty, &quote!(__o));
        Some(quote!(__value.#member = #value;))
    };
    fields.list.iter().filter_map(preset).collect()
}

/// Returns `impl Checked`: every field of a struct must have an initial value, unless the struct
/// has `Default`. Every field of a variant must have one, because loading may need to create any
/// variant.
fn check(input: &Input) -> TokenStream {
    let Input { krate, ident, .. } = input;
    let head = head(input, quote!(#krate::Checked), Needs::Blank);
    let fields = input.groups().flat_map(|(index, fields)| {
        let keeps_unknown = fields.unknown().is_some();
        fields.list.iter().map(move |field| (index, keeps_unknown, field))
    });
    let (mut checks, mut starts) = (TokenStream::new(), TokenStream::new());
    for (index, keeps_unknown, field) in fields {
        let ty = &field.ty;
        let here = field.locate(krate);
        let probe = quote_spanned!(field.span()=> __P::<#ty>);
        // for a type without `Serialize`, only that is reported
        let asked = !field.role.is_skipped() && matches!(field.form, Form::Own);
        let reported = asked.then(|| quote!(|| !#probe::SERIALIZE));
        if !field.role.is_skipped() || field.facts.get.is_some() {
            facts::checks(input, field, |span, holds, message| {
                let here = locate(krate, span);
                checks.extend(quote_spanned!(span=> #here::check(#holds, #message);));
            });
        }
        let mut check = |holds: TokenStream, message: &str| {
            checks.extend(quote_spanned! {field.span()=>
                #here::check(#holds, #message);
            });
        };
        if field.role == Role::Flattened {
            check(quote!(#probe::CAN_FLATTEN #reported), FLATTEN);
            check(quote!(!#probe::KEEPS_UNKNOWN), FLATTEN_UNKNOWN);
            if keeps_unknown {
                let holds = quote!(#probe::KNOWN || !#probe::CAN_FLATTEN || #probe::KEEPS_UNKNOWN);
                check(holds, FLATTEN_BESIDE_UNKNOWN);
            }
            let members = quote!(<Self as #krate::Named<#index>>::MEMBERS);
            check(quote!(#krate::apart(#members, #probe::SHAPE)), CLASH);
        }
        if let (Some(tag), Definition::Enum(variants)) = (&input.tag, &input.definition) {
            let variant = &variants[index];
            let name = &tag.name;
            if variant.joined(input).is_some() {
                check(quote!(#probe::CAN_FLATTEN #reported), TAG_BESIDE_VALUE);
                check(quote!(!#probe::KEEPS_UNKNOWN), TAG_UNKNOWN);
            }
            if tag.content.is_none()
                && (variant.joined(input).is_some() || field.role == Role::Flattened)
            {
                check(quote!(#krate::has_no_member(#name, #probe::SHAPE)), TAG_CLASH);
            }
        }
        if field.base.is_some() {
            let class = quote!(<Self as #krate::Named<#index>>);
            check(quote!(#probe::BASE.is_some() #reported), BASE);
            check(quote!(#krate::bases_once(#class::CLASS.name, #class::MEMBERS)), BASE_TWICE);
            check(quote!(#krate::can_qualify(#probe::NAME)), BASE_NAME);
        }
        let whole = input.preset.is_some() && matches!(input.definition, Definition::Struct(_));
        if field.preset.is_none() && !whole {
            let holds = quote!(#probe::FRESH || #probe::DEFAULT #reported);
            let message = no_start(input, field);
            starts.extend(quote_spanned!(field.span()=> #here::check(#holds, #message);));
        }
    }
    if !starts.is_empty() && matches!(input.definition, Definition::Struct(_)) {
        starts = quote!(if !__P::<Self>::DEFAULT { #starts });
    }
    // the constant of a generic type is evaluated where the type is used
    let now =
        (!input.is_generic()).then(|| quote!(const _: () = <#ident as #krate::Checked>::CHECK;));
    quote! {
        #head {
            const CHECK: () = { #checks #starts };
        }
        #now
    }
}

const FLATTEN: &str = "only a struct with named members can be flattened: other values have no \
    members to join; a map takes the members that no other field has if it is marked \
    `#[archive(unknown)]`; for an enum, or a map of values of one type, the struct around it is stored \
    as another type, by `archive::stored_as!`";

const FLATTEN_UNKNOWN: &str = "a struct that keeps unknown members cannot be flattened: it would \
    take those of the struct around it; keep the unknown members there";

const FLATTEN_BESIDE_UNKNOWN: &str = "next to a field of unknown members, only derived structs can be \
    flattened, because the names of their members are known";

const TAG_BESIDE_VALUE: &str = "an internally tagged variant must carry a struct with named fields: give the variant named members, or the enum a `content`, as in \
    `#[archive(tag = \"type\", content = \"value\")]`";

const TAG_UNKNOWN: &str = "an internally tagged variant cannot carry a struct that keeps unknown members: give the variant its members, or the enum a `content`";

const TAG_CLASH: &str = "a member of this type has the name of the enum's tag, and both would be in one object: rename one of the two, or give the enum a `content`";

const BASE: &str = "only a struct with named members can be a base";

const BASE_TWICE: &str = "a base has the name of the struct, of another member, or of another base, \
    or of a base of one: each class occurs once, and its name qualifies its variables";

const BASE_NAME: &str =
    "the name of a base is the prefix of its members (`A::list`), so it must not contain `::`";

const CLASH: &str = "a member of this flattened field has the name of another member of the struct";

/// Returns the message for a field without an initial value.
fn no_start(input: &Input, field: &Field) -> String {
    let ty = field.ty.to_token_stream().to_string().replace(" < ", "<").replace(" >", ">");
    let blank = format!(
        "give `{ty}` a `Blank` if it is your own type (`archive::blank!({ty});` with `Default`, or else \
         `archive::blank!({ty}, value);`)"
    );
    let preset = "give the field an `#[archive(default = ...)]`";
    match input.definition {
        Definition::Struct(_) => {
            let this = &input.ident;
            format!(
                "no initial `{ty}` for this field: {blank}, give `{this}` a `Default`, or {preset}"
            )
        }
        Definition::Enum(_) => {
            format!(
                "no initial `{ty}` for this field when its variant is loaded: {blank}, or {preset}"
            )
        }
    }
}
