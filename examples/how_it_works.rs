//! How the library works, without the library: one function visits the members of a type, and runs on anything that
//! is an archive.
//!
//! ```text
//! cargo run --example how_it_works
//! ```

/// A type has one function that names its members. It does not know which archive receives them.
trait Serialize {
    fn serialize(&mut self, ar: &mut impl Archive);
}

/// An archive receives the members: a format that saves, a format that loads, or a tool.
trait Archive {
    fn number(&mut self, name: &str, value: &mut u32);
    fn object(&mut self, name: &str, value: &mut impl Serialize);
}

struct Point {
    x: u32,
    y: u32,
}

struct Unit {
    hp: u32,
    at: Point,
}

impl Serialize for Point {
    fn serialize(&mut self, ar: &mut impl Archive) {
        ar.number("x", &mut self.x);
        ar.number("y", &mut self.y);
    }
}

impl Serialize for Unit {
    fn serialize(&mut self, ar: &mut impl Archive) {
        ar.number("hp", &mut self.hp);
        ar.object("at", &mut self.at);
    }
}

/// The first format writes text. The archive writes the braces around the members, so one function
/// serves formats with and without names and braces.
#[derive(Default)]
struct Text(String);

impl Archive for Text {
    fn number(&mut self, name: &str, value: &mut u32) {
        self.0 += &format!("{name}={value};");
    }
    fn object(&mut self, name: &str, value: &mut impl Serialize) {
        self.0 += &format!("{name}{{");
        value.serialize(self);
        self.0 += "}";
    }
}

/// The second format reads bytes. Only the position of a number determines its member.
struct Bytes<'a>(&'a [u8]);

impl Archive for Bytes<'_> {
    fn number(&mut self, _: &str, value: &mut u32) {
        let (first, rest) = self.0.split_at(1);
        (*value, self.0) = (u32::from(first[0]), rest);
    }
    fn object(&mut self, _: &str, value: &mut impl Serialize) {
        value.serialize(self);
    }
}

/// Generic functions cannot be called through a trait object. But every archive can be wrapped as
/// one type: a type's function is compiled once for it, and runs on every future format.
struct Erased<'a>(&'a mut dyn FnMut(&str, &mut u32));

impl Archive for Erased<'_> {
    fn number(&mut self, name: &str, value: &mut u32) {
        (self.0)(name, value);
    }
    fn object(&mut self, _: &str, value: &mut impl Serialize) {
        value.serialize(self);
    }
}

/// A trait whose function is not generic, so that it has trait objects. The caller does not know the type.
trait Entity {
    fn visit(&mut self, ar: &mut Erased<'_>);
}

impl<T: Serialize> Entity for T {
    fn visit(&mut self, ar: &mut Erased<'_>) {
        self.serialize(ar);
    }
}

fn main() {
    let mut unit = Unit { hp: 0, at: Point { x: 0, y: 0 } };
    unit.serialize(&mut Bytes(&[100, 3, 4]));

    let mut text = Text::default();
    unit.serialize(&mut text);
    println!("{}", text.0);
    assert_eq!(text.0, "hp=100;at{x=3;y=4;}");

    let mut entities: Vec<Box<dyn Entity>> = vec![Box::new(unit), Box::new(Point { x: 5, y: 6 })];
    let mut text = Text::default();
    for entity in &mut entities {
        entity.visit(&mut Erased(&mut |name, value| text.number(name, value)));
    }
    println!("{}", text.0);
    assert_eq!(text.0, "hp=100;x=3;y=4;x=5;y=6;");
}
