//! Loads objects whose types the program does not know.

use super::Loading;
use crate::format::decoder::Decoder;
use crate::model::error::Result;
use crate::model::head::{LoadedHead, PointerKind, not_stored};
use crate::state::options::Options;
use crate::state::registry::MadeType;
use crate::visit::session::Session;

impl Session {
    /// Announces the type id of an object of an unknown type, before it is loaded.
    #[doc(hidden)]
    #[inline]
    pub fn announce(&mut self, head: &LoadedHead<'_>, options: &Options<'_>) {
        if options.settings().keep_unknown() {
            announce_kept(head.type_name.as_deref(), self, options);
        }
        self.announce_made(head, options);
    }

    /// Announces the type id of an object of a type that is made at run time, before it is loaded.
    #[doc(hidden)]
    #[inline]
    pub fn announce_made(&mut self, head: &LoadedHead<'_>, options: &Options<'_>) {
        if let (Some(id), Some(registry)) = (&head.type_name, options.settings().registry())
            && registry.made(id).is_some()
        {
            self.unknown.announce(self.depth(), Some(id), None);
        }
    }

    /// Returns the made type that was announced for the object that is loaded now.
    #[doc(hidden)]
    pub fn take_made(&mut self, options: &Options<'_>) -> Option<MadeType> {
        let id = self.unknown.take_announced(self.depth())?.id.ok()?;
        options.settings().registry()?.made(&id).cloned()
    }
}

fn announce_kept(id: Option<&str>, session: &mut Session, options: &Options<'_>) {
    let known = |id| options.settings().registry().is_some_and(|r| r.type_of(id).is_some());
    match id {
        Some(id) if !known(id) => session.unknown.announce(session.depth(), Some(id), None),
        _ => session.unknown.announce_none(),
    }
}

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    /// Returns the ids of the objects that must be loaded because objects of unknown types refer to
    /// them, although no pointer of the program does.
    pub(super) fn look_through_unknown(&mut self) -> Result<Vec<u64>> {
        let ids = self.session.unknown.look_through(&mut self.session.loaded, self.options)?;
        if self.session.unknown.take_met_pointee() {
            // Returns an error if an object is stored twice.
            self.pointee(0)?;
        }
        Ok(ids)
    }

    /// Loads an object as data without a type.
    pub(super) fn untyped_pointee(&mut self, id: u64) -> Result {
        let (Some(at), Some(handle)) = (self.pointee(id)?, self.session.unknown.untyped(id)) else {
            return Err(not_stored(id).in_object(id));
        };
        self.session.enter(self.options)?;
        self.decoder.goto(at);
        let head = self.decoder.begin_pointer()?;
        let kind = head.kind;
        if kind != PointerKind::Stored || head.id != id {
            return Err(not_stored(id).at(self.decoder.position_of(at)));
        }
        let depth = self.session.depth();
        self.session.unknown.announce(depth, head.type_name.as_deref(), Some(id));
        self.fill(id, handle)?;
        self.close(kind)?;
        self.session.leave();
        Ok(())
    }
}
