//! A node as lines for people.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use archive::{Format, Result, Value};

use crate::input::Input;
use crate::node::{Label, Node, What};
use crate::show;
use crate::terminal::safe;

const NAME: Style = AnsiColor::Cyan.on_default();
const TEXT: Style = AnsiColor::Green.on_default();
const PLAIN: Style = AnsiColor::Yellow.on_default();
const LINK: Style = AnsiColor::Magenta.on_default();
const TYPE: Style = Style::new().dimmed();
const HEAD: Style = Style::new().bold();

/// Returns the lines about the whole file.
pub fn head(input: &Input) -> Result<String> {
    let size = show::bytes(input.bytes.len() as u64);
    let mut head = format!("{HEAD}{}{HEAD:#}: {}, {size}", safe(&input.name), input.kind());
    if input.format == Format::Binary {
        let types = archive::binary::inspect_types(&input.bytes)?;
        let (data, tables) = (types.data_len as u64, types.tables_len as u64);
        let _ = write!(head, ": {} of data, {} of tables", show::bytes(data), show::bytes(tables));
        if types.objects > 0 {
            let objects = if types.objects == 1 { "object" } else { "objects" };
            let _ = write!(head, ", {} shared {objects}", types.objects);
        }
    }
    if let Some(meta) = &input.meta {
        for (name, text) in show::meta(meta) {
            let _ = write!(head, "\n  {NAME}{name}{NAME:#}: {text}");
        }
    }
    Ok(head)
}

/// Writes a node and its children.
pub fn write(out: &mut String, path: &str, node: &Node) {
    let label = if path.is_empty() {
        String::new()
    } else {
        format!("{NAME}{}{NAME:#}: ", show::plain(path))
    };
    line(out, 0, &label, node);
}

fn line(out: &mut String, level: usize, label: &str, node: &Node) {
    let _ = writeln!(out, "{:1$}{label}{2}{3}", "", 2 * level, value(node), notes(node));
    for (at, child) in &node.children {
        let label = match at {
            Label::Name(name) => format!("{NAME}{}{NAME:#}: ", show::name(name)),
            Label::Index(index) => format!("{NAME}[{index}]{NAME:#}: "),
        };
        line(out, level + 1, &label, child);
    }
    let folded = node.count.saturating_sub(node.children.len() as u64);
    if matches!(node.what, What::Seq | What::Object) && folded > 0 && !node.children.is_empty() {
        let _ = writeln!(out, "{:1$}{TYPE}… {folded} more{TYPE:#}", "", 2 * level + 2);
    }
}

/// Returns the value of a node, or the number of its children.
fn value(node: &Node) -> String {
    let object = match &node.object {
        Some((0, None)) | None => String::new(),
        Some((0, Some(name))) => format!("{LINK}{}{LINK:#} ", show::name(name)),
        Some((id, None)) => format!("{LINK}${id}{LINK:#} "),
        Some((id, Some(name))) => format!("{LINK}${id} {}{LINK:#} ", show::name(name)),
    };
    let value = match &node.what {
        What::Text(text) => {
            let more = node.count - text.len() as u64;
            let more = if more > 0 { format!("… {more} more bytes") } else { String::new() };
            let text = Value::from(text.as_str()).to_string();
            format!("{TEXT}{}{TEXT:#}{more}", safe(&text))
        }
        What::Bytes(bytes) => {
            const MAX_BYTES: usize = 16;
            let hex: Vec<String> =
                bytes.iter().take(MAX_BYTES).map(|b| format!("{b:02x}")).collect();
            let more = if bytes.len() > MAX_BYTES { " …" } else { "" };
            format!("{PLAIN}{}{PLAIN:#}{more}", hex.join(" "))
        }
        What::Seq => count(node.count, "item", "items", "[]"),
        What::Object => count(node.count, "member", "members", "{}"),
        What::Link { id, is_weak: false } => format!("{LINK}→ ${id}{LINK:#}"),
        What::Link { id, is_weak: true } => format!("{LINK}⇢ ${id}{LINK:#}"),
        What::Null | What::Bool(_) | What::Number(_) => {
            format!("{PLAIN}{}{PLAIN:#}", node.scalar().unwrap_or_default())
        }
    };
    object + &value
}

fn count(count: u64, one: &str, many: &str, none: &str) -> String {
    match count {
        0 => none.to_owned(),
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// Returns the type and the size of a node.
fn notes(node: &Node) -> String {
    let is_large = matches!(node.what, What::Seq | What::Object | What::Bytes(_))
        || node.size.is_some_and(|size| size >= 64);
    let size = node.size.filter(|_| is_large).map(show::bytes);
    let notes: Vec<String> =
        node.stored.iter().map(|stored| show::plain(stored)).chain(size).collect();
    if notes.is_empty() { String::new() } else { format!("  {TYPE}{}{TYPE:#}", notes.join(", ")) }
}
