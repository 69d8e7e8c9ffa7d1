//! Values of the file as the page shows them.

use archive::format::{Decoder, Kind, PointerKind};
use archive::path::{Path, Pattern, Step};
use archive::shape::{OBJECT, Shape};
use archive::{Error, ErrorKind, Result, Value, json};

use crate::input::Input;
use crate::json_output::{self, object};
use crate::node::{Builder, Fold, Label, Node, What};
use crate::select::{has_key, in_path, select};

/// The number of children that are shown at once.
pub const WINDOW: u64 = 200;
/// The number of bytes of a text that are shown.
const TEXT: usize = 10_000;

/// Returns the value at a path with up to 200 children: from the one with that number, or those around one, whose
/// number is returned first.
///
/// # Errors
/// [`ErrorKind::NotFound`] if there is no such value, and errors of the file.
pub fn window(
    input: &Input,
    path: &Path,
    first: u64,
    around: Option<&str>,
) -> Result<(Option<u64>, u64, Node)> {
    let pattern = Pattern::from(path.clone());
    let at = match around {
        Some(step) => number_of(input, path, &Path::parse(step.trim_start_matches('.'))?)?,
        None => None,
    };
    let first = at.map_or(first, |at| at / WINDOW * WINDOW);
    let most = WINDOW as usize;
    let fold = Fold { depth: 1, items: most, members: most, first, nodes: most + 1, text: TEXT };
    let mut found = None;
    input.read(|from| {
        select(from, &pattern, &mut |from, path| {
            let node = Builder::new(fold).build(from, 0);
            found = Some(node.map_err(|error| in_path(path, error))?);
            Ok(())
        })
    })?;
    let missing = || Error::new(ErrorKind::NotFound, format_args!("there is no value at {path}"));
    found.map(|node| (at, first, node)).ok_or_else(missing)
}

/// Returns the number of the child that a step leads to, if there is one.
fn number_of(input: &Input, path: &Path, step: &[Step]) -> Result<Option<u64>> {
    let name = match step {
        [Step::Index(index)] => index.to_string(),
        [Step::Name(name)] => name.as_str().to_owned(),
        _ => return Ok(None),
    };
    let mut number = None;
    input.read(|from| {
        select(from, &Pattern::from(path.clone()), &mut |from, _| {
            let start = from.mark();
            number = child_number(from, step, &name)?;
            from.recover(start);
            from.skip()
        })
    })?;
    Ok(number)
}

/// Returns the number of the item with that index, or of the member or the entry of a map with that name.
fn child_number(from: &mut dyn Decoder, step: &[Step], name: &str) -> Result<Option<u64>> {
    let mut number = 0;
    match inside(from)? {
        Some(Kind::Object) => {
            from.begin_object(&OBJECT)?;
            while let Some(key) = from.next_key()? {
                if key == name {
                    return Ok(Some(number));
                }
                drop(key);
                from.skip()?;
                number += 1;
            }
        }
        Some(Kind::Seq) => {
            if let [Step::Index(index)] = step {
                return Ok(Some(*index as u64));
            }
            from.begin_seq(&Shape::Any)?;
            while from.next_item()? {
                if has_key(from, name)? == Some(true) {
                    return Ok(Some(number));
                }
                number += 1;
            }
        }
        _ => {}
    }
    Ok(None)
}

/// Enters pointers. Returns the kind of the value inside, or `None` if a pointer has no object here.
pub fn inside(from: &mut dyn Decoder) -> Result<Option<Kind>> {
    while from.at_pointer(false)? && !from.at_some()? {
        let start = from.mark();
        match from.begin_pointer().map(|head| head.kind) {
            Ok(kind) if kind.has_pointee() => {}
            Ok(PointerKind::Plain) => break,
            Ok(_) => return Ok(None),
            // An object of another program may have a member `$id`, too.
            Err(_) => {
                from.recover(start);
                break;
            }
        }
    }
    from.peek().map(Some)
}

/// Returns what is known about a file: its name, its kind, its size, and the metadata of a save.
pub fn about(input: &Input, name: &str) -> Value {
    object([
        ("file", name.into()),
        ("kind", input.kind().into()),
        ("size", (input.bytes.len() as u64).into()),
        ("save", input.meta.as_deref().map_or(Value::Null, json_output::meta)),
    ])
}

/// Returns the values on the way to a path: the last step and the path of each. Of many, those in the middle are one
/// entry without a path.
pub fn crumbs(path: &Path) -> Value {
    const FIRST: usize = 2;
    const LAST: usize = 8;
    let count = path.steps().len();
    let crumb = |len: usize| {
        let path = Path::from(path.steps()[..len].to_vec());
        object([("label", label(&path.steps()[len - 1]).into()), ("path", path.to_string().into())])
    };
    if count <= FIRST + LAST {
        return (1..=count).map(crumb).collect();
    }
    let middle = object([("label", "…".into())]);
    (1..=FIRST).map(crumb).chain([middle]).chain((count - LAST + 1..=count).map(crumb)).collect()
}

/// Returns a step as it continues a path, and its name.
pub fn step(step: &Step) -> (String, String) {
    let text = Path::from(vec![step.clone()]).to_string();
    let text = if text.starts_with('[') { text } else { format!(".{text}") };
    (text, label(step))
}

/// Returns the name of a step.
fn label(step: &Step) -> String {
    match step {
        Step::Name(name) => name.as_str().to_owned(),
        other => Path::from(vec![other.clone()]).to_string(),
    }
}

/// Returns a node and its children. `edited` returns the pending text of the value at a path.
pub fn as_value(node: &Node, path: &Path, edited: &dyn Fn(&Path) -> Option<String>) -> Value {
    let mut members = of(node);
    let id = node.object.as_ref().map_or(0, |(id, _)| *id);
    let of_object = || (id != 0).then(|| edited(&Path::from(vec![Step::Object(id)])))?;
    if let Some(text) = edited(path).or_else(of_object) {
        members.push(("edited".to_owned(), text.into()));
    }
    if !node.children.is_empty() {
        let children =
            node.children.iter().map(|(label, child)| self::child(label, child, path, edited));
        members.push(("children".to_owned(), children.collect()));
    }
    Value::Object(members)
}

fn child(
    label: &Label,
    node: &Node,
    parent: &Path,
    edited: &dyn Fn(&Path) -> Option<String>,
) -> Value {
    let step = match label {
        Label::Name(name) => Step::from(name.as_str()),
        Label::Index(index) => Step::Index(*index as usize),
    };
    let (text, label) = self::step(&step);
    let named = object([("step", text.into()), ("label", label.into())]);
    json_output::extended(named, as_value(node, &parent.join(&[step]), edited))
}

/// Returns what describes a node. Numbers of 64 bits are text, since those of the page have 53.
fn of(node: &Node) -> Vec<(String, Value)> {
    let mut members = json_output::node(node, |id| format!("${id}").into());
    let mut add = |name: &str, value: Value| members.push((name.to_owned(), value));
    match &node.what {
        What::Link { .. } => {}
        What::Seq | What::Object => add("count", node.count.into()),
        what => {
            let value = node.scalar().unwrap_or_default();
            add("text", json::to_string(&value).unwrap_or_default().into());
            let shown = match what {
                What::Text(text) => text.len(),
                What::Bytes(bytes) => bytes.len(),
                _ => 0,
            };
            if shown as u64 != node.count {
                add("cut", true.into());
            }
            add("count", node.count.into());
        }
    }
    members
}
