//! [`locate`]: finds the position of the value at a path. Trees have no positions, so after an
//! error in a tree the input is read again, up to that value.
// Why: docs/decisions/serde.md#the-place-of-an-error-in-a-tree-comes-from-a-second-reading

use std::cell::Cell;
use std::fmt;

use archive_core::__private::empty_input;
use archive_core::reserved;
use archive_core::{Error, ErrorKind, Options, Position};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::format::{SerdeFormat, read};
use crate::tree::{MORE_LEVELS, Skip, is_own_name};

/// Adds the position of its path to an error, if the error has none and the format can report one.
#[cold]
pub(crate) fn locate<F: SerdeFormat>(input: &[u8], error: Error, options: &Options<'_>) -> Error {
    let error = of_empty(input, error);
    if !F::DESCRIBES || input.is_empty() || error.position().is_some() {
        return error;
    }
    let levels = options.settings().limits().depth.saturating_add(MORE_LEVELS);
    let (object, rest) = match error.path().strip_prefix('$').and_then(split) {
        Some((id, rest)) => (Some(id), rest),
        None => (None, error.path()),
    };
    let found = Cell::new(false);
    match read::<F, _>(input, Way { object, rest, levels, found: &found }, options) {
        Err(there) if found.get() => error.at(there.position().unwrap_or(Position::Unknown)),
        _ => error,
    }
}

/// Replaces an error by one that says that the input is empty, if it is. In some formats an empty
/// input is valid, such as an empty table in TOML.
pub(crate) fn of_empty(input: &[u8], error: Error) -> Error {
    let is_not_a_file = matches!(error.kind(), ErrorKind::Syntax | ErrorKind::UnexpectedEnd);
    if input.is_empty() && is_not_a_file {
        return empty_input().at(error.position().unwrap_or(Position::Unknown));
    }
    error
}

/// The maximum number of errors in a report that get their position, since each takes another
/// reading.
const MAX_ERRORS: usize = 16;

/// As [`locate`], for the first errors of a report.
pub(crate) fn locate_all<F: SerdeFormat>(
    input: &[u8],
    errors: &mut [Error],
    options: &Options<'_>,
) {
    for error in errors.iter_mut().filter(|error| error.position().is_none()).take(MAX_ERRORS) {
        let found = std::mem::replace(error, Error::custom(""));
        *error = locate::<F>(input, found, options);
    }
}

/// Splits a path that begins with an id into the id and the rest.
fn split(path: &str) -> Option<(u64, &str)> {
    let end = path.find(|c: char| !c.is_ascii_digit()).unwrap_or(path.len());
    let (id, rest) = path.split_at(end);
    Some((id.parse().ok()?, rest_of_path(rest)?))
}

/// Returns the path inside a value, from what follows its name or index.
fn rest_of_path(rest: &str) -> Option<&str> {
    match rest.strip_prefix('.') {
        Some(rest) => Some(rest),
        None if rest.is_empty() || rest.starts_with('[') => Some(rest),
        None => None,
    }
}

/// The path to a value. Reading along it ends with an error of the format at the position of the
/// value.
#[derive(Clone, Copy)]
struct Way<'p> {
    /// The object at which the path begins, until it is found.
    object: Option<u64>,
    rest: &'p str,
    levels: usize,
    found: &'p Cell<bool>,
}

impl<'p> Way<'p> {
    /// Returns the path inside the member or item `step`; `None` if the path leads elsewhere.
    fn through(self, step: &str) -> Option<Way<'p>> {
        let levels = self.levels.checked_sub(1)?;
        if self.object.is_some() {
            return Some(Way { levels, ..self });
        }
        let rest = rest_of_path(self.rest.strip_prefix(step)?)?;
        Some(Way { rest, levels, ..self })
    }

    /// Returns the path inside the object of a pointer.
    fn into_pointee(self, id: Option<u64>) -> Option<Way<'p>> {
        let levels = self.levels.checked_sub(1)?;
        let object = self.object.filter(|object| Some(*object) != id);
        Some(Way { object, levels, ..self })
    }

    /// Ends the reading if the value is here.
    fn arrive<E: serde::de::Error>(self) -> Result<(), E> {
        self.end_if(self.rest.is_empty())
    }

    /// Ends the reading if the path names a direct member of this value, which the input lacks.
    fn refuse_absent<E: serde::de::Error>(self) -> Result<(), E> {
        self.end_if(!self.rest.contains(['.', '[']))
    }

    fn end_if<E: serde::de::Error>(self, here: bool) -> Result<(), E> {
        if self.object.is_some() || !here {
            return Ok(());
        }
        self.found.set(true);
        Err(E::custom("here"))
    }
}

impl<'de> DeserializeSeed<'de> for Way<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

macro_rules! scalars {
    ($($name:ident: $ty:ty;)*) => { $(
        fn $name<E: serde::de::Error>(self, _: $ty) -> Result<(), E> {
            self.arrive()
        }
    )* };
}

impl<'de> Visitor<'de> for Way<'_> {
    type Value = ();

    scalars! {
        visit_bool: bool; visit_i64: i64; visit_i128: i128; visit_u64: u64; visit_u128: u128;
        visit_f32: f32; visit_f64: f64; visit_bytes: &[u8];
    }

    /// Text may be the name of the variant whose member the path names.
    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<(), E> {
        self.arrive()?;
        self.through(name).map_or(Ok(()), Way::refuse_absent)
    }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        self.arrive()
    }
    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.arrive()
    }
    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.arrive()?;
        for index in 0_usize.. {
            let next = match self.through(&format!("[{index}]")) {
                Some(way) => seq.next_element_seed(way)?.is_some(),
                None => seq.next_element_seed(Skip::levels(self.levels))?.is_some(),
            };
            if !next {
                break;
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.arrive()?;
        let mut id = None;
        while let Some(name) = map.next_key_seed(Name)? {
            let way = match &name {
                Some(name) if name == reserved::ID => {
                    id = map.next_value_seed(Id)?;
                    if id.is_some() && self.object == id {
                        Way { object: None, ..self }.arrive()?;
                    }
                    continue;
                }
                Some(name) if name == reserved::VALUE => self.into_pointee(id),
                Some(name) if is_own_name(name) => self.through(""),
                Some(name) => self.through(Error::custom("").in_member(name).path()),
                None => None,
            };
            match way {
                Some(way) => map.next_value_seed(way)?,
                None => map.next_value_seed(Skip::levels(self.levels))?,
            }
        }
        self.refuse_absent()
    }
}

/// Reads the key of a map, if it is text.
struct Name;

/// Reads a pointer's id, if it is a number.
struct Id;

macro_rules! any {
    ($seed:ty: $out:ty, $(|$value:ident: $ty:ty| $visit:ident => $some:expr),*) => {
        impl<'de> DeserializeSeed<'de> for $seed {
            type Value = Option<$out>;

            fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
                from.deserialize_any(self)
            }
        }
        impl<'de> Visitor<'de> for $seed {
            type Value = Option<$out>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            $(fn $visit<E>(self, $value: $ty) -> Result<Self::Value, E> {
                Ok($some)
            })*
        }
    };
}
any!(Name: String, |name: &str| visit_str => Some(name.to_owned()), |_n: u64| visit_u64 => None,
    |_n: i64| visit_i64 => None);
any!(Id: u64, |id: u64| visit_u64 => Some(id), |id: i64| visit_i64 => u64::try_from(id).ok());
