//! [`Writer`]: appends rows, one after the other.

use std::fmt;

use archive_core::{Backend as _, Options, Result, Save, Session, Shape, Source};

use super::Rows;
use crate::Encoder;
use crate::container::Profile;
use crate::fast_path::save_row;
use crate::implied::Implied;
use crate::shapes::ShapeRef;

/// Appends rows, one after the other. It writes the same bytes as [`to_vec`](super::to_vec), but
/// keeps state between rows that each save would create again.
///
/// ```
/// use archive::Options;
/// use archive::binary::rows::{self, Writer};
///
/// #[derive(Default, archive::Serialize)]
/// struct Unit { name: String, hp: u16 }
///
/// let options = Options::new();
/// let (ann, bob) = (Unit { name: "Ann".into(), hp: 7 }, Unit { name: "Bob".into(), hp: 9 });
/// let (mut writer, mut page) = (Writer::new(), Vec::new());
/// writer.append(&mut page, &ann, &options)?;
/// let end = page.len();
/// writer.append(&mut page, &bob, &options)?;
/// assert_eq!(page[..end], rows::to_vec(&ann)?);
/// assert_eq!(page[end..], rows::to_vec(&bob)?);
/// # Ok::<(), archive::Error>(())
/// ```
pub struct Writer {
    encoder: Encoder<'static>,
    session: Session,
    /// The root that was saved last, and whether its type determines all of its data.
    known: Option<(ShapeRef, bool)>,
    /// The bytes of a row that has tables. The offset of the tables is known only when the data is
    /// complete.
    row: Vec<u8>,
}

impl Writer {
    /// Creates a writer.
    pub fn new() -> Self {
        Writer { encoder: encoder(), session: Session::new(), known: None, row: Vec::new() }
    }

    /// Appends the row of a value to `out`.
    ///
    /// # Errors
    /// Errors of the value. After an error `out` is as long as before, and the writer can be used
    /// again.
    pub fn append<T: Save + ?Sized>(
        &mut self,
        out: &mut Vec<u8>,
        value: &T,
        options: &Options<'_>,
    ) -> Result {
        archive_core::__unless_erased!(self.append_as(out, value, options), {
            let mut value = value;
            let root = archive_core::backend::Root(value.shape(), &mut |ar| {
                archive_core::Body::run(&mut value, &mut archive_core::Archive::erased(ar).saving())
            });
            self.append_as(out, root, options)
        })
    }

    fn append_as<S: Source>(
        &mut self,
        out: &mut Vec<u8>,
        mut value: S,
        options: &Options<'_>,
    ) -> Result {
        if !self.is_plain(value.shape(), options) {
            return self.append_with_tables(out, value, options);
        }
        let start = out.len();
        self.session.renew();
        self.encoder.begin_row(std::mem::take(out), options);
        let saved = save_row(&mut self.encoder, &mut value, &mut self.session, options);
        *out = self.encoder.take_output();
        if !matches!(saved, Ok(true)) {
            out.truncate(start);
            self.encoder = encoder();
        }
        match saved? {
            true => Ok(()),
            false => self.append_with_tables(out, value, options),
        }
    }

    /// Returns whether rows of the root have no tables.
    #[inline]
    fn is_plain(&mut self, root: &'static Shape, options: &Options<'_>) -> bool {
        let asked = ShapeRef::of(root);
        let plain = match self.known {
            Some((known, plain)) if known == asked => plain,
            _ => {
                let implied = Implied::of(root);
                let plain = implied.fully_described && implied.check().is_ok();
                self.known = Some((asked, plain));
                plain
            }
        };
        plain && options.settings().targets().is_empty()
    }

    #[inline(never)]
    fn append_with_tables<S: Source>(
        &mut self,
        out: &mut Vec<u8>,
        value: S,
        options: &Options<'_>,
    ) -> Result {
        Rows::save_into(&mut self.row, value, options)?;
        out.extend_from_slice(&self.row);
        Ok(())
    }
}

fn encoder() -> Encoder<'static> {
    Encoder::for_profile(Profile::Rows, Vec::new(), &Options::new())
}

impl Default for Writer {
    fn default() -> Self {
        Writer::new()
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}
