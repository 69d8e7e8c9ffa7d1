//! [`ObjectBlobList`]: a save file, which is a list of named blobs in order.

use std::io::{Read, Write};

use archive_core::{Error, ErrorKind, NoteKind, Report, Result};
use indexmap::IndexMap;
use indexmap::map::Entry;

use crate::cursor::{Input, LEAST_BLOB, trailing};
use crate::datum::length;
use crate::names;
use crate::object_blob::{ObjectBlob, missing, put_name};

/// Named blobs in the order in which they were added; represents a save file.
///
/// ```
/// use archive::blob::{ObjectBlob, ObjectBlobList};
///
/// let mut ann = ObjectBlob::new();
/// ann.add("hp", 7)?;
/// let mut list = ObjectBlobList::new();
/// list.add("Ann", ann)?;
///
/// let file = list.to_vec()?;
/// let list = ObjectBlobList::from_slice(&file)?;
/// assert_eq!(list.get("Ann")?.get::<i32>("hp")?, 7);
/// assert_eq!(list.name(0), Some("Ann"));
///
/// // The same file, loaded as the program's types.
/// let mut reader = archive::blob::Reader::new(&file)?;
/// let hp = reader.load::<std::collections::BTreeMap<String, u8>>("Ann")?["hp"];
/// assert_eq!(hp, 7);
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectBlobList {
    blobs: IndexMap<String, ObjectBlob>,
}

impl ObjectBlobList {
    /// Creates a list without blobs.
    pub fn new() -> Self {
        ObjectBlobList::default()
    }

    /// Adds a blob.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if the list has a blob with that name.
    pub fn add(&mut self, name: &str, blob: ObjectBlob) -> Result {
        match self.blobs.entry(name.to_owned()) {
            Entry::Vacant(place) => {
                place.insert(blob);
                Ok(())
            }
            Entry::Occupied(_) => {
                let message = "there is already a blob of that name";
                Err(Error::new(ErrorKind::DuplicateMember, message).in_member(name))
            }
        }
    }

    /// Replaces the blob with that name and returns the old one, or adds the blob at the end if
    /// there is none.
    pub fn set(&mut self, name: &str, blob: ObjectBlob) -> Option<ObjectBlob> {
        self.blobs.insert(name.to_owned(), blob)
    }

    /// Removes a blob and returns it. The blobs after it move up.
    pub fn remove(&mut self, name: &str) -> Option<ObjectBlob> {
        self.blobs.shift_remove(name)
    }

    /// Returns the blob with that name.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`] if there is none; the message lists the existing names.
    pub fn get(&self, name: &str) -> Result<&ObjectBlob> {
        self.blobs.get(name).ok_or_else(|| self.missing(name))
    }

    /// Returns the blob with that name, mutable.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`] if there is none; the message lists the existing names.
    pub fn get_mut(&mut self, name: &str) -> Result<&mut ObjectBlob> {
        match self.blobs.get_index_of(name) {
            Some(index) => Ok(&mut self.blobs[index]),
            None => Err(self.missing(name)),
        }
    }

    /// Returns the blob at that index, with its name.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`] if the index is out of range.
    pub fn get_at(&self, index: usize) -> Result<(&str, &ObjectBlob)> {
        let found = self.blobs.get_index(index);
        found.map(|(name, blob)| (&**name, blob)).ok_or_else(|| {
            missing(&format!("the list has {} blobs, none at index {index}", self.len()))
        })
    }

    #[cold]
    fn missing(&self, name: &str) -> Error {
        let names: Vec<&str> = self.names().take(24).collect();
        missing(&format!("the list has no such blob; it has: {}", names.join(", "))).in_member(name)
    }

    /// Returns the number of blobs.
    pub fn len(&self) -> usize {
        self.blobs.len()
    }

    /// Returns whether the list has no blobs.
    pub fn is_empty(&self) -> bool {
        self.blobs.is_empty()
    }

    /// Returns whether there is a blob with that name.
    pub fn contains(&self, name: &str) -> bool {
        self.blobs.contains_key(name)
    }

    /// Returns the name of the blob at that index.
    pub fn name(&self, index: usize) -> Option<&str> {
        self.blobs.get_index(index).map(|(name, _)| &**name)
    }

    /// Returns the index of the blob with that name.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.blobs.get_index_of(name)
    }

    /// Returns the names, in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.blobs.keys().map(String::as_str)
    }

    /// Returns the blobs with their names, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &ObjectBlob)> {
        self.blobs.iter().map(|(name, blob)| (&**name, blob))
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if a count, a length or a size exceeds `i32::MAX`.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let mut out = length(self.len(), "the number of blobs")?.to_vec();
        for (name, blob) in &self.blobs {
            put_name(&mut out, name)?;
            let blob = blob.to_vec().map_err(|error| error.in_member(name))?;
            let size = length(blob.len(), "the size of a blob");
            out.extend_from_slice(&size.map_err(|error| error.in_member(name))?);
            out.extend_from_slice(&blob);
        }
        Ok(out)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// As [`to_vec`](ObjectBlobList::to_vec), and errors of the writer.
    pub fn to_writer(&self, mut writer: impl Write) -> Result {
        writer.write_all(&self.to_vec()?).map_err(Error::io)
    }

    /// Reads the list from a file. If a name occurs twice, of a blob or of a datum in a blob, the
    /// first one counts, as in the original program;
    /// [`from_slice_report`](ObjectBlobList::from_slice_report) notes it.
    ///
    /// ```
    /// use archive::blob::{ObjectBlob, ObjectBlobList};
    ///
    /// let (mut first, mut second) = (ObjectBlobList::new(), ObjectBlobList::new());
    /// for (list, hp) in [(&mut first, 7), (&mut second, 9)] {
    ///     let mut ann = ObjectBlob::new();
    ///     ann.add("hp", hp)?;
    ///     list.add("Ann", ann)?;
    /// }
    /// // Both in one file, which the original program writes without complaint.
    /// let mut file = first.to_vec()?;
    /// file[0] = 2;
    /// file.extend_from_slice(&second.to_vec()?[4..]);
    ///
    /// let (list, report) = ObjectBlobList::from_slice_report(&file)?;
    /// assert_eq!(list.get("Ann")?.get::<i32>("hp")?, 7);
    /// assert_eq!(report.to_string(), "Ann: duplicate member\n");
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the file is malformed.
    pub fn from_slice(input: &[u8]) -> Result<Self> {
        Ok(ObjectBlobList::from_slice_report(input)?.0)
    }

    /// As [`from_slice`](ObjectBlobList::from_slice), with a [`NoteKind::Duplicate`] for everything
    /// that was left out because its name occurred before.
    pub fn from_slice_report(input: &[u8]) -> Result<(Self, Report)> {
        let all = input.len();
        let input = Input(input);
        let mut list = ObjectBlobList::new();
        let mut report = Report::default();
        let mut at = 4;
        let count = input.count(0, all, LEAST_BLOB, "a number of blobs");
        for _ in 0..count.map_err(|error| input.other_format(error))? {
            let (raw, after) = input.name(at, all)?;
            let name = names::text(raw, at)?;
            let size = input.length(after, all, "a size")?;
            input.take(after + 4, size, all)?;
            let end = after + 4 + size;
            let blob = ObjectBlob::read(&input, after + 4..end, &name, &mut report);
            let blob = blob.map_err(|error| error.in_member(&name))?;
            match list.blobs.entry(name.into_owned()) {
                Entry::Vacant(place) => drop(place.insert(blob)),
                Entry::Occupied(first) => report.note(first.key().clone(), NoteKind::Duplicate),
            }
            at = end;
        }
        if at == all { Ok((list, report)) } else { Err(trailing("the last blob", at)) }
    }

    /// Reads the list from a reader, up to its end.
    ///
    /// # Errors
    /// As [`from_slice`](ObjectBlobList::from_slice), and errors of the reader.
    pub fn from_reader(mut reader: impl Read) -> Result<Self> {
        let mut input = Vec::new();
        reader.read_to_end(&mut input).map_err(Error::io)?;
        ObjectBlobList::from_slice(&input)
    }
}
