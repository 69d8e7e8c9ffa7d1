//! `OsString`, `PathBuf` and `CString`: stored as text. Parts that are not Unicode are
//! [escaped](super::escape). An escaped OS string can be loaded on the same family of platforms as
//! it was saved on; a C string can be loaded everywhere. Relative paths have
//! [`/`](super::separators) between their names.

use std::borrow::Cow;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use super::{escape, separators};
use crate::model::error::{Error, Found, Result};
use crate::model::scalar::Scalar;
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Blank;
use crate::visit::erased::loads;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::{NoteKind, Session};

/// Returns the text for a string of the platform.
fn os_text(value: &OsStr) -> Result<Cow<'_, str>> {
    match value.to_str() {
        Some(text) if !text.contains('\0') => Ok(Cow::Borrowed(text)),
        _ => escaped(value).map(Cow::Owned),
    }
}

#[cfg(unix)]
fn escaped(value: &OsStr) -> Result<String> {
    use std::os::unix::ffi::OsStrExt;
    Ok(escape::from_bytes(value.as_bytes()))
}

#[cfg(windows)]
fn escaped(value: &OsStr) -> Result<String> {
    use std::os::windows::ffi::OsStrExt;
    Ok(escape::from_units(value.encode_wide()))
}

#[cfg(not(any(unix, windows)))]
fn escaped(value: &OsStr) -> Result<String> {
    value.to_str().map(|text| escape::from_bytes(text.as_bytes())).ok_or_else(|| {
        let message = format_args!("{} is not Unicode", value.display());
        Error::new(crate::model::error::ErrorKind::Unsupported, message)
    })
}

/// Returns the string of the platform that a text represents.
fn os_string(text: String) -> Result<OsString> {
    if text.contains('\0') { unescaped(&text) } else { Ok(text.into()) }
}

#[cfg(unix)]
fn unescaped(text: &str) -> Result<OsString> {
    use std::os::unix::ffi::OsStringExt;
    escape::to_bytes(text).map(OsString::from_vec)
}

#[cfg(windows)]
fn unescaped(text: &str) -> Result<OsString> {
    use std::os::windows::ffi::OsStringExt;
    escape::to_units(text).map(|units| OsString::from_wide(&units))
}

#[cfg(not(any(unix, windows)))]
fn unescaped(text: &str) -> Result<OsString> {
    let bytes = escape::to_bytes(text)?;
    let text = String::from_utf8(bytes);
    text.map(OsString::from).map_err(|_| escape::foreign("the text is not Unicode", "Unix"))
}

/// Returns the text for a path.
fn path_text(value: &OsStr) -> Result<Cow<'_, str>> {
    Ok(separators::to_portable(os_text(value)?, MAIN_SEPARATOR))
}

/// Returns the path that a text represents.
fn path_buf(text: String, session: &mut Session) -> Result<PathBuf> {
    if separators::is_rooted(&text) {
        session.note(NoteKind::RootedPath);
    }
    os_string(separators::to_native(text, MAIN_SEPARATOR)).map(PathBuf::from)
}

/// Returns the text for a C string.
fn c_text(value: &CStr) -> Result<Cow<'_, str>> {
    Ok(match value.to_str() {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(escape::from_bytes(value.to_bytes())),
    })
}

/// Returns the C string that a text represents.
fn c_string(text: String) -> Result<CString> {
    let bytes = if text.contains('\0') { escape::to_bytes(&text)? } else { text.into_bytes() };
    CString::new(bytes).map_err(|error| {
        let text = String::from_utf8_lossy(&error.into_vec()).into_owned();
        Error::wrong_type("text without NUL", Found::Text(&text))
    })
}

macro_rules! text {
    ($($meaning:literal $Owned:ident $Borrowed:ident $save:ident $load:expr;)*) => { $(
        /// Only for saving; loading needs the owned type.
        impl Serialize for $Borrowed {
            const SHAPE: &'static Shape = &<str as Serialize>::SHAPE.with_meaning($meaning);
            const ABOUT: &'static About = &About::named(stringify!($Borrowed));

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                self.save(ar)
            }
        }
        impl Save for $Borrowed {
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                ar.scalar(Scalar::Str(&$save(self.as_ref())?))
            }
        }
        impl Serialize for $Owned {
            const SHAPE: &'static Shape = &<str as Serialize>::SHAPE.with_meaning($meaning);
            const ABOUT: &'static About = &About::named(stringify!($Owned));

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                if !loads!(A, ar) {
                    return self.save(ar);
                }
                let mut text = String::new();
                text.serialize(ar)?;
                *self = $load(text, ar.session_mut())?;
                Ok(())
            }
        }
        impl Save for $Owned {
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                let borrowed: &$Borrowed = self;
                borrowed.save(ar)
            }
        }
        impl Blank for $Owned {
            fn blank(_: &Options<'_>) -> Self {
                $Owned::default()
            }
        }
    )* };
}
text! {
    "a string of the platform" OsString OsStr os_text |text, _| os_string(text);
    "a path" PathBuf Path path_text path_buf;
    "a C string" CString CStr c_text |text, _| c_string(text);
}
