//! The property table of a part of the world.

use archive::path::Path;
use archive::reflect::{self, Kind, Numbers, Row};
use archive::{Result, Value};

use crate::document::Document;

/// A line of the table.
pub struct Line {
    /// The path.
    pub path: Path,
    /// The last step of the path, or the label of the member.
    pub name: String,
    /// The type.
    pub kind: String,
    /// The value, or a description of its parts.
    pub value: String,
    /// The lines of a text that is shown in several.
    pub text: Vec<String>,
    /// The range of the number.
    pub range: String,
    /// The allowed numbers, if the value is one.
    pub numbers: Option<Numbers>,
    /// The step of a slider.
    pub step: f64,
    /// The unit of the number.
    pub unit: &'static str,
    /// The offset of the field in its struct, in bytes.
    pub offset: String,
    /// The doc comment.
    pub doc: &'static str,
    /// Whether it has parts.
    pub opens: bool,
}

/// Returns the rows of the parts of a place.
///
/// # Errors
/// Those of the path.
pub fn lines(document: &Document, path: &Path) -> Result<Vec<Line>> {
    let rows = reflect::children(&document.world, path, document.options())?;
    let shown = rows.into_iter().filter(|row| !row.facts().hidden);
    shown.map(|row| line(document, row)).collect()
}

fn line(document: &Document, row: Row) -> Result<Line> {
    let facts = row.facts();
    let path = row.path.to_path();
    // The row of a leaf has its value.
    let value = match &row.value {
        Value::Null => reflect::get(&document.world, &path, document.options())?,
        value => value.clone(),
    };
    let name = match (&row.member, path.last()) {
        (Some(member), _) => member.label().to_owned(),
        (None, Some(step)) => {
            let step = [step.clone()].into_iter().collect::<Path>();
            step.to_string()
        }
        (None, None) => "(value)".to_owned(),
    };
    let range = match (facts.min, facts.max) {
        (None, None) => String::new(),
        (min, max) => {
            let end = |end: Option<f64>| end.map_or_else(String::new, |end| end.to_string());
            format!("{}..={}", end(min), end(max))
        }
    };
    let offset = row.member.as_ref().and_then(|member| member.offset());
    Ok(Line {
        name,
        kind: row.meta.name(),
        opens: opens(&value, row.meta.kind()),
        value: summary(&value),
        text: match value.as_str() {
            Some(text) if facts.multiline => text.lines().map(str::to_owned).collect(),
            _ => Vec::new(),
        },
        range,
        numbers: row.numbers(),
        step: facts.step.unwrap_or(1.0),
        unit: facts.unit,
        offset: offset.map_or_else(String::new, |offset| offset.to_string()),
        doc: facts.doc,
        path,
    })
}

fn opens(value: &Value, kind: Kind) -> bool {
    match value {
        Value::Array(_) | Value::Object(_) => true,
        Value::Str(_) => kind == Kind::Enum,
        _ => false,
    }
}

/// Returns a value in a few characters.
fn summary(value: &Value) -> String {
    let short = |text: String| match text.char_indices().nth(28) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    };
    match value {
        Value::Array(items) if items.len() > 4 => format!("{} items", items.len()),
        Value::Object(members) => {
            let name = |(name, _): &(String, Value)| name.clone();
            short(format!("{{{}}}", members.iter().map(name).collect::<Vec<_>>().join(", ")))
        }
        value => short(value.to_string()),
    }
}

/// Prints the table as text. A text of several lines follows its row.
///
/// # Errors
/// As [`lines`].
pub fn print(document: &Document, path: &Path) -> Result<String> {
    let lines = lines(document, path)?;
    let head = ["member", "type", "value", "range", "unit", "offset", "doc"].map(str::to_owned);
    let rows = lines.into_iter().map(|line| {
        let Line { name, kind, value, range, unit, offset, doc, text, .. } = line;
        let cells = [
            name,
            kind,
            value,
            range,
            unit.to_owned(),
            offset,
            doc.lines().next().unwrap_or_default().to_owned(),
        ];
        (cells, text)
    });
    let rows: Vec<([String; 7], Vec<String>)> =
        [(head, Vec::new())].into_iter().chain(rows).collect();
    let mut widths = [0; 7];
    for (row, _) in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = String::new();
    for (row, text) in &rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        out += cells.collect::<Vec<_>>().join("  ").trim_end();
        out.push('\n');
        for line in text {
            out += format!("    {line}").trim_end();
            out.push('\n');
        }
    }
    Ok(out)
}
