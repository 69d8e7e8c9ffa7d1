//! The buttons of a line: they add, remove and move parts.

use archive::path::{Path, Step};
use archive::reflect::{Edit, Kind, Meta, Peek};
use archive::{Value, json};
use egui::{Role, Ui, WidgetInfo};

use super::Draw;
use super::icon::{self, Icon};
use crate::action::{Action, Then};
use crate::blank;
use crate::part::{Part, Place};
use crate::widgets;

impl Draw<'_> {
    /// Draws the buttons, from the right to the left.
    pub(super) fn buttons(&mut self, ui: &mut Ui, part: &Part, peek: &Peek) {
        ui.spacing_mut().item_spacing.x = 2.0;
        if part.place != Place::Fixed && self.button(ui, Icon::Remove, "Remove", part, true) {
            let edit = Edit::new().remove(part.path.clone());
            self.actions.push(Action::edit(&part.path, edit));
        }
        if let (Place::Item(len), Some(Step::Index(index))) = (part.place, part.path.last()) {
            let moved =
                |to: usize| Action::edit(&part.path, Edit::new().move_to(part.path.clone(), to));
            if self.button(ui, Icon::Down, "Move down", part, index + 1 < len) {
                self.actions.push(moved(index + 1));
            }
            if self.button(ui, Icon::Up, "Move up", part, *index > 0) {
                self.actions.push(moved(index - 1));
            }
        }
        match peek {
            Peek::List(len)
                if part.has_any_length()
                    && part.inner().items().is_empty()
                    && self.button(ui, Icon::Add, "Add to", part, true) =>
            {
                self.actions.push(add(part, Step::Index(*len), item_values(part)));
            }
            Peek::Set(len) => self.add_typed(ui, part, |key| (Step::Index(*len), typed(key))),
            Peek::Map(_) => self.add_typed(ui, part, |key| {
                // As in files, a key that begins with `$` gets another one before it.
                let name = if key.starts_with('$') { format!("${key}") } else { key.to_owned() };
                (Step::from(name.as_str()), item_values(part))
            }),
            Peek::Object if part.inner().kind() == Kind::Any => {
                self.add_typed(ui, part, |key| (Step::from(key), vec![Value::Null]))
            }
            _ => {}
        }
    }

    /// Draws a field for a key or an element, and a button that adds it.
    fn add_typed(&mut self, ui: &mut Ui, part: &Part, new: impl Fn(&str) -> (Step, Vec<Value>)) {
        // The field belongs to the part, and has a path of its own.
        let field = part.path.join(&[Step::Index(usize::MAX)]);
        let text = self.view.keys.get(&field).cloned().unwrap_or_default();
        let is_added = self.button(ui, Icon::Add, "Add to", part, true);
        let (response, entered) = widgets::key(ui, &mut self.view.keys, &field, "", 70.0);
        let is_enabled = ui.is_enabled();
        let name = format!("new key of {}", part.path);
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, is_enabled, &name));
        let is_entered = entered.is_some() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        if is_added || is_entered {
            let (step, values) = new(entered.as_deref().unwrap_or(&text));
            self.view.keys.remove(&field);
            self.actions.push(add(part, step, values));
        } else if let Some(text) = entered {
            // The field was left, such as for the button.
            self.view.keys.insert(field, text);
        }
    }

    /// Draws a button, which is named by what it does to which part.
    fn button(&mut self, ui: &mut Ui, icon: Icon, verb: &str, part: &Part, is_on: bool) -> bool {
        let response = icon::button(ui, icon, is_on, || match part.path.is_empty() {
            true => format!("{verb} all"),
            false => format!("{verb} {}", part.path),
        });
        response.on_hover_text(verb).clicked()
    }
}

/// Returns the action that adds a part, with the first value that its type accepts.
fn add(part: &Part, step: Step, values: Vec<Value>) -> Action {
    let path: Path = part.path.join(&[step]);
    let insert = |value: Value| Edit::new().insert(path.clone(), value);
    Action::Edit {
        at: part.path.clone(),
        edits: values.into_iter().map(insert).collect(),
        draft: None,
        then: Then::Show(path),
    }
}

/// Returns values for a new item or entry.
fn item_values(part: &Part) -> Vec<Value> {
    blank::values(&part.inner().item().unwrap_or_else(Meta::of::<Value>))
}

/// Returns the values that a typed text may be.
fn typed(text: &str) -> Vec<Value> {
    let value: Option<Value> = json::from_str(text).ok();
    value.into_iter().chain([Value::from(text)]).collect()
}
