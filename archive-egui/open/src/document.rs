//! [`Document`]: a file as a tree.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use archive::save::SaveFile;
use archive::{Error, Format, Result, Value, json};
use archive_egui::History;

/// A file as a tree. The file itself never changes.
pub struct Document {
    path: PathBuf,
    pub value: Value,
    pub history: History,
    /// What is said next to the button.
    pub message: String,
}

impl Document {
    /// Opens a file of any format, or a save file.
    pub fn open(path: &Path) -> Result<Document> {
        let mut bytes = fs::read(path).map_err(Error::io)?;
        let mut format = None;
        let mut message = String::new();
        if SaveFile::detect(&bytes) {
            let (meta, body) = SaveFile::new(path).read_body()?;
            (format, bytes) = (Some(Format::from_name(&meta.format)?), body);
            message = format!(", \"{}\"", meta.title);
        }
        let format = match format {
            Some(format) => format,
            None => Format::from_path(path).or_else(|_| Format::detect(&bytes))?,
        };
        let value = format.from_slice(&bytes)?;
        message.insert_str(0, format.name());
        Ok(Document { path: path.to_owned(), value, history: History::new(), message })
    }

    /// Writes the tree to a new file next to the opened one.
    pub fn save_as_json(&mut self) {
        let path = self.path.with_added_extension("json");
        let done = json::to_vec(&self.value).and_then(|text| {
            File::create_new(&path).and_then(|mut file| file.write_all(&text)).map_err(Error::io)
        });
        self.message = match done {
            Ok(()) => format!("saved as {}", path.display()),
            Err(error) => format!("{}: {error}", path.display()),
        };
    }
}
