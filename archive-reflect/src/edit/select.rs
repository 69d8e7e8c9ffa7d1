//! [`select`]: an archive that gives an enum a variant.

use archive_core::path::Guide;
use archive_core::{
    Archive, ArchiveKind, Begun, Elsewhere, Enum, Erased, Error, ErrorKind, Known, Loads, Member,
    Options, OuterState, Result, Scalar, Session, Shape, Visitor, Walk,
};

use crate::look::Visit;

/// Gives an enum a variant.
pub(super) fn select(visit: Visit<'_>, name: &str, options: &Options<'_>) -> Result {
    let mut select = Select::new(name, options);
    visit(&mut select.erased())?;
    // A value that visits nothing is not an enum.
    select.check()
}

/// Gives an enum a variant.
struct Select<'a> {
    session: Session,
    options: &'a Options<'a>,
    name: &'a str,
    /// Whether the enum was found.
    found: bool,
    /// Whether the payload has a fixed number of items.
    is_fixed: bool,
}

impl<'a> Select<'a> {
    fn new(name: &'a str, options: &'a Options<'a>) -> Self {
        Select { session: Session::new(), options, name, found: false, is_fixed: false }
    }
}

impl Visitor for Select<'_> {
    fn loads(&self) -> bool {
        true
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.session, self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.session, self.options)
    }
    fn scalar(&mut self, _: Scalar<'_>) -> Result {
        self.check()
    }
    fn begin_member(&mut self, _: &str, _: &'static Shape) -> Result<Begun> {
        self.check().map(|()| Begun::Over)
    }
    fn begin_named(&mut self, _: &'static Member, _: bool) -> Result<Begun> {
        self.check().map(|()| Begun::Over)
    }
    fn begin_seq(&mut self, shape: &'static Shape, _: usize) -> Result<Option<OuterState>> {
        self.is_fixed = matches!(shape, Shape::Tuple(..) | Shape::Array(..));
        Ok(Some(OuterState::default()))
    }
    /// A list or a map has no items: more of them could always follow those that are left out.
    fn begin_item(&mut self, _: usize) -> Result<Begun> {
        self.check().map(|()| if self.is_fixed { Begun::Skip } else { Begun::Over })
    }
    fn begin_variant(
        &mut self,
        info: &'static Enum,
        current: usize,
        _: bool,
    ) -> Result<Option<usize>> {
        if std::mem::replace(&mut self.found, true) {
            return Ok(Some(current));
        }
        let names: Vec<&str> = info.variants.iter().map(|variant| variant.name).collect();
        match names.iter().position(|name| *name == self.name) {
            Some(index) => Ok(Some(index)),
            None => {
                let known = Known::new(self.name, &names, "there are:");
                let message = format!("there is no variant `{}`{known}", self.name);
                Err(Error::new(ErrorKind::UnknownVariant, message))
            }
        }
    }
}

impl Select<'_> {
    fn check(&self) -> Result {
        if self.found { Ok(()) } else { Err(Error::wrong_type("an enum", "another value")) }
    }
}

impl Walk for Select<'_> {
    type Way = Loads;
    const KIND: ArchiveKind = ArchiveKind { elsewhere: Elsewhere::DIRECT, ..ArchiveKind::EDIT };

    fn erase(&mut self) -> Erased<'_> {
        let guide = Some(Guide::Live);
        Erased::guided(self, guide)
    }
    fn guide(&self) -> Option<Guide<'_>> {
        Some(Guide::Live)
    }
}
