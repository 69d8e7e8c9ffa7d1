//! Loads sets.

use std::collections::BTreeSet;

use archive_core::__private::made::check_whole;
use archive_core::{Archive, Body, NoteKind, Result, Shape};

use super::Loaded;
use crate::plan::Plan;
use crate::slot::Key;

pub(super) fn load<A: Archive>(
    keys: &mut BTreeSet<Key>,
    plan: &'static Plan,
    shape: &'static Shape,
    ar: &mut A,
) -> Result {
    check_whole(ar)?;
    keys.clear();
    ar.seq(shape, 0, &mut LoadedKeys(keys, plan))
}

struct LoadedKeys<'a>(&'a mut BTreeSet<Key>, &'static Plan);

impl Body for LoadedKeys<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut key = LoadedKey(self.0, self.1);
        let mut index = 0;
        while ar.item(index, &mut key)? {
            index += 1;
        }
        Ok(())
    }
}

struct LoadedKey<'a>(&'a mut BTreeSet<Key>, &'static Plan);

impl Body for LoadedKey<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut slot = self.1.blank();
        Loaded { slot: &mut slot, plan: self.1 }.run(ar)?;
        if !self.0.insert(Key(slot)) {
            ar.session_mut().note(NoteKind::Repeated);
        }
        Ok(())
    }
}
