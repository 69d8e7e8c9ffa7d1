//! The names in the types of rows. Plans and messages refer to them for as long as the program
//! runs, so each text is interned once and never freed.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use archive_core::{Error, ErrorKind, Result};

/// The interned texts, and the number of their bytes.
#[derive(Default)]
struct Interned {
    texts: Option<HashSet<&'static str>>,
    bytes: usize,
}

static INTERNED: Mutex<Interned> = Mutex::new(Interned { texts: None, bytes: 0 });

/// The maximum number of interned bytes. The names of the types of a large program have some
/// hundred thousand.
const MAX_BYTES: usize = 16 << 20;
/// The number of bytes that a text takes in addition to its own.
const ENTRY: usize = 2 * size_of::<&str>();

/// Returns a copy of the text that lives as long as the program.
///
/// # Errors
/// [`ErrorKind::SizeLimit`] if too many different texts were interned.
pub(super) fn intern(text: &str) -> Result<&'static str> {
    let mut interned = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
    let texts = interned.texts.get_or_insert_default();
    if let Some(known) = texts.get(text) {
        return Ok(known);
    }
    let bytes = interned.bytes + text.len() + ENTRY;
    if bytes > MAX_BYTES {
        let message = "the types of rows that this program has read have too many different names";
        return Err(Error::new(ErrorKind::SizeLimit, message));
    }
    let text: &'static str = Box::leak(text.into());
    interned.bytes = bytes;
    interned.texts.get_or_insert_default().insert(text);
    Ok(text)
}
