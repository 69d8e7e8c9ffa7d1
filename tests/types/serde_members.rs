//! Types of serde as members, in every format.

use std::collections::BTreeMap;

use crate::common::{formats, round_trip};
use archive::serde_formats::{Serde, from_value, to_value};
use archive::{ErrorKind, Options, Serialize, Value};
use proptest::prelude::*;

#[derive(Default, Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
struct Color {
    r: u8,
    #[serde(rename = "$green")]
    g: f32,
    name: Option<String>,
}

#[derive(Default, Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
enum Light {
    #[default]
    Off,
    Dim(u8),
    Mix(Color, Color),
    Named {
        name: String,
        parts: Vec<Light>,
    },
}

#[derive(Default, Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
struct Scene {
    lights: Vec<Light>,
    by_name: BTreeMap<String, Color>,
    by_place: BTreeMap<(i8, i8), Light>,
    big: (u128, i128, u64, i64),
    floats: [f64; 3],
    unit: (),
    letter: char,
}

fn scene() -> Scene {
    let color = Color { r: 7, g: 0.1, name: Some("$red".into()) };
    let named = Light::Named { name: "all".into(), parts: vec![Light::Off, Light::Dim(3)] };
    Scene {
        lights: vec![Light::Off, Light::Mix(color.clone(), Color::default()), named],
        by_name: [("$id".into(), color), ("b".into(), Color::default())].into(),
        by_place: [((1, -2), Light::Dim(9)), ((0, 0), Light::Off)].into(),
        big: (u128::MAX, i128::MIN, u64::MAX, i64::MIN),
        floats: [0.1, f64::INFINITY, -0.0],
        unit: (),
        letter: 'ß',
    }
}

#[derive(Default, Clone, PartialEq, Debug, Serialize)]
struct House {
    before: u32,
    #[archive(serde)]
    scene: Scene,
    #[archive(serde)]
    maybe: Option<Color>,
    wrapped: Vec<Serde<Color>>,
    in_option: Option<Serde<Light>>,
    after: String,
}

fn house() -> House {
    House {
        before: 1,
        scene: scene(),
        maybe: None,
        wrapped: vec![Serde(Color::default()), Serde(Color { r: 1, g: 2.5, name: None })],
        in_option: Some(Serde(Light::Dim(1))),
        after: "end".into(),
    }
}

#[test]
fn as_members_in_every_format() {
    round_trip(&house());
    round_trip(&House::default());
    round_trip(&House { in_option: Some(Serde(Light::Off)), ..house() });
}

#[derive(Default, Clone, PartialEq, Debug, Serialize)]
enum Shade {
    #[default]
    None,
    One(#[archive(serde)] Color),
    Two(#[archive(serde)] Color, u8),
    Three {
        #[archive(serde)]
        light: Light,
    },
}

#[test]
fn in_variants_and_tuples() {
    round_trip(&Shade::One(Color::default()));
    round_trip(&vec![Shade::Two(Color::default(), 4), Shade::None]);
    round_trip(&Shade::Three { light: Light::Dim(2) });
}

#[test]
fn a_refusal_of_serde_has_its_path() {
    #[derive(Default, Debug, Serialize)]
    struct Wrong {
        lamp: Vec<Serde<u8>>,
    }
    #[derive(Default, Debug, Serialize)]
    struct Right {
        lamp: Vec<Serde<i32>>,
    }
    for format in formats().into_iter() {
        let bytes = format.to_vec(&Right { lamp: vec![Serde(1), Serde(-1)] }).unwrap();
        let error = format.from_slice::<Wrong>(&bytes).unwrap_err();
        if error.message().contains("layout") || error.message().contains("fingerprint") {
            continue;
        }
        assert_eq!(error.kind(), ErrorKind::Custom, "{format}: {error}");
        assert_eq!(error.path(), "lamp[1]", "{format}: {error}");
        assert!(error.message().contains("u8"), "{format}: {error}");
    }
}

#[test]
fn the_tree_is_that_of_serde_json() {
    let color = Color { r: 1, g: 0.5, name: None };
    let tree = to_value(&Light::Mix(color.clone(), color)).unwrap();
    let text = r#"{"Mix":[{"r":1,"$$green":0.5,"name":null},{"r":1,"$$green":0.5,"name":null}]}"#;
    assert_eq!(tree.to_string(), text);
    assert_eq!(archive::json::to_string(&tree).unwrap(), text);
}

#[test]
fn a_target_that_nests_is_bounded() {
    let mut light = Light::Off;
    for _ in 0..1000 {
        light = Light::Named { name: String::new(), parts: vec![light] };
    }
    let house = House { in_option: Some(Serde(light)), ..House::default() };
    for format in formats() {
        let error = format.to_vec(&house).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{format}: {error}");
    }
}

fn light() -> impl Strategy<Value = Light> {
    let color = (any::<u8>(), any::<f32>(), any::<Option<String>>());
    let color =
        color.prop_map(|(r, g, name)| Color { r, g: if g.is_nan() { 0.0 } else { g }, name });
    let leaf = prop_oneof![
        Just(Light::Off),
        any::<u8>().prop_map(Light::Dim),
        (color.clone(), color).prop_map(|(a, b)| Light::Mix(a, b)),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        (any::<String>(), prop::collection::vec(inner, 0..4))
            .prop_map(|(name, parts)| Light::Named { name, parts })
    })
}

proptest! {
    #![proptest_config(crate::common::search::config(64))]

    #[test]
    fn random_members(lights in prop::collection::vec(light(), 0..4)) {
        let scene = Scene { lights, ..scene() };
        let tree: Value = to_value(&scene).unwrap();
        prop_assert_eq!(&from_value::<Scene>(tree).unwrap(), &scene);
        let house = House { scene, ..house() };
        for format in formats() {
            let bytes = format.to_vec_with(&house, &Options::new()).unwrap();
            let loaded: House = format.from_slice(&bytes).unwrap();
            prop_assert_eq!(&loaded, &house, "{}", format.name());
        }
    }
}
