//! [`Action`]: what the user did in a frame. It is done after all lines were drawn, since these borrow the value.

use archive::path::Path;
use archive::reflect::Edit;
use archive::{Error, Options, Polymorphic, Value};

use crate::history::History;
use crate::view::{Problem, View};

/// What the user did.
#[derive(Debug)]
pub(crate) enum Action {
    /// A change of the part at the path, by the first edit that is accepted.
    Edit {
        at: Path,
        edits: Vec<Edit>,
        draft: Option<Value>,
        then: Then,
    },
    /// Opens a part, or closes it.
    Open(Path, bool),
    /// Opens a group of members, or closes it.
    OpenGroup(Path, &'static str, bool),
    /// Shows a part in its place.
    Jump(Path),
    /// Shows a part alone.
    Root(Path),
    Undo,
    Redo,
}

/// What follows a change that was made.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Then {
    Nothing,
    /// The next change of the place belongs to the same step of the history, until the drag ends or the focus moves.
    Join,
    /// A new part is shown.
    Show(Path),
}

impl Action {
    /// Sets a part. While a slider is dragged or a text is typed, all changes are one step.
    pub(crate) fn set(at: &Path, value: Value) -> Action {
        let edit = Edit::new().set(at.clone(), value.clone());
        Action::Edit { at: at.clone(), edits: vec![edit], draft: Some(value), then: Then::Join }
    }

    /// Makes an edit, which is one step.
    pub(crate) fn edit(at: &Path, edit: Edit) -> Action {
        Action::Edit { at: at.clone(), edits: vec![edit], draft: None, then: Then::Nothing }
    }

    /// Does it. Returns whether the value may have changed.
    pub(crate) fn run(
        self,
        value: &mut dyn Polymorphic,
        history: &mut History,
        view: &mut View,
        options: &Options<'_>,
    ) -> bool {
        match self {
            Action::Edit { at, edits, draft, then } => {
                let mut refused = None;
                for edit in edits {
                    let done = match then {
                        Then::Join => history.apply_joined(value, &at, &edit, options),
                        _ => history.apply(value, &edit, options),
                    };
                    match done {
                        Ok(()) => {
                            view.follow(&edit);
                            if let Then::Show(path) = then {
                                view.jump(path);
                            }
                            return true;
                        }
                        Err(error) => refused = refused.or(Some(error)),
                    }
                }
                if let Some(error) = refused {
                    view.refuse(at, &error, draft);
                }
            }
            Action::Undo => return step(value, history, view, options, true),
            Action::Redo => return step(value, history, view, options, false),
            Action::Open(path, is_open) => view.tree.make(&path).is_open = is_open,
            Action::OpenGroup(path, group, is_open) => {
                let closed = &mut view.tree.make(&path).closed_groups;
                closed.retain(|closed| *closed != group);
                closed.extend((!is_open).then_some(group));
            }
            Action::Jump(path) => view.jump(path),
            Action::Root(path) => {
                view.tree.make(&path).is_open = true;
                view.root = path;
            }
        }
        false
    }
}

/// Undoes or redoes the last step.
fn step(
    value: &mut dyn Polymorphic,
    history: &mut History,
    view: &mut View,
    options: &Options<'_>,
    back: bool,
) -> bool {
    let edit = if back { history.next_undo() } else { history.next_redo() }.cloned();
    let done = if back { history.undo(value, options) } else { history.redo(value, options) };
    match done {
        Ok(changed) => {
            if let Some(edit) = edit {
                view.follow(&edit);
            }
            changed
        }
        Err(error) => {
            view.refuse(Path::new(), &error, None);
            true
        }
    }
}

impl View {
    fn refuse(&mut self, path: Path, error: &Error, draft: Option<Value>) {
        // The place is known: the message is shown there.
        let message = error.to_string();
        let place = format!("{path}: ");
        let message = message.strip_prefix(&place).unwrap_or(&message).to_owned();
        self.problem = Some(Problem { path, message, draft });
    }
}
