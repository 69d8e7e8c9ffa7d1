//! Opens any save in a window: `cargo run -- FILE`.

mod document;

use archive_egui::inspector;
use document::Document;
use eframe::egui::{self, CentralPanel};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(path) = std::env::args_os().nth(1) else {
        return Err("the argument is the file to open: cargo run -- FILE".into());
    };
    let document = Document::open(path.as_ref())?;
    let title = document.path().display().to_string();
    let options = eframe::NativeOptions::default();
    eframe::run_native(&title, options, Box::new(|_| Ok(Box::new(App { document }))))?;
    Ok(())
}

/// The window of a file.
struct App {
    document: Document,
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        CentralPanel::default().show(ui, |ui| show(ui, &mut self.document));
    }
}

/// Shows a file and a button that saves it.
fn show(ui: &mut egui::Ui, document: &mut Document) {
    ui.horizontal(|ui| {
        let is_enabled = document.is_changed && document.can_save();
        let mut button = ui.add_enabled(is_enabled, egui::Button::new("Save"));
        if !document.can_save() {
            button = button.on_disabled_hover_text(
                "the types of this file would be lost; `archive set` changes it and keeps them",
            );
        }
        if button.clicked() {
            document.save();
        }
        ui.weak(document.about());
    });
    ui.separator();
    if inspector(ui, &mut document.value, &mut document.history).changed() {
        document.is_changed = true;
    }
}

#[cfg(test)]
mod tests;
