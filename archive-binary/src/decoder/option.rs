//! Options: a flag and the value. A reader that does not know the type receives the same as from
//! text formats: null, the value, or, if the value is itself null, an object with the value as its
//! only member.

use archive_core::Result;
use archive_core::decoder::{NESTED_OPTIONS, OptionForm, open_some};
use archive_core::reserved;
use archive_core::shape::{Primitive, Shape};

use super::Decoder;
use crate::cursor::Cursor;
use crate::tags;
use crate::types::{Type, TypeId};

/// Returns whether the value of an option of that shape is itself null. The option is next in
/// `data` and matches the program's type. Malformed data is reported later, when the value is read.
pub(crate) fn holds_null(shape: &'static Shape, mut data: Cursor<'_>) -> bool {
    let Shape::Option(mut value) = *shape else { return false };
    for _ in 0..NESTED_OPTIONS {
        value = match value.get() {
            Shape::Option(inside) => match data.byte() {
                Ok(1) => *inside,
                _ => return true,
            },
            Shape::Primitive(Primitive::Unit, _) => return true,
            Shape::Weak(_) => return data.peek().is_ok_and(|id| id == 0),
            Shape::Any => return tagged_null(data),
            _ => return false,
        };
    }
    true
}

/// Returns whether a self-describing value is null, or an object that wraps the null of a nested
/// option.
fn tagged_null(mut data: Cursor<'_>) -> bool {
    match data.byte() {
        Ok(tags::NULL) => true,
        Ok(tags::OBJECT) => is_some(data),
        _ => false,
    }
}

/// Returns whether the object that begins here has `$some` as its first member.
fn is_some(mut data: Cursor<'_>) -> bool {
    matches!(super::tagged::key(&mut data), Ok(Some(reserved::SOME)))
}

impl Decoder<'_> {
    /// Like [`holds_null`], for a value of a type of the file.
    pub(super) fn is_null(&self, mut value: TypeId, mut data: Cursor<'_>) -> bool {
        for _ in 0..NESTED_OPTIONS {
            value = match self.tables.get(value) {
                Some(Type::Option(inside)) => match data.byte() {
                    Ok(1) => *inside,
                    _ => return true,
                },
                Some(Type::Pointer(_)) => return data.peek().is_ok_and(|id| id == 0),
                Some(_) => return false,
                None => {
                    return match value {
                        TypeId::UNIT => true,
                        TypeId::POINTER | TypeId::WEAK | TypeId::DYN => {
                            data.peek().is_ok_and(|id| id == 0)
                        }
                        TypeId::ANY => tagged_null(data),
                        _ => false,
                    };
                }
            };
        }
        true
    }

    pub(super) fn begins_some(&self) -> Result<bool> {
        let mut ahead = self.data;
        match self.tables.get(self.slot) {
            Some(Type::Option(value)) => {
                Ok(ahead.flag("an option")? && self.is_null(*value, ahead))
            }
            None if self.slot == TypeId::ANY => Ok(ahead.byte()? == tags::OBJECT && is_some(ahead)),
            _ => Ok(false),
        }
    }

    /// Opens an option if the type in the file is another option type, or not an option.
    pub(super) fn typed_option(&mut self, nullable: bool) -> Result<OptionForm> {
        let slot = self.slot;
        if nullable && slot == TypeId::ANY && open_some(self)? == OptionForm::Wrapped {
            return Ok(OptionForm::Wrapped);
        }
        self.take_slot();
        let (value, form) = match self.tables.get(slot) {
            Some(Type::Option(value)) => {
                if !self.data.flag("an option")? {
                    return Ok(OptionForm::None);
                }
                let wrapped = nullable && self.is_null(*value, self.data);
                (*value, if wrapped { OptionForm::Wrapped } else { OptionForm::Plain })
            }
            // A value that is not an option in the file is present, unless it is null.
            _ if self.is_plain_null(slot) => {
                self.skip_value(slot)?;
                return Ok(OptionForm::None);
            }
            _ => (slot, OptionForm::Plain),
        };
        self.open_frameless(false);
        self.flat += u32::from(form != OptionForm::Wrapped);
        self.slot = value;
        Ok(form)
    }

    /// Returns whether the value at the cursor, of that type, is null.
    fn is_plain_null(&self, slot: TypeId) -> bool {
        match slot {
            TypeId::ANY => self.data.peek().is_ok_and(|tag| tag == tags::NULL),
            _ => self.is_null(slot, self.data),
        }
    }
}
