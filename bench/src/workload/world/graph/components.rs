//! The components of units.

use std::cell::RefCell;

use fory::{ForyObject, ForyStruct, RcWeak, register_trait_type};

use super::Unit;

pub trait Component: ForyObject {}

#[derive(ForyStruct)]
pub struct Weapon {
    pub damage: i32,
    pub reach: i32,
    pub rounds: u32,
    pub magazine: u32,
    pub pause: u32,
    pub ready: u64,
}

#[derive(ForyStruct)]
pub struct Lookout {
    pub range: i32,
    pub pause: u32,
    pub next: u64,
}

#[derive(ForyStruct)]
pub struct Healer {
    pub strength: i32,
    pub pause: u32,
    pub ready: u64,
    pub patient: RcWeak<RefCell<Unit>>,
}

#[derive(ForyStruct)]
pub struct Nerves {
    pub stress: u32,
    pub next: u64,
}

impl Component for Weapon {}
impl Component for Lookout {}
impl Component for Healer {}
impl Component for Nerves {}

register_trait_type!(pub Component, Weapon, Lookout, Healer, Nerves);
