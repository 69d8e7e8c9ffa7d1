//! [`Counting`]: an archive that finds the shared objects in values.

use crate::model::block_size::BlockSize;
use crate::model::error::Result;
use crate::model::head::{PointerHead, PointerKind};
use crate::model::scalar::Scalar;
use crate::model::shape::{Shape, may_point};
use crate::state::chains::has_keys;
use crate::state::options::Options;
use crate::state::wanted::Wanted;
use crate::visit::archive::Archive;
use crate::visit::block::SaveBlocks;
use crate::visit::body::Body;
use crate::visit::erased::Saves;
use crate::visit::facts::Step;
use crate::visit::session::{SaveTable, Session};
use crate::visit::visited::Visit;
use crate::visit::visitor::Visitor;
use crate::visit::walk::{ArchiveKind, Walk};

/// Finds the objects in everything that `visit` saves. Returns them, and pairs of a holder and the object
/// that it holds. The holder of objects in the value itself is 0.
pub(crate) fn take_census(
    options: &Options<'_>,
    wanted: Wanted,
    visit: impl FnOnce(&mut Counting<'_>) -> Result,
) -> (SaveTable, Vec<(u32, u32)>) {
    let mut session = Session::new();
    session.saved.begin_census(wanted);
    let mut walk =
        Counting { session: &mut session, options, at: 0, deferred: false, edges: Vec::new() };
    walk.visit(visit);
    while let Some(visit) = walk.session.saved.next_deferred() {
        walk.deferred = true;
        walk.visit(|walk| visit(&mut walk.erased()));
    }
    let edges = walk.edges;
    (session.saved, edges)
}

impl Session {
    /// Numbers the objects in a value of that shape before it is saved, if keys are sorted by these
    /// numbers. `visit` saves the value.
    #[doc(hidden)]
    #[inline]
    pub fn number(&mut self, shape: &'static Shape, visit: Visit<'_>, options: &Options<'_>) {
        if may_point(shape) && has_keys(shape, options.settings().registry()) {
            self.number_all(visit, options);
        }
    }

    #[cold]
    fn number_all(&mut self, visit: Visit<'_>, options: &Options<'_>) {
        let (found, _) = take_census(options, Wanted::in_order(), |ar| visit(&mut ar.erased()));
        self.set_numbers(found);
    }
}

/// The archive that visits the values. It only looks for pointers. It leaves out the parts that
/// cannot be visited.
pub(crate) struct Counting<'a> {
    session: &'a mut Session,
    options: &'a Options<'a>,
    /// The object that is being visited.
    at: u32,
    /// Whether the next pointer was visited before.
    deferred: bool,
    edges: Vec<(u32, u32)>,
}

impl Counting<'_> {
    #[inline]
    fn wants(&mut self, shape: &'static Shape) -> bool {
        self.session.saved.census().is_none_or(|wanted| wanted.has(shape))
    }

    pub(crate) fn visit(&mut self, visit: impl FnOnce(&mut Self) -> Result) {
        let levels = self.session.levels();
        if self.session.enter(self.options).is_ok() {
            // If there is an error, only the objects inside this part are missing.
            let _ = visit(self);
        }
        self.session.set_levels(levels);
    }
}

impl Visitor for Counting<'_> {
    crate::__takes_bodies!();
    crate::__one_way!(saves);
    #[inline]
    fn scalar(&mut self, _: Scalar<'_>) -> Result {
        Ok(())
    }
    #[inline]
    fn save_whole_block(&mut self, _: &[u8], _: BlockSize) -> Result<bool> {
        Ok(true)
    }
    fn defers(&self) -> bool {
        true
    }
}

impl Walk for Counting<'_> {
    const KIND: ArchiveKind = ArchiveKind { refuses_duplicates: true, ..ArchiveKind::TOOL };
    type Way = Saves;

    #[inline]
    fn slot<B: Body>(&mut self, _: &str, shape: &'static Shape, body: &mut B) -> Result {
        if self.wants(shape) {
            self.visit(|ar| body.run(ar));
        }
        Ok(())
    }
    #[inline]
    fn run_elsewhere<B: Body>(&mut self, step: Step, body: &mut B) -> Result<bool> {
        match step {
            Step::Named(info) => self.slot(info.name, info.shape.get(), body)?,
            Step::Object(class) => {
                let version = self.options.settings().targets().version_of(class);
                let outer = self.session.set_version(version);
                body.run(self)?;
                self.session.set_version(outer);
            }
            Step::Seq(shape, _) | Step::Map(shape, _) if !self.wants(shape) => {}
            Step::Option(_, false, _) => return Ok(false),
            Step::Item(_) => self.visit(|ar| body.run(ar)),
            _ => body.run(self)?,
        }
        Ok(true)
    }
    #[inline]
    fn save_blocks<B: SaveBlocks>(&mut self, _: &mut B) -> Result<bool> {
        Ok(true)
    }
    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        let id = u32::try_from(head.id).unwrap_or_default();
        let deferred = std::mem::take(&mut self.deferred);
        let holds =
            matches!(head.kind, PointerKind::Stored | PointerKind::Later | PointerKind::Seen);
        if holds && !deferred && id != 0 {
            self.edges.push((self.at, id));
        }
        if !self.wants(head.shape) {
            return Ok(());
        }
        if head.kind == PointerKind::Stored {
            let outer = std::mem::replace(&mut self.at, id);
            self.visit(|ar| body.run(ar));
            self.at = outer;
        } else if head.has_pointee() {
            self.visit(|ar| body.run(ar));
        }
        Ok(())
    }
}
