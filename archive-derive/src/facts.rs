//! Facts about types and fields for people: constants that tools read.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{
    Attribute, Expr, ExprLit, GenericArgument, Lit, LitStr, Meta, Path, PathArguments, RangeLimits,
    Type,
};

use crate::form;
use crate::model::{Definition, Field, Fields, Form, Input, Role, Style};
use crate::value::{flag, path, string, value};
use crate::visit::Access;

/// The facts about a field for people, and the functions of a property.
#[derive(Default)]
pub(crate) struct Facts {
    doc: String,
    label: Option<LitStr>,
    group: Option<LitStr>,
    unit: Option<LitStr>,
    range: Option<Range>,
    step: Option<Expr>,
    multiline: Option<Span>,
    color: Option<Span>,
    read_only: Option<Span>,
    hidden: Option<Span>,
    show_if: Option<Path>,
    pub(crate) get: Option<Path>,
    pub(crate) set: Option<Path>,
}

/// The least and the greatest value.
struct Range {
    all: Expr,
    min: Option<Expr>,
    max: Option<Expr>,
}

impl Facts {
    /// Parses the attribute with that name. Returns `false` if it is not a fact.
    pub(crate) fn parse(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<bool> {
        match name {
            "label" => self.label = Some(string(meta)?),
            "group" => self.group = Some(string(meta)?),
            "unit" => self.unit = Some(string(meta)?),
            "range" => self.range = Some(range(meta)?),
            "step" => self.step = Some(value(meta, "0.1")?.parse()?),
            "multiline" => self.multiline = flag(meta)?,
            "color" => self.color = flag(meta)?,
            "read_only" => self.read_only = flag(meta)?,
            "hidden" => self.hidden = flag(meta)?,
            "show_if" => self.show_if = Some(path(meta)?),
            "get" => self.get = Some(path(meta)?),
            "set" => self.set = Some(path(meta)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Adds the doc comment among the attributes.
    pub(crate) fn with_doc(self, attributes: &[Attribute]) -> Self {
        Facts { doc: doc(attributes), ..self }
    }

    /// Returns the attributes that are present, without the functions of a property.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, Span)> {
        let spans = [
            ("label", self.label.as_ref().map(Spanned::span)),
            ("group", self.group.as_ref().map(Spanned::span)),
            ("unit", self.unit.as_ref().map(Spanned::span)),
            ("range", self.range.as_ref().map(|range| range.all.span())),
            ("step", self.step.as_ref().map(Spanned::span)),
            ("multiline", self.multiline),
            ("color", self.color),
            ("read_only", self.read_only),
            ("hidden", self.hidden),
            ("show_if", self.show_if.as_ref().map(Spanned::span)),
        ];
        spans.into_iter().filter_map(|(name, span)| Some((name, span?)))
    }
}

/// Parses the range after `=`.
fn range(meta: &ParseNestedMeta<'_>) -> syn::Result<Range> {
    let all = value(meta, "0.0..=1.0")?.parse::<Expr>()?;
    let mut bare = &all;
    // an argument of a macro arrives in an invisible group
    while let Expr::Group(group) = bare {
        bare = &group.expr;
    }
    let Expr::Range(range) = bare else {
        let message = "expected a range: `range = 0.0..=1.0`, `range = 0..`, `range = ..=100`";
        return Err(syn::Error::new_spanned(all, message));
    };
    let (min, max) = (range.start.as_deref().cloned(), range.end.as_deref().cloned());
    if min.is_none() && max.is_none() {
        return Err(syn::Error::new_spanned(all, "the range has no bounds"));
    }
    if max.is_some() && matches!(range.limits, RangeLimits::HalfOpen(_)) {
        let message = "the last value belongs to the range: write `..=`";
        return Err(syn::Error::new_spanned(all, message));
    }
    Ok(Range { min, max, all })
}

/// Returns the text of the doc comment, one line for each of its lines.
pub(crate) fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    // a comment between `/**` and `*/` is one attribute
    let lines: Vec<_> = lines.flat_map(|text| lines_of(&text)).collect();
    lines.join("\n").trim().to_owned()
}

fn lines_of(text: &str) -> Vec<String> {
    let plain = |line: &str| {
        let line = line.trim();
        line.strip_prefix('*').unwrap_or(line).trim().to_owned()
    };
    match text.contains('\n') {
        true => text.lines().map(plain).collect(),
        false => vec![text.trim().to_owned()],
    }
}

/// Returns the description of a field in memory.
pub(crate) fn field(input: &Input, field: &Field) -> TokenStream {
    let (krate, ty, member) = (&input.krate, &field.ty, &field.member);
    let is_struct = matches!(input.definition, Definition::Struct(_));
    let offset = is_struct.then(|| quote!(::core::mem::offset_of!(Self, #member)));
    let facts = match facts(input, field) {
        // Most fields have none, and short code compiles faster.
        None if is_struct => return quote!(#krate::shape::Field::at::<#ty>(#offset)),
        None => return quote!(#krate::shape::Field::in_variant::<#ty>()),
        Some(facts) => facts,
    };
    let offset = match offset {
        Some(offset) => quote!(__a::Some(#offset)),
        None => quote!(__a::None),
    };
    quote_spanned!(field.span()=> #krate::shape::Field::of::<#ty>(#offset, &#facts))
}

/// Returns the facts about a field, if there are any.
fn facts(input: &Input, field: &Field) -> Option<TokenStream> {
    let krate = &input.krate;
    let facts = &field.facts;
    let text = |name: &str, text: &Option<LitStr>| {
        let name = syn::Ident::new(name, Span::call_site());
        text.as_ref().map(|text| quote!(#name: #text,))
    };
    let number = |name: &str, number: Option<&Expr>| {
        let name = syn::Ident::new(name, Span::call_site());
        number.map(|number| quote!(#name: __a::Some((#number) as __a::f64),))
    };
    let flag = |name: &str, given: Option<Span>| {
        let name = syn::Ident::new(name, Span::call_site());
        given.map(|_| quote!(#name: true,))
    };
    let doc = (!facts.doc.is_empty()).then(|| {
        let doc = &facts.doc;
        quote!(doc: #doc,)
    });
    let range = facts.range.as_ref();
    let show_if = facts.show_if.as_ref().map(|test| {
        let shown = quote_spanned! {test.span()=>
            #krate::shown::<Self>(__object, #test)
        };
        quote!(show_if: __a::Some(|__object| #shown),)
    });
    let mut given: Vec<TokenStream> = Vec::new();
    given.extend(doc);
    given.extend(text("label", &facts.label));
    given.extend(text("group", &facts.group));
    given.extend(text("unit", &facts.unit));
    given.extend(number("min", range.and_then(|range| range.min.as_ref())));
    given.extend(number("max", range.and_then(|range| range.max.as_ref())));
    given.extend(number("step", facts.step.as_ref()));
    given.extend(flag("multiline", facts.multiline));
    given.extend(flag("color", facts.color));
    given.extend(flag("read_only", facts.read_only));
    given.extend(flag("hidden", facts.hidden));
    given.extend(show_if);
    if given.is_empty() {
        return None;
    }
    Some(quote!(#krate::shape::Facts { #(#given)* ..#krate::shape::Facts::NONE }))
}

/// Returns the description of the type for people: its name if the shape does not have it, its doc
/// comment, and its properties.
pub(crate) fn about(input: &Input) -> Option<TokenStream> {
    let Input { krate, doc, .. } = input;
    let (name, properties) = match &input.definition {
        Definition::Struct(fields) => {
            let name = if fields.style == Style::Named { "" } else { input.name.as_str() };
            (name, properties(input, fields))
        }
        Definition::Enum(_) => ("", Vec::new()),
    };
    // The class does not list the members if there may be others.
    let members = match &input.definition {
        Definition::Struct(fields) => {
            let open = |field: &Field| matches!(field.role, Role::Unknown | Role::Flattened);
            fields
                .list
                .iter()
                .any(open)
                .then(|| quote!(members: <Self as #krate::Named<0>>::MEMBERS,))
        }
        Definition::Enum(_) => None,
    };
    let nothing = name.is_empty() && doc.is_empty() && properties.is_empty() && members.is_none();
    (!nothing).then(|| {
        quote! {
            const ABOUT: &'static #krate::shape::About = &#krate::shape::About {
                module: ::core::module_path!(),
                doc: #doc,
                properties: &[#(#properties),*],
                #members
                ..#krate::shape::About::named(#name)
            };
        }
    })
}

/// Returns the code that visits the members, and then the properties.
pub(crate) fn with_properties(
    input: &Input,
    fields: &Fields,
    members: TokenStream,
    access: Access,
) -> TokenStream {
    if fields.list.iter().all(|field| field.facts.get.is_none()) {
        return members;
    }
    let krate = &input.krate;
    let visit = match access {
        Access::Mut => quote!(#krate::properties(self, __ar)),
        Access::Shared => quote!(#krate::saved_properties(self, __ar)),
    };
    quote! {
        let __done: #krate::Result = { #members };
        __done?;
        #visit
    }
}

/// Returns the code that shows the value to tools, if they show some members of it only sometimes.
pub(crate) fn show_object(input: &Input) -> Option<TokenStream> {
    let has_some = |fields: &Fields| fields.list.iter().any(|field| field.facts.show_if.is_some());
    let shows = match &input.definition {
        Definition::Struct(fields) => has_some(fields),
        Definition::Enum(variants) => variants.iter().any(|variant| has_some(&variant.fields)),
    };
    let krate = &input.krate;
    shows.then(|| quote!(#krate::show_object(self, __ar);))
}

fn properties(input: &Input, fields: &Fields) -> Vec<TokenStream> {
    let krate = &input.krate;
    let property = |field: &Field| {
        let get = field.facts.get.as_ref()?;
        let name = &field.name.text;
        let facts = match facts(input, field) {
            Some(facts) => quote!(&#facts),
            None => quote!(#krate::shape::Facts::PLAIN),
        };
        let shape = quote_spanned!(get.span()=> #krate::property_shape::<Self, _>(#get));
        let read = quote_spanned! {get.span()=>
            #krate::get_property::<Self, _>(__object, __ar, #get)
        };
        let set = match &field.facts.set {
            None => quote!(__a::None),
            Some(set) => {
                let write = quote_spanned! {set.span()=>
                    #krate::set_property::<Self, _, _>(__object, __ar, #get, #set)
                };
                quote!(__a::Some(|__object, __ar| #write))
            }
        };
        Some(quote! {
            #krate::shape::Property::new(
                #name,
                || #shape,
                #facts,
                &#krate::Access { get: |__object, __ar| #read, set: #set },
            )
        })
    };
    fields.list.iter().filter_map(property).collect()
}

/// Calls `check` for each condition that the facts of a field must satisfy, with its place and the
/// constant of its message.
pub(crate) fn checks(
    input: &Input,
    field: &Field,
    mut check: impl FnMut(Span, TokenStream, TokenStream),
) {
    let krate = &input.krate;
    let Facts { range, step, multiline, color, get, .. } = &field.facts;
    let shape = match (get, &field.form, optional(&field.ty)) {
        (Some(get), ..) => quote!(#krate::property_value::<Self, _>(#get)),
        (None, Form::Own, Some(inner)) => quote!(__P::<#inner>::SHAPE),
        (None, ..) => form::shape(input, field),
    };
    let number = quote!(#krate::is_number(#shape));
    if let Some(range) = range {
        check(range.all.span(), number.clone(), quote!(#krate::RANGE));
        if let (Some(min), Some(max)) = (&range.min, &range.max) {
            let min = quote!((#min) as __a::f64);
            let max = quote!((#max) as __a::f64);
            check(range.all.span(), quote!(#min <= #max), quote!(#krate::EMPTY_RANGE));
        }
    }
    if let Some(step) = step {
        check(step.span(), number, quote!(#krate::STEP));
        let above = quote!((#step) as __a::f64 > 0.0);
        check(step.span(), above, quote!(#krate::NO_STEP));
    }
    if let Some(multiline) = multiline {
        let text = quote!(#krate::is_text(#shape));
        check(*multiline, text, quote!(#krate::MULTILINE));
    }
    if let Some(color) = color {
        let is_color = quote!(#krate::is_color(#shape));
        check(*color, is_color, quote!(#krate::COLOR));
    }
}

/// Returns the argument of an `Option`.
fn optional(ty: &Type) -> Option<impl ToTokens> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some(inner.clone()),
        _ => None,
    }
}
