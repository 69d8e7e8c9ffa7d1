//! The types of these tests.

use std::collections::BTreeMap;

use archive::Serialize;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Level {
    pub name: String,
    pub units: Vec<Unit>,
    #[archive(as_object)]
    pub scores: BTreeMap<String, u64>,
    pub spawn: Place,
    pub note: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Place {
    pub x: f32,
    pub y: f32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Unit {
    pub name: String,
    #[archive(rename = "a member with a name that is too long for a token")]
    pub long: u8,
    pub at: Place,
    pub hp: i16,
    #[archive(skip_if_default)]
    pub tags: Vec<String>,
    pub order: Order,
    pub hidden: bool,
    pub target: Option<Box<Unit>>,
}

/// Not the default of each member.
impl Default for Unit {
    fn default() -> Self {
        Unit {
            name: "nobody".into(),
            long: 7,
            at: Place { x: -1.0, y: -1.0 },
            hp: 100,
            tags: Vec::new(),
            order: Order::Wait,
            hidden: true,
            target: None,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) enum Order {
    #[default]
    Wait,
    Say(String),
    Go {
        to: Place,
        speed: f32,
    },
}

pub(crate) fn unit(n: u32) -> Unit {
    Unit {
        name: format!("unit {n}\n"),
        long: n as u8,
        at: Place { x: n as f32 / 3.0, y: -0.5 },
        hp: -(n as i16),
        tags: (0..n % 3).map(|tag| format!("tag {tag}")).collect(),
        order: match n % 3 {
            0 => Order::Wait,
            1 => Order::Say("\u{1f600} \"so\"".into()),
            _ => Order::Go { to: Place { x: 1e-7, y: 1e20 }, speed: 0.1 },
        },
        hidden: n.is_multiple_of(2),
        target: n.is_multiple_of(4).then(|| Box::new(unit(n + 1))),
    }
}

pub(crate) fn level(units: u32) -> Level {
    Level {
        name: "the ü".into(),
        units: (0..units).map(unit).collect(),
        scores: (0..units).map(|n| (format!("player {n}"), u64::MAX - u64::from(n))).collect(),
        spawn: Place { x: 0.25, y: 3.0 },
        note: None,
    }
}
