//! The widgets of values without parts, and of the choices of others.

mod color;
mod number;
mod option;
mod text;
mod variant;

pub(crate) use color::color;
pub(crate) use number::number;
pub(crate) use option::option;
pub(crate) use text::{key, text};
pub(crate) use variant::variant;

use archive::Value;
use archive::reflect::Peek;
use egui::{Ui, Widget as _};

use crate::action::Action;
use crate::part::Part;

/// Shows a value in its place, with the widget that its type calls for.
pub(crate) fn value(
    ui: &mut Ui,
    part: &Part,
    peek: &Peek,
    label: egui::Id,
    actions: &mut Vec<Action>,
) {
    let Peek::Scalar(value) = peek else { return };
    match value {
        Value::Bool(old) => {
            let mut new = *old;
            if egui::Checkbox::without_text(&mut new).ui(ui).labelled_by(label).changed() {
                actions.push(Action::set(&part.path, new.into()));
            }
        }
        Value::Number(old) => number(ui, part, *old, label, actions),
        Value::Str(old) => text(ui, part, old, label, actions),
        Value::Bytes(bytes) => _ = ui.weak(format!("{} bytes", bytes.len())),
        Value::Null => _ = ui.weak("null"),
        other => _ = ui.weak(other.to_string()),
    }
}
