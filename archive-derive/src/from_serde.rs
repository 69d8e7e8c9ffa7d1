//! The attributes of serde that do not exist here, and their replacements.

use syn::meta::ParseNestedMeta;

/// Refers to the page that lists all of them.
const PAGE: &str = "see `archive::documentation::coming_from_serde` (docs/COMING_FROM_SERDE.md)";

/// The attributes by their names in serde, and their replacements.
const INSTEAD: &[(&str, &str)] = &[
    ("untagged", "such an enum is stored as a `Value`, by `archive::stored_as!`"),
    ("from", "`archive::stored_as!` stores a type as another, `with = module` a field"),
    ("into", "`archive::stored_as!` stores a type as another, `with = module` a field"),
    ("try_from", "`archive::stored_as!` stores a type as another, `with = module` a field"),
    ("serialize_with", "`with = module` says how a field is saved and loaded"),
    ("deserialize_with", "`with = module` says how a field is saved and loaded"),
    ("skip_serializing_if", "`skip_if = function`, or `skip_if_default`"),
    ("skip_serializing", "one function saves and loads; by hand it calls `ar.is_loading()`"),
    ("skip_deserializing", "one function saves and loads; by hand it calls `ar.is_loading()`"),
    ("deny_unknown_fields", "the caller of a load decides, with `Options::strict(true)`"),
    ("remote", "`with = module` on the field, or `serde` if its type supports serde"),
    ("getter", "`with = module` on the field, or `serde` if its type supports serde"),
    ("borrow", "a loaded value owns its data; leave it out"),
    ("expecting", "messages already name what was expected; leave it out"),
];

/// Returns the message for an attribute of serde.
pub(crate) fn refusal(name: &str) -> Option<String> {
    let (_, instead) = INSTEAD.iter().find(|(theirs, _)| *theirs == name)?;
    Some(format!("`{name}` is an attribute of serde; here: {instead}; {PAGE}"))
}

/// Returns the message for `default = "text"`. The text may be the name of the function in `call`.
pub(crate) fn quoted_default(call: &str, text: &str) -> String {
    format!(
        "`default` takes an expression, where serde takes the name of a function: `default = {call}`; \
         if the text itself is the value: `default = \"{text}\".into()`; {PAGE}"
    )
}

/// Returns the message for `name(serialize = ..., deserialize = ...)`.
pub(crate) fn two_values(meta: &ParseNestedMeta<'_>, what: &str) -> syn::Result<String> {
    let name = meta.path.require_ident()?;
    Ok(format!("`{name}` has one value for saving and loading: `{name} = {what}`; {PAGE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_all_of_them() {
        let page = include_str!("../../docs/COMING_FROM_SERDE.md");
        for (name, _) in INSTEAD {
            let row = page.lines().find(|line| {
                let theirs = line.split('|').nth(1).unwrap_or_default();
                [format!("`{name}`"), format!("`{name} = ")].iter().any(|it| theirs.contains(it))
            });
            assert!(row.is_some(), "{name}");
        }
    }
}
