//! The name of a slot's file. Each name that a player types is a different file on every file
//! system.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use archive_core::{Error, ErrorKind, Result};
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::save_file::{DAMAGED, NEW, damaged, is_of_family};

/// The ending of the files of slots.
pub const ENDING: &str = ".sav";
/// The maximum number of bytes in the name of a file before its endings. File systems allow 255.
const MAX_BYTES: usize = 220;

/// Names of devices on Windows, with any extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// Returns the name without spaces around it, in Unicode's composed form: names that look the same
/// are the same slot.
pub fn tidy(name: &str) -> String {
    composed(name.trim()).into_owned()
}

fn composed(name: &str) -> Cow<'_, str> {
    if is_nfc(name) { name.into() } else { name.nfc().collect::<String>().into() }
}

/// Returns a key that is equal for two names of one file on a file system that ignores case and how
/// letters are composed.
pub fn fold(stem: &str) -> String {
    stem.nfd().collect::<String>().to_lowercase()
}

/// Splits the name of a file of a slot into the name of the slot's own file without its ending, and
/// the rest: `boss.sav.1` is `boss` and `.1`.
pub fn split(file: &str) -> Option<(&str, &str)> {
    let (stem, ending) = file.rsplit_once(ENDING)?;
    (is_of_family(ending) || ending == NEW).then_some((stem, ending))
}

/// The endings in use by a slot, to find free ones for further files.
pub struct Endings {
    taken: BTreeSet<String>,
    /// The number from which to search for a free one, by the ending of the damaged save.
    next: BTreeMap<String, usize>,
}

impl Endings {
    pub fn new(taken: &[String]) -> Endings {
        Endings { taken: taken.iter().cloned().collect(), next: BTreeMap::new() }
    }

    /// Returns the new ending for a file. The ending of a save is kept, and a damaged file gets a
    /// free number.
    pub fn free(&mut self, ending: &str) -> String {
        let Some((of, _)) = ending.split_once(DAMAGED) else { return ending.to_owned() };
        let mut free = ending.to_owned();
        let next = self.next.entry(of.to_owned()).or_insert(2);
        while !self.taken.insert(free.clone()) {
            free = damaged(of, *next);
            *next += 1;
        }
        free
    }
}

/// Parses a number as this library writes it into a name: without a sign or leading zeros, and with
/// at most 18 digits.
pub fn number(digits: &str) -> Option<u64> {
    let number: u64 = digits.parse().ok().filter(|_| digits.len() <= 18)?;
    (number > 0 && number.to_string() == digits).then_some(number)
}

/// Returns the name of the file for a [tidy] name, without its ending: `+boss fight` for
/// `Boss fight`.
///
/// Small letters, digits, spaces, `-`, `_` and the scripts of China, Japan and Korea are unchanged,
/// a capital letter gets a `+` before it, and every other byte of UTF-8 is `%` and two digits. The
/// first character of a name that Windows reserves is encoded, too.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the name is empty, [`ErrorKind::SizeLimit`] if it is too long.
pub fn encode(name: &str) -> Result<String> {
    if name.is_empty() {
        return Err(Error::new(ErrorKind::Unsupported, "the name of a slot is empty"));
    }
    let mut out = String::with_capacity(name.len() + 8);
    let reserved = is_reserved(name);
    for (at, c) in name.chars().enumerate() {
        match c {
            _ if at == 0 && reserved => escape(c, &mut out),
            'a'..='z' | '0'..='9' | ' ' | '-' | '_' => out.push(c),
            'A'..='Z' => {
                out.push('+');
                out.push(c.to_ascii_lowercase());
            }
            // Scripts without case, and with one form of each character.
            '\u{3041}'..='\u{3096}'
            | '\u{30a1}'..='\u{30fc}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}' => out.push(c),
            _ => escape(c, &mut out),
        }
    }
    if out.len() > MAX_BYTES {
        let message = format_args!(
            "the name of the slot is too long: its file name has {} bytes, and the limit is {MAX_BYTES}",
            out.len()
        );
        return Err(Error::new(ErrorKind::SizeLimit, message));
    }
    Ok(out)
}

fn escape(c: char, out: &mut String) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        out.push_str(&format!("%{byte:02x}"));
    }
}

fn is_reserved(name: &str) -> bool {
    DEVICES.contains(&name)
        || NUMBERED_DEVICES.iter().any(|device| {
            name.strip_prefix(device)
                .is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
        })
}

/// Returns the name of a slot from that of its file without the ending, or `None` if [`encode`]
/// does not return such names. A file system may have stored the name in Unicode's decomposed form.
pub fn decode(stem: &str) -> Option<String> {
    let stem = composed(stem);
    let mut bytes = Vec::with_capacity(stem.len());
    let mut rest = stem.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => rest.next()?.to_ascii_uppercase(),
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    let name = String::from_utf8(bytes).ok()?;
    (tidy(&name) == name && is_encoded(&name, &stem)).then_some(name)
}

/// Returns whether [`encode`] returns that file for a name.
pub fn is_encoded(name: &str, stem: &str) -> bool {
    encode(name).is_ok_and(|own| own == stem)
}

/// Returns the name, cut to the length that a slot can have. The number at its end is kept.
pub fn fitting(name: &str) -> String {
    let numbered = name.rsplit_once(' ').filter(|(_, digits)| number(digits).is_some());
    let (mut start, end) =
        numbered.map_or((name, String::new()), |(start, digits)| (start, format!(" {digits}")));
    loop {
        let name = format!("{}{end}", start.trim_end());
        let is_too_long = encode(&name).is_err_and(|error| error.kind() == ErrorKind::SizeLimit);
        if !is_too_long || start.is_empty() {
            return name;
        }
        start = &start[..start.char_indices().last().map_or(0, |(at, _)| at)];
    }
}
