//! [`Typed`]: records of one type, as parts of compiled types.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use archive_core::__private::made::OwnShape;
use archive_core::shape::Shape;
use archive_core::{Archive, Blank, Options, Result, Save, Serialize};

use crate::record::Record;
use crate::schema::Type;

/// A type of a schema that the program knows before it saves and loads, for [`Typed`].
pub trait Fixed: 'static {
    /// Returns the type: always the same one, because formats remember what they know of it.
    fn ty() -> Type;
}

/// A [`Record`] of one type, as a part of a compiled type. It is saved, byte for byte, as a compiled part
/// with the same members, in every format.
///
/// One difference remains: a compiled struct of nothing but numbers is stored as a block in binary files, and
/// one that contains records is not.
///
/// ```
/// use std::sync::OnceLock;
///
/// use archive::types::{Fixed, Schema, Type, Typed};
/// use archive::{Serialize, binary};
///
/// /// What a mod adds to units. The type is known when the mod is loaded.
/// struct Extra;
/// static EXTRA: OnceLock<Type> = OnceLock::new();
/// impl Fixed for Extra {
///     fn ty() -> Type {
///         *EXTRA.get().expect("the mod is loaded")
///     }
/// }
///
/// #[derive(Serialize)]
/// struct Unit { name: String, extra: Typed<Extra> }
///
/// let schema = Schema::from_slice(br#"{"types":{"Extra":{"members":[{"name":"mana","type":"u8"}]}}}"#)?;
/// EXTRA.set(schema.get("Extra")?).unwrap();
///
/// let mut unit = Unit { name: "Ann".into(), extra: Typed::default() };
/// unit.extra.set("mana", 3)?;
/// let bytes = binary::to_vec(&unit)?;
///
/// mod compiled {
///     #[derive(archive::Serialize)]
///     pub struct Extra { pub mana: u8 }
///     #[derive(archive::Serialize)]
///     pub struct Unit { pub name: String, pub extra: Extra }
/// }
/// let unit: compiled::Unit = binary::from_slice(&bytes)?;
/// assert_eq!(unit.extra.mana, 3);
/// assert_eq!(binary::to_vec(&unit)?, bytes);
/// # Ok::<(), archive::Error>(())
/// ```
pub struct Typed<F>(Record, PhantomData<fn() -> F>);

impl<F: Fixed> Typed<F> {
    /// Returns the record, if it is of this type.
    #[must_use]
    pub fn new(record: Record) -> Option<Self> {
        (record.ty() == F::ty()).then_some(Typed(record, PhantomData))
    }

    /// Returns the record.
    #[must_use]
    pub fn into_record(self) -> Record {
        self.0
    }
}

/// The blank record.
impl<F: Fixed> Default for Typed<F> {
    fn default() -> Self {
        Typed(Record::new(F::ty()), PhantomData)
    }
}

impl<F> Clone for Typed<F> {
    fn clone(&self) -> Self {
        Typed(self.0.clone(), PhantomData)
    }
}

impl<F> PartialEq for Typed<F> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<F> fmt::Debug for Typed<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<F> Deref for Typed<F> {
    type Target = Record;
    fn deref(&self) -> &Record {
        &self.0
    }
}

/// The record can be changed, not replaced by one of another type: that is an error when it is saved.
impl<F> DerefMut for Typed<F> {
    fn deref_mut(&mut self) -> &mut Record {
        &mut self.0
    }
}

impl<F: Fixed> Serialize for Typed<F> {
    const SHAPE: &'static Shape = &Shape::Any;
    const OWN_SHAPE: Option<OwnShape<Self>> = Some(OwnShape {
        of: |this| this.0.ty().shape(),
        new: |_| F::ty().shape(),
        part: || F::ty().shape(),
    });
    const NULLABLE: bool = true;

    fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        Serialize::saves_null(&self.0, options, levels)
    }
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if ar.is_loading() { Serialize::serialize(&mut self.0, ar) } else { self.save(ar) }
    }
}

impl<F: Fixed> Save for Typed<F> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        if self.0.ty() != F::ty() {
            let (found, expected) = (self.0.ty(), F::ty());
            let message = format_args!("the record is a `{found}`, not a `{expected}`");
            return Err(archive_core::Error::custom(message));
        }
        Save::save(&self.0, ar)
    }
}

impl<F: Fixed> Blank for Typed<F> {
    fn blank(_: &Options<'_>) -> Self {
        Typed::default()
    }
}
