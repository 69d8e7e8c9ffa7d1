//! Files that serde wrote, and the statements of `docs/COMING_FROM_SERDE.md` about them.

use archive_test_support as common;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use archive::format::Backend;
use archive::serde_formats::SerdeBackend;
use archive::{ErrorKind, Format, Serialize, json, msgpack};
use common::serde_formats::{Cbor, RmpArrays, RmpNamed, Ron, SerdeJson};
use proptest::prelude::*;

#[derive(Default, Clone, PartialEq, Debug, Serialize, serde::Serialize, serde::Deserialize)]
enum Order {
    #[default]
    Hold,
    Follow(u32),
    Go(i16, i16),
    Attack {
        target: u64,
        with: Option<String>,
    },
}

#[derive(Default, Clone, PartialEq, Debug, Serialize, serde::Serialize, serde::Deserialize)]
struct At(i32, i32);

#[derive(Default, Clone, PartialEq, Debug, Serialize, serde::Serialize, serde::Deserialize)]
struct Unit {
    name: String,
    hp: Option<u32>,
    at: At,
    orders: Vec<Order>,
    levels: (u8, bool, char),
    by_name: BTreeMap<String, f32>,
    by_number: BTreeMap<u16, String>,
    waits: Duration,
    nothing: (),
}

fn unit() -> Unit {
    Unit {
        name: "Ann \"the\" ß".into(),
        hp: Some(7),
        at: At(-3, 4),
        orders: vec![
            Order::Hold,
            Order::Follow(1),
            Order::Go(-1, 2),
            Order::Attack { target: u64::MAX, with: None },
        ],
        levels: (1, true, 'x'),
        by_name: [("a".into(), 0.5), ("b".into(), -1.25)].into(),
        by_number: [(1, "one".into()), (500, "many".into())].into(),
        waits: Duration::new(5, 6),
        nothing: (),
    }
}

/// The files that serde wrote, in all formats.
fn files(unit: &Unit) -> Vec<(Format, Vec<u8>)> {
    let json = serde_json::to_vec(unit).unwrap();
    let named = rmp_serde::to_vec_named(unit).unwrap();
    let arrays = rmp_serde::to_vec(unit).unwrap();
    let mut cbor = Vec::new();
    ciborium::into_writer(unit, &mut cbor).unwrap();
    let ron = ron::to_string(unit).unwrap().into_bytes();
    let pretty = ron::ser::to_string_pretty(unit, ron::ser::PrettyConfig::new()).unwrap();
    vec![
        (Format::of::<SerdeBackend<Ron>>(), ron),
        (Format::of::<SerdeBackend<Ron>>(), pretty.into_bytes()),
        (Format::Json, json.clone()),
        (Format::of::<SerdeBackend<SerdeJson>>(), json),
        (Format::MessagePack, named.clone()),
        (Format::of::<SerdeBackend<RmpNamed>>(), named),
        (Format::MessagePack, arrays.clone()),
        (Format::of::<SerdeBackend<RmpArrays>>(), arrays),
        (Format::of::<SerdeBackend<Cbor>>(), cbor),
    ]
}

#[test]
fn files_of_serde_load() {
    for (format, file) in files(&unit()) {
        let loaded: Unit = format.from_slice(&file).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(loaded, unit(), "{format}");
        let mut existing = Unit { orders: vec![Order::Follow(9); 9], ..Unit::default() };
        format.load_into(&mut existing, &file).unwrap();
        assert_eq!(existing, unit(), "{format}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_files_of_serde_load(
        name in any::<String>(),
        hp in any::<Option<u32>>(),
        numbers in any::<BTreeMap<u16, String>>(),
        go in any::<(i16, i16)>(),
        target in any::<u64>(),
        with in any::<Option<String>>(),
    ) {
        let orders = vec![Order::Go(go.0, go.1), Order::Attack { target, with }];
        let unit = Unit { name, hp, orders, by_number: numbers, ..unit() };
        for (format, file) in files(&unit) {
            prop_assert_eq!(&format.from_slice::<Unit>(&file).unwrap(), &unit, "{}", format);
        }
    }

    /// A damaged file is an error or a value, in every way of loading.
    #[test]
    fn damaged_files(at in any::<prop::sample::Index>(), to in any::<u8>(), cut in any::<bool>()) {
        for (format, mut file) in files(&unit()) {
            let at = at.index(file.len());
            if cut { file.truncate(at) } else { file[at] = to }
            let _ = format.from_slice::<Unit>(&file);
            let _ = format.load_into(&mut unit(), &file);
            let _ = format.from_slice::<archive::Value>(&file);
        }
    }
}

/// Serde reads our files, except pairs in place of a map.
#[test]
fn serde_reads_ours() {
    let unit = Unit { by_number: BTreeMap::new(), ..unit() };
    let text = SerdeBackend::<SerdeJson>::to_vec(&unit).unwrap();
    let mut expected = serde_json::to_value(&unit).unwrap();
    expected["by_number"] = serde_json::json!([]);
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&text).unwrap(), expected);

    #[derive(Default, PartialEq, Debug, Serialize, serde::Serialize, serde::Deserialize)]
    struct Plain {
        unit: At,
        orders: Vec<Order>,
        by_name: BTreeMap<String, f32>,
    }
    let plain = Plain { unit: At(1, 2), orders: unit.orders, by_name: unit.by_name };
    let named = SerdeBackend::<RmpNamed>::to_vec(&plain).unwrap();
    assert_eq!(named, rmp_serde::to_vec_named(&plain).unwrap());
    let arrays = SerdeBackend::<RmpArrays>::to_vec(&plain).unwrap();
    assert_eq!(rmp_serde::from_slice::<Plain>(&arrays).unwrap(), plain);
    let text = SerdeBackend::<SerdeJson>::to_vec(&plain).unwrap();
    assert_eq!(text, serde_json::to_vec(&plain).unwrap());
}

#[test]
fn pointers_that_serde_wrote_as_values() {
    #[derive(Default, Serialize)]
    struct Pair {
        first: Rc<At>,
        second: Rc<Vec<u8>>,
        third: Rc<u32>,
    }
    let file = br#"{"first":[1,2],"second":[3],"third":4}"#;
    for format in [Format::Json, Format::of::<SerdeBackend<SerdeJson>>()] {
        let pair: Pair = format.from_slice(file).unwrap();
        assert_eq!((&*pair.first, &**pair.second, *pair.third), (&At(1, 2), &[3][..], 4));
    }
}

#[test]
fn values_that_do_not_fit() {
    #[derive(Default, Debug, Serialize, serde::Serialize)]
    struct Speed {
        now: f64,
    }
    let text = serde_json::to_vec(&Speed { now: f64::NAN }).unwrap();
    assert_eq!(json::from_slice::<Speed>(&text).unwrap_err().path(), "now");

    let file = rmp_serde::to_vec(&(1, "x")).unwrap();
    assert_eq!(msgpack::from_slice::<Unit>(&file).unwrap_err().path(), "name");
    let error = SerdeBackend::<RmpArrays>::from_slice::<Unit>(&file).unwrap_err();
    assert_eq!((error.path(), error.kind()), ("name", ErrorKind::WrongType));
}

/// Both derives on one type, with the attributes that mean the same.
#[test]
fn attributes_side_by_side() {
    #[derive(Default, Clone, PartialEq, Debug, Serialize, serde::Serialize, serde::Deserialize)]
    struct Inner {
        a: u8,
        b: u8,
    }
    #[derive(Default, Clone, PartialEq, Debug, Serialize, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "camelCase", rename_all_fields = "UPPERCASE")]
    #[archive(rename_all = "camelCase", rename_all_fields = "UPPERCASE")]
    enum Mood {
        #[default]
        VeryGood,
        #[serde(rename = "sad")]
        #[archive(rename = "sad")]
        Bad { how_much: u8 },
    }
    #[derive(Default, Clone, PartialEq, Debug, Serialize, serde::Serialize, serde::Deserialize)]
    #[serde(transparent)]
    #[archive(transparent)]
    struct Id {
        number: u32,
    }
    #[derive(Clone, PartialEq, Debug, Serialize, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[archive(rename_all = "camelCase")]
    struct Both {
        max_hp: u8,
        #[serde(rename = "class", alias = "job")]
        #[archive(rename = "class", alias = "job")]
        kind: String,
        #[serde(default = "seven")]
        #[archive(default = seven())]
        level: u8,
        #[serde(skip)]
        #[archive(skip)]
        cache: u64,
        #[serde(flatten)]
        #[archive(flatten)]
        inner: Inner,
        moods: Vec<Mood>,
        id: Id,
    }
    fn seven() -> u8 {
        7
    }
    let inner = Inner { a: 1, b: 2 };
    let moods = vec![Mood::VeryGood, Mood::Bad { how_much: 3 }];
    let (kind, id) = ("knight".to_owned(), Id { number: 5 });
    let both = Both { max_hp: 9, kind, level: 1, cache: 0, inner, moods, id };
    let text = serde_json::to_string(&both).unwrap();
    assert_eq!(json::to_string(&both).unwrap(), text);
    assert_eq!(SerdeBackend::<SerdeJson>::to_vec(&both).unwrap(), text.as_bytes());
    let older = text.replace("\"class\"", "\"job\"").replace("\"level\":1,", "");
    let expected: Both = serde_json::from_str(&older).unwrap();
    assert_eq!(expected.level, 7);
    for format in [Format::Json, Format::of::<SerdeBackend<SerdeJson>>()] {
        assert_eq!(format.from_slice::<Both>(text.as_bytes()).unwrap(), both, "{format}");
        assert_eq!(format.from_slice::<Both>(older.as_bytes()).unwrap(), expected, "{format}");
        // `deny_unknown_fields` is an option of the load.
        let odd = text.replace("\"id\"", "\"odd\":1,\"id\"");
        let strict = archive::Options::new().strict(true);
        let error = format.from_slice_with::<Both>(odd.as_bytes(), &strict).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownMember, "{format}");
        assert_eq!(format.from_slice::<Both>(odd.as_bytes()).unwrap(), both, "{format}");
    }
}

/// `rename` that differs by direction is a name and an alias; `serde_bytes` is `bytes`; `other` keeps the name.
#[test]
fn attributes_that_are_spelled_otherwise() {
    #[derive(serde::Serialize)]
    struct Theirs {
        #[serde(rename(serialize = "old"))]
        new: u8,
        mood: &'static str,
    }
    #[derive(Default, PartialEq, Debug, Serialize)]
    enum Mood {
        #[default]
        Good,
        #[archive(other)]
        Other(String),
    }
    #[derive(Default, PartialEq, Debug, Serialize)]
    struct Ours {
        #[archive(alias = "old")]
        new: u8,
        mood: Mood,
        #[archive(skip_if_default)]
        more: Vec<u8>,
        #[archive(unknown)]
        rest: BTreeMap<String, archive::Value>,
    }
    let text = serde_json::to_string(&Theirs { new: 3, mood: "Odd" }).unwrap();
    for format in [Format::Json, Format::of::<SerdeBackend<SerdeJson>>()] {
        let ours: Ours = format.from_slice(text.as_bytes()).unwrap();
        assert_eq!(ours, Ours { new: 3, mood: Mood::Other("Odd".into()), ..Ours::default() });
        assert_eq!(format.to_vec(&ours).unwrap(), br#"{"new":3,"mood":"Odd"}"#, "{format}");
        let kept: Ours = format.from_slice(br#"{"new":3,"mood":"Odd","x":[1]}"#).unwrap();
        assert_eq!(format.to_vec(&kept).unwrap(), br#"{"new":3,"mood":"Odd","x":[1]}"#, "{format}");
    }
}

/// The forms that the page lists.
#[test]
fn forms_of_serde() {
    use std::net::{IpAddr, SocketAddr};
    use std::time::{SystemTime, UNIX_EPOCH};

    #[derive(Default, Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
    #[serde(tag = "type")]
    enum Tagged {
        #[default]
        Idle,
        Go {
            x: i32,
        },
    }
    #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        Go(i32, i32),
    }
    #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
    #[serde(untagged)]
    enum Untagged {
        Number(u32),
        Text(String),
    }
    #[derive(Default, Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
    struct Dollar {
        #[serde(rename = "$green")]
        green: u8,
        #[serde(rename = "$id")]
        id: u8,
    }
    #[derive(Clone, PartialEq, Debug, Serialize, serde::Serialize, serde::Deserialize)]
    struct Odd {
        twice: Option<Option<u8>>,
        #[archive(serde, default = Tagged::Idle)]
        tagged: Tagged,
        #[archive(serde, default = Adjacent::Go(0, 0))]
        adjacent: Adjacent,
        #[archive(serde, default = Vec::new())]
        untagged: Vec<Untagged>,
        #[archive(serde)]
        dollar: Dollar,
        #[archive(serde, default = UNIX_EPOCH)]
        moment: SystemTime,
        waits: Duration,
        #[archive(default = IpAddr::from([0, 0, 0, 0]))]
        ip: IpAddr,
        #[archive(default = SocketAddr::from(([0, 0, 0, 0], 0)))]
        socket: SocketAddr,
        by_number: BTreeMap<u16, u8>,
    }
    let odd = Odd {
        twice: Some(None),
        tagged: Tagged::Go { x: 5 },
        adjacent: Adjacent::Go(1, -1),
        untagged: vec![Untagged::Number(1), Untagged::Text("x".into())],
        dollar: Dollar { green: 2, id: 3 },
        moment: UNIX_EPOCH + Duration::new(5, 100),
        waits: Duration::new(1, 2),
        ip: [127, 0, 0, 1].into(),
        socket: ([127, 0, 0, 1], 80).into(),
        by_number: [(1, 2)].into(),
    };
    let text = serde_json::to_vec(&odd).unwrap();
    let expected = Odd { twice: None, ..odd.clone() };
    for format in [Format::Json, Format::of::<SerdeBackend<SerdeJson>>()] {
        let loaded = format.from_slice::<Odd>(&text).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(loaded, expected, "{format}");
        // Our files load without loss.
        assert_eq!(format.from_slice::<Odd>(&format.to_vec(&odd).unwrap()).unwrap(), odd);
    }
    #[derive(Default, PartialEq, Debug, Serialize)]
    struct Speed {
        now: Option<f64>,
    }
    assert_eq!(json::from_slice::<Speed>(br#"{"now":null}"#).unwrap(), Speed { now: None });
}

/// Enums that serde wrote in ron load wherever a program has them.
#[test]
fn enums_of_ron() {
    type Format = SerdeBackend<Ron>;
    #[derive(Default, Clone, PartialEq, Debug, Serialize, serde::Serialize)]
    enum Inner {
        #[default]
        None,
        Wrapped(Order),
        Listed(Vec<Order>),
        Tuple((u8, u8)),
        Struct(At),
        Maybe(Option<u8>),
        Text(String),
    }
    let all = vec![
        Inner::None,
        Inner::Wrapped(Order::Hold),
        Inner::Wrapped(Order::Attack { target: 7, with: Some("x".into()) }),
        Inner::Listed(vec![Order::Hold, Order::Go(1, -2), Order::Follow(3)]),
        Inner::Tuple((1, 2)),
        Inner::Struct(At(1, 2)),
        Inner::Maybe(Some(1)),
        Inner::Maybe(None),
        Inner::Text("None".into()),
    ];
    for value in all {
        let text = ron::to_string(&vec![&value]).unwrap();
        let loaded: Vec<Inner> =
            Format::from_slice(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(loaded[0], value, "{text}");
        // As the library writes it.
        let ours = Format::to_vec(&vec![value.clone()]).unwrap();
        assert_eq!(Format::from_slice::<Vec<Inner>>(&ours).unwrap()[0], value, "{text}");
        // In pointers, over another value, and with everything in a tree.
        let mut over = vec![Rc::new(Inner::default()), Rc::default()];
        Format::load_into(&mut over, text.as_bytes(), &archive::Options::new()).unwrap();
        assert_eq!((over.len(), &*over[0]), (1, &value), "{text}");
        let tree: archive::Value = Format::from_slice(text.as_bytes()).unwrap();
        assert_eq!(tree.to::<Vec<Inner>>().unwrap()[0], value, "{text}");
    }
    for (text, kind, path) in [
        ("[Away]", ErrorKind::UnknownVariant, "[0]"),
        ("[Follow(-1)]", ErrorKind::OutOfRange, "[0].Follow"),
        ("[Go(1,\"x\")]", ErrorKind::WrongType, "[0].Go[1]"),
        ("[Follow(1", ErrorKind::UnexpectedEnd, "[0]"),
    ] {
        let error = Format::from_slice::<Vec<Order>>(text.as_bytes()).unwrap_err();
        assert_eq!((error.kind(), error.path()), (kind, path), "{text}: {error}");
        assert!(error.position().is_some(), "{text}: {error}");
    }
}
