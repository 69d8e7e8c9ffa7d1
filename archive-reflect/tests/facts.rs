//! The facts about members for people.

use archive::Serialize;
use archive::reflect::Meta;

const FASTEST: f32 = 30.0;

#[derive(Default, Serialize)]
struct Light {
    r: f32,
    g: f32,
    b: f32,
}

/// What moves.
///
/// Slowly.
#[derive(Default, Serialize)]
struct Mover {
    /// How fast it moves.
    /// Never backwards.
    #[archive(label = "Speed", group = "Motion", unit = "m/s", range = 0.0..=FASTEST, step = 0.5)]
    speed: f32,
    #[archive(range = -3..)]
    level: Option<i8>,
    #[archive(range = ..=1.0, color)]
    colour: [f32; 3],
    #[archive(color)]
    tint: Option<String>,
    #[archive(color)]
    rgba: u32,
    #[archive(color)]
    light: Light,
    #[archive(color)]
    tuple: Option<(u8, u8, u8, u8)>,
    #[archive(read_only)]
    id: u64,
    #[archive(hidden)]
    seed: u64,
    armed: bool,
    #[archive(show_if = Mover::is_armed)]
    ammunition: u32,
    /** Of the
     * old kind. */
    old: u8,
    #[archive(multiline)]
    story: String,
    #[archive(multiline)]
    motto: Option<Box<str>>,
    #[archive(get = Mover::log, multiline)]
    log: (),
}

impl Mover {
    fn is_armed(&self) -> bool {
        self.armed
    }

    fn log(&self) -> String {
        format!("{}\n{}", self.id, self.level.is_some())
    }
}

#[test]
fn attributes_are_constants() {
    let meta = Meta::of::<Mover>();
    assert_eq!(meta.doc(), "What moves.\n\nSlowly.");
    assert_eq!(Meta::of::<Box<Mover>>().doc(), meta.doc());
    let facts = |name| *meta.member(name).unwrap().facts();
    let speed = facts("speed");
    assert_eq!(speed.doc, "How fast it moves.\nNever backwards.");
    assert_eq!((speed.label, speed.group, speed.unit), ("Speed", "Motion", "m/s"));
    assert_eq!((speed.min, speed.max, speed.step), (Some(0.0), Some(30.0), Some(0.5)));
    assert_eq!((facts("level").min, facts("level").max), (Some(-3.0), None));
    assert_eq!((facts("colour").min, facts("colour").max), (None, Some(1.0)));
    assert!(facts("id").read_only && !facts("id").hidden && facts("seed").hidden);
    assert_eq!(facts("old").doc, "Of the\nold kind.");
    assert_eq!(facts("armed").doc, "");
    assert!(facts("story").multiline && facts("motto").multiline && !facts("speed").multiline);
    assert!(meta.property("log").unwrap().facts().multiline);
    assert!(["colour", "tint", "rgba", "light", "tuple"].iter().all(|name| facts(name).color));
    assert!(!facts("speed").color);
}

/// Of a type that is not saved itself: lines in memory, a text in files.
mod lines {
    use archive::Result;

    #[derive(Default)]
    pub struct Lines(Vec<String>);

    pub fn save(lines: &Lines) -> Result<String> {
        Ok(lines.0.join("\n"))
    }
    pub fn load(text: String) -> Result<Lines> {
        Ok(Lines(text.lines().map(str::to_owned).collect()))
    }
}

#[derive(Default, Serialize)]
struct Diary {
    #[archive(with = lines, multiline)]
    lines: lines::Lines,
}

/// Attributes are checked against what is stored.
#[test]
fn facts_follow_the_stored_type() {
    assert!(Meta::of::<Diary>().member("lines").unwrap().facts().multiline);
}

#[test]
fn labels_default_to_names() {
    let meta = Meta::of::<Mover>();
    assert_eq!(meta.member("speed").unwrap().label(), "Speed");
    assert_eq!(meta.member("level").unwrap().label(), "level");
}

#[test]
fn visibility_depends_on_the_object() {
    let meta = Meta::of::<Mover>();
    let shown = |name, object: &dyn std::any::Any| meta.member(name).unwrap().is_shown(object);
    let mut mover = Mover::default();
    assert!(!shown("ammunition", &mover));
    mover.armed = true;
    assert!(shown("ammunition", &mover));
    assert!(!shown("ammunition", &7));
    assert!(shown("speed", &mover) && !shown("seed", &mover));
}

struct Slider<T> {
    value: T,
    secret: bool,
    plain: u8,
    notes: Option<String>,
}

impl<T> Slider<T> {
    fn is_secret(&self) -> bool {
        self.secret
    }
}

archive::members!(impl<T: 'static> Slider<T> {
    /// Where it is.
    #[archive(label = "Value", group = "Look", unit = "%", range = -1.0..=100, step = 0.5)]
    #[archive(show_if = Slider::is_secret)]
    value as "v",
    #[archive(hidden, read_only)]
    secret,
    plain,
    #[archive(label = "Notes", multiline, color)]
    notes,
});
archive::blank!(impl<T: Default> Slider<T>, Slider { value: T::default(), secret: false, plain: 0, notes: None });

#[test]
fn members_without_a_derive_have_facts() {
    let meta = Meta::of::<Slider<f32>>();
    let value = meta.member("v").unwrap();
    let facts = value.facts();
    assert_eq!(
        (facts.doc, facts.label, facts.group, facts.unit),
        ("Where it is.", "Value", "Look", "%")
    );
    assert_eq!((facts.min, facts.max, facts.step), (Some(-1.0), Some(100.0), Some(0.5)));
    let secret = *meta.member("secret").unwrap().facts();
    assert!(secret.hidden && secret.read_only && secret.doc.is_empty());
    let mut slider = Slider { value: 0.0_f32, secret: false, plain: 0, notes: None };
    assert!(!value.is_shown(&slider));
    slider.secret = true;
    assert!(value.is_shown(&slider));
    assert_eq!(meta.member("plain").unwrap().facts().doc, "");
    let notes = meta.member("notes").unwrap();
    assert!(notes.facts().multiline && notes.label() == "Notes" && !facts.multiline);
    assert!(notes.facts().color && !facts.color);
}

#[derive(Default, Serialize)]
struct Numbered {
    byte: u8,
    wide: u128,
    #[archive(range = -1.5..=1e300)]
    between: Option<i128>,
    #[archive(range = 2.5..)]
    above: usize,
    #[archive(range = ..=300)]
    wider: u8,
    #[archive(range = -1..=0.5)]
    half: f32,
    array: [f64; 2],
    #[archive(get = Numbered::twice, range = ..=100)]
    twice: (),
}

impl Numbered {
    fn twice(&self) -> i16 {
        i16::from(self.byte) * 2
    }
}

#[test]
fn numbers_have_a_kind_and_a_range() {
    use archive::value::Number::{F32, F64, Int, UInt};
    let meta = Meta::of::<Numbered>();
    let numbers = |name| {
        let numbers = meta.member(name).unwrap().numbers()?;
        Some((numbers.is_integer, numbers.min, numbers.max))
    };
    assert_eq!(numbers("byte"), Some((true, Int(0), Int(255))));
    assert_eq!(numbers("wide"), Some((true, Int(0), UInt(u128::MAX))));
    assert_eq!(numbers("between"), Some((true, Int(-1), Int(i128::MAX))));
    assert_eq!(numbers("above"), Some((true, Int(3), Int(u64::MAX.into()))));
    assert_eq!(numbers("wider"), Some((true, Int(0), Int(255))));
    assert_eq!(numbers("half"), Some((false, F64(-1.0), F64(0.5))));
    assert_eq!(numbers("array"), None);
    let item = meta.member("array").unwrap().meta().item().unwrap().numbers().unwrap();
    assert_eq!((item.is_integer, item.min, item.max), (false, F64(f64::MIN), F64(f64::MAX)));
    assert_eq!(Meta::of::<f32>().numbers().unwrap().max, F32(f32::MAX));
    assert_eq!(Meta::of::<bool>().numbers(), None);
    let twice = meta.property("twice").unwrap().numbers().unwrap();
    assert_eq!((twice.min, twice.max), (Int(i16::MIN.into()), Int(100)));

    let rows = archive::reflect::children(
        &Numbered::default(),
        &archive::path::Path::new(),
        &archive::Options::new(),
    );
    let kinds: Vec<_> =
        rows.unwrap().iter().map(|row| row.numbers().map(|it| it.is_integer)).collect();
    let (int, float) = (Some(true), Some(false));
    assert_eq!(kinds, [int, int, int, int, int, float, None, int]);
}
