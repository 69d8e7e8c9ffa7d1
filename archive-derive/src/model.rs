//! The input of the derive, parsed and checked.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Generics, LitStr, Member, Path, Type, WherePredicate};

use crate::attributes::Preset;
use crate::facts::Facts;

/// The type.
pub(crate) struct Input {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The path of the module that generated code refers to: in `::archive`, or in another crate.
    pub(crate) path: Path,
    /// The name under which generated code refers to it.
    pub(crate) krate: Path,
    pub(crate) name: String,
    /// The doc comment.
    pub(crate) doc: String,
    pub(crate) version: u32,
    pub(crate) mut_only: bool,
    pub(crate) bound: Option<Vec<WherePredicate>>,
    /// The attribute that sets the blank value.
    pub(crate) preset: Option<Preset>,
    /// The function that is called with a loaded value.
    pub(crate) after_load: Option<Path>,
    /// The attribute that says where the names of variants are stored.
    pub(crate) tag: Option<Tag>,
    pub(crate) definition: Definition,
}

/// The names in `tag` and `content`.
pub(crate) struct Tag {
    pub(crate) name: LitStr,
    pub(crate) content: Option<LitStr>,
}

/// The kind of type.
pub(crate) enum Definition {
    Struct(Fields),
    Enum(Vec<Variant>),
}

/// A variant of an enum.
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    /// The doc comment.
    pub(crate) doc: String,
    pub(crate) name: Name,
    pub(crate) fields: Fields,
    /// Whether unknown names load as this variant.
    pub(crate) other: bool,
    /// Whether a blank value has this variant.
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
    /// There are no fields.
    Unit,
    /// As the only field that is not skipped.
    Newtype,
    /// As a sequence.
    Tuple,
    /// As an object.
    Named,
}

/// A field.
pub(crate) struct Field {
    /// The facts about it for people.
    pub(crate) facts: Facts,
    pub(crate) member: Member,
    pub(crate) ty: Type,
    pub(crate) name: Name,
    pub(crate) role: Role,
    pub(crate) form: Form,
    pub(crate) preset: Option<Preset>,
    /// The condition under which the member is left out.
    pub(crate) skip_if: Option<SkipIf>,
    /// Whether the file must have the member.
    pub(crate) required: bool,
    /// The span of `base`. The member has the name of its type.
    pub(crate) base: Option<Span>,
}

/// `skip_if_default` or `skip_if`.
pub(crate) struct SkipIf {
    pub(crate) span: Span,
    /// The function that decides. Without one, the value is compared with the default.
    pub(crate) test: Option<Path>,
}

/// How the value of a field is saved and loaded.
pub(crate) enum Form {
    /// As its type defines.
    Own,
    /// As bytes.
    Bytes,
    /// A map is saved as an object whose names are the keys. With `sort`, a map without an order of
    /// its own is sorted.
    Object { sort: bool },
    /// In any order: items or entries are not sorted.
    Unordered,
    /// With the functions `save` and `load` of this module or type.
    With(Box<Type>),
}

/// What the derive does with a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Stored,
    Flattened,
    /// Keeps the members that the type does not know.
    Unknown,
    Skipped,
    /// Skipped, and not reset when another value is loaded over it.
    Kept,
}

impl Role {
    /// Whether the field is neither saved nor loaded.
    pub(crate) fn is_skipped(self) -> bool {
        matches!(self, Role::Skipped | Role::Kept)
    }
}

/// The names of a member or of a variant in files, each with its span.
pub(crate) struct Name {
    pub(crate) text: LitStr,
    pub(crate) aliases: Vec<LitStr>,
}

impl Input {
    /// Returns whether the type has generic parameters.
    pub(crate) fn is_generic(&self) -> bool {
        !self.generics.params.is_empty()
    }

    /// Returns the fields of the type, or those of all variants, each with the index of the
    /// variant.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (usize, &Fields)> {
        let (structure, variants) = match &self.definition {
            Definition::Struct(fields) => (Some(fields), &[][..]),
            Definition::Enum(variants) => (None, &variants[..]),
        };
        structure.into_iter().chain(variants.iter().map(|variant| &variant.fields)).enumerate()
    }
}

impl Variant {
    /// Returns the only field, whose members are stored next to the tag.
    pub(crate) fn joined(&self, input: &Input) -> Option<&Field> {
        let joins = input.tag.as_ref().is_some_and(|tag| tag.content.is_none());
        let alone = joins && !self.other && self.fields.style == Style::Newtype;
        self.fields.visited().next().filter(|_| alone)
    }
}

impl Fields {
    /// Returns the fields that are saved: the members, then the field for unknown members.
    pub(crate) fn visited(&self) -> impl Iterator<Item = &Field> {
        self.members().chain(self.unknown())
    }

    /// Returns the fields that are members or contain members.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Field> {
        let is_member = |field: &&Field| matches!(field.role, Role::Stored | Role::Flattened);
        self.list.iter().filter(is_member)
    }

    /// Returns the field that keeps unknown members.
    pub(crate) fn unknown(&self) -> Option<&Field> {
        self.list.iter().find(|field| field.role == Role::Unknown)
    }

    /// Returns whether a sequence or an object surrounds the fields.
    pub(crate) fn is_compound(&self) -> bool {
        matches!(self.style, Style::Tuple | Style::Named)
    }
}

impl Field {
    /// Returns the variable to which a pattern binds the field.
    pub(crate) fn binding(&self) -> Ident {
        let name = match &self.member {
            Member::Named(ident) => format_ident!("__field_{}", ident.unraw()),
            Member::Unnamed(index) => format_ident!("__field_{}", index.index),
        };
        Ident::new(&name.to_string(), self.span())
    }

    /// Returns the span of generated code for the field, so that rustc's messages about that code
    /// point to the field's type.
    pub(crate) fn span(&self) -> Span {
        Span::call_site().located_at(self.ty.span())
    }

    /// Returns the tokens with the span of the field.
    pub(crate) fn locate(&self, tokens: impl ToTokens) -> TokenStream {
        locate(tokens, self.ty.span())
    }
}

/// Returns the tokens with a span at `here`, so that rustc's messages point there.
pub(crate) fn locate(tokens: impl ToTokens, here: Span) -> TokenStream {
    let locate = |mut token: TokenTree| {
        token.set_span(token.span().located_at(here));
        token
    };
    tokens.into_token_stream().into_iter().map(locate).collect()
}
