//! Random histories of two worlds in a store, compared with plain maps: changes, objects that are
//! taken out and put back, undo copies, failing saves and loads, and a restarted program, also with
//! other types. After each save another program loads the storage and compares it.

mod game_actions;
mod history;
mod plain;
mod saving;
mod state;
mod world_versions;

use std::cell::Cell;
use std::rc::Rc;

use archive::store::storage::{Memory, Redb, Storage};
use archive_test_support::search::config;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use game_actions::{Marks, Which};
use history::History;

/// A step, with two numbers that choose objects.
#[derive(Clone, Copy, Debug)]
struct Step {
    what: Do,
    a: usize,
    b: usize,
}

#[derive(Clone, Copy, Debug)]
enum Do {
    Insert,
    InsertAt(u64),
    SetUnit { marks: bool },
    TakeUnit,
    PutUnit,
    PushPart,
    SetPart(Marks),
    TakePart,
    PutPart,
    PushTown(Which),
    SetTown(Which, Marks),
    TakeTown(Which),
    PutTown(Which),
    Tick,
    Volume,
    Note(bool),
    NewPlace,
    SetPlace,
    SetNext,
    PushLink,
    SetHome,
    TakePlace,
    PutPlace,
    Save { which: Which, all: bool, fails: bool },
    SaveSecond { fails: bool },
    Copy,
    Swap,
    SaveCopy { all: bool },
    Clear { fails: bool },
    Again { second: bool, both: bool, fails: bool },
    BeginLoad { fails: bool },
    FinishLoad,
    Read,
}

fn marks() -> impl Strategy<Value = Marks> {
    (any::<bool>(), any::<bool>()).prop_map(|(owner, own)| Marks { owner, own })
}

fn unit() -> impl Strategy<Value = Do> {
    let key = prop_oneof![
        1..8_u64,
        (0..3_u64, 1..5_u64).prop_map(|(high, low)| high << 32 | low),
        100..300_u64,
        any::<u64>(),
    ];
    prop_oneof![
        4 => Just(Do::Insert),
        1 => key.prop_map(Do::InsertAt),
        4 => any::<bool>().prop_map(|marks| Do::SetUnit { marks }),
        3 => Just(Do::TakeUnit),
        3 => Just(Do::PutUnit),
        3 => Just(Do::PushPart),
        3 => marks().prop_map(Do::SetPart),
        2 => Just(Do::TakePart),
        2 => Just(Do::PutPart),
    ]
}

fn which() -> impl Strategy<Value = Which> {
    prop_oneof![3 => Just(Which::World), 1 => Just(Which::Other)]
}

fn town() -> impl Strategy<Value = Do> {
    prop_oneof![
        4 => which().prop_map(Do::PushTown),
        4 => (which(), marks()).prop_map(|(which, marks)| Do::SetTown(which, marks)),
        3 => which().prop_map(Do::TakeTown),
        3 => which().prop_map(Do::PutTown),
        1 => Just(Do::Tick),
        1 => Just(Do::Volume),
        1 => any::<bool>().prop_map(Do::Note),
    ]
}

fn place() -> impl Strategy<Value = Do> {
    prop_oneof![
        3 => Just(Do::NewPlace),
        3 => Just(Do::SetPlace),
        3 => Just(Do::SetNext),
        2 => Just(Do::PushLink),
        2 => Just(Do::SetHome),
        2 => Just(Do::TakePlace),
        2 => Just(Do::PutPlace),
    ]
}

fn save() -> impl Strategy<Value = Do> {
    let fails = || prop::bool::weighted(0.3);
    prop_oneof![
        12 => (which(), any::<bool>(), fails())
            .prop_map(|(which, all, fails)| Do::Save { which, all, fails }),
        1 => fails().prop_map(|fails| Do::SaveSecond { fails }),
        2 => Just(Do::Copy),
        2 => Just(Do::Swap),
        2 => any::<bool>().prop_map(|all| Do::SaveCopy { all }),
        1 => fails().prop_map(|fails| Do::Clear { fails }),
        2 => (any::<bool>(), any::<bool>(), fails())
            .prop_map(|(second, both, fails)| Do::Again { second, both, fails }),
        2 => fails().prop_map(|fails| Do::BeginLoad { fails }),
        1 => Just(Do::FinishLoad),
        1 => Just(Do::Read),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let what = prop_oneof![4 => unit(), 3 => town(), 3 => place(), 6 => save()];
    let step = (what, 0..24_usize, 0..24_usize).prop_map(|(what, a, b)| Step { what, a, b });
    prop::collection::vec(step, 1..50)
}

pub fn histories(cases: u32, open: impl Fn() -> Rc<dyn Storage>) {
    let mut runner = TestRunner::new(config(cases));
    runner
        .run(&steps(), |steps| {
            let mut history = History::new(open(), Rc::new(Memory::new()));
            steps.into_iter().for_each(|step| history.run(step));
            saving::end(&mut history).unwrap();
            Ok(())
        })
        .unwrap();
}

#[test]
fn histories_in_memory_are_those_of_maps() {
    histories(2000, || Rc::new(Memory::new()));
}

#[test]
fn histories_in_a_file_are_those_of_maps() {
    let dir = tempfile::tempdir().unwrap();
    let count = Cell::new(0);
    histories(40, || {
        count.set(count.get() + 1);
        Rc::new(Redb::open(dir.path().join(format!("{}.store", count.get()))).unwrap())
    });
}
