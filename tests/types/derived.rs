//! `#[derive(Serialize)]`: every feature, by its exact JSON and by its loads.

use std::collections::BTreeMap;

use archive::shape::{Payload, Shape};
use archive::{Blank, ErrorKind, Options, Save, Serialize, json};

/// Saves to exactly `text`, through `&` and through `&mut`, and loads unchanged from it.
#[track_caller]
fn check<T: Serialize + Save + Blank + PartialEq + std::fmt::Debug>(mut value: T, text: &str) {
    assert_eq!(json::to_string(&value).unwrap(), text);
    assert_eq!(json::to_string(&mut value).unwrap(), text);
    assert_eq!(json::from_str::<T>(text).unwrap(), value);
}

/// The kind of the error of loading a `T`.
#[track_caller]
fn fails<T: Serialize + Blank + std::fmt::Debug>(text: &str) -> ErrorKind {
    json::from_str::<T>(text).unwrap_err().kind()
}

mod structs {
    use super::*;

    #[derive(Serialize, Default, Debug, PartialEq)]
    struct Rect {
        x: i16,
        y: i16,
        size: (u16, u16),
    }

    #[test]
    fn named() {
        check(Rect { x: 32, y: -1, size: (8, 9) }, r#"{"x":32,"y":-1,"size":[8,9]}"#);
        let foreign = json::from_str::<Rect>(r#"{"size":[1,2],"more":[{}],"x":3}"#).unwrap();
        assert_eq!(foreign, Rect { x: 3, y: 0, size: (1, 2) });
    }

    #[test]
    fn absent_members_keep_their_values() {
        let mut rect = Rect { x: 1, y: 2, size: (3, 4) };
        json::load_into(&mut rect, br#"{"y":5}"#).unwrap();
        assert_eq!(rect, Rect { x: 1, y: 5, size: (3, 4) });
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Meters(f32);

    #[derive(Serialize, Debug, PartialEq)]
    struct Boxes(Vec<Boxes>);

    #[test]
    fn newtype() {
        check(Meters(1.5), "1.5");
        check(vec![Some(Meters(1.5)), None], "[1.5,null]");
        check(Boxes(vec![Boxes(vec![]), Boxes(vec![Boxes(vec![])])]), "[[],[[]]]");
        let deep = "[".repeat(200) + &"]".repeat(200);
        assert_eq!(fails::<Boxes>(&deep), ErrorKind::DepthLimit);
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Chain(Option<Box<Chain>>);

    #[test]
    fn newtypes_of_themselves() {
        check(Chain(None), "null");
        check(Chain(Some(Box::new(Chain(None)))), r#"{"$some":null}"#);
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Corner(Rect);

    #[derive(Serialize, Debug, PartialEq)]
    struct MaybeMeters(Option<Meters>);

    #[test]
    fn newtypes_are_stored_as_their_content() {
        check(Corner(Rect::default()), r#"{"x":0,"y":0,"size":[0,0]}"#);
        check(Some(MaybeMeters(None)), r#"{"$some":null}"#);
        check(Some(MaybeMeters(Some(Meters(2.0)))), "2.0");
        assert!(matches!(Corner::SHAPE, Shape::Class(class) if class.name() == "Rect"));
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Pair(u8, String);

    #[derive(Serialize, Debug, PartialEq)]
    struct Nothing();

    #[test]
    fn tuple() {
        check(Pair(1, "two".into()), r#"[1,"two"]"#);
        check(Nothing(), "[]");
        assert_eq!(fails::<Pair>("[1]"), ErrorKind::WrongLength);
        assert_eq!(fails::<Pair>(r#"[1,"two",3]"#), ErrorKind::WrongLength);
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Marker;

    #[derive(Serialize, Debug, PartialEq)]
    struct Empty {}

    #[test]
    fn without_fields() {
        check(Marker, "null");
        check(Some(Marker), r#"{"$some":null}"#);
        check(Empty {}, "{}");
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Node {
        value: u32,
        children: Vec<Node>,
        next: Option<Box<Node>>,
    }

    #[test]
    fn recursive() {
        let leaf = |value| Node { value, children: vec![], next: None };
        check(
            Node { value: 1, children: vec![leaf(2)], next: Some(Box::new(leaf(3))) },
            concat!(
                r#"{"value":1,"children":[{"value":2,"children":[],"next":null}],"#,
                r#""next":{"value":3,"children":[],"next":null}}"#
            ),
        );
    }
}

mod enums {
    use super::*;

    #[derive(Serialize, Debug, PartialEq)]
    enum State {
        Idle,
        Speed(f32),
        Jump(u8, i8),
        Attacking { target: u32, since: f64 },
        Nothing(),
        Blank {},
    }

    #[test]
    fn external_tags() {
        check(State::Idle, r#""Idle""#);
        check(State::Speed(0.5), r#"{"Speed":0.5}"#);
        check(State::Jump(1, -1), r#"{"Jump":[1,-1]}"#);
        check(
            State::Attacking { target: 7, since: 1.5 },
            r#"{"Attacking":{"target":7,"since":1.5}}"#,
        );
        check(State::Nothing(), r#"{"Nothing":[]}"#);
        check(State::Blank {}, r#"{"Blank":{}}"#);
        check(vec![State::Idle, State::Speed(1.0)], r#"["Idle",{"Speed":1.0}]"#);
    }

    #[test]
    fn wrong_input() {
        assert_eq!(fails::<State>(r#""Idel""#), ErrorKind::UnknownVariant);
        assert_eq!(fails::<State>(r#"{"Jump":[1]}"#), ErrorKind::WrongLength);
        let error = json::from_str::<State>(r#"{"Attacking":{"target":-1}}"#).unwrap_err();
        assert_eq!(error.path(), "Attacking.target");
    }

    #[test]
    fn absent_members_of_variants_are_blank() {
        let mut state = State::Attacking { target: 7, since: 1.5 };
        json::load_into(&mut state, br#"{"Attacking":{"target":8}}"#).unwrap();
        assert_eq!(state, State::Attacking { target: 8, since: 0.0 });
    }

    #[derive(Serialize, Debug, PartialEq)]
    enum Order {
        Wait,
        #[archive(rename = "go", alias = "Go", alias = "Walk")]
        MoveTo(i32),
        #[archive(other)]
        Unknown,
    }

    #[test]
    fn names() {
        check(Order::MoveTo(3), r#"{"go":3}"#);
        assert_eq!(json::from_str::<Order>(r#"{"Walk":3}"#).unwrap(), Order::MoveTo(3));
        assert_eq!(json::from_str::<Order>(r#""Fly""#).unwrap(), Order::Unknown);
        assert_eq!(json::from_str::<Order>(r#"{"Fly":[1]}"#).unwrap(), Order::Unknown);
        assert_eq!(json::from_str::<Order>(r#""Wait""#).unwrap(), Order::Wait);
    }

    #[derive(Serialize, Debug, PartialEq)]
    enum Expr {
        Add(Box<Expr>, Box<Expr>),
        Not(Box<Expr>),
        Number(f64),
    }

    #[test]
    fn recursive() {
        assert_eq!(Expr::blank(&Options::new()), Expr::Number(0.0));
        let one = || Box::new(Expr::Number(1.0));
        check(
            Expr::Add(one(), Box::new(Expr::Not(one()))),
            r#"{"Add":[{"Number":1.0},{"Not":{"Number":1.0}}]}"#,
        );
    }

    #[derive(Serialize, Debug, PartialEq)]
    enum Marked {
        First(u8),
        #[default]
        Second,
    }

    #[derive(Serialize, Debug, PartialEq, Default)]
    enum Derived {
        First,
        #[default]
        Second,
    }

    #[test]
    fn blank() {
        assert_eq!(State::blank(&Options::new()), State::Idle);
        assert_eq!(Marked::blank(&Options::new()), Marked::Second);
        assert_eq!(Derived::blank(&Options::new()), Derived::Second);
        check(Marked::First(1), r#"{"First":1}"#);
        check(Derived::First, r#""First""#);
    }
}

mod attributes {
    use super::*;

    #[derive(Serialize, Debug, PartialEq, Default)]
    #[archive(rename_all = "camelCase", name = "Critter")]
    struct Monster {
        hit_points: u32,
        #[archive(rename = "kind", alias = "species")]
        monster_kind: String,
        #[archive(skip)]
        path_cache: Vec<u32>,
        r#type: u8,
    }

    #[test]
    fn names() {
        check(
            Monster { hit_points: 3, monster_kind: "orc".into(), ..Monster::default() },
            r#"{"hitPoints":3,"kind":"orc","type":0}"#,
        );
        let old = json::from_str::<Monster>(r#"{"species":"elf"}"#).unwrap();
        assert_eq!(old.monster_kind, "elf");
        assert_eq!(Monster::NAME, "Critter");
    }

    #[derive(Serialize, Debug, PartialEq)]
    #[archive(rename_all = "kebab-case", rename_all_fields = "camelCase")]
    enum Event {
        DoorOpened {
            door_id: u32,
        },
        #[archive(rename_all = "UPPERCASE")]
        GameOver {
            score: u32,
        },
    }

    #[test]
    fn names_in_enums() {
        check(Event::DoorOpened { door_id: 1 }, r#"{"door-opened":{"doorId":1}}"#);
        check(Event::GameOver { score: 1 }, r#"{"game-over":{"SCORE":1}}"#);
    }

    #[test]
    fn skipped_fields_keep_their_values() {
        let mut monster = Monster { path_cache: vec![1], ..Monster::default() };
        json::load_into(&mut monster, br#"{"path_cache":[2],"kind":"x"}"#).unwrap();
        assert_eq!(monster.path_cache, [1]);
    }

    #[derive(Serialize, Debug, PartialEq)]
    #[archive(version = 3)]
    struct Versioned {
        a: u8,
    }

    #[test]
    fn version() {
        check(Versioned { a: 1 }, r#"{"$version":3,"a":1}"#);
        assert_eq!(fails::<Versioned>(r#"{"$version":4,"a":1}"#), ErrorKind::NewerVersion);
        assert_eq!(json::from_str::<Versioned>(r#"{"a":2}"#).unwrap(), Versioned { a: 2 });
    }

    #[derive(Serialize, Debug, PartialEq)]
    #[archive(transparent)]
    struct Handle {
        index: u32,
        #[archive(skip)]
        generation: u8,
    }

    #[test]
    fn transparent() {
        check(Handle { index: 7, generation: 0 }, "7");
    }

    #[derive(Serialize, Debug, PartialEq, Default)]
    struct Position {
        x: f32,
        y: f32,
    }

    #[derive(Serialize, Debug, PartialEq, Default)]
    struct Player {
        name: String,
        #[archive(flatten)]
        position: Position,
        level: u8,
    }

    #[derive(Serialize, Debug, PartialEq)]
    enum Shot {
        At {
            power: u8,
            #[archive(flatten)]
            position: Position,
        },
    }

    #[test]
    fn flatten() {
        let position = || Position { x: 1.0, y: 2.0 };
        check(
            Player { name: "a".into(), position: position(), level: 3 },
            r#"{"name":"a","x":1.0,"y":2.0,"level":3}"#,
        );
        check(Shot::At { power: 9, position: position() }, r#"{"At":{"power":9,"x":1.0,"y":2.0}}"#);
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Tuple(u8, #[archive(skip)] u8, u8);

    #[derive(Serialize, Debug, PartialEq)]
    enum Skipping {
        One(#[archive(skip)] u8, u8),
        Named {
            a: u8,
            #[archive(skip, default = 9)]
            b: u8,
        },
    }

    #[test]
    fn skipped_in_tuples_and_variants() {
        check(Tuple(1, 0, 3), "[1,3]");
        check(Skipping::One(0, 2), r#"{"One":[2]}"#);
        check(Skipping::Named { a: 1, b: 9 }, r#"{"Named":{"a":1}}"#);
    }

    struct NoSave(Vec<u32>);

    impl Serialize for NoSave {
        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
            ar.serialize("list", &mut self.0)
        }
    }

    #[derive(Serialize)]
    #[archive(mut_only)]
    struct Exclusive {
        inner: NoSave,
    }

    impl Default for Exclusive {
        fn default() -> Self {
            Exclusive { inner: NoSave(vec![4]) }
        }
    }

    #[test]
    fn mut_only() {
        let text = r#"{"inner":{"list":[4]}}"#;
        assert_eq!(json::to_string(&mut Exclusive::default()).unwrap(), text);
        let shared = std::rc::Rc::new(std::cell::RefCell::new(Exclusive::default()));
        let text = format!(r#"{{"$id":1,"$value":{text}}}"#);
        assert_eq!(json::to_string(&shared).unwrap(), text);
    }
}

/// The same types with `serde_json` give the same text.
mod oracle {
    use super::*;

    #[derive(Serialize, serde::Serialize, Debug, PartialEq)]
    #[archive(rename_all = "SCREAMING-KEBAB-CASE")]
    #[serde(rename_all = "SCREAMING-KEBAB-CASE")]
    struct Outer {
        an_int: i64,
        #[archive(rename = "other")]
        #[serde(rename = "other")]
        a_float: f32,
        a_pair: Pair,
        #[archive(flatten)]
        #[serde(flatten)]
        inner: Inner,
        #[archive(skip)]
        #[serde(skip)]
        skipped: u8,
    }

    #[derive(Serialize, serde::Serialize, Debug, PartialEq)]
    struct Pair(u8, Meters);

    #[derive(Serialize, serde::Serialize, Debug, PartialEq)]
    struct Meters(f64);

    #[derive(Serialize, serde::Serialize, Debug, PartialEq)]
    struct Inner {
        variants: Vec<Kind>,
        unit: Unit,
        r#type: Option<char>,
    }

    #[derive(Serialize, serde::Serialize, Debug, PartialEq)]
    struct Unit;

    #[derive(Serialize, serde::Serialize, Debug, PartialEq)]
    #[archive(rename_all = "snake_case", rename_all_fields = "PascalCase")]
    #[serde(rename_all = "snake_case", rename_all_fields = "PascalCase")]
    enum Kind {
        UnitVariant,
        NewtypeVariant(Option<u8>),
        NewtypeOfPair((u8, u8)),
        TupleVariant(u8, String),
        EmptyTuple(),
        StructVariant {
            some_member: bool,
        },
        EmptyStruct {},
        OneLeft(
            #[archive(skip)]
            #[serde(skip)]
            u8,
            u8,
        ),
    }

    #[test]
    fn says_the_same() {
        let variants = vec![
            Kind::UnitVariant,
            Kind::NewtypeVariant(None),
            Kind::NewtypeVariant(Some(1)),
            Kind::NewtypeOfPair((1, 2)),
            Kind::TupleVariant(1, "x".into()),
            Kind::EmptyTuple(),
            Kind::StructVariant { some_member: true },
            Kind::EmptyStruct {},
            Kind::OneLeft(0, 2),
        ];
        let inner = Inner { variants, unit: Unit, r#type: Some('a') };
        let a_pair = Pair(1, Meters(0.5));
        let outer = Outer { an_int: -1, a_float: 0.25, a_pair, inner, skipped: 0 };
        let text = serde_json::to_string(&outer).unwrap();
        check(outer, &text);
    }
}

mod blanks {
    use super::*;

    fn blank<T: Blank>() -> T {
        T::blank(&Options::new())
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Settings {
        volume: u8,
        #[archive(default = 60)]
        fps: u32,
        #[archive(skip, default = "none".to_owned())]
        gpu: String,
        #[archive(default)]
        name: String,
    }

    #[test]
    fn default_is_the_blank_value() {
        let expected = Settings { volume: 0, fps: 60, gpu: "none".into(), name: String::new() };
        assert_eq!(blank::<Settings>(), expected);
        assert_eq!(json::from_str::<Settings>("{}").unwrap(), expected);

        let mut settings = Settings { fps: 30, ..expected };
        json::load_into(&mut settings, b"{}").unwrap();
        assert_eq!(settings.fps, 30);
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct WithDefault {
        a: u8,
        #[archive(default = 7)]
        b: u8,
    }

    impl Default for WithDefault {
        fn default() -> Self {
            WithDefault { a: 5, b: 6 }
        }
    }

    #[test]
    fn the_types_default_comes_first() {
        assert_eq!(blank::<WithDefault>(), WithDefault { a: 5, b: 7 });
        assert_eq!(json::from_str::<Vec<WithDefault>>("[{}]").unwrap()[0].a, 5);
    }

    #[derive(Debug, PartialEq)]
    struct Texture(u32);

    impl Serialize for Texture {
        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
            ar.serialize("id", &mut self.0)
        }
    }

    #[derive(Serialize, Debug, PartialEq)]
    #[archive(mut_only)]
    struct Sprite {
        texture: Texture,
    }

    impl Default for Sprite {
        fn default() -> Self {
            Sprite { texture: Texture(1) }
        }
    }

    #[derive(Serialize, Debug, PartialEq)]
    #[archive(mut_only)]
    struct Decal {
        #[archive(default = Texture(2))]
        texture: Texture,
    }

    #[test]
    fn fields_without_blank() {
        assert_eq!(blank::<Sprite>(), Sprite { texture: Texture(1) });
        assert_eq!(blank::<Decal>(), Decal { texture: Texture(2) });
    }

    #[derive(Debug, PartialEq)]
    struct Atlas(u32);

    impl Blank for Atlas {
        fn blank(options: &Options<'_>) -> Self {
            Atlas(options.context::<u32>().copied().unwrap_or(0))
        }
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Tile {
        id: u8,
        #[archive(skip)]
        atlas: Atlas,
    }

    #[test]
    fn context_reaches_fields() {
        let options = Options::new().provide(8_u32);
        assert_eq!(Tile::blank(&options), Tile { id: 0, atlas: Atlas(8) });
    }
}

mod generics {
    use super::*;
    use std::marker::PhantomData;

    #[derive(Serialize, Debug, PartialEq, Default)]
    struct Pair<A, B> {
        a: A,
        b: B,
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Grid<T, const N: usize>
    where
        T: Copy,
    {
        cells: Vec<[T; N]>,
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Id<T>(u32, #[archive(skip)] PhantomData<T>);

    #[derive(Serialize, Debug, PartialEq)]
    enum Choice<T, E> {
        None,
        Left(T),
        Right { list: Vec<E> },
        Both(T, E),
    }

    #[derive(Serialize, Debug, PartialEq)]
    #[archive(bound = "T: Save + Blank, T::Key: Save + Blank")]
    struct Row<T: Table> {
        key: T::Key,
        table: T,
    }

    trait Table {
        type Key;
    }

    impl Table for u8 {
        type Key = String;
    }

    #[derive(Debug, PartialEq)]
    struct NotSerializable;

    #[test]
    fn all_kinds() {
        check(Pair { a: 1_u8, b: true }, r#"{"a":1,"b":true}"#);
        check(Grid { cells: vec![[1_u8, 2]] }, r#"{"cells":[[1,2]]}"#);
        check(Id::<NotSerializable>(4, PhantomData), "[4]");
        check(Choice::<u8, u8>::None, r#""None""#);
        check(Choice::<u8, bool>::Left(1), r#"{"Left":1}"#);
        check(Choice::<u8, bool>::Right { list: vec![true] }, r#"{"Right":{"list":[true]}}"#);
        check(Choice::<u8, bool>::Both(1, false), r#"{"Both":[1,false]}"#);
        check(Row::<u8> { key: "k".into(), table: 1 }, r#"{"key":"k","table":1}"#);
    }

    #[test]
    fn shapes_are_known_in_generic_types() {
        let Shape::Class(class) = Grid::<u8, 2>::SHAPE else { panic!() };
        let cells = class.members.unwrap()[0].shape;
        let Shape::Seq(row, _) = cells.get() else { panic!() };
        assert!(matches!(row.get(), Shape::Array(_, 2, _, _)));
    }
}

mod shapes {
    use super::*;

    #[derive(Serialize)]
    struct Base {
        x: u8,
    }

    #[derive(Serialize)]
    #[archive(version = 2, rename_all = "UPPERCASE")]
    struct Unit {
        #[archive(alias = "title")]
        name: String,
        #[archive(flatten)]
        base: Base,
        #[archive(skip)]
        _cache: u8,
    }

    #[test]
    fn of_structs() {
        let Shape::Class(class) = Unit::SHAPE else { panic!() };
        assert_eq!((class.name(), class.version), ("Unit", 2));
        let [name, base] = class.members.unwrap() else { panic!() };
        assert_eq!((name.name, name.aliases, name.flatten), ("NAME", &["title"][..], false));
        assert!(base.flatten);
        assert!(matches!(base.shape.get(), Shape::Class(class) if class.name() == "Base"));
    }

    #[derive(Serialize)]
    enum State {
        Idle,
        Speed(f32),
        Jump(u8, i8),
        At { x: u8 },
    }

    #[test]
    fn of_enums() {
        let Shape::Enum(info) = State::SHAPE else { panic!() };
        let [idle, speed, jump, at] = info.variants else { panic!() };
        assert!(matches!(idle.payload, Payload::Unit));
        assert!(matches!(speed.payload, Payload::Newtype(_)));
        assert!(matches!(jump.payload, Payload::Tuple([_, _])));
        assert!(matches!(at.payload, Payload::Struct(class) if class.name() == "At"));
        let all = [State::Idle, State::Speed(0.0), State::Jump(0, 0), State::At { x: 0 }];
        assert_eq!(all.len(), info.variants.len());
    }
}

/// Names of the prelude and of the generated code mean something else here.
mod hygiene {
    #![allow(non_camel_case_types, dead_code)]

    use super::check;

    struct Box;
    struct Vec;
    struct Some;
    struct Ok;
    trait Default {}
    trait Archive {}
    mod core {}
    mod std {}

    #[derive(super::Serialize, Debug, PartialEq)]
    struct Option {
        r#type: u8,
        ar: u8,
        __ar: u8,
        options: u8,
        value: u8,
    }

    #[derive(super::Serialize, Debug, PartialEq)]
    enum Result<A> {
        None,
        Err { ar: u8, value: A },
        String(u8),
    }

    #[derive(super::Serialize, Debug, PartialEq)]
    struct String(u8);

    #[test]
    fn works() {
        check(
            Option { r#type: 1, ar: 2, __ar: 3, options: 4, value: 5 },
            r#"{"type":1,"ar":2,"__ar":3,"options":4,"value":5}"#,
        );
        check(Result::<u8>::None, r#""None""#);
        check(Result::<u8>::Err { ar: 1, value: 2 }, r#"{"Err":{"ar":1,"value":2}}"#);
        check(Result::<u8>::String(1), r#"{"String":1}"#);
        check(String(1), "1");
    }
}

mod declarative {
    use super::*;

    #[derive(Debug, PartialEq, Default)]
    struct Rect {
        x: i16,
        y: i16,
        r#type: u8,
        dirty: bool,
    }

    archive::members!(Rect { x as "X", y as "Y", r#type });
    archive::blank!(Rect);

    #[derive(Debug, PartialEq, Default, Clone)]
    struct Range<T> {
        from: T,
        list: Vec<T>,
    }

    archive::members!(impl<T> Range<T> { from, list });
    archive::blank!(impl<T> Range<T>);

    #[derive(Debug, PartialEq, Default, Clone, PartialOrd, Ord, Eq)]
    struct ByHand(u8);

    impl Serialize for ByHand {
        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
            ar.serialize("it", &mut self.0)
        }
    }
    archive::save_by_clone!(ByHand);
    archive::blank!(ByHand);

    #[test]
    fn members() {
        check(Rect { x: 1, y: 2, r#type: 3, dirty: false }, r#"{"X":1,"Y":2,"type":3}"#);
        check(Range { from: 1_u8, list: vec![2] }, r#"{"from":1,"list":[2]}"#);
        let Shape::Class(class) = Range::<u8>::SHAPE else { panic!() };
        assert!(matches!((class.members.unwrap()[1].shape).get(), Shape::Seq(..)));
    }

    #[test]
    fn by_hand() {
        check(ByHand(1), r#"{"it":1}"#);
        check(BTreeMap::from([(ByHand(1), 2_u8)]), r#"[[{"it":1},2]]"#);
    }
}
