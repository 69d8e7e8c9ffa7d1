//! [`inspector`] and [`Inspector`].

use std::sync::{Arc, Mutex, PoisonError};

use archive::path::Path;
use archive::{Options, Polymorphic};
use egui::{
    IdSalt, Key, KeyboardShortcut, Modifiers, Response, Role, ScrollArea, TextEdit, Ui, WidgetInfo,
};

use crate::action::Action;
use crate::history::History;
use crate::lines::Layout;
use crate::row::Draw;
use crate::view::View;

/// Shows the property table of a value. Its widgets change the value, and the history undoes the changes.
///
/// The response is [changed](Response::changed) in a frame in which the value changed. See [`Inspector`] for settings.
///
/// ```
/// # egui::__run_test_ui(|ui| {
/// #[derive(Default, archive::Serialize)]
/// struct Lamp { on: bool }
///
/// let (mut lamp, mut history) = (Lamp::default(), archive_egui::History::new());
/// if archive_egui::inspector(ui, &mut lamp, &mut history).changed() {
///     println!("the lamp is {}", if lamp.on { "on" } else { "off" });
/// }
/// # });
/// ```
pub fn inspector(ui: &mut Ui, value: &mut dyn Polymorphic, history: &mut History) -> Response {
    Inspector::new().show(ui, value, history)
}

/// An inspector with settings.
///
/// ```
/// # egui::__run_test_ui(|ui| {
/// # let (mut world, mut history) = (vec![1, 2], archive_egui::History::new());
/// use archive::{Options, Registry};
///
/// let registry = Registry::new();
/// let options = Options::new().registry(&registry);
/// archive_egui::Inspector::new()
///     .options(&options)
///     .read_only(true)
///     .show(ui, &mut world, &mut history);
/// # });
/// ```
#[must_use = "an inspector is shown by `show`"]
pub struct Inspector<'a> {
    options: Option<&'a Options<'a>>,
    id_salt: IdSalt,
    is_read_only: bool,
    has_toolbar: bool,
}

impl Default for Inspector<'_> {
    fn default() -> Self {
        Inspector {
            options: None,
            id_salt: IdSalt::new("archive-egui"),
            is_read_only: false,
            has_toolbar: true,
        }
    }
}

impl<'a> Inspector<'a> {
    /// Creates an inspector with the usual settings.
    pub fn new() -> Self {
        Inspector::default()
    }

    /// Sets the options with which the value is visited and changed, such as a registry of trait objects.
    pub fn options(mut self, options: &'a Options<'a>) -> Self {
        self.options = Some(options);
        self
    }

    /// Distinguishes this inspector from others in the same [`Ui`].
    pub fn id_salt(mut self, salt: impl std::hash::Hash + std::fmt::Debug) -> Self {
        self.id_salt = IdSalt::new(salt);
        self
    }

    /// Shows the value only, and changes nothing.
    pub fn read_only(mut self, is_read_only: bool) -> Self {
        self.is_read_only = is_read_only;
        self
    }

    /// Shows the buttons for undo and redo and the field for searches, which is the default. Without them the keys for
    /// undo and redo work all the same.
    pub fn toolbar(mut self, has_toolbar: bool) -> Self {
        self.has_toolbar = has_toolbar;
        self
    }

    /// Shows the value.
    pub fn show(self, ui: &mut Ui, value: &mut dyn Polymorphic, history: &mut History) -> Response {
        let default = Options::new();
        let options = self.options.unwrap_or(&default);
        let id = ui.scope_id().with_salt(self.id_salt);
        let view: Arc<Mutex<View>> =
            ui.data_mut(|data| data.get_temp_mut_or_default::<Arc<Mutex<View>>>(id).clone());
        let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
        end_step(ui, history, &mut view);

        let mut actions = Vec::new();
        let inner = ui.scope(|ui| {
            if !self.is_read_only {
                keys(ui, &mut actions);
            }
            if self.has_toolbar {
                self.toolbar_ui(ui, history, &mut view, &mut actions);
            }
            view.search.update(&*value, options);
            self.table(ui, id, &*value, options, &mut view, &mut actions);
        });
        let mut response = inner.response;
        if !actions.is_empty() {
            ui.ctx().request_repaint();
        }
        for action in actions {
            if action.run(value, history, &mut view, options) {
                response.mark_changed();
            }
        }
        response
    }

    /// Shows the buttons for undo and redo, and the field for searches.
    fn toolbar_ui(
        &self,
        ui: &mut Ui,
        history: &History,
        view: &mut View,
        actions: &mut Vec<Action>,
    ) {
        ui.horizontal(|ui| {
            if !self.is_read_only {
                if ui.add_enabled(history.undo_len() > 0, egui::Button::new("Undo")).clicked() {
                    actions.push(Action::Undo);
                }
                if ui.add_enabled(history.redo_len() > 0, egui::Button::new("Redo")).clicked() {
                    actions.push(Action::Redo);
                }
            }
            let width = ui.available_width();
            let field = TextEdit::singleline(&mut view.search.query).hint_text("Search");
            let response = ui.add(field.desired_width(width));
            let is_enabled = ui.is_enabled();
            response.widget_info(|| WidgetInfo::labeled(Role::TextInput, is_enabled, "Search"));
        });
        if let Some(problem) = view.problem.as_ref().filter(|problem| problem.path.is_empty()) {
            ui.colored_label(ui.visuals().error_fg_color, &problem.message);
        }
        if !view.root.is_empty() {
            ui.horizontal(|ui| {
                if ui.button("Show all").clicked() {
                    actions.push(Action::Root(Path::new()));
                }
                let around = view.root.split_last().map(|(around, _)| around);
                if let Some(around) = around.filter(|around| !around.is_empty())
                    && ui.button("Up").clicked()
                {
                    actions.push(Action::Root(around));
                }
                ui.add(egui::Label::new(view.root.to_string()).truncate());
            });
        }
    }

    /// Shows the lines that can be seen.
    fn table(
        &self,
        ui: &mut Ui,
        id: egui::Id,
        value: &dyn Polymorphic,
        options: &Options<'_>,
        view: &mut View,
        actions: &mut Vec<Action>,
    ) {
        let spacing = ui.spacing();
        let row = spacing.interact_size.y.max(ui.text_style_height(&egui::TextStyle::Body) + 4.0)
            + spacing.item_spacing.y;
        let area = ScrollArea::vertical().id_salt(id).auto_shrink(false);
        area.show_viewport(ui, |ui, window| {
            let mut tree = std::mem::take(&mut view.tree);
            let mut layout = Layout {
                value,
                options,
                row,
                window: window.min.y.into()..window.max.y.into(),
                target: view.target.as_ref(),
                target_top: None,
                top: 0.0,
                lines: Vec::new(),
            };
            if view.search.query.trim().is_empty() {
                let node = tree.make(&view.root);
                layout.root(&view.root, node);
            } else {
                layout.found(&view.search, &mut tree);
            }
            let Layout { lines, top, target_top, .. } = layout;
            view.tree = tree;
            #[expect(clippy::cast_possible_truncation, reason = "places on the screen are `f32`")]
            let (height, target_top) = (top as f32, target_top.map(|top| top as f32));
            ui.set_height(height);
            let origin = ui.min_rect().min;
            if let Some(top) = target_top {
                let rect =
                    egui::Rect::from_min_size(origin + egui::vec2(0.0, top), egui::vec2(1.0, row));
                ui.scroll_to_rect(rect, Some(egui::Align::Center));
                ui.ctx().request_repaint();
            }
            view.target = None;
            let mut draw = Draw {
                value,
                options,
                view: &mut *view,
                actions: Vec::new(),
                id,
                is_read_only: self.is_read_only,
                items: Vec::new(),
            };
            if draw.lines(ui, &lines, row) {
                ui.ctx().request_repaint();
            }
            draw.drag(ui);
            actions.append(&mut draw.actions);
        });
        if !view.links.as_mut().is_some_and(|links| std::mem::take(&mut links.is_shown)) {
            view.links = None;
        }
    }
}

/// Ends the step of the history that a drag or a text has begun, when the mouse is pressed or released or the focus moves.
fn end_step(ui: &Ui, history: &mut History, view: &mut View) {
    let is_pressed = ui.input(|input| input.pointer.any_pressed());
    let focus = ui.ctx().memory(|memory| memory.focused());
    let is_idle = focus.is_none() && ui.ctx().dragged_id().is_none();
    if is_pressed || is_idle || focus != view.focus {
        history.end_step();
    }
    view.focus = focus;
}

/// Undoes and redoes by keys, unless a text has the focus, which has an undo of its own.
fn keys(ui: &Ui, actions: &mut Vec<Action>) {
    if ui.ctx().egui_wants_keyboard_input() {
        return;
    }
    let redo = Modifiers::COMMAND | Modifiers::SHIFT;
    let is_pressed = |modifiers, key| {
        ui.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(modifiers, key)))
    };
    // The longer one first: a shortcut ignores Shift that it does not name.
    if is_pressed(redo, Key::Z) || is_pressed(Modifiers::COMMAND, Key::Y) {
        actions.push(Action::Redo);
    } else if is_pressed(Modifiers::COMMAND, Key::Z) {
        actions.push(Action::Undo);
    }
}
