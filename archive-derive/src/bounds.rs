//! The heads of impls: generics and bounds.
//!
//! Bounds on the types of fields are exact. They are used if a field consists of types of the
//! standard library. A recursive type would need its own impl to prove such a bound, which rustc
//! refuses, so for fields with other types the bounds are only on the type parameters.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericArgument, PathArguments, Type, TypePath, WherePredicate, parse_quote};

use crate::attributes::Preset;
use crate::model::{Definition, Form, Input, Role};

/// The bounds that the types of the fields need for an impl to work.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    Serialize,
    Save,
    Blank,
    /// [`Needs::Serialize`] and `'static`.
    Cell,
}

/// Returns `impl<…> of for Type<…> where …`.
pub(crate) fn head(input: &Input, of: TokenStream, needs: Needs) -> TokenStream {
    let mut generics = input.generics.clone();
    let mut bounds = match &input.bound {
        Some(bound) => bound.clone(),
        None => bounds(input, needs),
    };
    if needs == Needs::Cell {
        let parameters = input.generics.type_params().map(|parameter| &parameter.ident);
        bounds.extend(parameters.map(|ident| -> WherePredicate { parse_quote!(#ident: 'static) }));
    }
    if (needs == Needs::Blank || input.after_load.is_some())
        && matches!(input.preset, Some(Preset::Default(_)))
        && input.generics.type_params().next().is_some()
    {
        bounds.push(parse_quote!(Self: ::core::default::Default));
    }
    if !bounds.is_empty() {
        generics.make_where_clause().predicates.extend(bounds);
    }
    let ident = &input.ident;
    let (parameters, arguments, clause) = generics.split_for_impl();
    quote!(impl #parameters #of for #ident #arguments #clause)
}

/// How the fields use a type parameter.
#[derive(Default)]
struct Use {
    /// As the whole type of a saved field.
    bare: bool,
    /// Inside the type of a saved field: in a container, so that loading creates values of it.
    nested: bool,
    /// As the whole type of a field that is skipped or saved as another type.
    skipped: bool,
    /// In places with further requirements.
    places: Places,
}

/// The places of a type parameter that require more than an element, recognised by the names of the
/// standard library's types.
#[derive(Default)]
struct Places {
    /// In a pointer.
    pointed: bool,
    /// In a pointer without a cell: it is always saved through `&`.
    shared: bool,
    /// As a key of a hash map, or an item of a hash set.
    hashed: bool,
    /// As a key of a sorted map, or an item of a sorted set.
    sorted: bool,
}

impl Places {
    fn find(&mut self, ty: &Type, parameter: &Ident) {
        let path = match ty {
            Type::Path(TypePath { path, .. }) => path,
            Type::Array(array) => return self.find(&array.elem, parameter),
            Type::Tuple(tuple) => {
                return tuple.elems.iter().for_each(|item| self.find(item, parameter));
            }
            _ => return,
        };
        let Some(last) = path.segments.last() else { return };
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return };
        let inner = arguments.args.iter().filter_map(|argument| match argument {
            GenericArgument::Type(inner) => Some(inner),
            _ => None,
        });
        for (place, inner) in inner.enumerate().filter(|(_, inner)| mentions(inner, parameter)) {
            let it = is_it(inner, parameter);
            match last.ident.to_string().as_str() {
                "Rc" | "Arc" | "Weak" => {
                    self.pointed = true;
                    self.shared |= !is_cell(inner);
                }
                "HashMap" | "HashSet" | "IndexMap" | "IndexSet" if place == 0 => self.hashed |= it,
                "BTreeMap" | "BTreeSet" | "BinaryHeap" if place == 0 => self.sorted |= it,
                _ => {}
            }
            self.find(inner, parameter);
        }
    }

    fn bounds(&self, Input { krate, mut_only, .. }: &Input) -> impl Iterator<Item = TokenStream> {
        let save = self.shared || self.pointed && !mut_only || self.hashed || self.sorted;
        [
            self.pointed.then(|| quote!(#krate::Blank)),
            self.pointed.then(|| quote!('static)),
            save.then(|| quote!(#krate::Save)),
            self.hashed.then(|| quote!(::core::cmp::Eq + ::core::hash::Hash)),
            self.sorted.then(|| quote!(::core::cmp::Ord)),
        ]
        .into_iter()
        .flatten()
    }
}

/// Returns whether the type is the parameter itself.
fn is_it(ty: &Type, parameter: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(parameter))
}

/// Returns whether the type is a cell.
fn is_cell(ty: &Type) -> bool {
    let Type::Path(TypePath { path, .. }) = ty else { return false };
    let cells = ["RefCell", "Cell", "Mutex", "RwLock"];
    path.segments.last().is_some_and(|last| cells.iter().any(|name| last.ident == name))
}

fn bounds(input: &Input, needs: Needs) -> Vec<WherePredicate> {
    let krate = &input.krate;
    // Loading an enum creates its variants, and a value that is refused may be made blank, so all
    // bounds are needed.
    let all_of_them = matches!(input.definition, Definition::Enum(_)) || input.after_load.is_some();
    let visits = all_of_them || needs != Needs::Blank;
    let makes = all_of_them || needs == Needs::Blank;
    let mut all = Vec::new();
    for parameter in input.generics.type_params() {
        let ident = &parameter.ident;
        let used = used(input, ident);
        let mut need = |bound: TokenStream| all.push(parse_quote!(#ident: #bound));
        if used.nested || used.bare && visits && makes {
            need(quote!(#krate::Element));
        } else if used.bare && visits {
            need(quote!(#krate::Serialize));
        } else if used.bare {
            need(quote!(#krate::Fresh));
        }
        if needs == Needs::Save && (used.bare || used.nested) {
            need(quote!(#krate::Save));
        }
        used.places.bounds(input).for_each(&mut need);
        if makes && used.skipped {
            need(quote!(::core::default::Default));
        }
    }
    let of_type = [
        visits.then(|| quote!(#krate::Serialize)),
        (needs == Needs::Save).then(|| quote!(#krate::Save)),
        makes.then(|| quote!(#krate::Fresh)),
    ];
    let of_type: Vec<_> = of_type.into_iter().flatten().collect();
    for field in input.groups().flat_map(|(_, fields)| &fields.list) {
        let ty = &field.ty;
        let own = !field.role.is_skipped() && matches!(field.form, Form::Own);
        let generic = |ident: &Ident| !is_it(ty, ident) && mentions(ty, ident);
        if own
            && field.role == Role::Stored
            && input.generics.type_params().any(|parameter| generic(&parameter.ident))
            && !mentions(ty, &input.ident)
            && is_standard(ty)
        {
            all.extend(of_type.iter().map(|bound| -> WherePredicate { parse_quote!(#ty: #bound) }));
        }
    }
    all
}

/// Returns whether the type consists of generic types of the standard library, of type parameters
/// and of types without parameters, judged by their names.
fn is_standard(ty: &Type) -> bool {
    const GENERIC: &[&str] = &[
        "Arc",
        "BTreeMap",
        "BTreeSet",
        "BinaryHeap",
        "Bound",
        "Box",
        "Cell",
        "ControlFlow",
        "Cow",
        "HashMap",
        "HashSet",
        "LinkedList",
        "Mutex",
        "OnceCell",
        "OnceLock",
        "Option",
        "PhantomData",
        "Pin",
        "Poll",
        "Range",
        "RangeFrom",
        "RangeInclusive",
        "RangeTo",
        "Rc",
        "RefCell",
        "Result",
        "Reverse",
        "RwLock",
        "Saturating",
        "Vec",
        "VecDeque",
        "Weak",
        "Wrapping",
    ];
    match ty {
        Type::Path(TypePath { qself: None, path, .. }) => {
            path.segments.iter().all(|segment| match &segment.arguments {
                PathArguments::None => true,
                PathArguments::AngleBracketed(arguments) => {
                    GENERIC.iter().any(|name| segment.ident == name)
                        && arguments.args.iter().all(|argument| match argument {
                            GenericArgument::Type(inner) => is_standard(inner),
                            GenericArgument::Lifetime(_) => true,
                            _ => false,
                        })
                }
                PathArguments::Parenthesized(_) => false,
            })
        }
        Type::Array(array) => is_standard(&array.elem),
        Type::Slice(slice) => is_standard(&slice.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_standard),
        Type::Paren(inner) => is_standard(&inner.elem),
        Type::Group(inner) => is_standard(&inner.elem),
        _ => false,
    }
}

fn used(input: &Input, parameter: &Ident) -> Use {
    let mut used = Use::default();
    for field in input.groups().flat_map(|(_, fields)| &fields.list) {
        let bare = is_it(&field.ty, parameter);
        let nested = !bare && !is_phantom(&field.ty) && mentions(&field.ty, parameter);
        if field.role == Role::Unknown {
            continue;
        }
        if field.role.is_skipped() || matches!(field.form, Form::With(_)) {
            used.skipped |= bare && field.preset.is_none();
        } else {
            used.bare |= bare;
            used.nested |= nested;
            used.places.find(&field.ty, parameter);
        }
    }
    used
}

/// Returns whether the type is `PhantomData<…>`, which has no bounds on its argument.
pub(crate) fn is_phantom(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|segment| segment.ident == "PhantomData")
}

/// Returns whether a type with that name occurs anywhere in the type. `T::Item` does not count as
/// `T`.
pub(crate) fn mentions(ty: &Type, name: &Ident) -> bool {
    fn any(tokens: TokenStream, name: &Ident) -> bool {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let colon =
                matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':');
            match token {
                TokenTree::Ident(ident) if ident == *name && !colon => return true,
                TokenTree::Group(group) if any(group.stream(), name) => return true,
                _ => {}
            }
        }
        false
    }
    any(ty.to_token_stream(), name)
}
