//! The right side of a line: the value and its buttons.

use archive::Value;
use archive::reflect::{self, Peek};
use egui::{Align, Id, Layout, Ui, vec2};

use super::Draw;
use crate::part::Part;
use crate::widgets;

impl Draw<'_> {
    /// Draws the right side of a line.
    pub(super) fn value(
        &mut self,
        ui: &mut Ui,
        part: &Part,
        peek: &Result<Peek, String>,
        label: Id,
    ) {
        let peek = match peek {
            Ok(peek) => peek,
            Err(message) => {
                ui.colored_label(ui.visuals().warn_fg_color, message);
                return;
            }
        };
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            let is_fixed = self.is_fixed(part);
            if !is_fixed {
                self.buttons(ui, part, peek);
            }
            if part.is_pointer() {
                self.links(ui, part);
            }
            if !part.facts.unit.is_empty() {
                weak(ui, part.facts.unit);
            }
            ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
                ui.add_enabled_ui(!is_fixed, |ui| self.widgets(ui, part, peek, label));
            });
        });
    }

    fn widgets(&mut self, ui: &mut Ui, part: &Part, peek: &Peek, label: Id) {
        let draft = self.draft(ui, part);
        let actions = &mut self.actions;
        widgets::option(ui, part, peek, actions);
        let variants = part.variants();
        if !variants.is_empty()
            && let Some(current) = part.variant(self.value, peek, self.options)
        {
            return widgets::variant(ui, part, &variants, &current, label, actions);
        }
        if part.is_color {
            let value = match peek {
                Peek::Scalar(value) => Ok(value.clone()),
                _ => reflect::get(self.value, &part.path, self.options),
            };
            if value.is_ok_and(|value| widgets::color(ui, part, &value, label, actions)) {
                return;
            }
        }
        match (peek, draft) {
            (Peek::Scalar(_), Some(draft)) => {
                widgets::value(ui, part, &Peek::Scalar(draft), label, actions);
            }
            (Peek::Scalar(_), None) => widgets::value(ui, part, peek, label, actions),
            (Peek::List(len), _) => weak(ui, &count(*len, "item", "items")),
            (Peek::Set(len), _) => weak(ui, &count(*len, "element", "elements")),
            (Peek::Map(len), _) => weak(ui, &count(*len, "entry", "entries")),
            _ => weak(ui, &part.inner().name()),
        }
    }

    /// Returns what was typed and refused, as long as the widget is used.
    fn draft(&mut self, ui: &Ui, part: &Part) -> Option<Value> {
        let problem = self.view.problem.as_mut().filter(|problem| problem.path == part.path)?;
        let is_used =
            ui.ctx().memory(|memory| memory.focused()).is_some() || ui.ctx().dragged_id().is_some();
        if !is_used {
            problem.draft = None;
        }
        problem.draft.clone()
    }
}

/// Shows a text at the height of the label.
fn weak(ui: &mut Ui, text: &str) {
    let size = vec2(0.0, ui.spacing().interact_size.y);
    let layout = ui.layout().with_cross_align(Align::Center);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_height(size.y);
        ui.weak(text);
    });
}

fn count(len: usize, one: &str, many: &str) -> String {
    if len == 1 { format!("1 {one}") } else { format!("{len} {many}") }
}
