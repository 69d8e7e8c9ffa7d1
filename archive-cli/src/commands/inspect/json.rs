//! Nodes as JSON.

use archive::{Result, Value, json};

use crate::input::Input;
use crate::json_output;
use crate::node::{Label, Node, What};

/// Returns the nodes of a file.
///
/// # Errors
/// Never fails for a tree.
pub fn text(input: &Input, found: &[(String, Node)]) -> Result<String> {
    let mut file = members([
        ("file", Value::from(input.name.as_str())),
        ("kind", input.kind().into()),
        ("size", (input.bytes.len() as u64).into()),
    ]);
    if let Some(meta) = &input.meta {
        file.push(("save".to_owned(), json_output::meta(meta)));
    }
    let values = found.iter().map(|(path, node)| {
        let mut value = vec![("path".to_owned(), Value::from(path.as_str()))];
        value.extend(of(node));
        Value::Object(value)
    });
    file.push(("values".to_owned(), Value::Array(values.collect())));
    json::to_string_pretty(&Value::Object(file))
}

fn members<const N: usize>(members: [(&str, Value); N]) -> Vec<(String, Value)> {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns the members that describe a node.
fn of(node: &Node) -> Vec<(String, Value)> {
    let mut out = json_output::node(node, Value::from);
    let mut add = |name: &str, value: Value| out.push((name.to_owned(), value));
    match &node.what {
        What::Link { .. } => {}
        What::Seq | What::Object => {
            add("count", node.count.into());
            let children = node.children.iter().map(|(label, child)| {
                let label = match label {
                    Label::Name(name) => ("name".to_owned(), Value::from(name.as_str())),
                    Label::Index(index) => ("index".to_owned(), Value::from(*index)),
                };
                Value::Object(std::iter::once(label).chain(of(child)).collect())
            });
            let name = if matches!(node.what, What::Seq) { "items" } else { "members" };
            add(name, Value::Array(children.collect()));
        }
        _ => add("value", node.scalar().unwrap_or_default()),
    }
    out
}
