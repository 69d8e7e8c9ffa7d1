//! Objects of an erased archive. The objects of a list can be begun at once if nothing is written
//! or read around them: two calls of the inner archive for the list in place of two for each item.

use super::{Erased, On, Road, Way};
use crate::model::error::Result;
use crate::model::shape::Class;
use crate::visit::body::Body;
use crate::visit::facts::Step;
use crate::visit::visitor::{OuterState, Visitor};

impl<W: Way> Erased<'_, W> {
    /// Whether the archive saves, if this is known at compile time.
    pub(super) const SAVES: bool = matches!(W::LOADS, Some(false));

    /// Whether the direction is known at compile time.
    pub(super) const ONE_WAY: bool = W::LOADS.is_some();

    /// Visits an object that is neither in a block nor begun with others: by steps, along a path, or
    /// elsewhere. A separate function, because it is called less often.
    #[inline(never)]
    pub(super) fn other_object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        if const { B::FACTS.block.is_some() || Self::SAVES }
            && !matches!(self.road, Road::Path(_))
            && let Some(outer) = self.begin_other_object(class)?
        {
            let done = body.run(self);
            return self.archive.end_object(class, outer, done);
        }
        // The version is for a hand-written function.
        if let Road::Path(route) = self.road
            && class.members.is_some()
            && route.enters()
        {
            let done = body.run(self);
            route.end();
            return done;
        }
        self.elsewhere(Step::Object(class), &mut On(body, self.way)).map(drop)
    }

    /// Begins an object that was not begun with others. Those end here, since an object of another
    /// class is visited in place of theirs.
    #[inline]
    pub(super) fn begin_other_object(
        &mut self,
        class: &'static Class,
    ) -> Result<Option<OuterState>> {
        if const { Self::ONE_WAY } && self.ahead.is_some() {
            self.end_others()?;
        }
        self.archive.begin_object(class)
    }

    #[cold]
    fn end_others(&mut self) -> Result {
        match self.ahead.take() {
            Some(ahead) => self.archive.end_object(ahead, self.around, Ok(())),
            None => Ok(()),
        }
    }

    /// Begins the objects of a list.
    pub(super) fn objects_ahead(&mut self, class: &'static Class) -> Option<OuterState> {
        let at_once = const { Self::ONE_WAY }
            && matches!(self.road, Road::ByPosition)
            && self.ahead.is_none()
            && class.members.is_some();
        if !at_once {
            return None;
        }
        let levels = self.archive.parts().0.levels();
        match self.archive.begin_object(class) {
            Ok(begun) => {
                let outer = begun?;
                self.ahead = Some(class);
                Some(std::mem::replace(&mut self.around, outer))
            }
            // The first item has the same error, or one that comes before it.
            Err(_) => {
                self.archive.parts_mut().0.set_levels(levels);
                None
            }
        }
    }

    /// Ends the objects of a list, unless an object of another class ended them.
    pub(super) fn end_ahead(&mut self, class: &'static Class, around: OuterState) -> Result {
        let outer = std::mem::replace(&mut self.around, around);
        match self.ahead.take() {
            Some(_) => self.archive.end_object(class, outer, Ok(())),
            None => Ok(()),
        }
    }
}
