//! [`Names`]: names of tables and columns, which SQL compares without their case.

use std::collections::HashSet;

/// The columns that every table has.
pub const OWN: [&str; 3] = ["save", "key", "path"];

/// The names that are used.
#[derive(Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// The names of a table with its own columns.
    pub fn with_own() -> Self {
        let mut names = Names::default();
        OWN.into_iter().for_each(|name| drop(names.unique(name)));
        names
    }

    /// Returns the name, or if it is used `name_2`, `name_3` and so on.
    pub fn unique(&mut self, name: &str) -> String {
        // Some readers end names at a zero byte.
        let name = name.replace('\0', "\u{fffd}");
        let name = if name.is_empty() { "_".to_owned() } else { name };
        let mut unique = name.clone();
        let mut number = 1;
        while !self.0.insert(unique.to_lowercase()) {
            number += 1;
            unique = format!("{name}_{number}");
        }
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_in_more_than_their_case() {
        let mut names = Names::with_own();
        for (name, expected) in [
            ("hp", "hp"),
            ("HP", "HP_2"),
            ("hp", "hp_3"),
            ("HP_2", "HP_2_2"),
            ("Save", "Save_2"),
            ("", "_"),
            ("\u{c4}", "\u{c4}"),
            ("\u{e4}", "\u{e4}_2"),
            ("a\0b", "a\u{fffd}b"),
        ] {
            assert_eq!(names.unique(name), expected);
        }
    }
}
