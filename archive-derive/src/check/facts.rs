//! Reports facts about fields if they have no effect.

use syn::Member;
use syn::spanned::Spanned;

use crate::attributes::OnField;
use crate::error::Errors;
use crate::model::Field;

/// Reports facts about a field that tools never see, and properties without a getter.
pub(super) fn facts(on: &OnField, member: &Member, transparent: bool, errors: &mut Errors) {
    let facts = &on.facts;
    let get = facts.get.as_ref().map(|get| ("get", get.span()));
    if let (Some(set), None) = (&facts.set, get) {
        let message = "`set` needs a `get`: tools show a value before they change it";
        errors.push(syn::Error::new(set.span(), message));
        return;
    }
    if get.is_some() {
        for alias in &on.aliases {
            let message = "`alias` does nothing here: a property is in no file";
            errors.push(syn::Error::new(alias.span(), message));
        }
    }
    let why = match member {
        Member::Unnamed(_) => "a field of a tuple is not a member",
        Member::Named(_) if transparent => "a transparent type is saved as its field",
        Member::Named(_) if on.skip.is_some() && get.is_none() => {
            "the field is skipped, and tools see what is saved"
        }
        Member::Named(_) => return,
    };
    for (name, span) in facts.given().chain(get) {
        let message = format!("`{name}` does nothing here: {why}");
        errors.push(syn::Error::new(span, message));
    }
}

/// Reports properties of variants.
pub(super) fn of_variant(fields: &[Field], errors: &mut Errors) {
    for get in fields.iter().filter_map(|field| field.facts.get.as_ref()) {
        let message = "a variant has no properties: `get` is for fields of a struct";
        errors.push(syn::Error::new(get.span(), message));
    }
}
