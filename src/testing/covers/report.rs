//! Reports on a type whose values were examined.

use std::fmt::Write as _;

use super::seen::{Form, Seen};

/// Returns an error that says what is wrong, if anything is.
pub(super) fn check(seen: &Seen, except: &[&str]) -> Result<(), String> {
    let name = &seen.name;
    if let Some(reason) = &seen.failed {
        return Err(format!("`{name}` cannot be checked: {reason}"));
    }
    let except: Vec<&str> = except.iter().map(|field| field.trim_start_matches("r#")).collect();
    let has = |field: &&str| seen.forms.values().any(|form| form.fields.contains_key(*field));
    if let Some(unknown) = except.iter().find(|field| !has(field)) {
        return Err(format!("`{name}` has no field `{unknown}`: remove it from `except`."));
    }
    let (excepted, missing): (Vec<_>, Vec<_>) =
        missing(seen).into_iter().partition(|(_, field)| except.contains(field));
    let needless = |field: &&&str| {
        let needed = excepted.iter().any(|(_, excepted)| excepted == *field);
        !needed && forms(seen).any(|(_, form)| is_visited(seen, form, field))
    };
    if let Some(field) = except.iter().find(needless) {
        let at = seen.version.map(|version| format!(" in version {version}")).unwrap_or_default();
        return Err(format!("`{name}`: `{field}` is visited{at}: remove it from `except`."));
    }
    if missing.is_empty() { Ok(()) } else { Err(message(seen, &missing, &except)) }
}

/// Returns the structs and variants that were examined sufficiently. A variant that was loaded only
/// once, by chance, proves nothing.
fn forms(seen: &Seen) -> impl Iterator<Item = (&str, &Form)> {
    let alone = seen.forms.len() == 1;
    let seen = seen.forms.iter().filter(move |(_, form)| alone || form.loaded > 1);
    seen.map(|(name, form)| (name.as_str(), form))
}

/// Returns the fields that were not visited, each with the struct or variant that contains it.
fn missing(seen: &Seen) -> Vec<(&str, &str)> {
    let mut missing = Vec::new();
    for (name, form) in forms(seen) {
        let fields = form.fields.iter().filter(|(field, text)| {
            !text.starts_with("PhantomData<") && !is_visited(seen, form, field)
        });
        missing.extend(fields.map(|(field, _)| (name, field.as_str())));
    }
    missing
}

/// Returns whether a field was found to change, or must be counted as visited.
fn is_visited(seen: &Seen, form: &Form, field: &str) -> bool {
    form.fields.contains_key(field) && (form.changed.contains(field) || is_named(seen, form, field))
}

/// Returns whether a place has the name of the field, and nothing in it could be changed. The one
/// field of a newtype has no place of its own.
fn is_named(seen: &Seen, form: &Form, field: &str) -> bool {
    let newtype = form.fields.len() == 1 && field == "0";
    let mut places = seen.places.iter();
    let nothing = seen.touched && !seen.places.values().any(|changed| *changed);
    places.any(|(name, changed)| !changed && plain(name) == plain(field)) || newtype && nothing
}

/// Returns a name without the differences between naming conventions.
fn plain(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

fn message(seen: &Seen, missing: &[(&str, &str)], except: &[&str]) -> String {
    let at = seen.version.map(|version| format!(" in version {version}")).unwrap_or_default();
    let mut out = format!("`{}` has fields that its `serialize` does not visit{at}:\n", seen.name);
    for (form, field) in missing {
        let _ = if seen.forms.len() == 1 {
            writeln!(out, "    {field}")
        } else {
            writeln!(out, "    {form}: {field}")
        };
    }
    let places: Vec<String> = seen
        .places
        .iter()
        .map(|(name, changed)| {
            if *changed { format!("`{name}`") } else { format!("`{name}` (nothing in it changed)") }
        })
        .collect();
    let places = if places.is_empty() { "nothing".into() } else { places.join(", ") };
    let _ = writeln!(out, "It visits {places}.");
    if let Some(refused) = &seen.refused {
        let _ = writeln!(out, "It did not accept every value: {refused}.");
    }
    let mut list: Vec<&str> = except.to_vec();
    for (_, field) in missing {
        if !list.contains(field) {
            list.push(field);
        }
    }
    let _ = write!(
        out,
        "Fields that are not visited are neither saved nor loaded. If that is intended, \
         list them: `except: {}`.",
        list.join(", ")
    );
    out
}
