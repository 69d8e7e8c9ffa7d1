//! Paths that may have been meant. The caller tries which of them exist.

use archive::Error;
use archive::path::{Path, Pattern, PatternStep, Step};

/// Returns the text of a path.
pub fn text_of(steps: &[PatternStep]) -> String {
    let mut text = String::new();
    for step in steps {
        let step = match step {
            PatternStep::Step(step) => Path::from(vec![step.clone()]).to_string(),
            PatternStep::Any => "[*]".to_owned(),
            PatternStep::Range(from, usize::MAX) => format!("[{from}..]"),
            PatternStep::Range(from, to) => format!("[{from}..{to}]"),
        };
        if !text.is_empty() && !step.starts_with('[') {
            text.push('.');
        }
        text += &step;
    }
    text
}

/// Returns paths for a text that is not a path, but a path of jq, of JSONPath or a JSON pointer,
/// for example.
pub fn repaired(text: &str) -> Vec<String> {
    let text = text.trim();
    let bare = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    let mut found = vec![bare.to_owned()];
    if let Some(pointer) = bare.strip_prefix('/') {
        found.push(joined(
            pointer.split('/').map(|name| name.replace("~1", "/").replace("~0", "~")),
        ));
    }
    let start = bare.trim_start_matches(['$', '.']);
    found.push(start.to_owned());
    found.push(format!("{start}]"));
    found.push(joined(parts(&start.replace("[]", "[*]"))));
    found
}

/// Joins names and indexes to a path.
fn joined(parts: impl IntoIterator<Item = String>) -> String {
    let step = |part: String| match part.parse() {
        Ok(index) => PatternStep::Step(Step::Index(index)),
        Err(_) if part == "*" => PatternStep::Any,
        Err(_) => PatternStep::Step(Step::from(&*part)),
    };
    let steps: Vec<PatternStep> = parts.into_iter().map(step).collect();
    text_of(&steps)
}

/// Splits a path at its dots and brackets. Everything else is part of a name.
fn parts(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for part in text.split(['.', '[', ']']) {
        let quotes = ['"', '\''];
        let name = part.trim_matches(quotes);
        if !name.is_empty() {
            parts.push(name.to_owned());
        }
    }
    parts
}

/// Returns paths for one that does not exist: with the name that the error suggests, or through all
/// items of a sequence.
pub fn similar(error: &Error, pattern: &Pattern) -> Vec<String> {
    let steps = pattern.steps();
    let at = Pattern::parse(error.path()).map_or(0, |parent| parent.steps().len());
    if at >= steps.len() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let message = error.message();
    if let Some((_, rest)) = message.split_once("did you mean `")
        && let Some((name, _)) = rest.split_once("`?")
    {
        let mut steps = steps.to_vec();
        steps[at] = PatternStep::Step(Step::from(name));
        found.push(text_of(&steps));
    }
    // JSONPath begins with a dollar sign.
    if matches!(&steps[0], PatternStep::Step(Step::Name(name)) if name.as_str() == "$") {
        found.push(text_of(&steps[1..]));
    }
    let through = [&steps[..at], &[PatternStep::Any], &steps[at..]].concat();
    found.push(text_of(&through));
    found
}
