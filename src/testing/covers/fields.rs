//! Parses the fields of a value from the output of a derived `Debug`.

/// The text of a value, split into parts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Printed<'t> {
    /// The name of the struct or of the variant.
    pub(super) name: &'t str,
    /// The names of the fields, each with the text after it.
    pub(super) fields: Vec<(String, String)>,
}

/// Splits the output of `{:#?}` into parts; `None` if it is not that of a derived `Debug`.
pub(super) fn parse(text: &str) -> Option<Printed<'_>> {
    let mut lines = text.lines();
    let head = lines.next()?;
    let is_word =
        |word: &str| word.chars().all(|c| c.is_alphanumeric() || c == '_') && !word.is_empty();
    let (name, named) = if let Some(name) = head.strip_suffix(" {") {
        (name, true)
    } else if let Some(name) = head.strip_suffix('(') {
        (name, false)
    } else {
        return (is_word(head) && lines.next().is_none())
            .then_some(Printed { name: head, fields: Vec::new() });
    };
    if !is_word(name) {
        return None;
    }
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in lines {
        let at_field =
            line.strip_prefix("    ").filter(|rest| !rest.starts_with([' ', '}', ']', ')']));
        let begun = at_field.and_then(|rest| {
            if !named {
                return Some((fields.len().to_string(), rest));
            }
            let (name, value) = rest.split_once(": ")?;
            is_word(name).then(|| (name.to_owned(), value))
        });
        match (begun, fields.last_mut()) {
            (Some((name, value)), _) => fields.push((name, value.to_owned())),
            (None, Some((_, value))) if line.starts_with("    ") => {
                value.push('\n');
                value.push_str(line);
            }
            _ => {}
        }
    }
    Some(Printed { name, fields })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    #[allow(dead_code)] // printed
    enum Sample {
        Unit,
        Tuple(u8, Vec<u8>),
        Named { list: Vec<Vec<u8>>, r#type: &'static str, nested: Box<Sample> },
    }

    #[test]
    fn fields_of_every_kind() {
        let text = format!("{:#?}", Sample::Unit);
        assert_eq!(parse(&text), Some(Printed { name: "Unit", fields: Vec::new() }));

        let text = format!("{:#?}", Sample::Tuple(7, vec![1]));
        let printed = parse(&text).unwrap();
        let names: Vec<_> = printed.fields.iter().map(|(name, _)| &**name).collect();
        assert_eq!((printed.name, names), ("Tuple", vec!["0", "1"]));
        assert_eq!(printed.fields[0].1, "7,");

        let nested = Box::new(Sample::Tuple(1, Vec::new()));
        let named = Sample::Named { list: vec![vec![1]], r#type: "a\nb: c {", nested };
        let text = format!("{named:#?}");
        let printed = parse(&text).unwrap();
        let names: Vec<_> = printed.fields.iter().map(|(name, _)| &**name).collect();
        assert_eq!((printed.name, names), ("Named", vec!["list", "type", "nested"]));
    }

    #[test]
    fn what_no_derive_prints() {
        for text in ["", "1.5", "two words", "<3 {\n}", "a\nb"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
