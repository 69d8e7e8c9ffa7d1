//! Types whose functions are written by hand.

use archive::reflect::{Kind, Meta, Metas};
use archive::{Archive, Registry, Result, Serialize};

#[derive(Clone, Default)]
struct Timer {
    ticks: u32,
    warnings: Option<Vec<String>>,
}

impl Serialize for Timer {
    const VERSION: u32 = 2;
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("ticks", &mut self.ticks)?;
        if ar.version() > 1 {
            ar.serialize("warnings", &mut self.warnings)?;
        }
        Ok(())
    }
}
archive::save_by_clone!(Timer);
archive::blank!(Timer);

trait Object: archive::Polymorphic {}
archive::polymorphic!(dyn Object);
impl Object for Timer {}

#[derive(Default, Serialize)]
struct Level {
    timers: Vec<Timer>,
}

fn names(meta: &Meta) -> Vec<(String, String)> {
    meta.members().iter().map(|it| (it.name().to_owned(), it.meta().name())).collect()
}

fn expected() -> Vec<(String, String)> {
    [("ticks", "u32"), ("warnings", "Option<Vec<String>>")]
        .map(|(a, b)| (a.into(), b.into()))
        .into()
}

#[test]
fn members_are_those_that_the_function_visits() {
    let meta = Meta::of::<Timer>();
    assert_eq!(
        (meta.kind(), meta.version(), meta.size()),
        (Kind::Object, 2, Some(size_of::<Timer>()))
    );
    assert_eq!(names(&meta), expected());
    let ticks = meta.member("ticks").unwrap();
    assert_eq!((ticks.offset(), ticks.size(), ticks.facts().doc), (None, None, ""));
    assert!(!meta.has_all_members());
}

#[test]
fn also_inside_of_other_types() {
    let timers = Meta::of::<Level>().member("timers").unwrap().meta().item().unwrap();
    assert_eq!(names(&timers), expected());
}

#[test]
fn also_of_registered_types() {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Object { Timer }).unwrap();
    registry.register_type::<Level>("Level").unwrap();
    assert_eq!(names(&registry.meta("Timer").unwrap()), expected());
    let object: Box<dyn Object> = Box::new(Timer::default());
    assert_eq!(names(&registry.meta_of(&*object)), expected());
    let timers = registry.meta("Level").unwrap().member("timers").unwrap().meta().item().unwrap();
    assert_eq!(names(&timers), expected());
}

#[test]
fn without_a_registry_an_object_has_no_members() {
    assert_eq!(names(&Meta::of_value(&Timer::default())), []);
    assert_eq!(Meta::of_value(&Timer::default()), Meta::of::<Timer>());
}
