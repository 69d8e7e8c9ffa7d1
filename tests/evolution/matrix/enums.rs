//! Enums.

use archive::ErrorKind::*;

use super::table::{Section, fails, loads, row};

pub fn section() -> Section {
    Section {
        title: "Enums",
        intro: "Variants are found by name. One that the enum does not have is an error, unless a \
                variant with `#[archive(other)]` takes it.",
        rows: vec![
            row!("a variant added in front":
                { enum State { Idle, Walk } } State = State::Walk,
                { enum State { Fly, Idle, Walk } } State, loads("Walk")),
            row!("variants reordered":
                { enum State { Idle, Walk { to: u8 } } } State = State::Walk { to: 3 },
                { enum State { Walk { to: u8 }, Idle } } State, loads("Walk { to: 3 }")),
            row!("a variant renamed, with an alias":
                { enum State { Idle, Walk } } State = State::Walk,
                { enum State { Idle, #[archive(alias = "Walk")] Move } } State, loads("Move")),
            row!("the same, with data":
                { enum State { Idle, Walk(u8) } } State = State::Walk(3),
                { enum State { Idle, #[archive(alias = "Walk")] Move(u8) } } State, loads("Move(3)")),
            row!("a variant removed":
                { enum State { Idle, Walk } } State = State::Walk,
                { enum State { Idle } } State, fails(UnknownVariant, "")),
            row!("a variant with data removed":
                { enum State { Idle, Walk { to: u8 } } } State = State::Walk { to: 3 },
                { enum State { Idle } } State, fails(UnknownVariant, "")),
            row!("a variant removed, `other`":
                { enum State { Idle, Walk } } State = State::Walk,
                { enum State { Idle, #[archive(other)] Unknown } } State,
                loads("Unknown").unknown("Walk").strict(UnknownVariant, "")),
            row!("the same, with data":
                { enum State { Idle, Walk { to: u8 } } } State = State::Walk { to: 3 },
                { enum State { Idle, #[archive(other)] Unknown } } State,
                loads("Unknown").unknown("Walk").strict(UnknownVariant, "").remark("the data is lost")),
            row!("a variant removed, `other` with its name":
                { enum State { Idle, Walk } } State = State::Walk,
                { enum State { Idle, #[archive(other)] Unknown(String) } } State,
                loads(r#"Unknown("Walk")"#).unknown("Walk").strict(UnknownVariant, "")),
            row!("the same, with data":
                { enum State { Idle, Walk { to: u8 } } } State = State::Walk { to: 3 },
                { enum State { Idle, #[archive(other)] Unknown(String) } } State,
                loads(r#"Unknown("Walk")"#).unknown("Walk").strict(UnknownVariant, "").remark("the data is lost")),
            row!("a member of a variant added":
                { enum State { Walk { to: u8 } } } State = State::Walk { to: 3 },
                { enum State { Walk { to: u8, speed: f32 } } } State,
                loads("Walk { to: 3, speed: 0.0 }").absent("Walk.speed")),
            row!("a member of a variant removed":
                { enum State { Walk { to: u8, speed: f32 } } } State = State::Walk { to: 3, speed: 1.5 },
                { enum State { Walk { to: u8 } } } State,
                loads("Walk { to: 3 }").unknown("Walk.speed")),
            row!("a member of a variant that no longer fits":
                { enum State { Walk { to: u16, speed: u8 } } } State = State::Walk { to: 300, speed: 2 },
                { enum State { Walk { to: u8, speed: u8 } } } State,
                fails(OutOfRange, "Walk.to").keeps("Walk { to: 0, speed: 2 }")),
            row!("a unit variant that got members":
                { enum State { Idle, Walk } } State = State::Walk,
                { enum State { Idle, Walk { to: u8 } } } State,
                loads("Walk { to: 0 }").absent("Walk.to")),
            row!("a unit variant that got a value":
                { enum State { Idle, Walk } } State = State::Walk,
                { enum State { Idle, Walk(u8) } } State,
                loads("Walk(0)").absent("Walk")),
            row!("a variant that lost its members":
                { enum State { Idle, Walk { to: u8 } } } State = State::Walk { to: 3 },
                { enum State { Idle, Walk } } State,
                loads("Walk").unknown("Walk")),
            row!("a variant that lost its value":
                { enum State { Idle, Walk(u8) } } State = State::Walk(3),
                { enum State { Idle, Walk } } State,
                loads("Walk").unknown("Walk")),
            row!("a value that became a member":
                { enum State { Walk(u8) } } State = State::Walk(3),
                { enum State { Walk { to: u8 } } } State,
                fails(WrongType, "Walk").keeps("Walk { to: 0 }")),
            row!("a struct in a variant that became its members":
                { struct Walk { to: u8 } enum State { Walk(Walk) } } State = State::Walk(Walk { to: 3 }),
                { enum State { Walk { to: u8 } } } State,
                loads("Walk { to: 3 }")),
            row!("members of a variant that became a struct":
                { enum State { Walk { to: u8 } } } State = State::Walk { to: 3 },
                { struct Walk { to: u8 } enum State { Walk(Walk) } } State,
                loads("Walk(Walk { to: 3 })")),
            row!("a value that became two":
                { enum State { Walk(u8) } } State = State::Walk(3),
                { enum State { Walk(u8, u8) } } State,
                fails(WrongType, "Walk").keeps("Walk(0, 0)")),
            row!("a unit variant that became text":
                { enum State { Idle, Walk } } State = State::Walk, String, loads(r#""Walk""#)),
            row!("text that became a unit variant":
                String = "Walk".into(), { enum State { Idle, Walk } } State, loads("Walk")),
            row!("a truth value that became an enum":
                bool = true, { enum State { Idle, Walk } } State, fails(WrongType, "")),
            row!("a number that became an enum":
                u8 = 1, { enum State { Idle, Walk } } State, fails(WrongType, "")),
            row!("the enum renamed":
                { enum State { Idle, Walk { to: u8 } } } State = State::Walk { to: 3 },
                { enum Order { Idle, Walk { to: u8 } } } Order, loads("Walk { to: 3 }")),
        ],
    }
}
