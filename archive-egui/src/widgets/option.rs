//! Options: a check box says whether there is a value.

use archive::Value;
use archive::reflect::{Edit, Kind, Peek};
use egui::{Role, Ui, WidgetInfo};

use crate::action::{Action, Then};
use crate::blank;
use crate::part::Part;

/// Shows whether an option has a value. Pointers that may be null are shown as options.
pub(crate) fn option(ui: &mut Ui, part: &Part, peek: &Peek, actions: &mut Vec<Action>) {
    let is_null = *peek == Peek::Scalar(Value::Null);
    if part.meta.kind() != Kind::Option && !is_null {
        return;
    }
    let mut is_some = !is_null;
    let response = ui.add(egui::Checkbox::without_text(&mut is_some));
    let is_enabled = ui.is_enabled();
    response.widget_info(|| {
        let name = format!("{} has a value", part.path);
        WidgetInfo::selected(Role::CheckBox, is_enabled, is_some, name)
    });
    let response = response.on_hover_text("whether there is a value");
    if response.changed() && is_some {
        actions.push(set_some(part));
    } else if response.changed() {
        actions.push(Action::edit(&part.path, Edit::new().set(part.path.clone(), Value::Null)));
    }
}

/// Returns the action that sets a null to a new value.
fn set_some(part: &Part) -> Action {
    let values = blank::values(&part.meta).into_iter().filter(|value| *value != Value::Null);
    let edits = values.map(|value| Edit::new().set(part.path.clone(), value)).collect();
    Action::Edit { at: part.path.clone(), edits, draft: None, then: Then::Nothing }
}
