//! [`Draw`]: draws the lines of the property table.

mod buttons;
mod handle;
mod icon;
mod label;
mod links;
mod value;

use archive::path::Path;
use archive::{Options, Polymorphic};
use egui::{Align, Id, Layout, Rect, Ui, UiBuilder, pos2, vec2};

use crate::action::Action;
use crate::lines::{Line, What};
use crate::view::View;

/// Draws lines, and collects what the user does.
pub(crate) struct Draw<'a> {
    pub(crate) value: &'a dyn Polymorphic,
    pub(crate) options: &'a Options<'a>,
    pub(crate) view: &'a mut View,
    pub(crate) actions: Vec<Action>,
    /// The id of the inspector, which is that of all its widgets with their paths.
    pub(crate) id: Id,
    pub(crate) is_read_only: bool,
    /// The items that were drawn: their lists, their indices and places.
    pub(crate) items: Vec<(Path, usize, Rect)>,
}

/// The width of a level of nesting.
const INDENT: f32 = 14.0;
/// The width of the column of labels, as a part of all.
const LABELS: f32 = 0.42;

impl Draw<'_> {
    /// Draws the lines, each in its place, and notes the heights that were not expected. `top` is where the table begins.
    /// Returns whether some were not.
    pub(crate) fn lines(&mut self, ui: &mut Ui, lines: &[Line], row: f32) -> bool {
        let origin = ui.min_rect().min;
        // The scroll bar floats over the right edge, and takes the clicks there.
        let bar = ui.spacing().scroll;
        let bar = bar.bar_inner_margin + bar.bar_width + bar.bar_outer_margin;
        let width = (ui.available_width() - bar).max(0.0);
        let mut shift = 0.0;
        let mut is_new = false;
        for line in lines {
            #[expect(clippy::cast_possible_truncation, reason = "places on the screen are `f32`")]
            let top = origin.y + line.top as f32 + shift;
            let rect = Rect::from_min_size(pos2(origin.x, top), vec2(width, line.height));
            let height = self.line(ui, line, rect).max(row);
            shift += height - line.height;
            if (height - line.height).abs() > 0.5 {
                is_new = true;
                if let What::Part(part, ..) = &line.what {
                    self.view.tree.make(&part.path).height = (height > row + 0.5).then_some(height);
                }
            }
        }
        is_new
    }

    /// Draws a line, and returns its height.
    fn line(&mut self, ui: &mut Ui, line: &Line, rect: Rect) -> f32 {
        let id = match &line.what {
            What::Part(part, ..) => self.id.with(&*part.path),
            What::Group(path, name, _) => self.id.with((&**path, name)),
            What::Note(_) => self.id.with(("note", line.top.to_bits())),
        };
        let layout = Layout::top_down(Align::Min);
        let mut ui = ui.new_child(UiBuilder::new().scope_id(id).max_rect(rect).layout(layout));
        #[expect(clippy::cast_precision_loss, reason = "there are few levels")]
        let indent = line.depth as f32 * INDENT;
        match &line.what {
            What::Part(part, peek, is_open) => {
                let drawn = ui.horizontal_top(|ui| {
                    let label = self.label(ui, part, peek, *is_open, indent, rect.width() * LABELS);
                    self.value(ui, part, peek, label);
                });
                self.problem(&mut ui, part);
                self.note_item(part, drawn.response.rect);
            }
            What::Group(path, name, is_open) => self.group(&mut ui, path, name, *is_open, indent),
            What::Note(text) => {
                ui.horizontal(|ui| {
                    ui.add_space(indent);
                    ui.weak(text);
                });
            }
        }
        ui.min_rect().height() + ui.spacing().item_spacing.y
    }

    /// Says below a widget why its change was refused.
    fn problem(&mut self, ui: &mut Ui, part: &crate::part::Part) {
        let Some(problem) = self.view.problem.as_ref().filter(|it| it.path == part.path) else {
            return;
        };
        let color = ui.visuals().error_fg_color;
        let message = egui::RichText::new(&problem.message).color(color);
        let response = ui.add(egui::Label::new(message).wrap().sense(egui::Sense::click()));
        if response.on_hover_text("click to hide").clicked() {
            self.view.problem = None;
        }
    }
}
