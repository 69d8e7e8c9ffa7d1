//! Paths such as `world.units[3].orders[0].target`, built from the inside out. A path that begins
//! at a shared object (`$7.hp`) is complete: it does not matter where the object was found.
//! [`crate::path`] parses them.

use std::fmt;

/// Returns whether a name can be put in a path unquoted: it contains no characters that have a
/// meaning there, and cannot be mistaken for a shared object.
pub(in crate::model) fn is_plain(name: &str) -> bool {
    !name.is_empty() && !is_of_object(name) && name.chars().all(is_plain_char)
}

pub(in crate::model) fn is_plain_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '$')
}

/// Returns whether a path begins at a shared object.
pub(in crate::model) fn is_of_object(path: &str) -> bool {
    path.strip_prefix('$').is_some_and(|id| id.starts_with(|c: char| c.is_ascii_digit()))
}

/// Prepends the name of a member to a path.
pub(crate) fn prefix_member(path: &mut String, name: &str) {
    if is_of_object(path) {
        return;
    }
    join(path);
    if is_plain(name) {
        path.insert_str(0, name);
    } else {
        path.insert_str(0, &format!("[{name:?}]"));
    }
}

/// Prepends the index of an item to a path.
pub(crate) fn prefix_item(path: &mut String, index: usize) {
    if is_of_object(path) {
        return;
    }
    join(path);
    path.insert_str(0, &format!("[{index}]"));
}

/// Prepends a shared object (`$7`) to a path, which then begins there.
pub(crate) fn prefix_object(path: &mut String, id: u64) {
    if is_of_object(path) {
        return;
    }
    join(path);
    path.insert_str(0, &format!("${id}"));
}

/// Displays a path, leaving out its middle if it is long.
pub(super) struct Shown<'a>(pub(super) &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_BYTES: usize = 200; // bytes
        const END: usize = 80;
        let path = self.0;
        if path.len() <= MAX_BYTES {
            return f.write_str(path);
        }
        let start = &path[..path.floor_char_boundary(END)];
        let end = &path[path.ceil_char_boundary(path.len() - END)..];
        let left_out = path.len() - start.len() - end.len();
        write!(f, "{start}… ({left_out} bytes) …{end}")
    }
}

fn join(path: &mut String) {
    if !path.is_empty() && !path.starts_with('[') {
        path.insert(0, '.');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_long_paths_is_not_shown() {
        let shown = |path: &str| Shown(path).to_string();
        assert_eq!(shown(&"a".repeat(200)), "a".repeat(200));
        let long = format!("world{}.hp", ".größe".repeat(1000));
        let short = shown(&long);
        assert!(short.starts_with("world.größe.größe") && short.ends_with(".größe.hp"), "{short}");
        assert!(short.len() < 200 && short.contains(" bytes) …"), "{short}");
    }

    #[test]
    fn names_with_a_meaning_are_quoted() {
        let path = |names: &[&str]| {
            let mut path = String::new();
            for name in names.iter().rev() {
                prefix_member(&mut path, name);
            }
            path
        };
        assert_eq!(path(&["a", "b"]), "a.b");
        assert_eq!(path(&["a.b"]), "[\"a.b\"]");
        assert_eq!(path(&["", "x y", "[0]"]), r#"[""]["x y"]["[0]"]"#);
        assert_eq!(path(&["max-hp", "größe", "Unit::hp"]), "max-hp.größe.Unit::hp");
        assert_eq!(path(&["a", "\"", "\n"]), "a[\"\\\"\"][\"\\n\"]");
        assert_eq!(path(&["$7", "$id", "7"]), "[\"$7\"].$id.7");
        let mut object = "hp".to_owned();
        prefix_object(&mut object, 7);
        assert_eq!(object, "$7.hp");
        prefix_member(&mut object, "hero");
        prefix_object(&mut object, 2);
        assert_eq!(object, "$7.hp");
    }
}
