//! The form of a message.

use archive::error::Position;
use archive::{Archive, Error, ErrorKind, Options, Result, Serialize, json};

use crate::common::{Format, forgiving, formats, has_position, keeps_positions};

#[derive(Default, Debug, Serialize)]
struct File {
    world: World,
}

#[derive(Default, Debug, Serialize)]
struct World {
    units: Vec<Unit>,
}

#[derive(Default, Debug, Serialize)]
struct Unit {
    orders: Vec<Order>,
}

#[derive(Default, Debug, Serialize)]
struct Order {
    target: u32,
}

#[test]
fn a_json_error_says_where_and_what() {
    let text = r#"{
  "world": {
    "units": [
      {"orders": []},
      {"orders": []},
      {"orders": []},
      {
        "orders": [
          {
            "target"
            :
        "seven"
          }
        ]
      }
    ]
  }
}"#;
    let error = json::from_str::<File>(text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "world.units[3].orders[0].target: expected u32, found \"seven\" at line 12 column 9"
    );
    assert_eq!(error.kind(), ErrorKind::WrongType);
    assert_eq!(error.path(), "world.units[3].orders[0].target");
    assert_eq!(error.position(), Some(Position::Line { line: 12, column: 9 }));
    assert_eq!(error.class(), Some("Order"));
}

/// The types of older programs.
mod old {
    use archive::Serialize;

    #[derive(Default, Serialize)]
    pub struct World {
        pub units: Vec<Unit>,
    }

    #[derive(Default, Serialize)]
    pub struct Unit {
        pub name: String,
        pub hp: u16,
        pub state: State,
    }

    #[derive(Default, Serialize)]
    pub enum State {
        #[default]
        Idle,
        Attacking {
            target: u16,
        },
    }
}

/// The same with a smaller member in a derived class, in a variant, in a function by hand.
mod derived {
    use archive::Serialize;

    #[derive(Default, Debug, Serialize)]
    pub struct World {
        pub units: Vec<Unit>,
    }

    #[derive(Default, Debug, Serialize)]
    pub struct Unit {
        pub name: String,
        pub hp: u8,
        pub state: State,
    }

    #[derive(Default, Debug, Serialize)]
    pub enum State {
        #[default]
        Idle,
        Attacking {
            target: u8,
        },
    }
}

mod by_hand {
    use super::*;

    #[derive(Default, Debug, Serialize)]
    #[archive(mut_only)]
    pub struct World {
        units: Vec<Unit>,
    }

    #[derive(Default, Debug)]
    pub struct Unit {
        hp: u8,
    }

    impl Serialize for Unit {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("hp", &mut self.hp)
        }
    }
    archive::blank!(Unit);
}

fn saved(format: Format, hp: u16, target: u16) -> Vec<u8> {
    let state = old::State::Attacking { target };
    let units = vec![old::Unit::default(), old::Unit { name: "Ann".into(), hp, state }];
    format.to_vec(&old::World { units }).unwrap()
}

fn check(format: Format, error: &Error, path: &str, class: &str) {
    assert_eq!(error.message(), "300 does not fit u8", "{format}");
    assert_eq!((error.path(), error.class()), (path, Some(class)), "{format}: {error}");
    let text = match error.position() {
        Some(Position::Offset(at)) => {
            format!("{path}: 300 does not fit u8 at byte {at} in `{class}`")
        }
        Some(position) => format!("{path}: 300 does not fit u8 at {position}"),
        None => format!("{path}: 300 does not fit u8"),
    };
    assert_eq!(error.to_string(), text, "{format}");
}

#[test]
fn the_class_is_the_innermost_one() {
    for format in forgiving() {
        let file = saved(format, 300, 7);
        let error = format.from_slice::<derived::World>(&file).unwrap_err();
        assert!(has_position(format, &error), "{format}: {error}");
        check(format, &error, "units[1].hp", "Unit");
        let error = format.from_slice::<by_hand::World>(&file).unwrap_err();
        check(format, &error, "units[1].hp", "Unit");
        let error = format.from_slice::<derived::World>(&saved(format, 1, 300)).unwrap_err();
        check(format, &error, "units[1].state.Attacking.target", "State::Attacking");
    }
}

/// An error in the report names its class as well.
#[test]
fn kept_errors_have_their_class() {
    let options = archive::Options::new().keep_going(true);
    for format in forgiving() {
        let file = saved(format, 300, 300);
        let (_, report) = format.from_slice_report::<derived::World>(&file, &options).unwrap();
        let errors = report.errors();
        assert_eq!(errors.len(), 2, "{format}: {report}");
        let located = errors.iter().all(|error| error.position().is_some());
        assert_eq!(located, keeps_positions(format), "{format}: {report}");
        check(format, &errors[0], "units[1].hp", "Unit");
        check(format, &errors[1], "units[1].state.Attacking.target", "State::Attacking");
    }
}

/// A type that cannot be saved.
#[derive(Default)]
struct Stubborn;

impl Serialize for Stubborn {
    fn serialize<A: Archive>(&mut self, _: &mut A) -> Result {
        Err(Error::custom("not today"))
    }
}
archive::blank!(Stubborn);

#[derive(Default, Serialize)]
#[archive(mut_only)]
struct Holder {
    list: Vec<Choice>,
}

#[derive(Default, Serialize)]
#[archive(mut_only)]
enum Choice {
    #[default]
    None,
    Some {
        stubborn: Stubborn,
    },
}

#[test]
fn errors_while_saving_have_path_and_class() {
    for format in formats() {
        let some = Choice::Some { stubborn: Stubborn };
        let mut holder = Holder { list: vec![Choice::None, some] };
        let error = format.to_vec(&mut holder).unwrap_err();
        let message = "list[1].Some.stubborn: not today";
        assert_eq!(
            (error.to_string(), error.class()),
            (message.into(), Some("Stubborn")),
            "{format}"
        );
    }
}

#[test]
fn an_error_is_one_word() {
    assert_eq!(size_of::<Error>(), size_of::<usize>());
}

/// A variant of another form in the file: the message names both forms.
#[test]
fn a_variant_that_gained_or_lost_its_payload() {
    mod was {
        use archive::Serialize;

        #[derive(Debug, Serialize)]
        pub enum State {
            Idle,
            Attack,
            Hold(u8),
            Walk(u8),
            Turn(u8),
        }
    }
    #[derive(Debug, Serialize)]
    #[allow(dead_code)] // the variants are only loaded
    enum State {
        Idle(u8, String),
        Attack(u32),
        Hold,
        Walk { to: u8, at: Option<u8> },
        Turn(u8, bool),
    }

    let complete = Options::new().complete(true);
    let strict = Options::new().strict(true);
    for format in forgiving() {
        let check = |state: was::State, options: &Options<'_>, kind, message: &str| {
            let bytes = format.to_vec(&[state]).unwrap();
            let error = format.from_slice_with::<Vec<State>>(&bytes, options).unwrap_err();
            assert_eq!(error.kind(), kind, "{format}: {error}");
            assert!(error.to_string().contains(message), "{format}: {error}");
        };
        let missing = "[0].Attack: the file has `Attack`, but the type has `Attack(u32)`";
        check(was::State::Attack, &complete, ErrorKind::MissingMember, missing);
        let missing = "[0].Idle: the file has `Idle`, but the type has `Idle(u8, String)`";
        check(was::State::Idle, &complete, ErrorKind::MissingMember, missing);
        let more = "[0].Hold: the file has a value for `Hold`, which has none in `State`";
        if format.name() != "bins" {
            check(was::State::Hold(7), &strict, ErrorKind::UnknownMember, more);
        }
        check(
            was::State::Walk(7),
            &complete,
            ErrorKind::WrongType,
            "; the type has `Walk { to, at }`",
        );
        check(
            was::State::Turn(7),
            &complete,
            ErrorKind::WrongType,
            "; the type has `Turn(u8, bool)`",
        );
    }
}
