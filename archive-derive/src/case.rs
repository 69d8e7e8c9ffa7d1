//! Spelling rules: `rename_all`.

/// How names are spelled in the file; the same rules as serde's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

/// Every rule with its name in attributes, which is spelled by the rule itself.
pub(crate) const CASES: [(&str, Case); 8] = [
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("PascalCase", Case::Pascal),
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("kebab-case", Case::Kebab),
    ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
];

impl Case {
    /// Returns the rule with that name.
    pub(crate) fn find(name: &str) -> Option<Case> {
        CASES.iter().find(|(known, _)| *known == name).map(|(_, case)| *case)
    }

    /// Spells a field's name, which is `snake_case` in Rust.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Case::Lower | Case::Snake => name.to_owned(),
            Case::Upper | Case::ScreamingSnake => name.to_ascii_uppercase(),
            Case::Pascal => pascal(name),
            Case::Camel => uncapitalized(&pascal(name)),
            Case::Kebab => name.replace('_', "-"),
            Case::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// Spells a variant's name, which is `PascalCase` in Rust.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Case::Pascal => name.to_owned(),
            Case::Lower => name.to_ascii_lowercase(),
            Case::Upper => name.to_ascii_uppercase(),
            Case::Camel => uncapitalized(name),
            Case::Snake => snake(name),
            Case::ScreamingSnake => snake(name).to_ascii_uppercase(),
            Case::Kebab => snake(name).replace('_', "-"),
            Case::ScreamingKebab => snake(name).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

/// `move_to` → `MoveTo`.
fn pascal(name: &str) -> String {
    let mut capital = true;
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c == '_' {
            capital = true;
        } else if std::mem::take(&mut capital) {
            out.push(c.to_ascii_uppercase());
        } else {
            out.push(c);
        }
    }
    out
}

/// `MoveTo` → `move_to`.
fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for (i, c) in name.char_indices() {
        if i > 0 && c.is_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// `MoveTo` → `moveTo`.
fn uncapitalized(name: &str) -> String {
    let mut chars = name.chars();
    match chars.next() {
        Some(first) => first.to_ascii_lowercase().to_string() + chars.as_str(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        let spelled = |name| CASES.map(|(_, case)| case.field(name));
        assert_eq!(
            spelled("very_tasty"),
            [
                "very_tasty",
                "VERY_TASTY",
                "VeryTasty",
                "veryTasty",
                "very_tasty",
                "VERY_TASTY",
                "very-tasty",
                "VERY-TASTY",
            ]
        );
        assert_eq!(spelled("z42"), ["z42", "Z42", "Z42", "z42", "z42", "Z42", "z42", "Z42"]);
        assert_eq!(Case::Camel.field("_hidden"), "hidden");
    }

    #[test]
    fn variants() {
        let spelled = |name| CASES.map(|(_, case)| case.variant(name));
        assert_eq!(
            spelled("VeryTasty"),
            [
                "verytasty",
                "VERYTASTY",
                "VeryTasty",
                "veryTasty",
                "very_tasty",
                "VERY_TASTY",
                "very-tasty",
                "VERY-TASTY",
            ]
        );
        assert_eq!(spelled("A"), ["a", "A", "A", "a", "a", "A", "a", "A"]);
    }

    #[test]
    fn rules_have_serdes_names() {
        assert_eq!(Case::find("kebab-case"), Some(Case::Kebab));
        assert_eq!(Case::find("Kebab"), None);
    }
}
