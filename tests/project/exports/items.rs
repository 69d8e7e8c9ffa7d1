//! The lines of one item: its signature, its members, and what it implements.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Visibility};

use super::load::{Key, Sources, is_built, is_hidden};
use super::names::Definition;

pub(super) type Lines = BTreeSet<String>;

/// Returns the tokens as they are usually written: without most of the white space between them,
/// and without parts that are not a promise, such as the `mut` of arguments.
fn text(tokens: &impl ToTokens) -> String {
    let tokens = tokens.to_token_stream().to_string();
    let mut text = tokens.split_whitespace().collect::<Vec<_>>().join(" ");
    for (from, to) in SPACES {
        text = text.replace(from, to);
    }
    text
}

/// The replacements in the text of tokens, in this order.
const SPACES: &[(&str, &str)] = &[
    ("(mut self", "(self"),
    (":: ", "::"),
    (" ::", "::"),
    (" <", "<"),
    ("< ", "<"),
    (" >", ">"),
    ("( ", "("),
    (" (", "("),
    (" )", ")"),
    ("[ ", "["),
    (" [", "["),
    (" ]", "]"),
    (" . ", "."),
    (" ,", ","),
    (" ;", ";"),
    (" :", ":"),
    (" ?", "?"),
    ("? ", "?"),
    (" !", "!"),
    ("& ", "&"),
    ("# ", "#"),
    ("$ ", "$"),
    ("$crate::", ""),
    ("(mut ", "("),
    (", mut ", ", "),
    (",)", ")"),
    (",>", ">"),
    ("+?", "+ ?"),
    (":?", ": ?"),
    ("->(", "-> ("),
    ("->[", "-> ["),
    (":(", ": ("),
    (":[", ": ["),
    (",(", ", ("),
    (",[", ", ["),
    ("=(", "= ("),
    ("=[", "= ["),
    ("static[", "static ["),
    ("static(", "static ("),
    ("'r(", "'r ("),
    ("'a[", "'a ["),
    ("'a(", "'a ("),
    ("'f[", "'f ["),
    ("'r[", "'r ["),
    ("'de[", "'de ["),
    ("&mut[", "&mut ["),
    ("&mut(", "&mut ("),
    ("dyn(", "dyn ("),
    ("impl::", "impl ::"),
    ("?mut ", "? "),
];

/// Returns a `where` clause with a space before it.
fn bounds(generics: &syn::Generics) -> String {
    let clause = text(&generics.where_clause);
    if clause.is_empty() { clause } else { format!(" {clause}") }
}

/// Returns the tokens without comments.
fn without_comments(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let is_comment = |at: usize| {
        let sign = matches!(&tokens[at], TokenTree::Punct(sign) if sign.as_char() == '#');
        let text = tokens.get(at + 1).map(ToString::to_string);
        sign && text.is_some_and(|text| text.starts_with("[doc ="))
    };
    let kept = (0..tokens.len()).filter(|&at| !(is_comment(at) || at > 0 && is_comment(at - 1)));
    let kept = kept.map(|at| match &tokens[at] {
        TokenTree::Group(group) => {
            let inner = without_comments(group.stream());
            proc_macro2::Group::new(group.delimiter(), inner).into()
        }
        other => other.clone(),
    });
    kept.collect()
}

/// Returns the names in `#[derive(…)]`, and `#[non_exhaustive]`, which are promises.
fn promises(attributes: &[Attribute]) -> String {
    let mut found = String::new();
    for attribute in attributes {
        let is = |name| attribute.path().is_ident(name);
        if is("derive") || is("non_exhaustive") || is("must_use") {
            let name = attribute.path().to_token_stream();
            let list = attribute.meta.require_list().ok().filter(|_| is("derive"));
            let list = list.map(|list| format!("({})", text(&list.tokens))).unwrap_or_default();
            found += &format!("#[{name}{list}] ");
        }
    }
    found
}

/// Adds the lines of a definition whose path is `path`.
pub(super) fn describe(sources: &Sources, definition: &Definition, path: &str, lines: &mut Lines) {
    let mut add = |line: String| {
        lines.insert(format!("{path}: {line}"));
    };
    let (key, item) = match definition {
        Definition::Module(_) => return add("mod".into()),
        Definition::Macro(_, name) => return add(format!("macro {name}!")),
        Definition::Foreign(original) => return add(format!("use {original}")),
        Definition::Item(key, index) => (key, &sources.modules[key][*index]),
    };
    match item {
        Item::Fn(item) if matches!(&key[..], [root] if root == "archive_derive") => {
            add(format!("derive {}", item.sig.ident));
        }
        Item::Fn(item) => add(text(&item.sig)),
        Item::Const(item) => add(format!("const {}: {}", item.ident, text(&item.ty))),
        Item::Static(item) => add(format!("static {}: {}", item.ident, text(&item.ty))),
        Item::Type(item) => {
            add(format!("type {}{} = {}", item.ident, text(&item.generics), text(&item.ty)));
        }
        Item::Struct(item) => {
            let (name, generics) = (&item.ident, &item.generics);
            let bounds = bounds(generics);
            add(format!("{}struct {name}{}{bounds}", promises(&item.attrs), text(generics)));
            for (index, field) in item.fields.iter().enumerate() {
                if matches!(field.vis, Visibility::Public(_)) && !is_hidden(&field.attrs) {
                    let name = field.ident.as_ref().map_or(index.to_string(), ToString::to_string);
                    add(format!("field {name}: {}", text(&field.ty)));
                }
            }
        }
        Item::Enum(item) => {
            add(format!("{}enum {}{}", promises(&item.attrs), item.ident, text(&item.generics)));
            for variant in item.variants.iter().filter(|variant| !is_hidden(&variant.attrs)) {
                let fields = variant.fields.iter().map(|field| {
                    let name = field.ident.as_ref().map(|name| format!("{name}: "));
                    format!("{}{}", name.unwrap_or_default(), text(&field.ty))
                });
                let fields = fields.collect::<Vec<_>>().join(", ");
                let fields = match variant.fields {
                    Fields::Named(_) => format!(" {{ {fields} }}"),
                    Fields::Unnamed(_) => format!("({fields})"),
                    Fields::Unit => String::new(),
                };
                add(format!("{}variant {}{fields}", promises(&variant.attrs), variant.ident));
            }
        }
        Item::Trait(item) => {
            let supers = text(&item.supertraits);
            let colon = if supers.is_empty() { "" } else { ": " };
            let bounds = bounds(&item.generics);
            add(format!("trait {}{}{colon}{supers}{bounds}", item.ident, text(&item.generics)));
            for part in &item.items {
                let (attributes, line) = match part {
                    TraitItem::Fn(part) => {
                        let provided = if part.default.is_some() { " { … }" } else { "" };
                        (&part.attrs, format!("{}{provided}", text(&part.sig)))
                    }
                    TraitItem::Type(part) => (&part.attrs, format!("type {}", part.ident)),
                    TraitItem::Const(part) => {
                        let provided = if part.default.is_some() { " = …" } else { "" };
                        (&part.attrs, format!("const {}: {}{provided}", part.ident, text(&part.ty)))
                    }
                    TraitItem::Macro(part) => {
                        written(sources, key, path, &part.mac, lines);
                        continue;
                    }
                    _ => continue,
                };
                if !is_hidden(attributes) {
                    lines.insert(format!("{path}: {line}"));
                }
            }
        }
        _ => panic!("{path}: an item that cannot be described"),
    }
}

/// Adds the implementations of the described types: functions of their own, and traits.
pub(super) fn implementations(
    sources: &Sources,
    described: &BTreeMap<Definition, String>,
    lines: &mut Lines,
) {
    for (key, items) in &sources.modules {
        for item in items {
            let Item::Impl(item) = item else { continue };
            let syn::Type::Path(own) = &*item.self_ty else { continue };
            if !is_built(&item.attrs) || is_hidden(&item.attrs) || own.qself.is_some() {
                continue;
            }
            let names: Vec<_> =
                own.path.segments.iter().map(|part| part.ident.to_string()).collect();
            let found = sources.resolve(key, &names);
            let Some(path) = found.iter().find_map(|found| described.get(found)) else { continue };
            let own = text(&item.self_ty);
            if let Some((interface, _)) = &item.trait_ {
                let generics = text(&item.generics);
                lines.insert(format!("{path}: impl{generics} {} for {own}", text(interface)));
                continue;
            }
            for part in &item.items {
                match part {
                    ImplItem::Fn(part) if is_shown(&part.vis, &part.attrs) => {
                        lines.insert(format!("{path}: {}", text(&part.sig)));
                    }
                    ImplItem::Const(part) if is_shown(&part.vis, &part.attrs) => {
                        lines.insert(format!("{path}: const {}: {}", part.ident, text(&part.ty)));
                    }
                    ImplItem::Macro(part) => written(sources, key, path, &part.mac, lines),
                    _ => {}
                }
            }
        }
    }
}

fn is_shown(visibility: &Visibility, attributes: &[Attribute]) -> bool {
    matches!(visibility, Visibility::Public(_)) && !is_hidden(attributes)
}

/// Adds the public functions and types that the rules of a macro write, and of those that it calls. Where a name is not in the
/// rules but in the call, the call is the line.
pub(super) fn written(
    sources: &Sources,
    module: &Key,
    path: &str,
    call: &syn::Macro,
    lines: &mut Lines,
) {
    let name = call.path.segments.last().expect("the name of a macro").ident.to_string();
    let mut open = BTreeSet::new();
    if let Writes::Names = rules(sources, module, path, &name, &mut open, lines) {
        lines.insert(self::call(path, call));
    }
}

/// Returns the line of an item that is written by the call of a macro.
pub(super) fn call(path: &str, call: &syn::Macro) -> String {
    let name = &call.path.segments.last().expect("the name of a macro").ident;
    format!("{path}: {name}!({})", text(&without_comments(call.tokens.clone())))
}

/// Whether the call of a macro, or its rules, have a name.
pub(super) fn names(sources: &Sources, module: &Key, call: &syn::Macro, name: &str) -> bool {
    let called = &call.path.segments.last().expect("the name of a macro").ident;
    let rules = sources.rules(&called.to_string(), module);
    let rules = rules.map(|rules| rules.mac.tokens.clone());
    has_name(call.tokens.clone(), name) || rules.is_some_and(|rules| has_name(rules, name))
}

/// Whether a name is among tokens.
fn has_name(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => has_name(group.stream(), name),
        TokenTree::Ident(found) => found == name,
        _ => false,
    })
}

/// The items that the rules of a macro write.
enum Writes {
    /// Items whose names are in the rules, or no public items.
    Items,
    /// Items whose names are in the call.
    Names,
}

fn rules(
    sources: &Sources,
    module: &Key,
    path: &str,
    name: &str,
    open: &mut BTreeSet<String>,
    lines: &mut Lines,
) -> Writes {
    let Some(rules) = sources.rules(name, module).filter(|_| open.insert(name.to_owned())) else {
        return Writes::Items;
    };
    let mut writes = Writes::Items;
    let mut streams = vec![rules.mac.tokens.clone()];
    while let Some(stream) = streams.pop() {
        let tokens: Vec<_> = stream.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            let after = |name: &str| matches!(token, TokenTree::Ident(found) if found == name);
            match (token, &tokens[at + 1..]) {
                (TokenTree::Group(group), _) => streams.push(group.stream()),
                (_, [next, ..]) if after("pub") && is_literal(next) => {
                    let is_end = |token: &&TokenTree| {
                        !matches!(token, TokenTree::Punct(end) if end.as_char() == ';')
                            && !matches!(token, TokenTree::Group(body) if body.delimiter() == proc_macro2::Delimiter::Brace)
                    };
                    let item: TokenStream =
                        tokens[at + 1..].iter().take_while(is_end).cloned().collect();
                    match tokens.get(at + 2) {
                        Some(name) if is_literal(name) => {
                            lines.insert(format!("{path}: {}", text(&item)));
                        }
                        _ => writes = Writes::Names,
                    }
                }
                (TokenTree::Ident(called), [TokenTree::Punct(mark), TokenTree::Group(_), ..])
                    if mark.as_char() == '!' =>
                {
                    if let Writes::Names =
                        self::rules(sources, module, path, &called.to_string(), open, lines)
                    {
                        writes = Writes::Names;
                    }
                }
                _ => {}
            }
        }
    }
    writes
}

/// Whether a token is a name and not a variable of a macro.
fn is_literal(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(_))
}
