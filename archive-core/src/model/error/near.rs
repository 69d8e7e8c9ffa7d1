//! [`Known`]: the known names in a message, and the one that was probably meant.

use std::fmt;

use super::{List, Name};

/// The part of a message about an unknown name that lists the existing names and says which one was
/// probably meant.
///
/// ```
/// use archive::error::Known;
/// use archive::{Error, ErrorKind};
///
/// let (name, known) = ("jsn", ["json", "binary"]);
/// let message = format!("no format `{name}`{}", Known::new(name, &known, "there are:"));
/// assert_eq!(message, "no format `jsn`, did you mean `json`? There are: `json`, `binary`");
/// let error = Error::new(ErrorKind::Unsupported, message);
/// ```
pub struct Known<'a> {
    name: &'a str,
    known: &'a [&'a str],
    /// The words before the list: "it has".
    verb: &'a str,
}

impl<'a> Known<'a> {
    /// Creates the text for a `name` that is not among `known`. `verb` comes before the list: "it
    /// has".
    pub fn new(name: &'a str, known: &'a [&'a str], verb: &'a str) -> Self {
        Known { name, known, verb }
    }
}

/// Continues the sentence about the unknown name: `` , did you mean `hp`? It has `hp`, `name` `` or
/// `` ; it has `hp`, `name` ``.
impl fmt::Display for Known<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, rest) = self.verb.split_at(self.verb.chars().next().map_or(0, char::len_utf8));
        match nearest(self.name, self.known.iter().copied()) {
            // The list begins a sentence.
            Some(near) => {
                write!(f, ", did you mean {}? {}{rest}", Name(near), first.to_uppercase())?;
            }
            None => write!(f, "; {first}{rest}")?,
        }
        write!(f, " {}", List(self.known))
    }
}

/// Returns the known name that was probably meant by `name`.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    /// The longest name that is compared, in bytes. A name from a file may have any length.
    const MAX_LENGTH: usize = 64;
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    if name.len() > MAX_LENGTH {
        return None;
    }
    let wanted = plain(name);
    let distance = |known: &str| strsim::damerau_levenshtein(&plain(known), &wanted);
    known
        .filter(|known| known.len() <= MAX_LENGTH && *known != name)
        .map(|known| (distance(known), known))
        .filter(|(distance, known)| *distance <= wanted.len().min(known.len()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_is_one_slip_of_three_letters() {
        let near = |name| nearest(name, ["Walking", "Idle", "hp", "max_hp", "x"].into_iter());
        assert_eq!(near("Walkin"), Some("Walking"));
        assert_eq!(near("walking"), Some("Walking"));
        assert_eq!(near("Wlaking"), Some("Walking"));
        assert_eq!(near("maxHp"), Some("max_hp"));
        assert_eq!(near("Idel"), Some("Idle"));
        assert_eq!(near("HP"), Some("hp"));
        for stranger in ["", "y", "Flying", "mp", "Id"] {
            assert_eq!(near(stranger), None, "{stranger}");
        }
        assert_eq!(near(&"Walking".repeat(100)), None);
    }
}
