//! [`Document`]: a file as a tree.

use std::fs;
use std::path::{Path, PathBuf};

use archive::save::{Meta, SaveFile};
use archive::{Error, Format, Result, Value};
use archive_egui::History;

/// A file as a tree.
pub struct Document {
    path: PathBuf,
    format: Format,
    /// The title and the other metadata, if the file is a save file.
    meta: Option<Meta>,
    pub value: Value,
    pub history: History,
    pub is_changed: bool,
    /// Why the last save failed.
    error: Option<Error>,
}

impl Document {
    /// Opens a file of any format, or a save file.
    pub fn open(path: &Path) -> Result<Document> {
        let mut bytes = fs::read(path).map_err(Error::io)?;
        let mut meta = None;
        if SaveFile::detect(&bytes) {
            let (found, body) = SaveFile::new(path).read_body()?;
            (meta, bytes) = (Some(found), body);
        }
        let format = match &meta {
            Some(meta) => Format::from_name(&meta.format)?,
            None => Format::from_path(path).or_else(|_| Format::detect(&bytes))?,
        };
        let value = format.from_slice(&bytes)?;
        let (path, history) = (path.to_owned(), History::new());
        Ok(Document { path, format, meta, value, history, is_changed: false, error: None })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the format saves a tree as it would save the value itself.
    pub fn can_save(&self) -> bool {
        matches!(self.format, Format::Json | Format::MessagePack)
    }

    /// Writes the file. If that fails, the file is unchanged.
    pub fn save(&mut self) {
        let done = self.format.to_vec(&self.value).and_then(|body| match &self.meta {
            Some(meta) => SaveFile::new(&self.path).save_body(meta.clone(), &body).map(|_| ()),
            None => {
                let new = self.path.with_added_extension("new");
                let done = fs::write(&new, body).and_then(|()| fs::rename(new, &self.path));
                done.map_err(Error::io)
            }
        });
        self.is_changed = done.is_err();
        self.error = done.err();
    }

    /// Returns a line about the file.
    pub fn about(&self) -> String {
        match (&self.error, &self.meta) {
            (Some(error), _) => error.to_string(),
            (None, Some(meta)) => format!("{} \"{}\"", self.format, meta.title),
            (None, None) => self.format.to_string(),
        }
    }
}
