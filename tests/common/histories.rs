//! [`round_trip`] with a random history of edits of the value.

use std::fmt::Debug;

use archive::path::{Path, Step};
use archive::reflect::{self, Edit, Row};
use archive::{Blank, Options, Polymorphic, Save, Serialize, Value, json};

use crate::each_once;

/// As [`round_trip`](crate::round_trip). Then a copy of the value is edited, and the edits are
/// undone and redone.
pub fn round_trip<T: Serialize + Save + Blank + PartialEq + Debug + 'static>(value: &T) {
    round_trip_with(value, &Options::new());
}

/// As [`round_trip`], with options.
pub fn round_trip_with<T>(value: &T, options: &Options<'_>)
where
    T: Serialize + Save + Blank + PartialEq + Debug + 'static,
{
    crate::round_trip_with(value, options);
    let copy = || {
        let mut copy = T::blank(options);
        let text = json::to_string_with(value, options).expect("the value is saved");
        json::load_into_with(&mut copy, text.as_bytes(), options).expect("it is loaded");
        copy
    };
    let (mut here, mut there) = (copy(), copy());
    History { options, random: 1 }.run(&mut here, &mut there);
}

struct History<'o> {
    options: &'o Options<'o>,
    random: u64,
}

/// How many edits each value gets.
const EDITS: usize = 12;

impl History<'_> {
    fn run(&mut self, here: &mut dyn Polymorphic, there: &mut dyn Polymorphic) {
        let options = self.options;
        let mut done = Vec::new();
        for _ in 0..EDITS {
            let Some(edit) = self.edit(here) else { return };
            let before = text(here, options);
            let applied = reflect::apply(here, &edit, options);
            let after = text(here, options);
            if applied.is_err() {
                assert_eq!(after, before, "a refused edit: {edit:?}, {applied:?}");
            }
            // An edit that was refused here is refused there.
            self.elsewhere(there, &edit, applied.as_ref().map(drop));
            assert_eq!(text(there, options), after, "{edit:?}");
            done.extend(applied.map(|undo| (before, undo)));
        }
        let mut undone = Vec::new();
        for (before, undo) in done.into_iter().rev() {
            let after = text(here, options);
            let redo = reflect::apply(here, &undo, options).expect("it was there");
            assert_eq!(text(here, options), before, "undo: {undo:?}");
            undone.push((after, redo));
        }
        for (after, redo) in undone.into_iter().rev() {
            let before = text(here, options);
            let undo = reflect::apply(here, &redo, options).expect("it was there");
            assert_eq!(text(here, options), after, "redo: {redo:?}");
            reflect::apply(here, &undo, options).expect("it was there");
            assert_eq!(text(here, options), before, "second undo: {undo:?}");
            reflect::apply(here, &redo, options).expect("it was there");
        }
    }

    /// Saves the edit in every format, and applies it to the value that was loaded elsewhere.
    fn elsewhere(
        &mut self,
        there: &mut dyn Polymorphic,
        edit: &Edit,
        here: Result<(), &archive::Error>,
    ) {
        // A format may have another form for a number, and the error another text for it.
        let wanted = here.is_ok();
        let formats = each_once();
        for (index, format) in formats.iter().enumerate() {
            let saved = format.to_vec(edit).expect("an edit without live objects is saved");
            let edit: Edit = format.from_slice(&saved).expect("it is loaded");
            let result = reflect::apply(there, &edit, self.options);
            assert_eq!(result.is_ok(), wanted, "{format}: {edit:?}, {result:?}, {here:?}");
            if let (Ok(undo), true) = (result, index + 1 < formats.len()) {
                reflect::apply(there, &undo, self.options).expect("it was there");
            }
        }
    }

    fn next(&mut self, below: usize) -> usize {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.random >> 33) as usize % below.max(1)
    }

    /// Returns an edit of a place that exists, which may be refused.
    fn edit(&mut self, value: &dyn Polymorphic) -> Option<Edit> {
        let rows = reflect::list(value, &Path::new(), self.options).expect("the value is visited");
        let place = |history: &mut Self| -> Option<(Path, Row)> {
            let row = rows.get(history.next(rows.len()))?.clone();
            let up = [0, 0, 0, 1, 1, 2][history.next(6)];
            let path = row.path.to_path();
            let steps = &path[..path.len().saturating_sub(up)];
            Some((Path::from(steps.to_vec()), row))
        };
        let (path, row) = place(self)?;
        let (other, _) = place(self)?;
        let content = match self.next(6) {
            0 => Value::Null,
            1 => Value::from(7),
            2 => Value::from("text"),
            3 => json::from_str("[]").unwrap(),
            // The value of another place, without its objects.
            4 => reflect::get(value, &other, self.options).ok().filter(is_tree)?,
            _ => row.value,
        };
        let edit = Edit::new();
        Some(match self.next(8) {
            0 => edit.remove(path),
            1 => edit.insert(path, content),
            2 => edit.move_to(path, self.next(4)),
            3 => edit.set(path, content.clone()).set(other, content),
            4 => match path.last() {
                Some(Step::Index(_)) => edit.insert(path, content),
                _ => edit.rename(path, "other"),
            },
            _ => edit.set(path, content),
        })
    }
}

/// Returns whether there are no references to objects in a tree.
fn is_tree(tree: &Value) -> bool {
    !tree.to_string().contains("\"$id\"")
}

fn text(value: &dyn Polymorphic, options: &Options<'_>) -> String {
    let tree = reflect::get(value, &Path::new(), options).expect("the value is saved");
    tree.to_string()
}
