//! [`Variable`]: one named, typed, sized value of an object.

use std::fmt;
use std::sync::Arc;

use archive_core::{Error, ErrorKind, Result};

use crate::Storable;
use crate::bases::BASE;

/// One value of an object: the name of its type, the class that declares it, its own name, and its
/// bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct Variable {
    pub(crate) type_name: Arc<str>,
    pub(crate) class: Arc<str>,
    pub(crate) name: Arc<str>,
    pub(crate) bytes: Vec<u8>,
}

impl Variable {
    /// Creates a variable of a type that the program need not know. The bytes are not checked.
    pub fn new(
        type_name: impl Into<Arc<str>>,
        class: impl Into<Arc<str>>,
        name: impl Into<Arc<str>>,
        bytes: Vec<u8>,
    ) -> Self {
        let (type_name, class, name) = (type_name.into(), class.into(), name.into());
        Variable { type_name, class, name, bytes }
    }

    /// Returns the name of its type: `u16`, `[f32; 3]`, `String`.
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// Returns the class that declares it.
    pub fn class(&self) -> &str {
        &self.class
    }

    /// Returns its name in that class; empty for an item of a list.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether it declares that its class has a base with its name.
    pub(crate) fn is_base(&self) -> bool {
        *self.type_name == *BASE
    }

    /// Returns its size in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the value, if type and size are those of `T`.
    ///
    /// # Errors
    /// [`ErrorKind::WrongType`] and [`ErrorKind::WrongLength`] with what was expected and found, and
    /// the path `Class::name`; [`ErrorKind::Syntax`] if no value has these bytes.
    pub fn get<T: Storable>(&self) -> Result<T> {
        self.check::<T>()
            .and_then(|()| T::restore(&self.bytes))
            .map_err(|error| error.in_member(&self.to_string()))
    }

    fn check<T: Storable>(&self) -> Result {
        let expected = T::type_name();
        if *expected != *self.type_name {
            let found = format_args!("`{}`", self.type_name);
            return Err(Error::wrong_type(format_args!("type `{expected}`"), found));
        }
        match T::SIZE {
            Some(size) if size != self.size() => {
                let message = format_args!(
                    "expected {size} bytes for type `{expected}`, found {}",
                    self.size()
                );
                Err(Error::new(ErrorKind::WrongLength, message))
            }
            _ => Ok(()),
        }
    }
}

/// Displays the variable as `Class::name`.
impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.class, self.name)
    }
}

/// Formats the variable as `Class::name: type = bytes`, or `type = bytes` for an item. The bytes
/// are hexadecimal and cut short.
impl fmt::Debug for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_BYTES: usize = 16;
        if !self.name.is_empty() {
            write!(f, "{self}: ")?;
        }
        write!(f, "{} =", self.type_name)?;
        for byte in self.bytes.iter().take(MAX_BYTES) {
            write!(f, " {byte:02x}")?;
        }
        match self.bytes.len() {
            0 => f.write_str(" nothing"),
            len if len > MAX_BYTES => write!(f, " … {len} bytes"),
            _ => Ok(()),
        }
    }
}
