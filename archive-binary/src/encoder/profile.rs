//! The parts of the encoder that depend on the profile: the start of a file, its types, and its
//! end.

use archive_core::backend::Sink;
use archive_core::shape::Shape;
use archive_core::{Options, Result};

use super::{Encoder, InColumns};
use crate::container::{Profile, put_footer, put_header};
use crate::implied::Implied;
use crate::types::TypeId;
use crate::write_tables::{Contents, put_tables};

impl<'w> Encoder<'w> {
    /// Creates an encoder for a profile that has written nothing. It writes into `buffer`, which is
    /// empty.
    pub(crate) fn for_profile(profile: Profile, buffer: Vec<u8>, options: &Options<'_>) -> Self {
        let mut encoder = Encoder::empty(profile, buffer, options);
        if profile == Profile::Columns || options.settings().columns() {
            let mut limits = *options.settings().limits();
            // Elements without bytes were counted when they were saved.
            limits.empty_elements = u64::MAX;
            encoder.columns = Some(limits);
        }
        if profile == Profile::Columns {
            encoder.profile = Profile::Embedded;
        }
        match encoder.profile {
            Profile::Embedded => put_header(&mut encoder.part.bytes),
            _ => profile.put_start(&mut encoder.part.bytes),
        }
        encoder
    }

    /// Sets the sink, which receives the file before it is complete if the root is plain.
    pub(crate) fn with_sink(mut self, sink: Option<Sink<'w>>) -> Self {
        self.sink = sink.filter(|_| self.profile == Profile::Embedded && self.columns.is_none());
        self
    }

    /// Sets the whole output, which was saved in columns.
    pub(crate) fn set_columns(&mut self, out: Vec<u8>, part: InColumns) {
        self.part.bytes = out;
        self.in_columns = Some(part);
    }

    /// Returns the root's type. If types are not stored in the file, the root's types are not
    /// numbered yet.
    pub(super) fn root_type(&mut self, shape: &'static Shape) -> Result<TypeId> {
        if self.profile == Profile::Embedded {
            return Ok(self.types.intern(shape));
        }
        let targets = self.types.targets();
        let (root, fingerprint) = if targets.is_empty() {
            let implied = Implied::of(shape);
            implied.check()?;
            (implied.root, implied.fingerprint)
        } else {
            let implied = Implied::new(shape, targets);
            implied.check()?;
            (implied.root, implied.fingerprint)
        };
        self.fingerprint = fingerprint;
        self.types.postpone(shape);
        Ok(root)
    }

    /// Appends the end of the file, after the data.
    pub(super) fn put_end(
        profile: Profile,
        fingerprint: u64,
        out: &mut Vec<u8>,
        contents: &Contents<'_>,
    ) {
        match profile {
            Profile::Embedded => {
                let tables = out.len();
                put_tables(out, contents);
                put_footer(out, tables, contents.written);
            }
            _ => profile.complete(out, fingerprint, contents),
        }
    }
}
