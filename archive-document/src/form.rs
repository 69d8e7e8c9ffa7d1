//! The forms of the objects that represent pointers.

use archive_core::{Error, ErrorKind, Result, Value, reserved};

/// An object that represents a pointer.
#[derive(Clone, Copy)]
pub(super) enum Form<'v> {
    /// An owned trait object: `$type` and `$value`.
    Owned(&'v str, &'v Value),
    /// An object that is stored here: `$id`, `$value` and perhaps `$type`; and its list of deferred
    /// objects.
    Stored(u64, Option<&'v str>, &'v Value, &'v [Value]),
    /// A strong reference: `$id`, and perhaps `$type` and `$later`.
    Strong(u64, Option<&'v str>),
    /// A weak reference: `$weak`.
    Weak(u64),
}

pub(super) fn bad(message: &str) -> Error {
    Error::new(ErrorKind::BadPointer, message)
}

/// Returns the error for a second object with that id.
pub(super) fn twice(id: u64) -> Error {
    let message =
        format_args!("two objects have the id {id}: give the copy one that no other object has");
    Error::new(ErrorKind::BadPointer, message).in_member(reserved::ID)
}

impl<'v> Form<'v> {
    /// Reads the members of a pointer.
    pub(super) fn of(members: &'v [(String, Value)]) -> Result<Form<'v>> {
        let [mut id, mut name, mut value, mut weak, mut later, mut deferred] = [None; 6];
        for (key, of) in members {
            let place = match key.as_str() {
                reserved::ID => &mut id,
                reserved::TYPE => &mut name,
                reserved::VALUE => &mut value,
                reserved::WEAK => &mut weak,
                reserved::LATER => &mut later,
                reserved::DEFERRED => &mut deferred,
                _ => {
                    let error = Error::new(
                        ErrorKind::UnknownMember,
                        "a pointer has no such member: put members of the object into `$value`",
                    );
                    return Err(error.in_member(key));
                }
            };
            if place.replace(of).is_some() {
                let message = "a pointer cannot have this member twice: remove the second one";
                return Err(Error::new(ErrorKind::DuplicateMember, message).in_member(key));
            }
        }
        let number = |of: &Value, key: &str| {
            let message = "the id of an object must be a number from 1 on that no other object has";
            of.as_u64().filter(|id| *id != 0).ok_or_else(|| bad(message).in_member(key))
        };
        let text = |of: Option<&'v Value>| match of {
            Some(of) => {
                let message = "the id of a type is text";
                of.as_str().map(Some).ok_or_else(|| bad(message).in_member(reserved::TYPE))
            }
            None => Ok(None),
        };
        match (id, weak, value) {
            (None, Some(weak), None) if members.len() == 1 => {
                Ok(Form::Weak(number(weak, reserved::WEAK)?))
            }
            (Some(id), None, Some(value)) if later.is_none() => {
                let list = match deferred {
                    Some(Value::Array(list)) => &list[..],
                    Some(_) => {
                        let message = "deferred objects are a sequence";
                        return Err(bad(message).in_member(reserved::DEFERRED));
                    }
                    None => &[],
                };
                Ok(Form::Stored(number(id, reserved::ID)?, text(name)?, value, list))
            }
            (Some(id), None, None) if deferred.is_none() => match later {
                None | Some(Value::Bool(true)) => {
                    Ok(Form::Strong(number(id, reserved::ID)?, text(name)?))
                }
                Some(_) => {
                    Err(bad("`$later` must be `true` if present").in_member(reserved::LATER))
                }
            },
            (None, None, Some(value)) if later.is_none() && deferred.is_none() => {
                match text(name)? {
                    Some(name) => Ok(Form::Owned(name, value)),
                    None => Err(bad(
                        "a shared object has an id: add `$id`, a number from 1 on that no other object has",
                    )),
                }
            }
            _ => Err(bad(
                "a pointer is a reference with `$id` or `$weak`, or an object with `$id` and `$value`",
            )),
        }
    }
}
