//! The input of the derive, parsed and free of errors.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Generics, LitStr, Member, Path, Type, WherePredicate, parse_quote};

use crate::attributes::{OnField, OnType, OnVariant, Preset};
use crate::case::Case;
use crate::check;
use crate::error::Errors;

/// The type.
pub(crate) struct Input {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// `::archive`, or where it is.
    pub(crate) krate: Path,
    pub(crate) name: String,
    pub(crate) version: u32,
    pub(crate) mut_only: bool,
    pub(crate) bound: Option<Vec<WherePredicate>>,
    pub(crate) body: Body,
}

/// What the type is.
pub(crate) enum Body {
    Struct(Fields),
    Enum(Vec<Variant>),
}

/// A variant of an enum.
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) name: Name,
    pub(crate) fields: Fields,
    /// What names become that no variant has.
    pub(crate) other: bool,
    /// What a blank value is.
    pub(crate) default: bool,
}

/// The fields of a struct or of a variant.
pub(crate) struct Fields {
    pub(crate) style: Style,
    pub(crate) list: Vec<Field>,
}

/// How fields are saved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// There are none.
    Unit,
    /// As the one field that is not skipped.
    Newtype,
    /// As a sequence.
    Tuple,
    /// As an object.
    Named,
}

/// A field.
pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) ty: Type,
    pub(crate) name: Name,
    pub(crate) role: Role,
    pub(crate) preset: Option<Preset>,
}

/// What happens to a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Stored,
    Flattened,
    Skipped,
}

/// The names of a member or of a variant in files, each with the place it is from.
pub(crate) struct Name {
    pub(crate) text: LitStr,
    pub(crate) aliases: Vec<LitStr>,
}

impl Input {
    /// Parses the type, or tells everything that is wrong with it.
    pub(crate) fn new(input: &DeriveInput) -> syn::Result<Input> {
        let mut errors = Errors::default();
        let on = OnType::parse(&input.attrs, &mut errors);
        let body = match &input.data {
            Data::Struct(data) => Body::Struct(structure(&on, &data.fields, &mut errors)),
            Data::Enum(data) => Body::Enum(
                data.variants
                    .iter()
                    .map(|it| variant(&on, it, &mut errors))
                    .collect(),
            ),
            Data::Union(data) => {
                let message = "a union cannot be saved: nothing tells which of its fields is valid; use an enum";
                errors.at(data.union_token, message);
                Body::Enum(Vec::new())
            }
        };
        check::type_attributes(&on, input, &body, &mut errors);
        errors.finish(Input {
            ident: input.ident.clone(),
            generics: input.generics.clone(),
            krate: on.krate.unwrap_or_else(|| parse_quote!(::archive)),
            name: on.name.unwrap_or_else(|| input.ident.unraw().to_string()),
            version: on.version.map_or(0, |(version, _)| version),
            mut_only: on.mut_only,
            bound: on.bound,
            body,
        })
    }

    /// Whether the type has parameters that types depend on.
    pub(crate) fn is_generic(&self) -> bool {
        !self.generics.params.is_empty()
    }

    /// The fields of the type, or of all variants, each with the index of its variant.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (usize, &Fields)> {
        let (structure, variants) = match &self.body {
            Body::Struct(fields) => (Some(fields), &[][..]),
            Body::Enum(variants) => (None, &variants[..]),
        };
        structure
            .into_iter()
            .chain(variants.iter().map(|variant| &variant.fields))
            .enumerate()
    }
}

impl Fields {
    /// The fields that are saved.
    pub(crate) fn visited(&self) -> impl Iterator<Item = &Field> {
        self.list.iter().filter(|field| field.role != Role::Skipped)
    }

    /// Whether something stands around the fields: a sequence or an object.
    pub(crate) fn is_compound(&self) -> bool {
        matches!(self.style, Style::Tuple | Style::Named)
    }
}

impl Field {
    /// The variable that the field is bound to in a pattern.
    pub(crate) fn binding(&self) -> Ident {
        let name = match &self.member {
            Member::Named(ident) => format_ident!("__field_{}", ident.unraw()),
            Member::Unnamed(index) => format_ident!("__field_{}", index.index),
        };
        Ident::new(&name.to_string(), self.span())
    }

    /// Generated code that concerns the field has this span, so that what rustc says about it
    /// points to the field's type.
    pub(crate) fn span(&self) -> Span {
        Span::call_site().located_at(self.ty.span())
    }

    /// Tokens from elsewhere, for code with the span of the field.
    pub(crate) fn locate(&self, tokens: impl ToTokens) -> TokenStream {
        let here = self.ty.span();
        let locate = |mut token: TokenTree| {
            token.set_span(token.span().located_at(here));
            token
        };
        tokens.into_token_stream().into_iter().map(locate).collect()
    }
}

fn structure(on: &OnType, fields: &syn::Fields, errors: &mut Errors) -> Fields {
    let case = on.rename_all.map(|(case, _)| case);
    let list = self::list(case, fields, on.transparent.is_some(), errors);
    let mut style = style(fields, &list);
    if let Some(span) = on.transparent {
        check::transparent(span, &list, errors);
        style = Style::Newtype;
    }
    if style != Style::Newtype {
        check::names(&list, errors);
    }
    Fields { style, list }
}

fn variant(on_type: &OnType, variant: &syn::Variant, errors: &mut Errors) -> Variant {
    let on = OnVariant::parse(&variant.attrs, errors);
    let ident = variant.ident.unraw().to_string();
    let spelled = match on_type.rename_all {
        Some((case, _)) => case.variant(&ident),
        None => ident,
    };
    let case = on
        .rename_all
        .or(on_type.rename_all_fields)
        .map(|(case, _)| case);
    let list = list(case, &variant.fields, false, errors);
    check::names(&list, errors);
    check::variant_attributes(&on, variant, errors);
    Variant {
        ident: variant.ident.clone(),
        name: name(spelled, &variant.ident, on.rename, on.aliases),
        fields: Fields {
            style: style(&variant.fields, &list),
            list,
        },
        other: on.other.is_some(),
        default: on.default,
    }
}

fn style(fields: &syn::Fields, list: &[Field]) -> Style {
    match fields {
        syn::Fields::Unit => Style::Unit,
        syn::Fields::Named(_) => Style::Named,
        syn::Fields::Unnamed(_) => match list {
            [only] if only.role != Role::Skipped => Style::Newtype,
            _ => Style::Tuple,
        },
    }
}

fn list(
    case: Option<Case>,
    fields: &syn::Fields,
    transparent: bool,
    errors: &mut Errors,
) -> Vec<Field> {
    let fields = fields.members().zip(fields);
    fields
        .map(|(member, field)| self::field(case, member, field, transparent, errors))
        .collect()
}

fn field(
    case: Option<Case>,
    member: Member,
    field: &syn::Field,
    transparent: bool,
    errors: &mut Errors,
) -> Field {
    let on = OnField::parse(&field.attrs, errors);
    check::field_attributes(&on, &member, transparent, errors);
    let role = match (on.skip, on.flatten) {
        (Some(_), _) => Role::Skipped,
        (None, Some(_)) => Role::Flattened,
        (None, None) => Role::Stored,
    };
    if role != Role::Skipped {
        check::field_type(&field.ty, errors);
    }
    let name = match &member {
        Member::Named(ident) => {
            let plain = ident.unraw().to_string();
            let spelled = case.map_or(plain.clone(), |case| case.field(&plain));
            name(spelled, ident, on.rename, on.aliases)
        }
        Member::Unnamed(index) => {
            let text = LitStr::new(&index.index.to_string(), index.span);
            Name {
                text,
                aliases: Vec::new(),
            }
        }
    };
    Field {
        member,
        ty: field.ty.clone(),
        name,
        role,
        preset: on.default,
    }
}

fn name(spelled: String, ident: &Ident, rename: Option<LitStr>, aliases: Vec<LitStr>) -> Name {
    let text = rename.unwrap_or_else(|| LitStr::new(&spelled, ident.span()));
    Name { text, aliases }
}
