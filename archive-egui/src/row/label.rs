//! The left side of a line: the triangle, the handle and the name.

use archive::path::{Path, Step};
use archive::reflect::{Edit, Peek};
use egui::collapsing_header::paint_default_icon;
use egui::{Align, Id, Label, Layout, Rect, Response, Role, Sense, Ui, WidgetInfo, vec2};

use super::Draw;
use crate::action::Action;
use crate::lines::DEEPEST;
use crate::part::{Part, Place};
use crate::widgets;

impl Draw<'_> {
    /// Draws the left side of a line, and returns the id of the name, which is that of the widgets too.
    pub(super) fn label(
        &mut self,
        ui: &mut Ui,
        part: &Part,
        peek: &Result<Peek, String>,
        is_open: bool,
        indent: f32,
        width: f32,
    ) -> Id {
        let height = ui.spacing().interact_size.y;
        let layout = Layout::left_to_right(Align::Center);
        let side = ui.allocate_ui_with_layout(vec2(width, height), layout, |ui| {
            ui.set_min_size(vec2(width, height));
            ui.set_max_width(width);
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.add_space(indent.min(width * 0.6));
            self.triangle(ui, part, peek, is_open);
            if matches!(part.place, Place::Item(_)) && !self.is_fixed(part) {
                self.handle(ui, part);
            }
            if part.place == Place::Entry && !self.is_fixed(part) {
                return self.key(ui, part);
            }
            let name = Label::new(&part.label).truncate().sense(Sense::hover());
            let about = about(part);
            ui.add(name).on_hover_text(about).id
        });
        side.inner
    }

    /// Draws the triangle that opens a part, or the space for it.
    fn triangle(&mut self, ui: &mut Ui, part: &Part, peek: &Result<Peek, String>, is_open: bool) {
        if !peek.as_ref().is_ok_and(has_parts) {
            ui.add_space(TRIANGLE + ui.spacing().item_spacing.x);
            return;
        }
        let verb = if is_open { "Close" } else { "Open" };
        let response = triangle(ui, is_open, || format!("{verb} {}", part.path));
        if response.clicked() {
            let is_deep = part.path.len() >= self.view.root.len() + DEEPEST;
            self.actions.push(match is_deep && !is_open {
                true => Action::Root(part.path.clone()),
                false => Action::Open(part.path.clone(), !is_open),
            });
        }
    }

    /// Draws the line of a group of members.
    pub(super) fn group(
        &mut self,
        ui: &mut Ui,
        path: &Path,
        name: &'static str,
        is_open: bool,
        indent: f32,
    ) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.add_space(indent);
            let verb = if is_open { "Close" } else { "Open" };
            let is_clicked = triangle(ui, is_open, || format!("{verb} {name}")).clicked();
            let heading = Label::new(egui::RichText::new(name).strong()).selectable(false);
            if ui.add(heading.sense(Sense::click())).clicked() || is_clicked {
                self.actions.push(Action::OpenGroup(path.clone(), name, !is_open));
            }
        });
    }

    /// Draws the key of an entry, which can be changed.
    fn key(&mut self, ui: &mut Ui, part: &Part) -> Id {
        let Some(Step::Name(name)) = part.path.last() else {
            return ui.label(&part.label).id;
        };
        let width = ui.available_width() - 8.0;
        let (response, key) =
            widgets::key(ui, &mut self.view.keys, &part.path, shown_key(name), width);
        if let Some(key) = key {
            let edit = Edit::new().rename(part.path.clone(), key);
            self.actions.push(Action::edit(&part.path, edit));
        }
        let is_enabled = ui.is_enabled();
        let name = format!("key {}", part.label);
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, is_enabled, &name));
        response.id
    }

    /// Returns whether a part cannot be changed here.
    pub(super) fn is_fixed(&self, part: &Part) -> bool {
        self.is_read_only || part.is_read_only
    }
}

/// The width of the triangle that opens a part.
const TRIANGLE: f32 = 14.0;

/// Draws a triangle, and senses clicks on it. `name` is what it does to which part.
fn triangle(ui: &mut Ui, is_open: bool, name: impl Fn() -> String) -> Response {
    let response =
        ui.allocate_response(vec2(TRIANGLE, ui.spacing().interact_size.y), Sense::click());
    let rect = Rect::from_center_size(response.rect.center(), vec2(12.0, 12.0));
    let openness = if is_open { 1.0 } else { 0.0 };
    paint_default_icon(ui, openness, &response.clone().with_new_rect(rect));
    let is_enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, is_enabled, name()));
    response
}

/// Returns a key without the `$` that is before another one in a path.
fn shown_key(name: &str) -> &str {
    if name.starts_with("$$") { &name[1..] } else { name }
}

/// Returns whether a part has parts that can be shown below it.
fn has_parts(peek: &Peek) -> bool {
    match peek {
        Peek::Scalar(_) => false,
        Peek::List(len) | Peek::Set(len) | Peek::Map(len) => *len > 0,
        _ => true,
    }
}

/// Returns what a tooltip says of a part.
fn about(part: &Part) -> String {
    let mut text = part.facts.doc.trim().to_owned();
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text + &format!("{}: {}", part.path, part.meta.name())
}
