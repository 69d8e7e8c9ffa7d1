//! [`AsSerde`]: the program's types in serde code.

use archive_core::bridge::{self, New};
use archive_core::shape::may_point;
use archive_core::{
    Element, Error, ErrorKind, Loading, Options, Result, Save, Session, Shape, ValueDecoder,
};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::load::Seed;
use crate::save::Nested;
use crate::shared::{Manner, Shared};
use crate::tree::TreeSeed;

/// A value of one of the program's types in serde code: `AsSerde<T>` implements serde's traits for
/// types with [`Save`] and [`Serialize`](archive_core::Serialize). For fields of serde types there
/// is [`as_serde`], for a borrowed value [`save_with`].
///
/// Human-readable formats are assumed to describe themselves, and the value is stored in the same
/// form as in every other such format. In all other formats the type determines the place of every
/// value, since serde does not report which of them describe themselves; such data loads only as
/// the type that was saved. In formats with names, a type that may hold pointers is loaded from a
/// tree.
///
/// ```
/// use std::rc::Rc;
///
/// use archive::Serialize;
/// use archive::serde_formats::AsSerde;
///
/// #[derive(Default, PartialEq, Debug, Serialize)]
/// struct Unit { name: String, home: Rc<String>, base: Rc<String> }
///
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Reply { code: u16, unit: AsSerde<Unit> }
///
/// let home = Rc::new("Oslo".to_owned());
/// let unit = Unit { name: "Ann".into(), home: home.clone(), base: home };
/// let text = serde_json::to_string(&Reply { code: 200, unit: AsSerde(unit) }).unwrap();
/// assert_eq!(
///     text,
///     r#"{"code":200,"unit":{"name":"Ann","home":{"$id":1,"$value":"Oslo"},"base":{"$id":1}}}"#,
/// );
/// let reply: Reply = serde_json::from_str(&text).unwrap();
/// assert!(Rc::ptr_eq(&reply.unit.0.home, &reply.unit.0.base));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AsSerde<T>(pub T);

impl<T: Save> Serialize for AsSerde<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        save_with(&self.0, to, &Options::new())
    }
}

impl<'de, T: Element> Deserialize<'de> for AsSerde<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        load_with(from, &Options::new()).map(AsSerde)
    }
}

/// Functions for fields of serde types: `#[serde(with = "archive::serde_formats::as_serde")]`.
///
/// ```
/// use archive::Serialize;
///
/// #[derive(Default, PartialEq, Debug, Serialize)]
/// struct Unit { hp: u32 }
///
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Reply {
///     #[serde(with = "archive::serde_formats::as_serde")]
///     unit: Unit,
/// }
///
/// let text = serde_json::to_string(&Reply { unit: Unit { hp: 7 } }).unwrap();
/// assert_eq!(text, r#"{"unit":{"hp":7}}"#);
/// assert_eq!(serde_json::from_str::<Reply>(&text).unwrap().unit.hp, 7);
/// ```
pub mod as_serde {
    use super::{Deserializer, Element, Options, Save, Serializer};

    /// Saves a value.
    pub fn serialize<T: Save, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        super::save_with(value, to, &Options::new())
    }

    /// Loads a value.
    pub fn deserialize<'de, T: Element, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        super::load_with(from, &Options::new())
    }
}

fn manner(is_text: bool) -> Manner {
    Manner { describes: is_text, arrays: false, untagged: false, pointees_first: false }
}

/// Saves a value into a serializer, with options: see [`AsSerde`].
///
/// # Errors
/// Errors of the value, with its path in the message, and of the serializer.
pub fn save_with<T: Save + ?Sized, S: Serializer>(
    value: &T,
    to: S,
    options: &Options<'_>,
) -> Result<S::Ok, S::Error> {
    options.settings().targets().check().map_err(S::Error::custom)?;
    let mut session = Session::new();
    let manner = manner(to.is_human_readable());
    let mut shared = Shared::new(&mut session, options, manner, usize::MAX);
    let mut body = value;
    let saved = Nested::new(&mut body, T::SHAPE, &mut shared).serialize(to);
    if let Err(ours) = shared.conclude(Ok(())) {
        return Err(S::Error::custom(ours));
    }
    if !matches!(T::SHAPE, Shape::Any) {
        session.finish_saving().map_err(S::Error::custom)?;
    }
    saved
}

/// Loads a value from a deserializer, with options: see [`AsSerde`].
///
/// # Errors
/// Errors of the value, with its path in the message, and of the deserializer.
pub fn load_with<'de, T: Element, D: Deserializer<'de>>(
    from: D,
    options: &Options<'_>,
) -> Result<T, D::Error> {
    let mut session = Session::new();
    let manner = manner(from.is_human_readable());
    let mut body = New(None);
    /// The maximum length that a sequence may declare when the size of the input is unknown.
    const MAX_DECLARED: usize = 1024;
    if manner.describes && may_point(T::SHAPE) {
        let mut scratch = Session::new();
        let mut shared = Shared::new(&mut scratch, options, manner, MAX_DECLARED);
        let tree = TreeSeed::new(&mut shared, &mut false).deserialize(from);
        if let Err(ours) = shared.conclude(Ok(())) {
            return Err(D::Error::custom(ours));
        }
        let mut decoder = archive_core::ValueDecoder::owned(tree?);
        return load_tree(&mut decoder, &mut body, &mut session, options)
            .and_then(|()| body.take())
            .map_err(D::Error::custom);
    }
    bridge::begin_root(&mut session, T::SHAPE);
    let mut shared = Shared::new(&mut session, options, manner, MAX_DECLARED);
    let seed = Seed { body: &mut body, shape: T::SHAPE, shared: &mut shared };
    let loaded = seed.deserialize(from);
    let ours = shared.conclude(Ok(()));
    let missing = loaded.is_ok() && !session.next_to_fill().is_empty();
    if ours.is_err() || loaded.is_err() || missing {
        session.loaded.abandon(options);
    }
    ours.map_err(D::Error::custom)?;
    loaded?;
    if missing {
        let message = "a pointer refers to an object that is not stored";
        return Err(D::Error::custom(Error::new(ErrorKind::BadPointer, message)));
    }
    bridge::end_root(&mut session).map_err(D::Error::custom)?;
    body.take().map_err(D::Error::custom)
}

fn load_tree<T: Element>(
    decoder: &mut ValueDecoder<'_>,
    body: &mut New<T>,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    Loading::new(decoder, session, options).root(T::SHAPE, body)
}
