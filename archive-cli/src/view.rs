//! `archive view`: a file, or a folder of saves, on a page in the browser.
// Why: docs/decisions/edits-and-conversions.md#the-page-is-served-to-one-reader

mod calls;
mod export;
mod file;
mod guard;
mod node;
mod page;
mod pending;
mod search;
mod server;
mod sizes;
mod slots;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use archive::save::Slot;
use archive::types::Type;
use archive::{Error, ErrorKind, Result, Value};

use crate::args::{View, Write};
use crate::commands::slot_as_value;
use crate::json_output::object;
use crate::{Outcome, input, typing};
use file::File;

/// The number of levels that are shown of a file.
const LEVELS: usize = 20_000;
/// The stack of a thread that reads so many levels.
const STACK: usize = if cfg!(target_pointer_width = "64") { 256 << 20 } else { 64 << 20 };

pub fn view(args: &View) -> Result<Outcome> {
    input::allow_depth(LEVELS);
    if let Some(page) = &args.export {
        return server::with_stack(|| export::export(&args.file, page, args.max_size));
    }
    // A store or a collection is converted when it is opened.
    let viewer = server::with_stack(|| Viewer::open(args))?;
    server::serve(&viewer, args.port, !args.no_open)
}

/// What the page shows: a file, or a folder of saves.
pub struct Viewer {
    path: PathBuf,
    /// Whether the path is a folder.
    is_folder: bool,
    /// The file to compare with that the arguments name.
    compare: Option<PathBuf>,
    settings: Settings,
    /// The files that were shown, by the names of their slots. The name of a file that was opened alone is empty.
    files: Mutex<HashMap<String, Arc<File>>>,
    /// The pictures of the slots that were listed last.
    pictures: Mutex<HashMap<String, Vec<u8>>>,
}

/// How files are changed.
pub struct Settings {
    is_read_only: bool,
    ty: Option<Type>,
    write: Write,
}

impl Viewer {
    /// Opens a file or a folder.
    ///
    /// # Errors
    /// Errors of the file and of the schema.
    fn open(args: &View) -> Result<Viewer> {
        let settings = Settings {
            is_read_only: args.read_only || args.file == Path::new("-"),
            ty: typing::ty(&args.typing)?,
            write: args.write(),
        };
        let viewer = Viewer {
            path: args.file.clone(),
            is_folder: args.file.is_dir(),
            compare: args.compare.clone(),
            settings,
            files: Mutex::default(),
            pictures: Mutex::default(),
        };
        if !viewer.is_folder {
            // The command reports what is wrong with a file.
            let file = File::open(&args.file)?;
            viewer
                .files
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(String::new(), file.into());
        }
        Ok(viewer)
    }

    /// Returns a file by the name of its slot, or the file that was opened alone. Only one file is in memory.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] if there is no such slot.
    fn file(&self, slot: &str) -> Result<Arc<File>> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match files.get(slot) {
            Some(file) => file.clone(),
            None => {
                let path = self.path_of(slot)?;
                let file = Arc::new(File::closed(&path));
                files.insert(slot.to_owned(), file.clone());
                file
            }
        };
        for (name, other) in files.iter() {
            if name != slot {
                other.close();
            }
        }
        Ok(file)
    }

    /// Returns the slots of the folder as the page shows them.
    ///
    /// # Errors
    /// Errors of the system.
    fn slots(&self) -> Result<Value> {
        let found = slots::list(&self.path)?;
        let picture = |slot: &Slot| (slot.name().to_owned(), slot.meta().thumbnail.clone());
        let pictures = found.iter().map(picture).collect();
        *self.pictures.lock().unwrap_or_else(PoisonError::into_inner) = pictures;
        Ok(object([("slots", found.iter().map(slot_as_value).collect())]))
    }

    /// Returns the picture of a slot that was listed, which is empty if there is none.
    fn picture(&self, slot: &str) -> Vec<u8> {
        let pictures = self.pictures.lock().unwrap_or_else(PoisonError::into_inner);
        pictures.get(slot).cloned().unwrap_or_default()
    }

    /// Returns the path of a slot.
    fn path_of(&self, slot: &str) -> Result<PathBuf> {
        let found = if self.is_folder { slots::list(&self.path)? } else { Vec::new() };
        let path =
            found.into_iter().find(|one| one.name() == slot).map(|one| one.path().to_owned());
        path.ok_or_else(|| {
            let message = format_args!("there is no save {slot:?} in {}", self.path.display());
            Error::new(ErrorKind::NotFound, message)
        })
    }
}
