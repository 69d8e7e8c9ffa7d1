//! The menu of a shared object: links to the places of its pointers.

use archive::reflect;
use egui::Ui;

use super::Draw;
use super::icon::{self, Icon};
use crate::action::Action;
use crate::part::Part;
use crate::view::Links;

/// The number of links in a menu.
const MOST: usize = 30;

impl Draw<'_> {
    /// Draws the menu of a pointer. The value is searched when the menu opens.
    pub(super) fn links(&mut self, ui: &mut Ui, part: &Part) {
        let name = || format!("Links of {}", part.path);
        let button = icon::button(ui, Icon::Link, ui.is_enabled(), name);
        let button = button.on_hover_text("where this object is");
        egui::Popup::menu(&button).show(|ui| {
            if self.view.links.as_ref().is_none_or(|links| links.of != part.path) {
                let found = reflect::holders_at(self.value, &part.path, self.options);
                let found = found.map_err(|error| error.to_string());
                self.view.links = Some(Links { of: part.path.clone(), found, is_shown: true });
            }
            let Some(links) = &mut self.view.links else { return };
            links.is_shown = true;
            match &links.found {
                Ok(found) => {
                    ui.weak("the same object is at");
                    for holder in found.iter().take(MOST) {
                        let weak = if holder.is_weak { " (weak)" } else { "" };
                        let is_here = holder.path.to_path() == part.path;
                        let text = format!("{}{weak}", holder.path);
                        if ui.add_enabled(!is_here, egui::Button::new(text)).clicked() {
                            self.actions.push(Action::Jump(holder.path.to_path()));
                            ui.close();
                        }
                    }
                    if found.len() > MOST {
                        ui.weak(format!("and {} more places", found.len() - MOST));
                    }
                }
                Err(message) => _ = ui.weak(message),
            }
        });
    }
}
