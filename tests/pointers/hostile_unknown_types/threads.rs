//! Unknown objects may move to other threads.

use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::{cell::RefCell, thread};

use archive::{ErrorKind, Serialize, Unknown, Value, json};

use super::game_and_mod::*;

type Tower = Arc<Mutex<Building>>;

#[derive(Default, Serialize)]
struct Building {
    height: u32,
    annex: Option<Tower>,
}

/// A mod's job.
#[derive(Default, Serialize)]
struct Repair {
    tower: Option<Tower>,
    tools: Vec<Arc<Mutex<u32>>>,
}

impl Job for Repair {
    fn cost(&self) -> u32 {
        self.tower.as_ref().unwrap().lock().unwrap().height
    }
}

#[derive(Default, Serialize)]
struct Town {
    jobs: Vec<Box<dyn Job + Send + Sync>>,
    towers: Vec<Tower>,
}

fn modded() -> archive::Options<'static> {
    let mut registry = registry(true);
    archive::register!(registry, dyn Job + Send + Sync { Repair }).unwrap();
    archive::Options::new().registry(&registry)
}

fn town() -> Vec<u8> {
    let annex = Arc::new(Mutex::new(Building { height: 1, annex: None }));
    let tower = Arc::new(Mutex::new(Building { height: 5, annex: Some(annex) }));
    let tool = Arc::new(Mutex::new(7));
    let tools = vec![tool.clone(), tool];
    let jobs: Vec<Box<dyn Job + Send + Sync>> =
        vec![Box::new(Repair { tower: Some(tower.clone()), tools })];
    json::to_vec_with(&Town { jobs, towers: vec![tower] }, &modded()).unwrap()
}

fn repair(town: &Town) -> &Repair {
    (&*town.jobs[0] as &dyn std::any::Any).downcast_ref().unwrap()
}

#[test]
fn it_can_be_sent_and_shared() {
    fn check<T: Send + Sync + Clone + std::fmt::Debug + PartialEq>() {}
    check::<Unknown>();
}

/// On the thread that loaded them, shared objects are shared.
#[test]
fn on_its_own_thread_everything_is_shared() {
    let bytes = town();
    let kept: Town = json::from_slice_with(&bytes, &plain()).unwrap();
    let saved = json::to_vec_with(&kept, &plain()).unwrap();
    let back: Town = json::from_slice_with(&saved, &modded()).unwrap();
    assert!(Arc::ptr_eq(repair(&back).tower.as_ref().unwrap(), &back.towers[0]));
    assert!(Arc::ptr_eq(&repair(&back).tools[0], &repair(&back).tools[1]));
}

/// The copies for other threads own nothing here.
#[test]
fn copies_own_nothing() {
    let bytes = town();
    let kept: Town = json::from_slice_with(&bytes, &plain()).unwrap();
    let annex = kept.towers[0].lock().unwrap().annex.take().unwrap();
    assert_eq!(Arc::strong_count(&annex), 1);
    assert_eq!(Arc::strong_count(&kept.towers[0]), 2, "the job holds it");
}

/// A world that another thread loaded can be saved: with copies of the objects that its unknown
/// objects share with the program.
#[test]
fn elsewhere_there_are_copies() {
    let bytes = town();
    let kept = thread::spawn(move || json::from_slice_with::<Town>(&bytes, &plain()).unwrap());
    let kept = kept.join().unwrap();
    kept.towers[0].lock().unwrap().height = 6;
    for _ in 0..2 {
        let saved = json::to_vec_with(&kept, &plain()).unwrap();
        let back: Town = json::from_slice_with(&saved, &modded()).unwrap();
        assert_eq!(back.jobs[0].cost(), 5);
        assert_eq!(back.towers[0].lock().unwrap().height, 6);
        let tower = repair(&back).tower.as_ref().unwrap().lock().unwrap();
        assert_eq!(tower.annex.as_ref().unwrap().lock().unwrap().height, 1);
        assert!(Arc::ptr_eq(&repair(&back).tools[0], &repair(&back).tools[1]));
    }
}

/// The references of an unknown object to a thread's own objects are dropped at that thread's next
/// load.
#[test]
fn dropped_elsewhere() {
    let unit = Rc::new(RefCell::new(Unit { hp: 3, ..Unit::default() }));
    let watched = Some(Rc::downgrade(&unit));
    let spell: Rc<RefCell<dyn Command>> =
        Rc::new(RefCell::new(Spell { target: Some(unit), ..Spell::default() }));
    let world = World { orders: vec![spell], watched, ..World::default() };
    let bytes = json::to_vec_with(&world, &super::game_and_mod::modded()).unwrap();
    let kept: World = json::from_slice_with(&bytes, &plain()).unwrap();
    let watched = kept.watched.unwrap();
    let unknown = {
        let order = kept.orders[0].borrow();
        (&*order as &dyn std::any::Any).downcast_ref::<Unknown>().unwrap().clone()
    };
    drop(kept.orders);
    // A pointer to it cannot be moved along, and cannot be saved there.
    thread::spawn(move || {
        let job: Box<dyn Job> = Box::new(unknown);
        let error = json::to_vec_with(&job, &plain()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadPointer);
        assert!(error.to_string().contains("only the thread that loaded it"), "{error}");
    })
    .join()
    .unwrap();
    assert_eq!(watched.strong_count(), 1);
    let _other: World = json::from_slice_with(&bytes, &plain()).unwrap();
    assert_eq!(watched.strong_count(), 0);
}

/// An object that the program created is data like any other.
#[test]
fn made_by_hand() {
    let value = Value::Object(vec![("height".into(), 4.into())]);
    let unknown = Unknown::new("Brew", Value::Object(vec![("cost".into(), 8.into())]));
    let jobs: Vec<Box<dyn Job + Send + Sync>> =
        vec![Box::new(unknown), Box::new(Unknown::new("Other", value))];
    let text = json::to_string_with(&Town { jobs, towers: Vec::new() }, &plain()).unwrap();
    let expected = r#"{"jobs":[{"$type":"Brew","$value":{"cost":8}},{"$type":"Other","$value":{"height":4}}],"towers":[]}"#;
    assert_eq!(text, expected);
    let back: Town = json::from_str_with(&text, &plain().registry(&registry(true))).unwrap();
    assert_eq!(back.jobs[0].cost(), 8);
}
