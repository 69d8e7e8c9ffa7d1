//! [`Loader`]: reads a whole file without changing the world.
// Why: docs/decisions/bevy.md#a-report-is-collected-only-if-there-is-something-to-report

mod unknown;

use std::cell::Cell;
use std::collections::BTreeMap;

use archive::shape::Shape;
use archive::tool::{Body, EachEntry, Keyed, Watch};
use archive::{Archive, Element, Error, ErrorKind, Options, Report, Result, Serialize};
use bevy_ecs::prelude::*;

use crate::column::Staged;
use crate::ids::LoadedEntities;
use crate::keep::Kept;
use crate::registered::{Named, Registered, find};
use crate::relation::{Rows, StagedRelation};
use crate::resource::Insert;

/// Reads a file.
pub(crate) struct Loader<'w> {
    world: &'w World,
    registered: &'w Registered,
    entities: &'w LoadedEntities,
    has_components: bool,
    pub(crate) staged: StagedWorld,
    /// The report of the values.
    pub(crate) values: Report,
}

/// What was read.
#[derive(Default)]
pub(crate) struct StagedWorld {
    pub(crate) next: u32,
    pub(crate) columns: Vec<Box<dyn Staged>>,
    pub(crate) relations: Vec<Box<dyn StagedRelation>>,
    pub(crate) resources: Vec<Insert>,
    pub(crate) kept: Kept,
    /// What of the registered types was there, as `components.health`.
    found: Vec<String>,
}

impl<'w> Loader<'w> {
    pub(crate) fn new(world: &'w World, entities: &'w LoadedEntities) -> Self {
        let registered = world.resource::<Registered>();
        let (staged, values) = Default::default();
        Loader { world, registered, entities, has_components: true, staged, values }
    }

    /// Calls `read`, which reads the file with the options. Calls it again if there is something to
    /// report: a load with a report takes twice the time, and most files have nothing.
    pub(crate) fn read<R>(
        &mut self,
        options: &Options<'_>,
        mut read: impl FnMut(&mut Self, &Options<'_>) -> Result<R>,
    ) -> Result<R> {
        let watch = Watch::default();
        if !options.settings().keep_going() {
            let done = read(self, &options.clone().watch(&watch))?;
            if !watch.found() {
                return Ok(done);
            }
        }
        let values = Cell::default();
        let done = read(self, &options.clone().report(&values));
        self.values = values.take();
        done
    }

    /// Returns the registered types that the file does not have.
    pub(crate) fn absent(&self) -> Vec<String> {
        let Registered { components, resources, .. } = self.registered;
        let components = components.iter().filter(|_| self.has_components);
        let components = components.map(|it| format!("components.{}", it.name));
        let resources = resources.iter().map(|it| format!("resources.{}", it.name));
        components.chain(resources).filter(|name| !self.staged.found.contains(name)).collect()
    }

    /// Leaves out the components, which are elsewhere.
    #[cfg(feature = "store")]
    pub(crate) fn without_components(&mut self) {
        self.has_components = false;
    }

    /// Returns what of a part is registered under one name only: the places, the names, and the shapes
    /// of what is stored.
    fn by_one_name(&self, part: u8) -> Vec<(usize, &'w str, &'static Shape)> {
        let Registered { components, resources, relations, aliases, .. } = self.registered;
        fn each<T: ?Sized>(
            list: &[Named<T>],
            shape: impl Fn(&T) -> &'static Shape,
        ) -> Vec<(usize, &str, &'static Shape)> {
            let members = list.iter().enumerate();
            members.map(|(index, it)| (index, &*it.name, shape(&it.kind))).collect()
        }
        let mut members = match part {
            RESOURCES => each(resources, |kind| kind.shape()),
            COMPONENTS if !self.has_components => Vec::new(),
            COMPONENTS => each(components, |kind| kind.shape()),
            _ => each(relations, |_| <BTreeMap<u32, Vec<u32>> as Serialize>::SHAPE),
        };
        members.retain(|(_, name, _)| aliases.iter().all(|(new, _)| new != name));
        members
    }

    /// Returns the place of what is registered under that name.
    fn registered_at(&self, part: u8, name: &str) -> Option<usize> {
        let Registered { components, resources, relations, .. } = self.registered;
        match part {
            RESOURCES => find(resources, name),
            COMPONENTS => find(components, name),
            _ => find(relations, name),
        }
    }

    /// Notes that a registered type is there.
    fn note(&mut self, list: &str, name: &str) -> Result {
        let name = format!("{list}.{name}");
        if self.staged.found.contains(&name) {
            let message =
                format_args!("`{name}` occurs twice: under its name and under an older one");
            return Err(Error::new(ErrorKind::DuplicateMember, message));
        }
        self.staged.found.push(name);
        Ok(())
    }
}

impl Serialize for Loader<'_> {
    const NAME: &'static str = "World";

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        // What a value holds is visited before it is loaded over.
        if !ar.is_loading() {
            return Ok(());
        }
        self.staged = StagedWorld::default();
        ar.serialize("next", &mut self.staged.next)?;
        let mut numbers = Numbers(None);
        ar.slot("entities", <Vec<u32> as Serialize>::SHAPE, &mut numbers)?;
        let Some(numbers) = numbers.0 else {
            let message = "not the save of a world: it has no list `entities`";
            return Err(Error::new(ErrorKind::MissingMember, message));
        };
        let reserved = self.entities.reserve(numbers, self.world);
        reserved.map_err(|error| error.in_member("entities"))?;
        ar.serialize("resources", &mut Part::<RESOURCES>(self, String::new()))?;
        ar.serialize("components", &mut Part::<COMPONENTS>(self, String::new()))?;
        ar.serialize("relations", &mut Part::<RELATIONS>(self, String::new()))
    }
}

/// The list of the entities, if there is one.
struct Numbers(Option<Vec<u32>>);

impl Body for Numbers {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0 = Some(Vec::load_element(ar)?);
        Ok(())
    }
}

const RESOURCES: u8 = 0;
const COMPONENTS: u8 = 1;
const RELATIONS: u8 = 2;

/// An object whose members are named by what the program registered, and the name of the member that
/// is being loaded.
struct Part<'a, 'w, const PART: u8>(&'a mut Loader<'w>, String);

impl<const PART: u8> Serialize for Part<'_, '_, PART> {
    const NAME: &'static str = match PART {
        RESOURCES => "Resources",
        COMPONENTS => "Components",
        _ => "Relations",
    };

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return Ok(());
        }
        // Formats load values faster whose types they know beforehand. What may have another name comes
        // afterwards, with what is not registered.
        for (index, name, shape) in self.0.by_one_name(PART) {
            ar.slot(name, shape, &mut Member::<PART>(&mut *self.0, index))?;
        }
        while ar.load_key(self)? {}
        Ok(())
    }
}

impl<const PART: u8> Keyed for Part<'_, '_, PART> {
    fn key(&mut self, name: &str) {
        self.1 = self.0.registered.current(name).to_owned();
    }

    fn load<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (loader, name) = (&mut *self.0, &*self.1);
        match loader.registered_at(PART, name) {
            Some(index) => Member::<PART>(loader, index).run(ar),
            None => unknown::load(loader, PART, name, ar),
        }
    }
}

/// A member that is registered, by its place in the list.
struct Member<'a, 'w, const PART: u8>(&'a mut Loader<'w>, usize);

impl<const PART: u8> Body for Member<'_, '_, PART> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let Member(loader, index) = self;
        let Registered { resources, components, relations, .. } = loader.registered;
        match PART {
            RESOURCES => {
                let Named { name, kind } = &resources[*index];
                loader.note("resources", name)?;
                loader.staged.resources.push(kind.load(&mut ar.erased())?);
            }
            COMPONENTS => {
                let Named { name, kind } = &components[*index];
                loader.note("components", name)?;
                let column = kind.load(loader.entities, &mut ar.erased())?;
                loader.staged.columns.push(column);
            }
            _ => {
                let Named { name, kind } = &relations[*index];
                loader.note("relations", name)?;
                let rows = load_relation(ar)?;
                let staged = kind.stage(rows, loader.entities, loader.world)?;
                loader.staged.relations.push(staged);
            }
        }
        Ok(())
    }
}

fn load_relation<A: Archive>(ar: &mut A) -> Result<Rows> {
    let mut rows = Rows::new();
    let mut each = EachEntry::new(|target: u32, sources: Vec<u32>| {
        rows.push((target, sources));
        Ok(())
    });
    (&mut each).run(ar)?;
    Ok(rows)
}
