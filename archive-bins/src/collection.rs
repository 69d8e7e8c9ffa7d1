//! [`Collection`]: several objects one after another in a file, and recovery from damaged ones.

use std::iter::FusedIterator;

use archive_core::{Error, ErrorKind, Options, Position, Result};

use crate::header::{HEADER, Header, MAGIC, offset, word};
use crate::object::Object;

/// Several objects, one after another in a file. The file has nothing else, so appending a packed
/// object adds it to the collection.
///
/// ```
/// use archive::bins::{Collection, Object};
///
/// let mut lamps = Collection::new();
/// for (name, power) in [("hall", 60_u16), ("yard", 100), ("attic", 40)] {
///     let mut lamp = Object::new("Lamp").named(name);
///     lamp.export("Lamp", "power", &power)?;
///     lamps.push(lamp);
/// }
/// let mut file = lamps.to_bytes()?;
/// assert_eq!(Collection::from_bytes(&file)?, lamps);
///
/// let middle = file.len() / 2;
/// file[middle] ^= 0xff;
/// let (saved, damage) = Collection::recover(&file);
/// assert_eq!((saved.objects[0].name(), saved.objects[1].name()), ("hall", "attic"));
/// assert_eq!(damage.len(), 1);
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Collection {
    /// The objects in order.
    pub objects: Vec<Object>,
}

impl Collection {
    /// Creates a collection without objects.
    pub fn new() -> Self {
        Collection::default()
    }

    /// Adds an object.
    pub fn push(&mut self, object: Object) {
        self.objects.push(object);
    }

    /// Returns the first object with that [name](Object::name).
    pub fn get(&self, name: &str) -> Option<&Object> {
        self.objects.iter().find(|object| object.name() == name)
    }

    /// Packs the objects one after another.
    ///
    /// # Errors
    /// As [`Object::to_bytes`], with the index of the object.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        for (index, object) in self.objects.iter().enumerate() {
            out.append(&mut object.to_bytes().map_err(|error| error.in_item(index))?);
        }
        Ok(out)
    }

    /// Reads the objects one by one. See [`Objects`].
    pub fn read(bytes: &[u8]) -> Objects<'_> {
        Collection::read_with(bytes, &Options::new())
    }

    /// As [`read`](Collection::read), with the depth limit of the options.
    pub fn read_with<'a>(bytes: &'a [u8], options: &Options<'_>) -> Objects<'a> {
        let effort = (bytes.len() as u64).saturating_mul(MAX_READS);
        Objects { bytes, at: 0, depth: options.settings().limits().depth, effort }
    }

    /// Reads a collection that must be undamaged.
    ///
    /// # Errors
    /// The first error that is found.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Ok(Collection { objects: Collection::read(bytes).collect::<Result<_>>()? })
    }

    /// Reads all objects that can be read. Returns them with an error for each damaged part, which
    /// begins with the offset of the damaged object.
    pub fn recover(bytes: &[u8]) -> (Self, Vec<Error>) {
        let (mut objects, mut damage) = (Vec::new(), Vec::new());
        for object in Collection::read(bytes) {
            match object {
                Ok(object) => objects.push(object),
                Err(error) => damage.push(error),
            }
        }
        (Collection { objects }, damage)
    }
}

/// Iterator over the objects of a collection file: each item is an object, or an error that says
/// where and why it cannot be read.
///
/// After a damaged object, reading continues after its end if its size can be trusted: its header
/// is intact, its strings end where the header says that the object ends, and another header or the
/// end of the file follows. Otherwise reading continues at the next header whose own checksum is
/// correct. So a damaged length, a cut, or bytes that were lost or added destroy only the objects
/// that contain them. A range without any object is one error, however long it is.
///
/// If the data of a variable contains all bytes of a packed object, and the object around it is
/// damaged so that a search is necessary, the inner object is returned as an object of the
/// collection.
#[derive(Clone, Debug)]
pub struct Objects<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    /// How many more bytes may be read. Without this limit, forged headers that each claim the
    /// whole rest of the file would make the time quadratic.
    effort: u64,
}

/// The maximum number of times that the whole file is read. A file with one object after another is
/// read once, and once more where it is damaged.
const MAX_READS: u64 = 16;

impl Objects<'_> {
    /// Returns the offset of the next object, or the length of the file at its end.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Reads the object at the cursor and moves on.
    fn object(&mut self) -> Result<Object> {
        let rest = &self.bytes[self.at..];
        let size = match Header::read(rest) {
            Ok(header) => header.size as usize,
            // The object has a different version, but its header is intact.
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                self.skip(word(rest, 8) as usize);
                return Err(error);
            }
            Err(error) => {
                self.search();
                return Err(error);
            }
        };
        let Some(object) = rest.get(..size) else {
            self.search();
            let message =
                format_args!("the object takes {size} bytes, but only {} remain", rest.len());
            return Err(Error::new(ErrorKind::UnexpectedEnd, message).at(offset(rest.len())));
        };
        let Some(effort) = self.effort.checked_sub(size as u64) else {
            self.at = self.bytes.len();
            let message = "the rest is too damaged to be searched further";
            return Err(Error::new(ErrorKind::SizeLimit, message));
        };
        self.effort = effort;
        let options = Options::new().max_depth(self.depth);
        match Object::from_bytes_with(object, &options) {
            Ok(read) => {
                self.at += size;
                Ok(read)
            }
            Err(error) => {
                if ends_with_strings(object) {
                    self.skip(size)
                } else {
                    self.search()
                }
                Err(error)
            }
        }
    }

    /// Moves past a damaged object, if `size` seems to be its real size.
    fn skip(&mut self, size: usize) {
        let after = self.at.saturating_add(size);
        if size >= HEADER
            && (after == self.bytes.len() || self.bytes.get(after..).is_some_and(is_header))
        {
            self.at = after;
        } else {
            self.search();
        }
    }

    /// Moves to the next header after the cursor, or to the end.
    fn search(&mut self) {
        let from = self.at + 1;
        let rest = &self.bytes[from..];
        let magic = rest.windows(MAGIC.len()).enumerate().filter(|(_, four)| *four == MAGIC);
        let found = magic.map(|(at, _)| at).find(|at| is_header(&rest[*at..]));
        self.at = found.map_or(self.bytes.len(), |at| from + at);
    }
}

/// Returns whether the strings of an object end where the object does, so that its size can be
/// trusted although it is damaged.
fn ends_with_strings(object: &[u8]) -> bool {
    let Ok(header) = Header::read(object) else { return false };
    let mut at = header.string_bin as usize;
    for _ in 0..header.strings {
        if at >= object.len() {
            return false;
        }
        at = at.saturating_add(4).saturating_add(word(object, at) as usize);
    }
    at == object.len()
}

/// Returns whether an intact header begins here, of any version.
fn is_header(bytes: &[u8]) -> bool {
    match Header::read(bytes) {
        Ok(_) => true,
        Err(error) => error.kind() == ErrorKind::Unsupported,
    }
}

impl Iterator for Objects<'_> {
    type Item = Result<Object>;

    fn next(&mut self) -> Option<Result<Object>> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let start = self.at;
        Some(self.object().map_err(|error| {
            let message = format_args!("object at byte {start}: {}", error.message());
            let within = match error.position() {
                Some(Position::Offset(within)) => within,
                _ => 0,
            };
            Error::new(error.kind(), message).at(Position::Offset(start as u64 + within))
        }))
    }
}

impl FusedIterator for Objects<'_> {}
