//! [`Reader`]: loads rows of the same types, one after the other.

use std::fmt;

use archive_core::__private::made::{shape_of_new, shape_of_value};
use archive_core::backend::{New, over};
use archive_core::{Body, Element, Options, Report, Result, Serialize, Session, Shape};

use super::RowTypes;
use crate::decoder::Learned;
use crate::profile::PLAIN;
use crate::shapes::ShapeRef;
use crate::{Decoder, fast_path};

/// Loads rows of the same types, one after the other.
///
/// It loads the same values as [`load_into_with`](super::load_into_with), but keeps state between
/// rows that each load would compute again: the differences between the types of the rows and those
/// of the program, and the indices of the program's members in the rows.
///
/// ```
/// use archive::Options;
/// use archive::binary::rows::{self, Reader, RowTypes};
///
/// #[derive(Default, archive::Serialize)]
/// struct Unit { name: String, hp: u16 }
///
/// let options = Options::new();
/// let mut reader = Reader::new(&RowTypes::of::<Unit>()?);
/// let mut unit = Unit::default();
/// for hp in 0..100 {
///     let row = rows::to_vec(&Unit { name: format!("unit {hp}"), hp })?;
///     reader.load_into(&mut unit, &row, &options)?;
///     assert_eq!(unit.hp, hp);
/// }
/// assert!(reader.load_into(&mut unit, b"no row", &options).is_err());
/// # Ok::<(), archive::Error>(())
/// ```
pub struct Reader {
    types: RowTypes,
    session: Session,
    /// The root that was requested last, and whether rows match its type.
    known: Option<(ShapeRef, bool)>,
    /// The results for the types: for loads that end with the first error, and for loads that
    /// continue, for which all types count as different.
    learned: [Option<Learned>; 2],
    /// The results for reading rows value by value.
    decoded: Option<Learned>,
}

impl Reader {
    /// Creates a reader of rows of these types.
    pub fn new(types: &RowTypes) -> Self {
        let (types, session) = (types.clone(), Session::new());
        Reader { types, session, known: None, learned: [None, None], decoded: None }
    }

    /// Returns the types of the rows.
    pub fn types(&self) -> &RowTypes {
        &self.types
    }

    /// Loads a new value.
    pub fn load<T: Element>(&mut self, row: &[u8], options: &Options<'_>) -> Result<T> {
        let mut new = New(None);
        self.root(&mut new, shape_of_new::<T>(options), row, None, options)?;
        new.take()
    }

    /// Loads into an existing value, as [`load_into`](super::load_into) does.
    ///
    /// # Errors
    /// Errors of the row and of the value. After an error the content of the value is unspecified
    /// but valid, and the reader can be used again.
    pub fn load_into<T: Serialize + ?Sized>(
        &mut self,
        value: &mut T,
        row: &[u8],
        options: &Options<'_>,
    ) -> Result {
        over(value, options, |mut value| {
            let shape = shape_of_value::<T>(value);
            self.root(&mut value, shape, row, None, options)
        })
    }

    /// Loads into an existing value, and returns a report of the load.
    pub fn load_into_report<T: Serialize + ?Sized>(
        &mut self,
        value: &mut T,
        row: &[u8],
        options: &Options<'_>,
    ) -> Result<Report> {
        let mut session = Session::reporting();
        over(value, options, |mut value| {
            let shape = shape_of_value::<T>(value);
            self.root(&mut value, shape, row, Some(&mut session), options)
        })?;
        Ok(session.take_report())
    }

    /// Runs a function on a decoder at the root of a row, for tools that read rows value by value.
    ///
    /// # Errors
    /// Errors of the row and of the function, and an error if the function does not read the root.
    pub fn decode<R>(
        &mut self,
        row: &[u8],
        options: &Options<'_>,
        visit: impl FnOnce(&mut Decoder<'_>) -> Result<R>,
    ) -> Result<R> {
        let implied = self.types.implied();
        let mut decoder = Decoder::of_next_row(row, implied, options, &mut self.decoded)?;
        archive_core::Decoder::begin_root(&mut decoder, &Shape::Any)?;
        let visited = visit(&mut decoder).and_then(|result| decoder.end().map(|()| result));
        self.decoded = Some(decoder.learned(implied.types.len()));
        visited
    }

    fn root<B: Body>(
        &mut self,
        body: &mut B,
        shape: &'static Shape,
        row: &[u8],
        session: Option<&mut Session>,
        options: &Options<'_>,
    ) -> Result {
        archive_core::__unless_erased!(self.root_as(body, shape, row, session, options), {
            let visit = &mut |ar: &mut archive_core::Erased<'_>| {
                body.run(&mut archive_core::Archive::erased(ar).loading())
            };
            if B::FACTS.fresh {
                self.root_as(
                    &mut archive_core::backend::Visited::<true>(visit),
                    shape,
                    row,
                    session,
                    options,
                )
            } else {
                self.root_as(
                    &mut archive_core::backend::Visited::<false>(visit),
                    shape,
                    row,
                    session,
                    options,
                )
            }
        })
    }

    /// Loads the root of a row, with the session of the reader or one that makes a report.
    fn root_as<B: Body>(
        &mut self,
        body: &mut B,
        shape: &'static Shape,
        row: &[u8],
        reporting: Option<&mut Session>,
        options: &Options<'_>,
    ) -> Result {
        let keep_going = options.settings().keep_going();
        let plain = row.first() == Some(&PLAIN) && reporting.is_none() && !keep_going;
        if plain && self.matches(shape) {
            self.session.renew();
            let implied = self.types.implied();
            return fast_path::load_row(row, implied, body, &mut self.session, options);
        }
        let Reader { types, session: own, learned, .. } = self;
        let learned = &mut learned[usize::from(keep_going)];
        let load = (shape, row, &*types, learned);
        match reporting {
            Some(session) => by_decoder(load, body, session, options),
            None => {
                own.renew();
                let loaded = by_decoder(load, body, own, options);
                // The session refers to the objects that were loaded.
                own.renew();
                loaded
            }
        }
    }

    /// Returns whether rows are loaded by position.
    #[inline]
    fn matches(&mut self, shape: &'static Shape) -> bool {
        let asked = ShapeRef::of(shape);
        match self.known {
            Some((known, matches)) if known == asked => matches,
            _ => {
                let matches = self.types.match_shape(shape);
                self.known = Some((asked, matches));
                matches
            }
        }
    }
}

/// Loads a row with a separate decoder, which uses the results of earlier ones.
fn by_decoder<B: Body>(
    (shape, row, types, learned): (&'static Shape, &[u8], &RowTypes, &mut Option<Learned>),
    body: &mut B,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    let implied = types.implied();
    let mut decoder = Decoder::of_next_row(row, implied, options, learned)?;
    let loaded = fast_path::load_root(&mut decoder, shape, body, session, options)
        .and_then(|()| decoder.end().inspect_err(|_| session.loaded.abandon(options)));
    *learned = Some(decoder.learned(implied.types.len()));
    loaded
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("types", &self.types).finish_non_exhaustive()
    }
}
