//! The table as a page.

use std::fmt::Write;

use super::table::{Outcome, Row, Section};

/// The page: its text, then the tables.
pub fn render(sections: &[Section]) -> String {
    let mut page = include_str!("page.md").to_owned();
    for Section { title, intro, rows } in sections {
        let _ = write!(page, "\n## {title}\n\n{}\n\n", wrapped(intro));
        page +=
            "| change | was | is | in the file | loads as | notes |\n|---|---|---|---|---|---|\n";
        for row in rows {
            page += &line(row);
        }
    }
    page
}

fn line(row: &Row) -> String {
    let outcome = &row.outcome;
    let loaded = match outcome.value {
        Ok(value) => code(value),
        Err((kind, path)) => fault(&format!("{kind:?}"), path),
    };
    let [was, is, saved] = [&row.old, &row.new, &row.saved].map(|text| code(text));
    let notes = notes(outcome).join("; ");
    format!("| {} | {was} | {is} | {saved} | {loaded} | {notes} |\n", row.what)
}

fn notes(outcome: &Outcome) -> Vec<String> {
    let mut notes = Vec::new();
    let all = [
        ("absent", &outcome.absent),
        ("unknown", &outcome.unknown),
        ("converted", &outcome.converted),
        ("dangling", &outcome.dangling),
        ("repeated", &outcome.repeated),
    ];
    for (kind, paths) in all {
        match &paths[..] {
            [] => {}
            [""] => notes.push(format!("noted as {kind}")),
            paths => {
                let paths: Vec<String> = paths.iter().map(|path| code(path)).collect();
                notes.push(format!("{kind}: {}", paths.join(", ")));
            }
        }
    }
    match outcome.strict {
        None | Some((archive::ErrorKind::UnknownMember, _)) => {}
        Some((kind, path)) => {
            notes.push(format!("`strict`: {}", fault(&format!("{kind:?}"), path)))
        }
    }
    if let Some(kept) = outcome.keeps {
        notes.push(format!("`keep_going`: {}", code(kept)));
    }
    if !outcome.remark.is_empty() {
        notes.push(outcome.remark.to_owned());
    }
    for (formats, other, why) in &outcome.except {
        let mut differs = vec![match other.value {
            Ok(value) if outcome.value == Ok(value) => "not noted".to_owned(),
            Ok(value) => code(value),
            Err((kind, path)) => fault(&format!("{kind:?}"), path),
        }];
        differs.extend(self::notes(other));
        notes.push(format!("{}: {} ({why})", names(formats), differs.join(", ")));
    }
    notes
}

/// The formats' names as people write them. One that differs when it was converted as well as otherwise
/// is named once.
fn names(formats: &[&str]) -> String {
    let mut names: Vec<String> = Vec::new();
    for name in formats {
        let (format, converted) = match name.strip_suffix(", converted") {
            Some(format) if formats.contains(&format) => continue,
            Some(format) => (format, " after a conversion"),
            None => (*name, ""),
        };
        let format = match format {
            "json" => "JSON",
            "msgpack" => "MessagePack",
            "blob" => "ObjectBlob",
            other => other,
        };
        names.push(format!("{format}{converted}"));
    }
    names.join(", ")
}

/// Text in lines of 120 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= 120 && !line.is_empty() => {
                *line += " ";
                *line += word;
            }
            Some(line) if line.is_empty() => *line += word,
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

fn fault(kind: &str, path: &str) -> String {
    if path.is_empty() { format!("**{kind}**") } else { format!("**{kind}** at {}", code(path)) }
}

/// As code, in a cell.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}
