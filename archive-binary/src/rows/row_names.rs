//! The names in the types of rows. Plans and messages use them for as long as the program runs, so
//! each text is interned once and never freed.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use archive_core::{Error, ErrorKind, Result};

/// The texts that were interned, and how many bytes they have.
#[derive(Default)]
struct Interned {
    texts: Option<HashSet<&'static str>>,
    bytes: usize,
}

static INTERNED: Mutex<Interned> = Mutex::new(Interned { texts: None, bytes: 0 });

/// How many bytes are interned. The names of the types of a large program have some hundred thousand.
const MAX_BYTES: usize = 16 << 20;
/// How many bytes a text takes besides its own.
const ENTRY: usize = 2 * size_of::<&str>();

/// Returns the text for the rest of the program.
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
