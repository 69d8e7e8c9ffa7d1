//! Changes of values in place, which can be undone.

mod apply;
mod assign;
mod content;
mod merge;
mod put;
mod ranges;
mod references;
mod select;
mod set;
mod stored;
mod whole;

pub use apply::apply;
pub use content::Content;
pub use merge::merge;
pub use set::set;

use archive_core::path::Path;

/// Changes of a value, in order. [`apply`] makes all or none of them, and returns the edit that
/// undoes them.
///
/// An edit is a value: it is saved and loaded in every format, unless it holds
/// [live objects](Content::is_live).
///
/// ```
/// use archive::path::Path;
/// use archive::{Options, Serialize, json, reflect};
///
/// #[derive(Default, Serialize)]
/// struct World { title: String, hp: Vec<u16> }
///
/// let mut world = World { title: "Hall".into(), hp: vec![1, 2, 3] };
/// let edit = reflect::Edit::new()
///     .set(Path::parse("title")?, "Cave")
///     .insert(Path::parse("hp[1]")?, 7)
///     .remove(Path::parse("hp[0]")?);
/// let undo = reflect::apply(&mut world, &edit, &Options::new())?;
/// assert_eq!(json::to_string(&world)?, r#"{"title":"Cave","hp":[7,2,3]}"#);
/// let redo = reflect::apply(&mut world, &undo, &Options::new())?;
/// assert_eq!(json::to_string(&world)?, r#"{"title":"Hall","hp":[1,2,3]}"#);
///
/// let saved = json::to_string(&redo)?;
/// reflect::apply(&mut world, &json::from_str(&saved)?, &Options::new())?;
/// assert_eq!(world.title, "Cave");
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Edit(Vec<Change>);

/// One change of an [`Edit`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Change {
    /// The value is loaded from the content, in place. Members that the content does not name are
    /// unchanged, as are fields that are not saved. A list gets the length of the content, and a
    /// map its keys. An enum gets the variant of the content, and a pointer its object.
    Set(Path, Content),
    /// A new item is inserted before the one at that index, or a new entry into a map.
    Insert(Path, Content),
    /// The item or the entry is removed.
    Remove(Path),
    /// The item is moved to another index of its list.
    Move(Path, usize),
    /// The enum gets the variant of that name, with a blank payload. If it has the variant already,
    /// nothing changes.
    Variant(Path, String),
    /// The pointer gets the object of another pointer.
    Attach(Path, Path),
    /// The entry of a map gets another key. Fields of its value that are not saved are reset to
    /// blank.
    Rename(Path, String),
}

impl Change {
    /// Returns the path of the change.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Change::Set(path, _)
            | Change::Insert(path, _)
            | Change::Remove(path)
            | Change::Move(path, _)
            | Change::Variant(path, _)
            | Change::Rename(path, _)
            | Change::Attach(path, _) => path,
        }
    }
}

impl Edit {
    /// Creates an edit that changes nothing.
    #[must_use]
    pub fn new() -> Self {
        Edit::default()
    }

    /// Adds a change.
    #[must_use]
    pub fn change(mut self, change: Change) -> Self {
        self.0.push(change);
        self
    }

    /// Adds [`Change::Set`].
    #[must_use]
    pub fn set(self, path: Path, content: impl Into<Content>) -> Self {
        self.change(Change::Set(path, content.into()))
    }

    /// Adds [`Change::Insert`].
    #[must_use]
    pub fn insert(self, path: Path, content: impl Into<Content>) -> Self {
        self.change(Change::Insert(path, content.into()))
    }

    /// Adds [`Change::Remove`].
    #[must_use]
    pub fn remove(self, path: Path) -> Self {
        self.change(Change::Remove(path))
    }

    /// Adds [`Change::Move`].
    #[must_use]
    pub fn move_to(self, path: Path, index: usize) -> Self {
        self.change(Change::Move(path, index))
    }

    /// Adds [`Change::Variant`].
    #[must_use]
    pub fn variant(self, path: Path, name: impl Into<String>) -> Self {
        self.change(Change::Variant(path, name.into()))
    }

    /// Adds [`Change::Attach`].
    #[must_use]
    pub fn attach(self, path: Path, from: Path) -> Self {
        self.change(Change::Attach(path, from))
    }

    /// Adds [`Change::Rename`]. The key is not escaped, even if it begins with `$`.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use archive::path::Path;
    /// use archive::{Options, reflect};
    ///
    /// let mut items = BTreeMap::from([("potion".to_owned(), 3), ("rope".to_owned(), 1)]);
    /// let rename = |key| reflect::Edit::new().rename(Path::parse("potion").unwrap(), key);
    /// let error = reflect::apply(&mut items, &rename("rope"), &Options::new()).unwrap_err();
    /// assert_eq!(error.kind(), archive::ErrorKind::DuplicateMember);
    /// reflect::apply(&mut items, &rename("elixir"), &Options::new())?;
    /// assert_eq!(items["elixir"], 3);
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn rename(self, path: Path, key: impl Into<String>) -> Self {
        self.change(Change::Rename(path, key.into()))
    }

    /// Adds the changes of another edit after these. Use it to undo several edits in one step: put
    /// the undo of the last edit first.
    ///
    /// If both edits [restore](apply) the same places, only the second one is kept. So the undo of
    /// a slider drag, which makes an edit for each position, is as small as that of one position.
    ///
    /// ```
    /// use archive::path::Path;
    /// use archive::{Options, reflect};
    ///
    /// let (mut sliders, options) = (vec![1, 2], Options::new());
    /// let mut undo = reflect::Edit::new();
    /// for position in 3..100 {
    ///     let edit = reflect::Edit::new().set(Path::parse("[1]")?, position);
    ///     undo = reflect::apply(&mut sliders, &edit, &options)?.then(undo);
    /// }
    /// assert_eq!(undo.changes().len(), 1);
    /// reflect::apply(&mut sliders, &undo, &options)?;
    /// assert_eq!(sliders, [1, 2]);
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn then(mut self, next: Edit) -> Self {
        if self.puts_back_what(&next) {
            return next;
        }
        self.0.extend(next.0);
        self
    }

    /// Returns whether both edits restore the same places.
    fn puts_back_what(&self, other: &Edit) -> bool {
        let place = |change: &Change| match change {
            Change::Set(path, content) if content.was_there => Some(path.clone()),
            _ => None,
        };
        let same = |(one, other): (&Change, &Change)| {
            place(one).is_some_and(|path| place(other) == Some(path))
        };
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(same)
    }

    /// Returns the changes.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.0
    }
}
