//! [`Explorer`]: an archive without a file. It is a loading archive that makes up the data. It thus
//! runs the functions of types to find out which members and values they visit.
// Why: docs/decisions/shapes-and-descriptions.md#hand-written-functions-are-run-to-describe-their-types

use crate::scenario::{Part, Scenario, Variation};
use archive_core::Archive;
use archive_core::LoadedHead;
use archive_core::Mark;
use archive_core::Number;
use archive_core::Options;
use archive_core::Scalar;
use archive_core::Session;
use archive_core::Visitor;
use archive_core::Walk;
use archive_core::pointer::{LoadPointer, PointerKind, Step};
use archive_core::shape::{Class, Enum, Payload, Shape};
use archive_core::{Body, Keyed, LoadAny, PayloadOf, Variants};
use archive_core::{Error, ErrorKind, Result};

/// Limits for the depth of values without an object or enum in between, and for the number of
/// visited places. `struct List(Vec<List>)` would contain itself.
const MAX_DEPTH: usize = 12;
const MAX_PLACES: usize = 1 << 14;

/// An archive without a file, controlled by a [`Scenario`].
pub struct Explorer<'a> {
    scenario: &'a mut dyn Scenario,
    options: &'a Options<'a>,
    session: Session,
    level: usize,
    unnamed: usize,
    places: usize,
    items: Items,
    /// The version of the outermost object in the file, if it is not the current one.
    version: Option<u32>,
}

/// The items of the innermost sequence.
#[derive(Clone, Copy, Default)]
struct Items {
    count: usize,
    left: usize,
    /// Whether the first item represents all of them.
    alike: bool,
}

impl<'a> Explorer<'a> {
    /// Creates an archive controlled by `scenario`.
    pub fn new(scenario: &'a mut dyn Scenario, options: &'a Options<'a>) -> Self {
        let mut session = Session::new();
        session.explore(true);
        let items = Items::default();
        Explorer {
            scenario,
            options,
            session,
            level: 0,
            unnamed: 0,
            places: 0,
            items,
            version: None,
        }
    }

    /// Sets the version of the outermost object in the file.
    #[must_use]
    pub fn at_version(mut self, version: Option<u32>) -> Self {
        self.version = version;
        self
    }

    /// Visits the value at a place that was entered. Errors are passed to the scenario and not
    /// returned.
    fn visit<B: Body>(&mut self, body: &mut B) {
        let (levels, items) = (self.session.levels(), self.items);
        self.places += 1;
        self.level += 1;
        let result = body.run(self);
        self.level -= 1;
        self.items = items;
        self.session.set_levels(levels);
        self.scenario.leave(result);
    }

    /// Runs `body` one level deeper, among values without names.
    fn unnamed<B: Body>(&mut self, body: &mut B) -> Result {
        if self.unnamed == MAX_DEPTH || self.places >= MAX_PLACES {
            return Err(Error::new(
                ErrorKind::DepthLimit,
                "every value of the type would contain another one",
            ));
        }
        self.unnamed += 1;
        let result = body.run(self);
        self.unnamed -= 1;
        result
    }

    /// Runs `visit` at the beginning of an object or an enum.
    fn named(&mut self, visit: impl FnOnce(&mut Self) -> Result) -> Result {
        let unnamed = std::mem::replace(&mut self.unnamed, 0);
        let result = visit(self);
        self.unnamed = unnamed;
        result
    }

    fn payload<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        match info.variants.get(body.current()).map(|variant| &variant.payload) {
            Some(Payload::Unit) | None => Ok(()),
            Some(_) => PayloadOf(body).run(self),
        }
    }
}

impl Visitor for Explorer<'_> {
    archive_core::__takes_bodies!();
    fn loads(&self) -> bool {
        true
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.session, self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.session, self.options)
    }

    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.scenario.scalar(value);
        Ok(())
    }
}

impl Walk for Explorer<'_> {
    type Way = archive_core::Either;

    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        // After `MAX_PLACES` places, no more members are found, so that a function ends even if it
        // loops while it finds members.
        if self.places < MAX_PLACES && self.scenario.enter(Part::Member(name, shape), self.level) {
            self.visit(body);
        }
        Ok(())
    }

    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        if self.places >= MAX_PLACES || !self.scenario.open(class) {
            return Ok(());
        }
        let version = self.version.take().unwrap_or(class.version);
        let outer = self.session.set_version(version);
        let result = self.named(|ar| body.run(ar));
        self.session.set_version(outer);
        self.scenario.close(result.is_ok());
        result
    }

    fn seq<B: Body>(&mut self, shape: &'static Shape, _: usize, body: &mut B) -> Result {
        let count = match shape {
            Shape::Array(_, count, _, _) => *count,
            Shape::Tuple(items, _, _) => items.len(),
            _ => self.scenario.items(),
        };
        let items = Items { count, left: count, alike: matches!(shape, Shape::Array(..)) };
        let outer = std::mem::replace(&mut self.items, items);
        let result = self.unnamed(body);
        self.items = outer;
        result
    }

    fn item<B: Body>(&mut self, _: usize, body: &mut B) -> Result<bool> {
        let Items { count, left, alike } = self.items;
        if left == 0 || self.places >= MAX_PLACES {
            return Ok(false);
        }
        self.items.left -= 1;
        let index = count - left;
        // An item that is left out is blank, like one with an error.
        if !(alike && index > 0) && self.scenario.enter(Part::Item(index), self.level) {
            self.visit(body);
        }
        Ok(true)
    }

    fn option<B: Body>(
        &mut self,
        _: &'static Shape,
        _: bool,
        _: bool,
        body: &mut B,
    ) -> Result<bool> {
        if !self.scenario.some() {
            return Ok(false);
        }
        self.unnamed(body).map(|()| true)
    }

    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        let select = |ar: &mut Self, body: &mut B, index| body.select(index, ar.options);
        let variation = self.scenario.vary(info);
        let result = self.named(|ar| match variation {
            Variation::Nothing => Ok(()),
            Variation::Current => {
                // The name that a fallback variant stores is not a payload.
                if body.other_name().is_some()
                    && let Some(name) = ar.scenario.key()
                {
                    body.select_other(name, ar.options);
                }
                ar.payload(info, body)
            }
            Variation::Selected(index) => select(ar, body, index),
            Variation::One(index) => {
                select(ar, body, index)?;
                ar.payload(info, body)
            }
            Variation::All => {
                let mut result = Ok(());
                for index in 0..info.variants.len() {
                    let one = select(ar, body, index).and_then(|()| ar.payload(info, body));
                    result = result.and(one);
                }
                result
            }
        });
        self.scenario.varied();
        result
    }

    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        struct Load<'a, B>(&'a mut B);
        impl<B: LoadPointer> Body for Load<'_, B> {
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                self.0.load(ar)
            }
        }
        let at = Mark { offset: 0, state: 0, depth: 0 };
        let head = |kind| LoadedHead { kind, id: 0, type_name: None };
        // A weak pointer accepts null. A trait object accepts neither null nor a plain value,
        // because its type is not known.
        let null = head(PointerKind::Null);
        if matches!(target.begin(&null, at, &mut self.session, self.options), Ok(Step::Done)) {
            return Ok(());
        }
        let plain = head(PointerKind::Plain);
        match target.begin(&plain, at, &mut self.session, self.options)? {
            Step::Load => self.unnamed(&mut Load(target)),
            _ => Ok(()),
        }
    }

    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        struct Load<'a, B>(&'a mut B);
        impl<B: Keyed> Body for Load<'_, B> {
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                self.0.load(ar)
            }
        }
        let Some(name) = self.scenario.key() else { return Ok(false) };
        body.key(name);
        self.unnamed(&mut Load(body)).map(|()| true)
    }

    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        match self.scenario.any() {
            Some(number) => target.number(Number::Int(number.into())),
            None => target.null(),
        }
        Ok(())
    }
}
