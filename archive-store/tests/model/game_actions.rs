//! The actions of a program on its worlds.

use std::collections::BTreeMap;

use archive::Result;
use archive::store::{Loaded, Saved, Store};

use super::state::{Item, OtherState, State};

/// Which of the two worlds of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    World,
    Other,
}

/// How an object is written to: whether its owner is marked, and whether it is marked itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    pub owner: bool,
    pub own: bool,
}

/// A program: two worlds, undo copies of the first, and objects that were taken out. Places are
/// identified by a number that the program gives each of their objects.
pub trait Game {
    /// Loads the worlds of a store; without the second world unless `both`.
    fn load(&mut self, store: &Store, both: bool) -> Result<Loaded>;
    /// Numbers the places of the world from `next` on, and returns the numbers by their values.
    fn number_places(&mut self, next: u32) -> BTreeMap<u32, u32>;
    fn state(&self) -> State;
    fn other_state(&self) -> OtherState;
    /// Whether two objects of the world, or of both, have one key.
    fn has_twins(&self) -> bool;
    fn save(&self, which: Which, store: &Store, all: bool) -> Result<Saved>;
    /// Saves while a place is borrowed.
    fn save_borrowed(&self, place: u32, store: &Store, all: bool) -> Result<Saved>;
    fn copy(&mut self);
    fn swap(&mut self, copy: usize);

    fn set_tick(&mut self, tick: u32);
    fn set_volume(&mut self, volume: u32);
    fn set_note(&mut self, text: u32, marks: bool);

    fn insert(&mut self, hp: u32) -> u64;
    fn insert_at(&mut self, key: u64, hp: u32) -> bool;
    fn set_unit(&mut self, key: u64, hp: u32, marks: bool);
    fn take_unit(&mut self, key: u64);
    /// Puts a unit back, with that key or with a new one.
    fn put_unit(&mut self, from: usize, key: Option<u64>) -> Option<u64>;

    fn push_part(&mut self, unit: u64, part: Item);
    fn set_part(&mut self, unit: u64, at: usize, heat: u32, marks: Marks);
    fn take_part(&mut self, unit: u64, at: usize);
    fn put_part(&mut self, from: usize, unit: u64);

    fn push_town(&mut self, which: Which, town: Item);
    fn set_town(&mut self, which: Which, at: usize, name: u32, marks: Marks);
    fn take_town(&mut self, which: Which, at: usize);
    fn put_town(&mut self, which: Which, from: usize);

    fn new_place(&mut self, number: u32, place: Item);
    fn set_place(&mut self, place: u32, name: u32);
    fn set_next(&mut self, place: u32, next: Option<u32>);
    fn push_link(&mut self, place: u32, to: u32);
    fn set_home(&mut self, unit: u64, home: Option<u32>);
    fn take_place(&mut self, at: usize);
    fn put_place(&mut self, from: usize);
    /// Reads the world, and changes the copy.
    fn read(&self, store: &Store) -> Result;
}
