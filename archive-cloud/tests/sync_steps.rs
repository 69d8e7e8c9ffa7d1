//! What the laws of syncs try: steps of players and devices.

use proptest::prelude::*;

use crate::faulty_store::Fault;

/// How a divergence is resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Keep {
    Neither,
    Mine,
    Theirs,
    Both,
}

#[derive(Clone, Debug)]
pub enum Step {
    /// The player saves, after a load or not, at any date.
    Play {
        device: usize,
        loads: bool,
        date: u32,
    },
    Sync {
        device: usize,
        keep: Keep,
        faults: Vec<Option<Fault>>,
        meanwhile: Meanwhile,
    },
    /// The player deletes the save of a device.
    Delete(usize),
    /// The player removes the save from the store.
    Remove,
}

/// What happens during a sync, before one of its calls.
#[derive(Clone, Copy, Debug)]
pub enum Meanwhile {
    Nothing,
    /// The game on another device saves, and syncs.
    Syncs(usize),
    /// The game on the same device saves.
    Plays,
}

pub const DEVICES: usize = 3;

pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let fault = prop_oneof![
        4 => Just(None),
        1 => Just(Some(Fault::Fails)),
        1 => Just(Some(Fault::Lost)),
        1 => (0..20u8).prop_map(|calls| Some(Fault::Late(calls))),
        1 => Just(Some(Fault::Meanwhile)),
    ];
    let meanwhile = prop_oneof![
        2 => (0..DEVICES).prop_map(Meanwhile::Syncs),
        1 => Just(Meanwhile::Plays),
        1 => Just(Meanwhile::Nothing),
    ];
    let keep =
        prop_oneof![Just(Keep::Neither), Just(Keep::Mine), Just(Keep::Theirs), Just(Keep::Both)];
    let play = (0..DEVICES, any::<bool>(), any::<u32>());
    let faults = prop_oneof![Just(Vec::new()), proptest::collection::vec(fault, 0..20)];
    let step = prop_oneof![
        6 => play.prop_map(|(device, loads, date)| Step::Play { device, loads, date }),
        6 => (0..DEVICES, keep, faults, meanwhile).prop_map(|(device, keep, faults, meanwhile)| {
            Step::Sync { device, keep, faults, meanwhile }
        }),
        1 => (0..DEVICES).prop_map(Step::Delete),
        1 => Just(Step::Remove),
    ];
    proptest::collection::vec(step, 1..40)
}
