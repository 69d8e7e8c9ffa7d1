//! [`Known`]: the names that there are, and the one that was probably meant.

use std::fmt;

use super::{List, Name};

/// What a message says about a name that is not known: which one was probably meant, and which ones
/// there are.
///
/// ```
/// use archive::backend::Known;
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
    /// What comes before the list: "it has".
    verb: &'a str,
}

impl<'a> Known<'a> {
    /// For a `name` that is none of those `known`; `verb` comes before their list: "it has".
    pub fn new(name: &'a str, known: &'a [&'a str], verb: &'a str) -> Self {
        Known { name, known, verb }
    }
}

/// `` , did you mean `hp`? It has `hp`, `name` ``, or `` ; it has `hp`, `name` ``, after the sentence that names the stranger.
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

/// The one of the known names that is probably meant by `name`.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    /// Longer names are not compared: a name from a file may have any length.
    const LONGEST: usize = 64;
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    if name.len() > LONGEST {
        return None;
    }
    let wanted = plain(name);
    let distance = |known: &str| strsim::damerau_levenshtein(&plain(known), &wanted);
    known
        .filter(|known| known.len() <= LONGEST && *known != name)
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
