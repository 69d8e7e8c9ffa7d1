//! The commands of units.

use std::cell::RefCell;

use fory::{ForyObject, ForyStruct, RcWeak, register_trait_type};

use super::{Point, Squad, Unit};

pub trait Command: ForyObject {}

#[derive(ForyStruct)]
pub struct MoveTo {
    pub goal: Point,
    pub near: i32,
}

#[derive(ForyStruct)]
pub struct Hold {
    pub ticks: u64,
    pub over: u64,
}

#[derive(ForyStruct)]
pub struct Follow {
    pub leader: RcWeak<RefCell<Unit>>,
    pub distance: i32,
    pub goal: Point,
    pub look: u64,
}

#[derive(ForyStruct)]
pub struct Attack {
    pub target: RcWeak<RefCell<Unit>>,
    pub goal: Point,
    pub look: u64,
    pub give_up: u64,
}

#[derive(ForyStruct)]
pub struct Patrol {
    pub points: Vec<Point>,
    pub next: u64,
    pub rounds: u32,
}

#[derive(ForyStruct)]
pub struct Rally {
    pub at: Point,
    pub expected: u64,
    pub present: Vec<u32>,
    pub until: u64,
}

#[derive(ForyStruct)]
pub struct Assault {
    pub squad: RcWeak<RefCell<Squad>>,
    pub victim: RcWeak<RefCell<Unit>>,
    pub goal: Point,
    pub look: u64,
    pub give_up: u64,
    pub taking_part: u32,
}

impl Command for MoveTo {}
impl Command for Hold {}
impl Command for Follow {}
impl Command for Attack {}
impl Command for Patrol {}
impl Command for Rally {}
impl Command for Assault {}

register_trait_type!(pub Command, MoveTo, Hold, Follow, Attack, Patrol, Rally, Assault);
