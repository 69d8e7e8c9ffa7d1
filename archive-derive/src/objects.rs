//! Trait objects in the types of fields: checks that `polymorphic!` was called for their traits.
// Why: docs/decisions/compile-time.md#a-forgotten-polymorphic-is-one-error

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, Type};

use crate::model::Field;

/// The names of the types that point to trait objects, and of the cells in between.
const POINTERS: [&str; 7] = ["Box", "Rc", "Arc", "Weak", "RefCell", "Mutex", "RwLock"];

/// Returns the value of a field as `&mut`, if the field's type points to trait objects. If
/// `polymorphic!` was not called for the trait, rustc reports that, and the generated code replaces
/// the value by one that can be saved. This avoids further errors about the types that contain the
/// trait object.
pub(crate) fn known(field: &Field, value: &TokenStream) -> Option<TokenStream> {
    let mut objects = Vec::new();
    find(&field.ty, None, &mut objects);
    let pointed = !objects.is_empty();
    let value = objects.into_iter().fold(value.clone(), |value, (pointer, object)| {
        quote_spanned! {object.span()=>
            __P::<#pointer>::object::<#object, _, _>(
                __P::<#object>::interface(),
                #value,
            )
        }
    });
    pointed.then_some(value)
}

/// Finds the trait objects, each with the outermost of the pointers and cells directly around it.
fn find<'t>(ty: &'t Type, pointer: Option<&'t Type>, objects: &mut Vec<(&'t Type, &'t Type)>) {
    match ty {
        Type::TraitObject(_) => objects.extend(pointer.map(|pointer| (pointer, ty))),
        Type::Paren(inner) => find(&inner.elem, pointer, objects),
        Type::Group(inner) => find(&inner.elem, pointer, objects),
        Type::Array(array) => find(&array.elem, None, objects),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|item| find(item, None, objects)),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return };
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return };
            let points = POINTERS.iter().any(|name| last.ident == name);
            let pointer = points.then(|| pointer.unwrap_or(ty));
            for argument in &arguments.args {
                if let GenericArgument::Type(inner) = argument {
                    find(inner, pointer, objects);
                }
            }
        }
        _ => {}
    }
}
