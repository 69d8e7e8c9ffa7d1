//! [`equal`] and [`difference`]: whether two values have the same content.

use std::fmt;

use archive_core::{Error, Found, Number, Options, Polymorphic, Result};

use super::{Pieces, write};

/// Returns whether two values have the same saved content.
///
/// Cycles are allowed, and sharing counts: two pointers to one object are not equal to two pointers
/// to equal objects. All NaNs are equal, and `0.0` is not `-0.0`. The types may differ.
///
/// ```
/// use archive::Options;
/// use archive::reflect::equal;
/// use std::rc::Rc;
///
/// let options = Options::new();
/// let shared = Rc::new(1_u8);
/// assert!(equal(&vec![Rc::new(1_u8)], &vec![shared.clone()], &options)?);
/// assert!(!equal(&vec![Rc::new(1_u8), Rc::new(1)], &vec![shared.clone(), shared], &options)?);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// Errors of saving the values, for example if a cell is borrowed mutably.
pub fn equal(
    left: &dyn Polymorphic,
    right: &dyn Polymorphic,
    options: &Options<'_>,
) -> Result<bool> {
    Ok(difference(left, right, options)?.is_none())
}

/// Returns the first difference between two values in the order of their members. `None` if they
/// are [`equal`].
///
/// ```
/// use archive::reflect::difference;
/// use archive::{Options, Serialize};
///
/// #[derive(Default, Serialize)]
/// struct World { tick: u64, hp: Vec<u16> }
///
/// let (left, right) = (World { tick: 1, hp: vec![40, 5] }, World { tick: 1, hp: vec![40, 7] });
/// let found = difference(&left, &right, &Options::new())?.unwrap();
/// assert_eq!(found.path(), "hp[1]");
/// assert_eq!(found.to_string(), "hp[1]: 5 and 7");
/// # Ok::<(), archive::Error>(())
/// ```
pub fn difference(
    left: &dyn Polymorphic,
    right: &dyn Polymorphic,
    options: &Options<'_>,
) -> Result<Option<Difference>> {
    let mut written = Written(Vec::new());
    write(left, options, &mut written)?;
    let mut compared = Compared { left: &written.0, found: None };
    match write(right, options, &mut compared) {
        Err(error) => match compared.found {
            Some((left, right)) => {
                Ok(Some(Difference { path: error.path().to_owned(), left, right }))
            }
            None => Err(error),
        },
        Ok(()) => Ok(None),
    }
}

/// The first difference between two values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    path: String,
    left: String,
    right: String,
}

impl Difference {
    /// Returns the path of the difference in the right value. It is empty if the values themselves
    /// differ in kind.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns a description of the left value at this place.
    #[must_use]
    pub fn left(&self) -> &str {
        &self.left
    }

    /// Returns a description of the right value at this place.
    #[must_use]
    pub fn right(&self) -> &str {
        &self.right
    }
}

/// `units[3].hp: 40 and 39`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "{} and {}", self.left, self.right)
    }
}

/// Collects the pieces.
struct Written(Vec<u8>);

impl Pieces for Written {
    fn piece(&mut self, tag: u8, content: &[u8], sized: bool) -> Result {
        self.0.push(tag);
        if sized {
            self.0.extend((content.len() as u64).to_le_bytes());
        }
        self.0.extend(content);
        Ok(())
    }
}

/// Compares the pieces with those of the left value.
struct Compared<'a> {
    left: &'a [u8],
    /// Both values at the first difference.
    found: Option<(String, String)>,
}

impl Pieces for Compared<'_> {
    fn piece(&mut self, tag: u8, content: &[u8], _: bool) -> Result {
        let (left, rest) = split(self.left);
        if left == (tag, content) {
            self.left = rest;
            return Ok(());
        }
        self.found = Some((shown(left), shown((tag, content))));
        Err(Error::custom("the values differ"))
    }
}

/// Splits off the first piece.
fn split(pieces: &[u8]) -> ((u8, &[u8]), &[u8]) {
    let Some((&tag, rest)) = pieces.split_first() else { return ((b'n', &[]), &[]) };
    let (len, rest) = match tag {
        b'u' | b'i' | b'd' => (8, rest),
        b's' | b'b' | b'm' => {
            let (len, rest) = rest.split_at(8);
            (number(len) as usize, rest)
        }
        _ => (0, rest),
    };
    let (content, rest) = rest.split_at(len);
    ((tag, content), rest)
}

fn number(content: &[u8]) -> u64 {
    u64::from_le_bytes(content.try_into().unwrap_or_default())
}

/// Returns the piece as messages show values.
fn shown((tag, content): (u8, &[u8])) -> String {
    let text = String::from_utf8_lossy(content);
    let found = match tag {
        b'n' => Found::Null,
        b'f' | b't' => Found::Bool(tag == b't'),
        b'u' => Found::Number(Number::UInt(number(content).into())),
        b'i' => Found::Number(Number::Int(number(content).cast_signed().into())),
        b'd' => Found::Number(Number::F64(f64::from_bits(number(content)))),
        b's' => Found::Text(&text),
        b'b' => Found::Bytes(content.len()),
        b'[' => Found::Seq,
        b'{' => Found::Object,
        b'm' => return format!("the member {}", Found::Text(&text)),
        _ => return "nothing".into(),
    };
    found.to_string()
}
