//! [`History`]: the changes that can be undone.

use std::collections::VecDeque;

use archive::path::Path;
use archive::reflect::{self, Edit};
use archive::{Options, Polymorphic, Result};

/// The changes of a value that can be undone and redone.
///
/// It has at most 100 steps, or as many as [`with_limit`](History::with_limit) says: the oldest ones are forgotten.
/// A program keeps one for each value, and applies its own changes with it too, so that they are steps as well.
///
/// ```
/// use archive::path::Path;
/// use archive::reflect::Edit;
/// use archive::Options;
/// use archive_egui::History;
///
/// let (mut hp, mut history, options) = (vec![7, 9], History::with_limit(20), Options::new());
/// history.apply(&mut hp, &Edit::new().remove(Path::parse("[0]")?), &options)?;
/// assert_eq!(hp, [9]);
/// assert!(history.undo(&mut hp, &options)?);
/// assert_eq!(hp, [7, 9]);
/// assert!(history.redo(&mut hp, &options)?);
/// assert_eq!(hp, [9]);
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Debug)]
pub struct History {
    undo: VecDeque<Edit>,
    redo: Vec<Edit>,
    limit: usize,
    /// The place whose next change belongs to the last step, such as that of a slider while it is dragged.
    joined: Option<Path>,
}

impl Default for History {
    fn default() -> Self {
        History::with_limit(100)
    }
}

impl History {
    /// Creates a history of at most 100 steps.
    #[must_use]
    pub fn new() -> Self {
        History::default()
    }

    /// Creates a history of at most that many steps.
    #[must_use]
    pub fn with_limit(steps: usize) -> Self {
        History { undo: VecDeque::new(), redo: Vec::new(), limit: steps, joined: None }
    }

    /// Makes an edit, which is one step.
    ///
    /// # Errors
    /// Those of the edit. The value and the history are then unchanged.
    pub fn apply(
        &mut self,
        value: &mut dyn Polymorphic,
        edit: &Edit,
        options: &Options<'_>,
    ) -> Result {
        let undo = reflect::apply(value, edit, options)?;
        self.redo.clear();
        self.joined = None;
        self.push(undo);
        Ok(())
    }

    /// Makes an edit of one place. Until [`end_step`](History::end_step), all of these that follow one another are one
    /// step: use it for the positions of a slider.
    ///
    /// # Errors
    /// As [`apply`](History::apply).
    pub fn apply_joined(
        &mut self,
        value: &mut dyn Polymorphic,
        path: &Path,
        edit: &Edit,
        options: &Options<'_>,
    ) -> Result {
        let is_next = self.joined.as_ref() == Some(path);
        let before = self.undo.pop_back_if(|_| is_next);
        let undo = match reflect::apply(value, edit, options) {
            Ok(undo) => undo,
            Err(error) => {
                self.undo.extend(before);
                return Err(error);
            }
        };
        self.redo.clear();
        self.push(match before {
            Some(before) => undo.then(before),
            None => undo,
        });
        self.joined = Some(path.clone());
        Ok(())
    }

    /// Ends the step of [`apply_joined`](History::apply_joined).
    pub fn end_step(&mut self) {
        self.joined = None;
    }

    /// Takes the last step back. Returns `false` if there is none.
    ///
    /// # Errors
    /// Those of the edit, if the program has changed the value so that the step cannot be undone. The step is then
    /// forgotten, with those before it.
    pub fn undo(&mut self, value: &mut dyn Polymorphic, options: &Options<'_>) -> Result<bool> {
        self.joined = None;
        let Some(edit) = self.undo.pop_back() else { return Ok(false) };
        match reflect::apply(value, &edit, options) {
            Ok(redo) => self.redo.push(redo),
            Err(error) => {
                self.undo.clear();
                return Err(error);
            }
        }
        Ok(true)
    }

    /// Makes the step again that was undone last. Returns `false` if there is none.
    ///
    /// # Errors
    /// As [`undo`](History::undo).
    pub fn redo(&mut self, value: &mut dyn Polymorphic, options: &Options<'_>) -> Result<bool> {
        self.joined = None;
        let Some(edit) = self.redo.pop() else { return Ok(false) };
        match reflect::apply(value, &edit, options) {
            Ok(undo) => self.push(undo),
            Err(error) => {
                self.redo.clear();
                return Err(error);
            }
        }
        Ok(true)
    }

    /// Returns the number of steps that can be undone.
    #[must_use]
    pub fn undo_len(&self) -> usize {
        self.undo.len()
    }

    /// Returns the number of steps that can be redone.
    #[must_use]
    pub fn redo_len(&self) -> usize {
        self.redo.len()
    }

    /// Forgets all steps. Call it after another value was loaded.
    pub fn clear(&mut self) {
        *self = History::with_limit(self.limit);
    }

    /// Returns the edit that undoes the last step.
    pub(crate) fn next_undo(&self) -> Option<&Edit> {
        self.undo.back()
    }

    /// Returns the edit that redoes the last step.
    pub(crate) fn next_redo(&self) -> Option<&Edit> {
        self.redo.last()
    }

    fn push(&mut self, undo: Edit) {
        self.undo.push_back(undo);
        while self.undo.len() > self.limit {
            self.undo.pop_front();
        }
    }
}
