//! [`View`]: what an inspector remembers from frame to frame, apart from the value.

mod node;

pub(crate) use node::{Keys, Node};

use std::collections::HashMap;

use archive::Value;
use archive::path::Path;
use archive::reflect::{Change, Edit, Holder};

use crate::search::Search;

/// What an inspector remembers from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct View {
    /// The part that is shown.
    pub(crate) root: Path,
    pub(crate) tree: Node,
    pub(crate) search: Search,
    /// The part to scroll to.
    pub(crate) target: Option<Path>,
    /// Why the last change was refused.
    pub(crate) problem: Option<Problem>,
    /// The item that is dragged by its handle.
    pub(crate) moving: Option<Moving>,
    /// The texts that are typed for new and other keys of maps and sets.
    pub(crate) keys: HashMap<Path, String>,
    /// The pointers to an object whose menu is open.
    pub(crate) links: Option<Links>,
    /// The widget with the focus, when the last step of the history began.
    pub(crate) focus: Option<egui::Id>,
}

/// A change that was refused.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) path: Path,
    pub(crate) message: String,
    /// What was typed, which is shown in place of the value while the widget has the focus.
    pub(crate) draft: Option<Value>,
}

/// An item that is dragged by its handle.
#[derive(Debug)]
pub(crate) struct Moving {
    pub(crate) list: Path,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) handle: egui::Id,
}

/// The pointers to an object.
#[derive(Debug)]
pub(crate) struct Links {
    pub(crate) of: Path,
    pub(crate) found: Result<Vec<Holder>, String>,
    /// Whether the menu was shown in this frame.
    pub(crate) is_shown: bool,
}

impl View {
    /// Shows a part: opens all parts around it, and scrolls to it.
    pub(crate) fn jump(&mut self, path: Path) {
        self.search.query.clear();
        let is_below = path.starts_with(&self.root);
        if !is_below || path.len() > self.root.len() + crate::lines::DEEPEST {
            // Beside or far below what is shown.
            self.root = path.split_last().map_or_else(Path::new, |(around, _)| around);
            if self.root.len() <= crate::lines::DEEPEST {
                self.root = Path::new();
            }
        }
        self.tree.open_to(&path);
        self.target = Some(path);
    }

    /// Follows an edit that was made.
    pub(crate) fn follow(&mut self, edit: &Edit) {
        self.tree.follow(edit);
        // While a value that was found is typed, it may no longer be found: it stays.
        if !edit.changes().iter().all(|change| matches!(change, Change::Set(..))) {
            self.search.forget();
        }
        self.problem = None;
    }
}
