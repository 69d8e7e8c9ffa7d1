//! `default` on a type: its blank value.

use super::*;

#[derive(Serialize, Debug, PartialEq)]
#[archive(default = Volume { left: 5, right: 6 })]
struct Volume {
    left: u8,
    #[archive(default = 9)]
    right: u8,
}

#[derive(Serialize, Debug, PartialEq)]
#[archive(default = Self::Loud { by: 3 })]
enum Mode {
    Quiet,
    Loud { by: u8 },
}

#[derive(Serialize, Debug, PartialEq, Default)]
#[archive(default)]
struct Plain {
    a: u8,
}

#[derive(Serialize, Debug, PartialEq)]
#[archive(default = Handle(NonBlank(1)), mut_only)]
struct Handle(NonBlank);

#[derive(Debug, PartialEq)]
struct NonBlank(u8);

impl Serialize for NonBlank {
    fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("n", &mut self.0)
    }
}

#[derive(Serialize, Debug, PartialEq)]
#[archive(default)]
struct Generic<T>(u8, T);

impl<T: Default> Default for Generic<T> {
    fn default() -> Self {
        Generic(4, T::default())
    }
}

#[test]
fn fresh_values_start_from_it() {
    let options = Options::new();
    assert_eq!(Volume::blank(&options), Volume { left: 5, right: 9 });
    assert_eq!(Mode::blank(&options), Mode::Loud { by: 3 });
    assert_eq!(Plain::blank(&options), Plain { a: 0 });
    assert_eq!(Handle::blank(&options), Handle(NonBlank(1)));
    assert_eq!(Generic::<String>::blank(&options), Generic(4, String::new()));
    round_trip(&vec![Volume { left: 1, right: 2 }]);
    round_trip(&vec![Mode::Quiet, Mode::Loud { by: 1 }]);
    round_trip(&vec![Plain { a: 1 }]);
    round_trip(&vec![Generic(1, 2_u8)]);
}

#[test]
fn absent_members_have_it_in_fresh_values_only() {
    let list = json::from_str::<Vec<Volume>>(r#"[{"left":1},{}]"#).unwrap();
    assert_eq!(list, [Volume { left: 1, right: 9 }, Volume { left: 5, right: 9 }]);
    let mut volume = Volume { left: 1, right: 2 };
    json::load_into(&mut volume, b"{}").unwrap();
    assert_eq!(volume, Volume { left: 1, right: 2 });
}
