//! Types as text.

/// Source text in one line, spaced as rustfmt does it, and not as `stringify!` does it.
fn tidy(text: &str) -> String {
    let mut out = String::new();
    let mut space = false;
    for c in text.chars() {
        if c.is_whitespace() {
            space = true;
            continue;
        }
        let last = out.chars().next_back().unwrap_or(' ');
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '"';
        let wanted = match (last, c) {
            (' ', _) | ('{', '}') => false,
            ('{' | '=' | ',' | ';', _) | (_, '{' | '=') => true,
            (_, '}') => last != '{',
            (']', _) if word(c) => true,
            (':', _) => !out.ends_with("::") && c != ':',
            ('}', _) => c != ',' && c != ')',
            _ => space && word(last) && word(c),
        };
        if wanted {
            out.push(' ');
        }
        if c == '}' && out.ends_with(", ") {
            out.truncate(out.len() - 2);
            out.push(' ');
        }
        out.push(c);
        space = false;
    }
    let out = out.trim_end_matches(';');
    out.replace("struct ", "").replace("enum ", "").replace("#[archive(", "#[").replace(")] ", "] ")
}

/// The types written for a row, and the one it is about if that is more than the last of them.
pub fn shown(text: &str) -> String {
    let (items, ty) = text.rsplit_once('\u{1}').unwrap_or(("", text));
    let mut parts: Vec<String> =
        items.split('\u{1}').filter(|item| !item.is_empty()).map(tidy).collect();
    if parts.is_empty() || ty.contains(['<', '(', '[']) {
        parts.push(tidy(ty));
    }
    parts.join("; ")
}
