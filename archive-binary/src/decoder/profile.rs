//! Files that do not store their types: the types follow from the requested root.

use archive_core::shape::Shape;
use archive_core::{Options, Result};

use super::Decoder;
use super::frame::{Form, Frame};
use crate::compare::Equality;
use crate::container::Profile;
use crate::implied::Implied;
use crate::profile::Opened;
use crate::read_tables::Tables;
use crate::types::TypeId;

/// The state between opening a file without types and learning the type of its root.
pub(super) struct PendingTypes<'a> {
    file: &'a [u8],
    opened: Opened,
    max_pointers: u64,
}

impl<'a> Decoder<'a> {
    /// Creates a decoder of a whole file of a profile.
    ///
    /// # Errors
    /// An error if the file is incomplete, or does not begin like such a file.
    pub(crate) fn for_profile(
        profile: Profile,
        input: &'a [u8],
        options: &Options<'_>,
    ) -> Result<Self> {
        match profile {
            Profile::Embedded | Profile::Columns => return Decoder::new(input, options),
            Profile::Rows => return Decoder::of_row(input, options.require()?, options),
            Profile::Fingerprint | Profile::Bare => {}
        }
        let opened = profile.open(input)?;
        let data = &input[..opened.end];
        let mut decoder = Decoder::over(data, Tables::unknown(&opened), options);
        let max_pointers = options.settings().limits().pointers;
        decoder.pending_types = Some(PendingTypes { file: input, opened, max_pointers });
        Ok(decoder)
    }

    /// Completes opening the file with a root of that shape.
    pub(super) fn resolve_types(
        &mut self,
        pending_types: PendingTypes<'a>,
        shape: &'static Shape,
    ) -> Result {
        let PendingTypes { file, opened, max_pointers } = pending_types;
        let implied = Implied::of(shape);
        opened.check(shape, &implied)?;
        self.tables = Tables::implied(file, &implied, &opened, max_pointers)?;
        self.equality = Equality::new(self.tables.types());
        self.base = Frame { kind: implied.root, ..Frame::new(Form::Value) };
        self.taken = (implied.root, opened.start);
        self.slot =
            if implied.positional && !self.named { TypeId::MATCHES_PROGRAM } else { implied.root };
        Ok(())
    }
}
