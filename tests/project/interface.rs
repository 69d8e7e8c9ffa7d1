//! The code that users write, letter by letter, and its exact text.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::Path;
use std::rc::{Rc, Weak};

use archive::{Archive, Blank, ErrorKind, Format, Options, Registry, Result, Serialize};

#[derive(Default, Clone, Debug, PartialEq)]
struct Rect {
    x: i16,
    y: i16,
    w: u16,
    h: u16,
}

impl Serialize for Rect {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("X", &mut self.x)?;
        ar.serialize("Y", &mut self.y)?;
        ar.serialize("W", &mut self.w)?;
        ar.serialize("H", &mut self.h)
    }
}
archive::save_by_clone!(Rect);
archive::blank!(Rect);

/// By hand, and nothing else.
#[derive(Default, Debug, PartialEq)]
struct Bare {
    level: u8,
}

impl Serialize for Bare {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("level", &mut self.level)
    }
}

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    state: State,
    position: [f32; 3],
    orders: Vec<Box<dyn Command>>,
    squad: Rc<RefCell<Squad>>,
    leader: Weak<RefCell<Unit>>,
    #[archive(skip)]
    path_cache: Vec<u32>,
}

#[derive(Default, Serialize)]
enum State {
    #[default]
    Idle,
    Walking,
    Attacking {
        target: u32,
        since: f64,
    },
}

#[derive(Default, Serialize)]
struct Squad {
    name: String,
}

trait Command: archive::Polymorphic {
    fn tick(&mut self, unit: &mut Unit);
}
archive::polymorphic!(dyn Command);

#[derive(Default, Serialize)]
struct MoveTo {
    x: f32,
}

#[derive(Default, Serialize)]
struct Follow {
    leader: Weak<RefCell<Unit>>,
}

impl Command for MoveTo {
    fn tick(&mut self, unit: &mut Unit) {
        unit.position[0] = self.x;
        unit.state = State::Walking;
    }
}
impl Command for Follow {
    fn tick(&mut self, _: &mut Unit) {}
}

#[test]
fn named_roots() -> Result {
    let mut rect = Rect { x: 32, y: 0, w: 32, h: 32 };
    let mut writer = archive::json::Writer::new();
    writer.serialize("Rect", &mut rect)?;
    let text = writer.finish()?;
    assert_eq!(text, r#"{"Rect":{"X":32,"Y":0,"W":32,"H":32}}"#);

    let mut loaded = Rect::default();
    let report = Cell::default();
    let mut reader = archive::json::Reader::with(&text, &Options::new().report(&report))?;
    reader.serialize("Rect", &mut loaded)?;
    reader.serialize("Other", &mut Rect::default())?;
    reader.finish()?;
    assert_eq!(report.take().absent().collect::<Vec<_>>(), ["Other"]);
    assert_eq!(loaded, rect);

    let mut reader = archive::json::Reader::new(&text)?;
    assert_eq!(reader.load::<Rect>("Rect")?, rect);
    assert_eq!(reader.load::<Rect>("Other").unwrap_err().kind(), ErrorKind::MissingMember);

    let empty = archive::json::Writer::new().finish()?;
    assert_eq!(empty, "{}");
    Ok(())
}

#[test]
fn a_writer_whose_root_failed_is_spoilt() {
    let mut writer = archive::json::Writer::new();
    writer.save("rect", &Rect::default()).unwrap();
    let order: Box<dyn Job> = Box::new(Rect::default());
    assert_eq!(writer.save("order", &order).unwrap_err().path(), "order");
    assert!(writer.save("rect again", &Rect::default()).is_err());
    assert!(writer.finish().is_err());
}

/// A trait without registered types.
trait Job: archive::Polymorphic {}
archive::polymorphic!(dyn Job);
impl Job for Rect {}

#[test]
fn one_call() -> Result {
    let mut rect = Rect { x: -1, y: 2, w: 3, h: 4 };
    let text = archive::json::to_string(&rect)?;
    assert_eq!(text, r#"{"X":-1,"Y":2,"W":3,"H":4}"#);
    assert_eq!(archive::json::to_string(&mut rect)?, text);
    let pretty = "{\n  \"X\": -1,\n  \"Y\": 2,\n  \"W\": 3,\n  \"H\": 4\n}";
    assert_eq!(archive::json::to_string_pretty(&rect)?, pretty);
    let loaded: Rect = archive::json::from_str(&text)?;
    assert_eq!(loaded, rect);
    let bytes = archive::binary::to_vec(&rect)?;
    let mut other = Rect::default();
    archive::binary::load_into(&mut other, &bytes)?;
    assert_eq!(other, rect);

    // Without `Save` and `Blank`, through `&mut`.
    let mut bare = Bare { level: 3 };
    let bytes = archive::binary::to_vec(&mut bare)?;
    let mut loaded = Bare::default();
    archive::binary::load_into(&mut loaded, &bytes)?;
    assert_eq!(loaded, bare);

    // Through writers and readers.
    let mut file = Vec::new();
    archive::json::to_writer(&mut file, &rect)?;
    assert_eq!(archive::json::from_reader::<Rect>(&file[..])?, rect);
    for format in Format::all() {
        let mut file = Vec::new();
        format.to_writer(&mut file, &rect)?;
        assert_eq!(file, format.to_vec(&rect)?);
        assert_eq!(format.from_reader::<Rect>(&file[..])?, rect);
    }
    Ok(())
}

#[test]
fn a_failing_writer() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for format in Format::all() {
        let error = format.to_writer(Full, &vec![1_u64; 100_000]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io, "{format}");
        assert!(std::error::Error::source(&error).is_some());
    }
}

#[test]
fn the_unit() -> Result {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Command { MoveTo, Follow as "follow" })?;
    let options = Options::new().registry(&registry);

    let leader = Rc::new(RefCell::new(Unit { name: "Lee".into(), ..Unit::default() }));
    let unit = Unit {
        name: "Ann".into(),
        state: State::Attacking { target: 7, since: 1.5 },
        position: [1.0, 0.5, -2.0],
        orders: vec![
            Box::new(MoveTo { x: 3.0 }),
            Box::new(Follow { leader: Rc::downgrade(&leader) }),
        ],
        squad: Rc::new(RefCell::new(Squad { name: "Red".into() })),
        leader: Rc::downgrade(&leader),
        path_cache: vec![1, 2, 3],
    };
    let text = archive::json::to_string_with(&unit, &options)?;
    let expected = concat!(
        r#"{"name":"Ann","state":{"Attacking":{"target":7,"since":1.5}},"position":[1.0,0.5,-2.0],"#,
        r#""orders":[{"$type":"MoveTo","$value":{"x":3.0}},"#,
        r#"{"$type":"follow","$value":{"leader":{"$weak":1}}}],"#,
        r#""squad":{"$id":2,"$value":{"name":"Red"}},"leader":{"$weak":1}}"#
    );
    assert_eq!(text, expected);

    for path in ["quick.json", "saves/quick.bin"] {
        let format = Format::from_path(Path::new(path))?;
        let bytes = format.to_vec_with(&unit, &options)?;
        let mut loaded: Unit = format.from_slice_with(&bytes, &options)?;
        assert_eq!((&*loaded.name, loaded.path_cache.len()), ("Ann", 0));
        let mut order = loaded.orders.remove(0);
        order.tick(&mut loaded);
        assert_eq!(loaded.position[0], 3.0);
        assert!(matches!(loaded.state, State::Walking));
        // No strong pointer saved the leader.
        assert!(loaded.leader.upgrade().is_none());
    }
    Ok(())
}

#[test]
fn an_installed_registry_serves_the_process() -> Result {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Command { MoveTo })?;
    registry.install();
    let order: Box<dyn Command> = Box::new(MoveTo { x: 1.0 });
    let text = archive::json::to_string(&order)?;
    assert_eq!(text, r#"{"$type":"MoveTo","$value":{"x":1.0}}"#);
    archive::json::from_str::<Box<dyn Command>>(&text)?;
    Ok(())
}

/// Constructor arguments come from the context, at any depth.
#[test]
fn context() -> Result {
    #[derive(Debug, PartialEq)]
    struct Sprite {
        atlas: u32,
        frame: u16,
        seen: u32,
    }
    struct Assets {
        atlas: u32,
    }
    impl Blank for Sprite {
        fn blank(options: &Options<'_>) -> Self {
            let atlas = options.context::<Assets>().map_or(0, |assets| assets.atlas);
            Sprite { atlas, frame: 0, seen: 0 }
        }
    }
    impl Serialize for Sprite {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            if ar.is_loading() {
                self.seen = ar.context::<Assets>().map_or(0, |assets| assets.atlas);
            }
            ar.serialize("frame", &mut self.frame)
        }
    }
    let assets = Assets { atlas: 42 };
    let options = Options::new().provide(1.5_f32).provide_ref(&assets);
    let text = r#"[[1,[{"frame":3}]]]"#;
    let loaded: HashMap<u8, Vec<Sprite>> = archive::json::from_str_with(text, &options)?;
    assert_eq!(loaded[&1], [Sprite { atlas: 42, frame: 3, seen: 42 }]);
    Ok(())
}
