//! [`Erased`]: any archive as one type, which the methods of trait objects can name.
//!
//! Each function of a type is compiled once for all erased archives of one [direction](Way). For a
//! value with parts, it calls the inner archive twice: before the parts and after them
//! ([`Visitor::begin_object`] and similar methods). In between, the body runs on the erased
//! archive. An archive without such a pair of methods receives the body as a trait object
//! ([`dynamic`]).
// Why: docs/decisions/compile-time.md#debug-builds-compile-a-type-once

mod directions;
mod dynamic;
mod objects;
mod on_path;
mod steps;
mod way;

use std::marker::PhantomData;

pub(crate) use dynamic::On;
use dynamic::Tool;
pub use dynamic::{DynBody, ErasedBody, run_step};
pub(crate) use way::loads;

use crate::model::block_size::Asked;
use crate::model::error::{Error, Result};
use crate::model::head::PointerHead;
use crate::model::reserved::check_name;
use crate::model::shape::{Class, Enum, Member, Shape};
use crate::visit::archive::Archive;
use crate::visit::blank::Element;
use crate::visit::block::{LoadBlocks, SaveBlocks};
use crate::visit::body::{Body, Keyed, LoadAny, LoadPointer, Variants};
use crate::visit::facts::BodyFacts;
use crate::visit::guide::{Begun, Guide, Route};
use crate::visit::visitor::{OuterState, Visitor};
use crate::visit::walk::{ArchiveKind, Walk, block_of};

/// Whether roots are saved and loaded through [`Erased`] in every format. This is the case in
/// builds with debug assertions, unless the feature `static-formats` is on. Each type is then
/// compiled for one archive instead of one for each format.
#[doc(hidden)]
pub const ERASES: bool = cfg!(all(debug_assertions, not(feature = "static-formats")));

/// Expands to the first of two expressions, or to the second if [`ERASES`]. It is a macro because
/// the compiler instantiates all functions that a branch calls, even if it is never taken.
#[doc(hidden)]
#[macro_export]
#[cfg(not(all(debug_assertions, not(feature = "static-formats"))))]
macro_rules! __unless_erased {
    ($compiled:expr, $erased:expr) => {
        $compiled
    };
}

/// Expands to the second expression.
#[doc(hidden)]
#[macro_export]
#[cfg(all(debug_assertions, not(feature = "static-formats")))]
macro_rules! __unless_erased {
    ($compiled:expr, $erased:expr) => {
        $erased
    };
}

/// The direction of an [`Erased`] archive, as far as it is known at compile time.
pub trait Way: 'static {
    /// Whether it loads, if this is known at compile time.
    const LOADS: Option<bool>;

    /// [`ArchiveKind::gathers`](crate::ArchiveKind::gathers).
    const GATHERS: bool = false;

    /// [`Walk::take_items`](crate::Walk::take_items).
    fn take_items<T: Element>(visitor: &mut dyn Visitor, into: &mut Vec<T>) -> Result<bool> {
        let _ = (visitor, into);
        Ok(false)
    }
}

/// The direction is known only at run time. A tool that changes the values that it visits also has
/// this direction, because an archive that [`Saves`] may visit copies.
pub enum Either {}
/// The archive saves.
pub enum Saves {}
/// The archive loads.
pub enum Loads {}

impl Way for Either {
    const LOADS: Option<bool> = None;
}
impl Way for Saves {
    const LOADS: Option<bool> = Some(false);
}
impl Way for Loads {
    const LOADS: Option<bool> = Some(true);
}

/// Any archive as one type, which the methods of trait objects can name. `W` is the direction, if
/// it is known at compile time; code of the other direction is then not compiled.
pub struct Erased<'a, W = Either> {
    archive: &'a mut (dyn Tool + 'a),
    loading: bool,
    /// [`ArchiveKind::ends_parts`], or whether the archive is on a path.
    ends_parts: bool,
    road: Road<'a>,
    /// The class of the objects that were begun [at once](Walk::begin_objects), until one of them is
    /// visited.
    ahead: Option<&'static Class>,
    /// The state around these objects.
    around: OuterState,
    way: PhantomData<W>,
}

/// How an [`Erased`] archive moves from member to member.
#[derive(Clone, Copy)]
enum Road<'a> {
    /// By steps of the inner archive.
    Steps,
    /// [By position](ArchiveKind::by_position).
    ByPosition,
    /// Along a path.
    Path(&'a Route<'a>),
    /// By steps of the inner archive, in [place](Guide::Live).
    Live,
}

impl<'a> Erased<'a> {
    /// Erases the type of an archive.
    pub(crate) fn new<A: Archive>(archive: &'a mut A) -> Self {
        Self::guided(archive, None)
    }

    /// Like [`Archive::erased`], with a guide.
    #[doc(hidden)]
    #[inline]
    pub fn guided<A: Archive>(archive: &'a mut A, guide: Option<Guide<'a>>) -> Self {
        let loading = archive.loads();
        let ends_parts = A::KIND.ends_parts || matches!(guide, Some(Guide::Path(_)));
        let road = match guide {
            Some(Guide::Path(route)) => Road::Path(route),
            Some(Guide::Live) => Road::Live,
            None if A::KIND.by_position => Road::ByPosition,
            None => Road::Steps,
        };
        Erased::new_on(archive, loading, ends_parts, road)
    }
}

impl<'a, W> Erased<'a, W> {
    #[inline(always)]
    fn new_on(
        archive: &'a mut (dyn Tool + 'a),
        loading: bool,
        ends_parts: bool,
        road: Road<'a>,
    ) -> Self {
        let around = OuterState { version: 0, in_block: false, items: 0 };
        Erased { archive, loading, ends_parts, road, ahead: None, around, way: PhantomData }
    }
}

impl<'a, W: Way> Erased<'a, W> {
    #[inline]
    fn on<V>(self) -> Erased<'a, V> {
        Erased::new_on(self.archive, self.loading, self.ends_parts, self.road)
    }

    #[inline]
    pub(crate) fn going<V>(&mut self) -> Erased<'_, V> {
        Erased::new_on(&mut *self.archive, self.loading, self.ends_parts, self.road)
    }

    #[cold]
    fn in_member(&mut self, error: Error, info: &'static Member) -> Error {
        self.archive.locate_error(error).in_member(info.name)
    }
}

impl<W: Way> Walk for Erased<'_, W> {
    type Way = W;
    const KIND: ArchiveKind = ArchiveKind { gathers: W::GATHERS, ..ArchiveKind::ERASED };
    fn erase(&mut self) -> Erased<'_> {
        self.going()
    }
    #[inline(always)]
    fn guide(&self) -> Option<Guide<'_>> {
        match self.road {
            Road::Path(route) => Some(Guide::Path(route)),
            Road::Live => Some(Guide::Live),
            Road::Steps | Road::ByPosition => None,
        }
    }
    #[inline]
    fn passes(&self) -> bool {
        match self.road {
            Road::Path(route) => !route.is_last(),
            _ => false,
        }
    }
    // Without `#[inline]`, which would copy the members of each type into every unit.
    // Why: docs/decisions/compile-time.md#as-little-as-possible-is-compiled-for-a-type
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        let has_steps = !matches!(self.road, Road::Path(_));
        if const { B::FACTS.block.is_some() } {
            if has_steps && block_of(self, Asked::Class(class), body)? {
                return Ok(());
            }
        } else {
            if const { Self::ONE_WAY }
                && let Some(ahead) = self.ahead
                && std::ptr::eq(ahead, class)
            {
                self.ahead = None;
                return match body.run(self) {
                    Ok(()) => {
                        self.ahead = Some(class);
                        Ok(())
                    }
                    Err(error) => self.archive.end_object(class, self.around, Err(error)),
                };
            }
            if const { !Self::SAVES }
                && has_steps
                && let Some(outer) = self.begin_other_object(class)?
            {
                let done = body.run(self);
                return self.archive.end_object(class, outer, done);
            }
        }
        self.other_object(class, body)
    }
    fn begin_objects(&mut self, class: &'static Class) -> Option<OuterState> {
        self.objects_ahead(class)
    }
    fn end_objects(&mut self, class: &'static Class, around: OuterState) -> Result {
        self.end_ahead(class, around)
    }
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.archive.slot_erased(name, shape, &mut On(body, self.way))
    }
    // Inlined, so that a member costs no call.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        let begun = match self.road {
            // Members off the path cost two comparisons.
            Road::Path(route) if !route.leads_to(info) => return Ok(()),
            Road::Path(route) if route.take_step() => Begun::Here,
            Road::ByPosition if B::FACTS.typed => {
                if !self.is_loading() {
                    check_name(info.name)?;
                }
                Begun::Here
            }
            _ => self.archive.begin_named(info, B::FACTS.typed)?,
        };
        match begun {
            Begun::Here => match body.run(self) {
                Ok(()) => Ok(()),
                Err(error) => Err(self.in_member(error, info)),
            },
            Begun::Over | Begun::Skip => Ok(()),
            Begun::Elsewhere => self.archive.named_elsewhere_erased(info, &mut On(body, self.way)),
        }
    }
    #[inline]
    fn begin_known_seq(
        &mut self,
        shape: &'static Shape,
        len: usize,
        facts: &BodyFacts,
    ) -> Result<Option<OuterState>> {
        // A path and a list of unknown length are handled by the step.
        let known = const { Self::SAVES } && facts.counted;
        if known && !matches!(self.road, Road::Path(_)) {
            return self.archive.begin_seq_erased(shape, len, facts);
        }
        self.begin_seq(shape, len)
    }
    #[inline]
    fn begin_known_option(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
        facts: &BodyFacts,
    ) -> Result<(Begun, bool)> {
        if const { Self::SAVES } {
            return self.archive.begin_option_erased(shape, present, null, facts);
        }
        self.begin_option(shape, present, null)
    }
    fn save_blocks<B: SaveBlocks>(&mut self, values: &mut B) -> Result<bool> {
        self.archive.save_blocks_erased(values)
    }
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        self.archive.load_blocks_erased(values)
    }
    fn take_items<T: Element>(&mut self, into: &mut Vec<T>) -> Result<bool> {
        W::take_items(&mut *self.archive, into)
    }
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        self.archive.map_erased(shape, len, &mut On(body, self.way))
    }
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.archive.entry_erased(index, &mut On(key, self.way), &mut On(value, self.way))
    }
    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        // A variant with a tag or with an unknown name is handled where the inner archive saves or
        // loads the variant.
        if const { B::TAGGED } || (!self.is_loading() && body.other_name().is_some()) {
            return self.archive.variant_erased(info, &mut On(body, self.way));
        }
        let begun = self.archive.begin_variant(info, body.current(), B::NEVER_ANY)?;
        let Some(index) = begun else {
            return self.archive.variant_erased(info, &mut On(body, self.way));
        };
        self.payload(info, index, body)
    }
    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        self.archive.save_pointer_erased(head, &mut On(body, self.way))
    }
    fn save_key<B: Body>(&mut self, name: &str, body: &mut B) -> Result {
        self.archive.save_key_erased(name, &mut On(body, self.way))
    }
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        self.archive.load_key_erased(&mut On(body, self.way))
    }
    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        self.archive.load_any_erased(&mut On(target, self.way))
    }
    fn load_pointee<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        self.archive.load_pointee_erased(id, &mut On(body, self.way))
    }
    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        self.archive.load_pointer_erased(&mut On(target, self.way))
    }
}
