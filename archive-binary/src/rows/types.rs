//! [`RowTypes`]: the types of rows.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use archive_core::shape::Shape;
use archive_core::{Error, ErrorKind, Options, Result, Serialize};

use super::row_names::intern;
use crate::cursor::{offset, syntax};
use crate::implied::Implied;
#[cfg(feature = "describe")]
use crate::inspect::{TypesInfo, described};
use crate::names::Names;
#[cfg(feature = "describe")]
use crate::profile::Opened;
use crate::read_tables::Tables;
use crate::shapes::ShapeRef;
use crate::types::{Type, TypeId};
use crate::write_tables::{put_id, put_name, put_names, put_types};

/// The version of the bytes of row types.
const VERSION: u8 = 1;

/// The types of rows, stored once for all rows of a type.
///
/// A clone is cheap and shares everything with the original.
///
/// ```
/// use archive::binary::rows::RowTypes;
///
/// #[derive(Default, archive::Serialize)]
/// struct Unit { name: String, hp: u16 }
///
/// let kept = RowTypes::of::<Unit>()?.to_bytes();
/// let types = RowTypes::from_bytes(&kept)?;
/// assert!(types.matches::<Unit>());
/// assert!(!types.matches::<u32>());
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone)]
pub struct RowTypes(Arc<Types>);

struct Types {
    implied: Arc<Implied>,
    /// The requested roots, and whether rows are loaded into them by position. One type may have
    /// several addresses, so there may be several entries for it.
    known: Mutex<Vec<(ShapeRef, bool)>>,
}

/// The number of roots that are cached.
const REMEMBERED: usize = 16;

impl RowTypes {
    /// Returns the current types of `T` in this program.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if a class has two members with the same name.
    pub fn of<T: Serialize + ?Sized>() -> Result<Self> {
        RowTypes::new(Implied::of(T::SHAPE))
    }

    /// Like [`of`](RowTypes::of), for rows that are saved with these options: the types have their
    /// [`target_versions`](Options::target_version).
    pub fn of_with<T: Serialize + ?Sized>(options: &Options<'_>) -> Result<Self> {
        let targets = options.settings().targets();
        if targets.is_empty() {
            return RowTypes::of::<T>();
        }
        targets.check()?;
        RowTypes::new(Arc::new(Implied::new(T::SHAPE, targets)))
    }

    fn new(implied: Arc<Implied>) -> Result<Self> {
        implied.check()?;
        Ok(RowTypes(Arc::new(Types { implied, known: Mutex::default() })))
    }

    /// Returns the bytes to store. Equal types have equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut names = Names::default();
        let types = self.0.implied.types.iter();
        let types: Vec<_> =
            types.map(|of| of.map(|name| names.intern(name), |part| *part)).collect();
        let mut out = vec![VERSION];
        put_names(&mut out, &names);
        put_types(&mut out, &types, put_name, put_name);
        put_id(&mut out, self.0.implied.root);
        out
    }

    /// Reads types from stored bytes. The bytes need not be trusted.
    ///
    /// The names in them are kept in memory until the program ends, each text once.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if a later version of this crate wrote them, otherwise
    /// [`ErrorKind::Syntax`] or [`ErrorKind::UnexpectedEnd`] with the offset;
    /// [`ErrorKind::DuplicateMember`]. [`ErrorKind::SizeLimit`] if the program has read types with
    /// 16 MiB of different names.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        match bytes.first() {
            None => return Err(archive_core::__private::empty_input().at(offset(0))),
            Some(&VERSION) => {}
            Some(0) => return Err(syntax("these are not the types of rows", 0)),
            Some(version) => {
                let message = format_args!(
                    "types of rows in version {version}; this program reads {VERSION}"
                );
                return Err(Error::new(ErrorKind::Unsupported, message).at(offset(0)));
            }
        }
        let (read, root) = Tables::types_only(bytes, 1)?;
        let types: Result<_> = read.iter().map(lasting).collect();
        RowTypes::new(Arc::new(Implied::given(types?, root)))
    }

    /// Returns whether rows of these types are loaded into `T` by position, which is fast. Rows of
    /// other types are loaded by name.
    pub fn matches<T: Serialize + ?Sized>(&self) -> bool {
        self.match_shape(T::SHAPE)
    }

    /// Describes the types, as [`inspect_types`](crate::inspect_types) describes those of a file. The
    /// registered types of trait objects are stored with each row.
    ///
    /// ```
    /// use archive::binary::rows::RowTypes;
    ///
    /// #[derive(Default, archive::Serialize)]
    /// struct Unit { name: String, hp: u16 }
    ///
    /// let types = RowTypes::of::<Unit>()?;
    /// let info = types.inspect()?;
    /// assert_eq!((&*info.root, &*info.types[0].name), ("Unit", "Unit"));
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`] if the text would be too long.
    #[cfg(feature = "describe")]
    pub fn inspect(&self) -> Result<TypesInfo<'_>> {
        let tables = Tables::known(self.implied(), &Opened::plain(&[]));
        described(&tables, self.to_bytes().len())
    }

    pub(crate) fn match_shape(&self, shape: &'static Shape) -> bool {
        let asked = ShapeRef::of(shape);
        let mut known = self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, matches)) = known.iter().find(|(of, _)| *of == asked) {
            return *matches;
        }
        let matches = self.0.implied.matches(asked);
        if known.len() < REMEMBERED {
            known.push((asked, matches));
        }
        matches
    }

    pub(crate) fn implied(&self) -> &Implied {
        &self.0.implied
    }
}

impl fmt::Debug for RowTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowTypes").field("types", &self.0.implied.types.len()).finish()
    }
}

/// Returns a type whose names live as long as the program.
fn lasting(described: &Type<&str, TypeId>) -> Result<Type<&'static str, TypeId>> {
    let mut failed = Ok(());
    let lasting = described.map(
        |name| {
            intern(name).unwrap_or_else(|error| {
                failed = Err(error);
                ""
            })
        },
        |part| *part,
    );
    failed.map(|()| lasting)
}
