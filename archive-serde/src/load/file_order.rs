//! [`InFileOrder`]: the members of an object, loaded in the order of the input.
// Why: docs/decisions/serde.md#serde-formats-load-in-file-order

use archive_core::bridge::{self, Place};
use archive_core::reserved;
use archive_core::{ArchiveKind, Body, Class, Member, Result, Shape, Value, Visitor, Walk};
use serde::de::MapAccess;

use super::key::within;
use super::member_names::{Key, Names};
use super::members::load_value;
use super::object::version_of;
use crate::archives::{parts, way};
use crate::shared::Shared;
use crate::tree::{Skip, TreeSeed};

/// An object whose members are loaded in the order of the input.
pub(crate) struct InFileOrder<'a, 's, A> {
    map: A,
    shared: &'a mut Shared<'s>,
}

impl<'a, 's, 'de, A: MapAccess<'de>> InFileOrder<'a, 's, A> {
    /// Creates the object from a map whose first key has been read, unless the map is empty.
    pub(crate) fn new(map: A, shared: &'a mut Shared<'s>) -> Self {
        InFileOrder { map, shared }
    }

    /// Loads the members.
    #[inline]
    pub(crate) fn load<B: Body>(
        mut self,
        (mut next, mut other): (Option<Key>, Value),
        mut names: Names,
        class: &'static Class,
        body: &mut B,
    ) -> Result {
        let mut version = 0;
        if matches!(next, Some(Key::Other)) && other.as_str() == Some(reserved::VERSION) {
            names.meet_other(reserved::VERSION)?;
            version = self.read_version().map_err(|error| error.in_member(reserved::VERSION))?;
            next = names.next_key(&mut self.map, &mut other, self.shared)?;
        }
        bridge::check_version(class, version)?;
        let outer = self.shared.session.set_version(version);
        while let Some(key) = next {
            match key {
                Key::Member(index) => {
                    names.meet(index)?;
                    body.run_member(index, &mut self)?;
                }
                Key::Other => self.pass(&other, &mut names, class)?,
            }
            next = names.next_key(&mut self.map, &mut other, self.shared)?;
        }
        if !names.has_all(names.members().len()) {
            self.absent(&names, body)?;
        }
        body.finish(&mut self)?;
        self.shared.session.set_version(outer);
        Ok(())
    }

    fn read_version(&mut self) -> Result<u32> {
        let tree = self.map.next_value_seed(TreeSeed::new(self.shared, &mut false));
        version_of(&tree.map_err(|theirs| self.shared.refused(theirs))?)
    }

    /// Skips a member that the class does not have.
    #[cold]
    fn pass(&mut self, key: &Value, names: &mut Names, class: &'static Class) -> Result {
        let name = super::members::name_of(key)?;
        names.meet_other(name)?;
        super::members::unknown_member(name, class, self.shared)?;
        let map = &mut self.map;
        within(Place::Member(name), self.shared, |shared| {
            let passed = map.next_value_seed(Skip::new(shared));
            passed.map_err(|theirs| shared.refused(theirs))
        })
    }

    /// Handles the members that the input lacks.
    #[cold]
    fn absent<B: Body>(&mut self, names: &Names, body: &mut B) -> Result {
        for (index, info) in names.members().iter().enumerate() {
            if !names.has(index) {
                bridge::absent_member(self.shared.session, self.shared.options, info)?;
                body.absent(index, self);
            }
        }
        Ok(())
    }
}

impl<'de, A: MapAccess<'de>> Visitor for InFileOrder<'_, '_, A> {
    parts!(loading, no scalars);
}

impl<'de, A: MapAccess<'de>> Walk for InFileOrder<'_, '_, A> {
    way!(loading);
    // Members are found here, and not requested.
    const KIND: ArchiveKind = ArchiveKind { chooses_order: true, ..ArchiveKind::TOOL };
    #[inline]
    fn found<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        // Only formats that describe themselves have maps with names, and they do not use the
        // shape.
        load_value(&mut self.map, info.name, &Shape::Dyn, body, self.shared)
    }
}
