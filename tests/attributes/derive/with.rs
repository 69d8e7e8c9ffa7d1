//! `with = module`: fields that are saved as another type.

use super::*;
use std::rc::Rc;

/// A type of another crate: without `Serialize`, `Blank` and `Default`.
#[derive(Debug, PartialEq, Clone, Copy)]
struct Color(u8, u8, u8);

mod hex {
    use super::Color;
    use archive::{Error, Result};

    pub fn save(color: &Color) -> Result<String> {
        Ok(format!("{:02x}{:02x}{:02x}", color.0, color.1, color.2))
    }
    pub fn load(text: String) -> Result<Color> {
        let number = u32::from_str_radix(&text, 16).map_err(|_| Error::custom("no color"))?;
        let [_, r, g, b] = number.to_be_bytes();
        Ok(Color(r, g, b))
    }
}

/// Degrees in the file, radians in memory; a generic type with functions.
struct Scaled<const FACTOR: u32>;

impl<const FACTOR: u32> Scaled<FACTOR> {
    fn save(value: &f32) -> Result<f32> {
        Ok(value * FACTOR as f32)
    }
    fn load(value: f32) -> Result<f32> {
        Ok(value / FACTOR as f32)
    }
}

/// Any type with text forms.
mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    pub fn save<T: Display>(value: &T) -> archive::Result<String> {
        Ok(value.to_string())
    }
    pub fn load<T: FromStr>(text: String) -> archive::Result<T> {
        text.parse().map_err(|_| archive::Error::custom("no such value"))
    }
}

const RED: Color = Color(255, 0, 0);

#[derive(Serialize, Debug, PartialEq)]
struct Light {
    #[archive(with = hex, default = RED)]
    color: Color,
    #[archive(with = Scaled<2>)]
    angle: f32,
    #[archive(with = text, rename = "no", alias = "number")]
    index: u32,
    #[archive(with = hex, default = RED, skip_if_default)]
    shadow: Color,
}

#[derive(Serialize, Debug, PartialEq)]
struct Newtype(#[archive(with = hex, default = RED)] Color);

#[derive(Serialize, Debug, PartialEq)]
#[archive(transparent)]
struct Transparent {
    #[archive(with = self::hex, default = RED)]
    color: Color,
    #[archive(skip)]
    cache: u8,
}

#[derive(Serialize, Debug, PartialEq)]
struct Pair(u8, #[archive(with = hex, default = RED)] Color);

#[derive(Serialize, Debug, PartialEq)]
enum Paint {
    None,
    Plain(#[archive(with = hex, default = RED)] Color),
    Both(#[archive(with = hex, default = RED)] Color, u8),
    Named {
        #[archive(with = hex, default = RED)]
        color: Color,
    },
}

#[test]
fn everywhere() {
    check(
        &Light { color: Color(1, 2, 3), angle: 1.5, index: 7, shadow: Color(0, 0, 1) },
        r#"{"color":"010203","angle":3.0,"no":"7","shadow":"000001"}"#,
    );
    let light = Light { color: RED, angle: 0.0, index: 8, shadow: RED };
    check(&light, r#"{"color":"ff0000","angle":0.0,"no":"8"}"#);
    assert_eq!(json::from_str::<Light>(r#"{"number":"8"}"#).unwrap(), light);
    check(&Newtype(Color(1, 1, 1)), r#""010101""#);
    check(&vec![Some(Newtype(RED)), None], r#"["ff0000",null]"#);
    check(&Transparent { color: Color(1, 1, 1), cache: 0 }, r#""010101""#);
    check(&Pair(1, Color(2, 2, 2)), r#"[1,"020202"]"#);
    check(
        &vec![
            Paint::None,
            Paint::Plain(RED),
            Paint::Both(RED, 1),
            Paint::Named { color: Color(0, 0, 0) },
        ],
        r#"["None",{"Plain":"ff0000"},{"Both":["ff0000",1]},{"Named":{"color":"000000"}}]"#,
    );
}

#[test]
fn has_the_shape_of_the_saved_value() {
    assert!(matches!(Newtype::SHAPE, Shape::Primitive(Primitive::Str, _)));
    let Shape::Class(class) = Light::SHAPE else { panic!() };
    let shapes = class.members.unwrap().iter().map(|member| member.shape.get());
    let names = shapes.map(|shape| match shape {
        Shape::Primitive(primitive, _) => primitive.name(),
        _ => "",
    });
    assert_eq!(names.collect::<Vec<_>>(), ["String", "f32", "String", "String"]);
}

#[test]
fn errors_say_where() {
    for format in forgiving() {
        #[derive(Serialize)]
        struct Text {
            color: String,
        }
        let bytes = format.to_vec(&vec![Text { color: "xyz".into() }]).unwrap();
        let error = format.from_slice::<Vec<Light>>(&bytes).unwrap_err();
        assert_eq!((error.path(), error.message()), ("[0].color", "no color"), "{format}");
        assert!(has_position(format, &error), "{format}");
    }
}

struct Assets(Vec<Rc<str>>);

/// An asset is its index in the table of the context.
mod asset {
    use super::*;
    use archive::Error;

    pub fn save(asset: &Rc<str>, options: &Options<'_>) -> Result<u32> {
        let assets = options.context::<Assets>().ok_or_else(|| Error::custom("no assets"))?;
        let index = assets.0.iter().position(|one| one == asset);
        index.map(|index| index as u32).ok_or_else(|| Error::custom("no such asset"))
    }
    pub fn load(index: u32, options: &Options<'_>) -> Result<Rc<str>> {
        let assets = options.context::<Assets>().ok_or_else(|| Error::custom("no assets"))?;
        assets.0.get(index as usize).cloned().ok_or_else(|| Error::custom("no such asset"))
    }
}

#[derive(Serialize, Debug, PartialEq)]
struct Sprite {
    #[archive(with = asset)]
    image: Rc<str>,
}

#[test]
fn context() {
    let table: Vec<Rc<str>> = vec!["grass".into(), "stone".into()];
    let sprite = Sprite { image: table[1].clone() };
    let options = Options::new().provide(Assets(table.clone()));
    round_trip_with(&sprite, &options);
    for format in formats() {
        let bytes = format.to_vec_with(&sprite, &options).unwrap();
        let loaded: Sprite = format.from_slice_with(&bytes, &options).unwrap();
        assert!(Rc::ptr_eq(&loaded.image, &table[1]), "{format}");
        assert_eq!(format.from_slice::<Sprite>(&bytes).unwrap_err().message(), "no assets");
        assert_eq!(format.to_vec(&sprite).unwrap_err().path(), "image", "{format}");
    }
}

/// A generic field type needs only the traits that the module requires.
#[derive(Serialize, Debug, PartialEq)]
#[archive(bound = "T: std::fmt::Display + std::str::FromStr + Default")]
struct Texted<T> {
    #[archive(with = text)]
    value: T,
}

#[test]
fn generic() {
    check(&Texted { value: 7_i128 }, r#"{"value":"7"}"#);
    let address = std::net::Ipv4Addr::new(127, 0, 0, 1);
    #[derive(Serialize, Debug, PartialEq)]
    struct Server {
        #[archive(with = text, default = std::net::Ipv4Addr::UNSPECIFIED)]
        address: std::net::Ipv4Addr,
    }
    check(&Server { address }, r#"{"address":"127.0.0.1"}"#);
}

#[derive(Serialize, Debug, PartialEq, Default)]
struct Point {
    x: i32,
    y: i32,
}

mod packed {
    use super::Point;

    pub fn save(packed: &u64) -> archive::Result<Point> {
        Ok(Point { x: (packed >> 32) as i32, y: *packed as i32 })
    }
    pub fn load(point: Point) -> archive::Result<u64> {
        Ok((point.x as u64) << 32 | point.y as u32 as u64)
    }
}

#[derive(Serialize, Debug, PartialEq, Default)]
struct Packed(#[archive(with = packed)] u64);

#[derive(Serialize, Debug, PartialEq, Default)]
struct Tile {
    #[archive(flatten)]
    at: Packed,
    kind: u8,
}

#[test]
fn saved_as_an_object() {
    check(&Packed(1 << 32 | 2), r#"{"x":1,"y":2}"#);
    check(&Tile { at: Packed(1 << 32 | 2), kind: 3 }, r#"{"x":1,"y":2,"kind":3}"#);
}
