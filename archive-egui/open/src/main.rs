//! Opens any save in a window: `cargo run -- FILE`.

mod document;

use std::path::Path;
use std::process::ExitCode;

use archive_egui::inspector;
use document::Document;
use eframe::egui::{self, CentralPanel};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let Some(path) = std::env::args_os().nth(1) else {
        return Err("the argument is the file to open: cargo run -- FILE".into());
    };
    let title = Path::new(&path).display().to_string();
    let document = Document::open(path.as_ref()).map_err(|error| format!("{title}: {error}"))?;
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

/// Shows a file and a button that saves a copy.
fn show(ui: &mut egui::Ui, document: &mut Document) {
    ui.horizontal(|ui| {
        if ui.button("Save as JSON").clicked() {
            document.save_as_json();
        }
        ui.weak(&document.message);
    });
    ui.separator();
    inspector(ui, &mut document.value, &mut document.history);
}

#[cfg(test)]
mod tests;
