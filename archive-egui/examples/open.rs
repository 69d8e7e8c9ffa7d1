//! Opens a save of any format as a tree, shows it in an inspector without a window, and prints the lines that it shows:
//! `cargo run --example open -- FILE`.

use archive::{Format, Value};
use archive_egui::{History, inspector};
use egui_kittest::Harness;
use egui_kittest::kittest::{By, NodeT as _, Queryable as _};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "../README.json".to_owned());
    let mut value: Value = match std::fs::read(&file) {
        Ok(bytes) => Format::from_path(&file)?.from_slice(&bytes)?,
        Err(error) => return Err(format!("{file}: {error}").into()),
    };
    let mut history = History::new();
    let mut shown = Harness::new_ui(|ui| _ = inspector(ui, &mut value, &mut history));
    shown.run();
    for node in shown.query_all(By::new().predicate(|_| true)) {
        let node = node.accesskit_node();
        if let Some(text) = node.label().or(node.value()) {
            println!("{:?}: {text}", node.role());
        }
    }
    Ok(())
}
