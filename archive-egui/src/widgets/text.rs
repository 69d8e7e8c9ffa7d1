//! Texts, and the keys of maps.

use archive::path::Path;
use egui::{Response, TextEdit, Ui};

use crate::action::Action;
use crate::part::Part;

/// Longer texts are not laid out in each frame.
const LONGEST: usize = 20_000;

/// Shows a text, in several lines if the member says so.
pub(crate) fn text(
    ui: &mut Ui,
    part: &Part,
    old: &str,
    label: egui::Id,
    actions: &mut Vec<Action>,
) {
    if old.len() > LONGEST {
        let begin: String = old.chars().take(60).collect();
        ui.weak(format!("{begin}… ({} bytes)", old.len()));
        return;
    }
    let mut new = old.to_owned();
    let response = if part.facts.multiline {
        let rows = old.lines().count().clamp(3, 12);
        let edit = TextEdit::multiline(&mut new).desired_rows(rows);
        ui.add(edit.desired_width(ui.available_width()))
    } else {
        line(ui, &mut new)
    };
    if response.labelled_by(label).changed() {
        actions.push(Action::set(&part.path, new.into()));
    }
}

/// Shows a text in one line.
pub(super) fn line(ui: &mut Ui, text: &mut String) -> Response {
    ui.add(TextEdit::singleline(text).desired_width(ui.available_width()))
}

/// Shows a key that is typed. Returns it when it is complete.
pub(crate) fn key(
    ui: &mut Ui,
    keys: &mut std::collections::HashMap<Path, String>,
    path: &Path,
    old: &str,
    width: f32,
) -> (Response, Option<String>) {
    let mut text = keys.get(path).cloned().unwrap_or_else(|| old.to_owned());
    let edit = TextEdit::singleline(&mut text).desired_width(width).hint_text("key");
    let response = ui.add(edit);
    if response.changed() {
        keys.insert(path.clone(), text);
    }
    let done = response.lost_focus().then(|| keys.remove(path)).flatten();
    let done =
        done.filter(|key| key != old && !ui.input(|input| input.key_pressed(egui::Key::Escape)));
    (response, done)
}
