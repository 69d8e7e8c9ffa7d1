//! [`ObjectBlob`]: named, typed data in order.

use std::io::{Read, Write};
use std::ops::Range;

use archive_core::{Element, Error, ErrorKind, NoteKind, Options, Report, Result, Source};
use indexmap::IndexMap;
use indexmap::map::Entry;

use crate::cursor::{Input, LEAST_DATUM, trailing};
use crate::data::{FromDatum, ToDatum};
use crate::datum::{Datum, length};
use crate::list::ObjectBlobList;
use crate::names;
use crate::types::DataType;

/// Named data in the order in which it was added; represents one object of a save file.
///
/// [`add`](ObjectBlob::add) and [`get`](ObjectBlob::get) are for scalars, text, arrays and blobs,
/// and require exact types; [`add_value`](ObjectBlob::add_value) and
/// [`get_value`](ObjectBlob::get_value) are for everything that can be serialized. Data of unknown
/// types is kept byte for byte.
///
/// ```
/// use archive::blob::{DataType, ObjectBlob, add, get};
///
/// let truth = true;
/// let numbers = [1, 2, 3];
/// let mut blob = ObjectBlob::new();
/// add!(blob, truth, numbers)?;
/// blob.add("text", "Test string.")?;
///
/// assert_eq!(blob.get::<Vec<i32>>("numbers")?, [1, 2, 3]);
/// assert_eq!(blob.data_type("text")?, DataType::Char);
/// assert_eq!(blob.name(0), Some("truth"));
/// assert_eq!(blob.get_at::<bool>(0)?, true);
/// let error = blob.get::<f32>("truth").unwrap_err();
/// assert_eq!(error.to_string(), "truth: expected float, found bool");
///
/// let (mut text, mut numbers) = (String::new(), [0; 3]);
/// get!(blob, text, numbers)?;
/// assert_eq!((&*text, numbers), ("Test string.", [1, 2, 3]));
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectBlob {
    data: IndexMap<String, Datum>,
}

impl ObjectBlob {
    /// Creates a blob without data.
    pub fn new() -> Self {
        ObjectBlob::default()
    }

    /// Creates a blob with a value's members, as in a file of that value. A value without members
    /// becomes one datum with the empty name.
    pub fn of<S: Source>(value: S) -> Result<Self> {
        let mut list = ObjectBlobList::from_slice(&crate::to_vec(value)?)?;
        list.remove("").ok_or_else(|| missing("").in_member(""))
    }

    /// Loads a new value from the blob, with the conversions that apply to files.
    ///
    /// # Errors
    /// If the data does not fit the type.
    pub fn to<T: Element>(&self) -> Result<T> {
        let mut list = ObjectBlobList::new();
        list.add("", self.clone())?;
        crate::from_slice(&list.to_vec()?)
    }

    // ---- in ----

    /// Adds a datum.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if there is a datum with that name;
    /// [`ErrorKind::Unsupported`] if the value is too large.
    pub fn add(&mut self, name: &str, value: impl ToDatum) -> Result {
        let datum = value.to_datum().map_err(|error| error.in_member(name))?;
        self.insert(name, datum)
    }

    /// Adds a datum with a value: `&value` of a type with `Save`, or `&mut value` of any type with
    /// `Serialize`.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use archive::blob::{DataType, ObjectBlob};
    ///
    /// let prices = BTreeMap::from([("wood".to_owned(), 3_u16)]);
    /// let mut blob = ObjectBlob::new();
    /// blob.add_value("prices", &prices)?;
    /// assert_eq!(blob.data_type("prices")?, DataType::List);
    /// assert_eq!(blob.get_value::<BTreeMap<String, u16>>("prices")?, prices);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if there is a datum with that name, and errors of the value.
    pub fn add_value<S: Source>(&mut self, name: &str, value: S) -> Result {
        self.add_value_with(name, value, &Options::new())
    }

    /// As [`add_value`](ObjectBlob::add_value), with options.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if there is a datum with that name, and errors of the value.
    pub fn add_value_with<S: Source>(
        &mut self,
        name: &str,
        value: S,
        options: &Options<'_>,
    ) -> Result {
        let datum = Datum::of_with(value, options).map_err(|error| error.in_member(name))?;
        self.insert(name, datum)
    }

    /// Replaces the datum with that name, or adds one at the end if there is none.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the value is too large.
    pub fn set(&mut self, name: &str, value: impl ToDatum) -> Result {
        let datum = value.to_datum().map_err(|error| error.in_member(name))?;
        self.data.insert(name.to_owned(), datum);
        Ok(())
    }

    /// As [`set`](ObjectBlob::set), for every value that [`add_value`](ObjectBlob::add_value)
    /// accepts.
    pub fn set_value<S: Source>(&mut self, name: &str, value: S) -> Result {
        let datum = Datum::of(value).map_err(|error| error.in_member(name))?;
        self.data.insert(name.to_owned(), datum);
        Ok(())
    }

    /// Removes a datum and returns it. The data after it moves up.
    pub fn remove(&mut self, name: &str) -> Option<Datum> {
        self.data.shift_remove(name)
    }

    fn insert(&mut self, name: &str, datum: Datum) -> Result {
        match self.data.entry(name.to_owned()) {
            Entry::Vacant(place) => {
                place.insert(datum);
                Ok(())
            }
            Entry::Occupied(_) => {
                let message = "there is already a datum of that name";
                Err(Error::new(ErrorKind::DuplicateMember, message).in_member(name))
            }
        }
    }

    // ---- out ----

    /// Returns the value of the datum with that name, which must have exactly the type of `T`.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`], [`ErrorKind::WrongType`], [`ErrorKind::WrongLength`].
    pub fn get<T: FromDatum>(&self, name: &str) -> Result<T> {
        T::from_datum(self.datum(name)?).map_err(|error| error.in_member(name))
    }

    /// Returns the value of the datum at that index, which must have exactly the type of `T`.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`], [`ErrorKind::WrongType`], [`ErrorKind::WrongLength`].
    pub fn get_at<T: FromDatum>(&self, index: usize) -> Result<T> {
        let (name, datum) = self.datum_at(index)?;
        T::from_datum(datum).map_err(|error| error.in_member(name))
    }

    /// Returns the value of the datum with that name, with the conversions that apply to files:
    /// numbers are converted if the value is preserved.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`] if there is no such datum, and errors of the value.
    pub fn get_value<T: Element>(&self, name: &str) -> Result<T> {
        self.get_value_with(name, &Options::new())
    }

    /// As [`get_value`](ObjectBlob::get_value), with options.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`] if there is no such datum, and errors of the value.
    pub fn get_value_with<T: Element>(&self, name: &str, options: &Options<'_>) -> Result<T> {
        self.datum(name)?.to_with(options).map_err(|error| error.in_member(name))
    }

    /// Returns the datum with that name.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`] if there is none; the message lists the existing names.
    pub fn datum(&self, name: &str) -> Result<&Datum> {
        self.data.get(name).ok_or_else(|| {
            let names: Vec<&str> = self.names().take(24).collect();
            missing(&format!("the blob has no such datum; it has: {}", names.join(", ")))
                .in_member(name)
        })
    }

    /// Returns the datum at that index, with its name.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`] if the index is out of range.
    pub fn datum_at(&self, index: usize) -> Result<(&str, &Datum)> {
        let found = self.data.get_index(index);
        found.map(|(name, datum)| (&**name, datum)).ok_or_else(|| {
            missing(&format!("the blob has {} data, none at index {index}", self.len()))
        })
    }

    // ---- queries ----

    /// Returns the number of data.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Returns whether the blob has no data.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Returns whether there is a datum with that name.
    pub fn contains(&self, name: &str) -> bool {
        self.data.contains_key(name)
    }

    /// Returns the name of the datum at that index.
    pub fn name(&self, index: usize) -> Option<&str> {
        self.data.get_index(index).map(|(name, _)| &**name)
    }

    /// Returns the index of the datum with that name.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.data.get_index_of(name)
    }

    /// Returns the type of the datum with that name.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`] if there is no such datum.
    pub fn data_type(&self, name: &str) -> Result<DataType> {
        self.datum(name).map(Datum::data_type)
    }

    /// Returns the size of one element of the datum with that name, in bytes.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`] if there is no such datum.
    pub fn element_size(&self, name: &str) -> Result<usize> {
        self.datum(name).map(Datum::element_size)
    }

    /// Returns the number of elements of the datum with that name.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`] if there is no such datum.
    pub fn element_count(&self, name: &str) -> Result<usize> {
        self.datum(name).map(Datum::len)
    }

    /// Returns the names, in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.data.keys().map(String::as_str)
    }

    /// Returns the data with their names, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Datum)> {
        self.data.iter().map(|(name, datum)| (&**name, datum))
    }

    // ---- bytes ----

    /// Returns the bytes of the blob as in a file: a count, then each datum.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if a count, a length or a size exceeds `i32::MAX`.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let mut out = length(self.len(), "the number of data")?.to_vec();
        for (name, datum) in &self.data {
            put_name(&mut out, name)?;
            out.extend_from_slice(datum.raw());
        }
        Ok(out)
    }

    /// Writes the bytes of the blob as in a file.
    ///
    /// # Errors
    /// As [`to_vec`](ObjectBlob::to_vec), and errors of the writer.
    pub fn to_writer(&self, mut writer: impl Write) -> Result {
        writer.write_all(&self.to_vec()?).map_err(Error::io)
    }

    /// Reads a blob from bytes that hold nothing else. If a name occurs twice, the first datum
    /// counts, as in the original program; [`from_slice_report`](ObjectBlob::from_slice_report)
    /// notes it.
    ///
    /// # Errors
    /// If the bytes are malformed.
    pub fn from_slice(input: &[u8]) -> Result<Self> {
        Ok(ObjectBlob::from_slice_report(input)?.0)
    }

    /// As [`from_slice`](ObjectBlob::from_slice), with a [`NoteKind::Duplicate`] for each datum
    /// that was left out because its name occurred before.
    pub fn from_slice_report(input: &[u8]) -> Result<(Self, Report)> {
        let mut report = Report::default();
        let blob = ObjectBlob::read(&Input(input), 0..input.len(), "", &mut report)?;
        Ok((blob, report))
    }

    /// Reads a blob from a reader, up to its end.
    ///
    /// # Errors
    /// As [`from_slice`](ObjectBlob::from_slice), and errors of the reader.
    pub fn from_reader(mut reader: impl Read) -> Result<Self> {
        let mut input = Vec::new();
        reader.read_to_end(&mut input).map_err(Error::io)?;
        ObjectBlob::from_slice(&input)
    }

    /// Reads the blob in that range of the input; `own_name` is the name of the blob itself.
    pub(crate) fn read(
        input: &Input<'_>,
        Range { start, end }: Range<usize>,
        own_name: &str,
        report: &mut Report,
    ) -> Result<Self> {
        let mut blob = ObjectBlob::new();
        let mut at = start + 4;
        for _ in 0..input.count(start, end, LEAST_DATUM, "a number of data")? {
            let (raw, after) = input.name(at, end)?;
            let name = names::text(raw, at)?;
            let (datum, next) = Datum::read(input, after, end)?;
            match blob.data.entry(name.into_owned()) {
                Entry::Vacant(place) => drop(place.insert(datum)),
                Entry::Occupied(first) => {
                    let dot = if own_name.is_empty() { "" } else { "." };
                    let path = format!("{own_name}{dot}{}", first.key());
                    report.note(path, NoteKind::Duplicate);
                }
            }
            at = next;
        }
        if at == end { Ok(blob) } else { Err(trailing("the last datum", at)) }
    }
}

impl<'a> IntoIterator for &'a ObjectBlob {
    type Item = (&'a str, &'a Datum);
    type IntoIter = Box<dyn ExactSizeIterator<Item = Self::Item> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

/// Appends a name.
pub(crate) fn put_name(out: &mut Vec<u8>, name: &str) -> Result {
    let raw = names::raw(name);
    out.extend_from_slice(&length(raw.len() + 1, "the length of a name")?);
    out.extend_from_slice(&raw);
    out.push(0);
    Ok(())
}

/// Creates the error for a name or an index that does not exist.
#[cold]
pub(crate) fn missing(message: &str) -> Error {
    Error::new(ErrorKind::MissingMember, message)
}
