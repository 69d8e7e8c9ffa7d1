//! Values from outside: `ar.context()` in functions, `Blank`, `default = expr`, `with` and
//! `after_load`, at any depth.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex};

use crate::common::forgiving;
use archive::{
    Archive, Blank, Options, Registry, Result, Save, Serialize, Value, polymorphic, register,
};

/// Given by reference; counts the accesses.
#[derive(Default)]
struct Calls {
    saved: Cell<u32>,
    loaded: Cell<u32>,
    blank: Cell<u32>,
}

/// Given by value.
struct Assets {
    first: u32,
}

/// Of another type, to be distinguished.
struct Offset(u32);

/// A value that works only with all three.
#[derive(Clone, Debug, PartialEq)]
struct Sprite {
    frame: u32,
    atlas: u32,
}

impl Serialize for Sprite {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        let calls: &Calls = ar.context().expect("borrowed");
        let count = if ar.is_saving() { &calls.saved } else { &calls.loaded };
        count.set(count.get() + 1);
        let offset = ar.context::<Offset>().expect("owned").0;
        let mut stored = self.frame.wrapping_add(offset);
        ar.serialize("frame", &mut stored)?;
        self.frame = stored.wrapping_sub(offset);
        Ok(())
    }
}
archive::save_by_clone!(Sprite);

impl Blank for Sprite {
    fn blank(options: &Options<'_>) -> Self {
        let calls: &Calls = options.context().expect("borrowed, in blank");
        calls.blank.set(calls.blank.get() + 1);
        let atlas = options.context::<Assets>().expect("owned, in blank").first;
        Sprite { frame: 0, atlas }
    }
}

fn sprite(frame: u32) -> Sprite {
    Sprite { frame, atlas: 40 }
}

trait Draw: archive::Polymorphic {
    fn sprite(&self) -> &Sprite;
}
polymorphic!(dyn Draw);

/// An object that is created from values of the caller.
#[derive(Serialize)]
struct Icon {
    sprite: Sprite,
    #[archive(skip, default = |options| options.context::<Assets>().unwrap().first + 1)]
    handle: u32,
}

impl Draw for Icon {
    fn sprite(&self) -> &Sprite {
        assert_eq!(self.handle, 41);
        &self.sprite
    }
}

fn icon(frame: u32) -> Icon {
    Icon { sprite: sprite(frame), handle: 41 }
}

#[derive(Serialize)]
enum Choice {
    None,
    One(Sprite),
    Named { sprite: Sprite },
}

#[derive(Serialize)]
struct Link {
    sprite: Sprite,
    next: Option<Rc<RefCell<Link>>>,
}

#[derive(Serialize)]
struct World {
    list: Vec<Sprite>,
    map: BTreeMap<u8, Sprite>,
    hash: HashMap<String, Vec<Sprite>>,
    boxed: Box<dyn Draw>,
    shared: Rc<RefCell<dyn Draw>>,
    arc: Arc<Mutex<Sprite>>,
    bare: Rc<Sprite>,
    weak: Weak<RefCell<Link>>,
    choices: Vec<Choice>,
    nested: Option<(u8, [Sprite; 2])>,
    chain: Option<Rc<RefCell<Link>>>,
}

const CHAIN: u32 = 70;

fn world() -> World {
    let mut chain = None;
    for frame in 0..CHAIN {
        chain = Some(Rc::new(RefCell::new(Link { sprite: sprite(frame), next: chain })));
    }
    World {
        list: vec![sprite(1), sprite(2)],
        map: [(1, sprite(3))].into(),
        hash: [("a".into(), vec![sprite(4)])].into(),
        boxed: Box::new(icon(5)),
        shared: Rc::new(RefCell::new(icon(6))),
        arc: Arc::new(Mutex::new(sprite(7))),
        bare: Rc::new(sprite(8)),
        weak: chain.as_ref().map(Rc::downgrade).unwrap(),
        choices: vec![Choice::None, Choice::One(sprite(9)), Choice::Named { sprite: sprite(10) }],
        nested: Some((1, [sprite(11), sprite(12)])),
        chain,
    }
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    register!(registry, dyn Draw { Icon }).unwrap();
    registry
}

/// The sprites that are in the world.
fn check(world: &World) {
    assert_eq!(world.list, [sprite(1), sprite(2)]);
    assert_eq!(world.map[&1], sprite(3));
    assert_eq!(world.hash["a"], [sprite(4)]);
    assert_eq!(*world.boxed.sprite(), sprite(5));
    assert_eq!(*world.shared.borrow().sprite(), sprite(6));
    assert_eq!(*world.arc.lock().unwrap(), sprite(7));
    assert_eq!(*world.bare, sprite(8));
    assert!(matches!(&world.choices[1], Choice::One(one) if *one == sprite(9)));
    assert!(matches!(&world.choices[2], Choice::Named { sprite: one } if *one == sprite(10)));
    assert_eq!(world.nested, Some((1, [sprite(11), sprite(12)])));
    let first = world.chain.clone();
    assert!(Rc::ptr_eq(&world.weak.upgrade().unwrap(), first.as_ref().unwrap()));
    let (mut next, mut frame) = (first, CHAIN);
    while let Some(link) = next {
        frame -= 1;
        assert_eq!(link.borrow().sprite, sprite(frame));
        next = link.borrow().next.clone();
    }
    assert_eq!(frame, 0);
}

const SPRITES: u32 = 12 + CHAIN;

#[test]
fn everything_is_at_hand_everywhere() {
    let registry = registry();
    for format in forgiving() {
        let calls = Calls::default();
        let options = Options::new()
            .registry(&registry)
            .provide_ref(&calls)
            .provide(Assets { first: 40 })
            .provide(Offset(1000));
        let bytes = format.to_vec_with(&world(), &options).unwrap();
        assert_eq!(calls.saved.get(), SPRITES, "{format}: saved");
        let tree: Value = format.from_slice(&bytes).unwrap();
        let stored = tree.get("list").and_then(|list| list.as_array()?[0].get("frame"));
        assert_eq!(stored, Some(&Value::from(1001)), "{format}");

        let loaded: World = format.from_slice_with(&bytes, &options).unwrap();
        assert_eq!(calls.loaded.take(), SPRITES, "{format}: loaded");
        assert!(calls.blank.take() >= SPRITES, "{format}: blank");
        check(&loaded);

        let mut loaded = world();
        format.load_into_with(&mut crate::common::Erased(&mut loaded), &bytes, &options).unwrap();
        assert_eq!(calls.loaded.take(), SPRITES, "{format}: loaded in place, erased");
        check(&loaded);

        check(&tree.to_with::<World>(&options).unwrap());
    }
}

/// Objects that only the session owns at the end of a load are dropped without a blank value,
/// because the context is out of reach by then.
#[test]
fn nothing_is_made_when_a_load_ends() {
    #[derive(Serialize)]
    struct Holder {
        removed: Rc<RefCell<Sprite>>,
        weak: Weak<RefCell<Sprite>>,
    }
    #[derive(Serialize, Default)]
    struct Later {
        weak: Weak<RefCell<Sprite>>,
    }
    let removed = Rc::new(RefCell::new(sprite(3)));
    let holder = Holder { weak: Rc::downgrade(&removed), removed };
    for format in forgiving() {
        let calls = Calls::default();
        let options =
            Options::new().provide_ref(&calls).provide(Assets { first: 40 }).provide(Offset(1000));
        let bytes = format.to_vec_with(&holder, &options).unwrap();
        let later: Later = format.from_slice_with(&bytes, &options).unwrap();
        assert!(later.weak.upgrade().is_none(), "{format}");
        // Neither when it fails.
        let cut = &bytes[..bytes.len() - 1];
        assert!(format.from_slice_with::<Holder>(cut, &options).is_err(), "{format}");
    }
    // With named roots, where the reader outlives the loads.
    let calls = Calls::default();
    let options =
        Options::new().provide_ref(&calls).provide(Assets { first: 40 }).provide(Offset(1000));
    let mut writer = archive::json::Writer::with(&options);
    writer.save("a", &holder).unwrap();
    let file = writer.finish().unwrap();
    let mut reader = archive::json::Reader::with(&file, &options).unwrap();
    drop(reader.load::<Holder>("a").unwrap());
    reader.finish().unwrap();
}

/// `default = |options| ...` on fields, types and variants.
#[test]
fn defaults_see_the_context() {
    fn first(options: &Options<'_>) -> u32 {
        options.context::<Assets>().map_or(0, |assets| assets.first)
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Plain {
        #[archive(default = |options| first(options) + 1)]
        atlas: u32,
        #[archive(default = |options: &Options<'_>| first(options) + 2, skip_if_default)]
        lean: u32,
        #[archive(default = 3)]
        plain: u32,
    }
    /// With a `Default`. A field's own default takes precedence.
    #[derive(Serialize, Debug, PartialEq, Default)]
    struct WithDefault {
        #[archive(default = |options| first(options) + 4)]
        atlas: u32,
        other: u32,
    }
    #[derive(Serialize, Debug, PartialEq)]
    #[archive(default = |options| Whole { atlas: first(options) + 5 })]
    struct Whole {
        atlas: u32,
    }
    #[derive(Serialize, Debug, PartialEq)]
    enum Variants {
        One {
            #[archive(default = |options| first(options) + 6)]
            atlas: u32,
        },
    }
    #[derive(Serialize, Debug, PartialEq)]
    struct Generic<T: Default + archive::Element> {
        #[archive(default = |_| T::default())]
        of: T,
    }
    #[derive(Serialize, Debug, PartialEq)]
    struct Tuple(u8, #[archive(skip, default = |options| first(options) + 7)] u32);

    #[derive(Serialize, Debug, PartialEq, Default)]
    struct All {
        plain: Vec<Plain>,
        with_default: Vec<WithDefault>,
        whole: Vec<Whole>,
        variants: Vec<Variants>,
        generic: Vec<Generic<u8>>,
        tuple: Vec<Tuple>,
    }
    let text = r#"{"plain":[{}],"with_default":[{}],"whole":[{}],"variants":[{"One":{}}],
        "generic":[{}],"tuple":[[1]]}"#;
    let tree: Value = archive::json::from_str(text).unwrap();
    let options = Options::new().provide(Assets { first: 40 });
    for format in forgiving() {
        let bytes = format.to_vec(&tree).unwrap();
        for (first, options) in [(40, &options), (0, &Options::new())] {
            let all: All = format.from_slice_with(&bytes, options).unwrap();
            let expected = All {
                plain: vec![Plain { atlas: first + 1, lean: first + 2, plain: 3 }],
                with_default: vec![WithDefault { atlas: first + 4, other: 0 }],
                whole: vec![Whole { atlas: first + 5 }],
                variants: vec![Variants::One { atlas: first + 6 }],
                generic: vec![Generic { of: 0 }],
                tuple: vec![Tuple(1, first + 7)],
            };
            assert_eq!(all, expected, "{format}");
        }
    }
    let plain = Plain { atlas: 1, lean: 42, plain: 3 };
    let text = archive::json::to_string_with(&plain, &options).unwrap();
    assert_eq!(text, r#"{"atlas":1,"plain":3}"#);
    let text = archive::json::to_string(&plain).unwrap();
    assert_eq!(text, r#"{"atlas":1,"lean":42,"plain":3}"#);
}

/// The values of the same type: the last one counts, owned or borrowed.
#[test]
fn the_last_value_of_a_type_counts() {
    struct Name<'n>(&'n str, Options<'n>);
    let (one, two) = (Offset(1), Offset(2));
    let name = Name("two", Options::new().provide_ref(&one).provide_ref(&two));
    assert_eq!((name.1.context::<Offset>().unwrap().0, name.0), (2, "two"));
    let options = name.1.provide(Offset(3));
    assert_eq!(options.context::<Offset>().unwrap().0, 3);
    assert_eq!(options.clone().provide_ref(&one).context::<Offset>().unwrap().0, 1);
    assert!(options.context::<Assets>().is_none());
}

/// A value that is saved only through `&` gets the context, too.
#[test]
fn saved_through_a_shared_reference() {
    struct Shifted(u32);
    impl Serialize for Shifted {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("n", &mut self.0)
        }
    }
    impl Save for Shifted {
        fn save<A: Archive>(&self, ar: &mut A) -> Result {
            let offset = ar.context::<Offset>().map_or(0, |offset| offset.0);
            ar.save("n", &(self.0 + offset))
        }
    }
    let options = Options::new().provide(Offset(5));
    let text = archive::json::to_string_with(&Shifted(1), &options).unwrap();
    assert_eq!(text, r#"{"n":6}"#);
}
