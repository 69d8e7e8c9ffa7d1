//! The values that the tests save.

use archive::Serialize;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct World {
    pub tick: u64,
    pub units: Vec<Unit>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Unit {
    name: String,
    hp: u16,
    at: [f32; 2],
    orders: Vec<Order>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub enum Order {
    #[default]
    Hold,
    MoveTo {
        x: f32,
        y: f32,
    },
}

/// A world of that many units, which differs for each tick.
pub fn world(tick: u64, units: u64) -> World {
    let unit = |number: u64| Unit {
        name: format!("unit {number}"),
        hp: (number * 7 + tick) as u16,
        at: [number as f32 / 3.0, tick as f32 * 1.7],
        orders: vec![Order::MoveTo { x: number as f32, y: tick as f32 }, Order::Hold],
    };
    World { tick, units: (0..units).map(unit).collect() }
}
