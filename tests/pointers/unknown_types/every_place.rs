//! Unknown objects in every kind of pointer and every place, in every format.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};

use archive::json;

use super::game_and_mod::*;
use super::{formats, goes_into};
use crate::common::{Erased, text};

fn brew(cost: u32) -> Brew {
    Brew { data: data(), cost }
}

fn places() -> Places {
    let bare: Rc<dyn Command> = Rc::new(brew(4));
    let cell: Rc<RefCell<dyn Command>> = Rc::new(RefCell::new(brew(5)));
    let mutex: Arc<Mutex<dyn Job + Send + Sync>> = Arc::new(Mutex::new(brew(6)));
    let lock: Arc<RwLock<dyn Job + Send + Sync>> = Arc::new(RwLock::new(brew(7)));
    let arc: Arc<dyn Job + Send + Sync> = Arc::new(brew(8));
    let plain_arc: Arc<dyn Job> = Arc::new(brew(9));
    Places {
        boxed: vec![Box::new(brew(1)), Box::new(MoveTo { x: 3 }), Box::new(brew(2))],
        option: Some(Box::new(brew(10))),
        by_name: [("a".into(), Box::new(brew(11)) as Box<dyn Command>)].into(),
        weak_bare: Some(Rc::downgrade(&bare)),
        bare: vec![bare.clone(), bare],
        weak_cell: Some(Rc::downgrade(&cell)),
        cells: vec![cell.clone(), Rc::new(RefCell::new(MoveTo { x: 3 })), cell],
        weak_mutex: Some(Arc::downgrade(&mutex)),
        mutex: vec![mutex.clone(), mutex],
        weak_lock: Some(Arc::downgrade(&lock)),
        locks: vec![lock.clone(), lock],
        weak_arc: Some(Arc::downgrade(&arc)),
        arcs: vec![arc.clone(), arc],
        plain_arcs: vec![plain_arc.clone(), plain_arc],
        pair: Some((Box::new(brew(12)), 3)),
        end: 7,
    }
}

/// The structure, and the text of each trait object.
fn check(places: &Places, powers: impl Fn(u32) -> u32, context: &str) {
    let power = |wanted: u32, found: u32| assert_eq!(found, powers(wanted), "{context}");
    power(1, places.boxed[0].power());
    assert_eq!(places.boxed[1].power(), 3);
    power(2, places.boxed[2].power());
    power(10, places.option.as_ref().unwrap().power());
    power(11, places.by_name["a"].power());
    power(4, places.bare[1].power());
    assert!(Rc::ptr_eq(&places.bare[0], &places.bare[1]), "{context}");
    let weak = places.weak_bare.as_ref().unwrap().upgrade().unwrap();
    assert!(Rc::ptr_eq(&places.bare[0], &weak), "{context}");
    power(5, places.cells[2].borrow().power());
    assert_eq!(places.cells[1].borrow().power(), 3);
    assert!(Rc::ptr_eq(&places.cells[0], &places.cells[2]), "{context}");
    let weak = places.weak_cell.as_ref().unwrap().upgrade().unwrap();
    assert!(Rc::ptr_eq(&places.cells[0], &weak), "{context}");
    power(6, places.mutex[0].lock().unwrap().cost());
    assert!(Arc::ptr_eq(&places.mutex[0], &places.mutex[1]), "{context}");
    let weak = places.weak_mutex.as_ref().unwrap().upgrade().unwrap();
    assert!(Arc::ptr_eq(&places.mutex[0], &weak), "{context}");
    power(7, places.locks[0].read().unwrap().cost());
    assert!(Arc::ptr_eq(&places.locks[0], &places.locks[1]), "{context}");
    let weak = places.weak_lock.as_ref().unwrap().upgrade().unwrap();
    assert!(Arc::ptr_eq(&places.locks[0], &weak), "{context}");
    power(8, places.arcs[0].cost());
    assert!(Arc::ptr_eq(&places.arcs[0], &places.arcs[1]), "{context}");
    let weak = places.weak_arc.as_ref().unwrap().upgrade().unwrap();
    assert!(Arc::ptr_eq(&places.arcs[0], &weak), "{context}");
    power(9, places.plain_arcs[0].cost());
    assert!(Arc::ptr_eq(&places.plain_arcs[0], &places.plain_arcs[1]), "{context}");
    let (job, three) = places.pair.as_ref().unwrap();
    power(12, job.cost());
    assert_eq!((*three, places.end), (3, 7), "{context}");
}

/// The mod's program → A → the game → B → the game → B → the mod's program, in every pair of
/// formats.
#[test]
fn every_place_survives_in_every_pair_of_formats() {
    let (modded, plain) = (modded(), plain());
    let world = places();
    let wanted = json::to_string_with(&world, &modded).unwrap();
    for from in formats() {
        let bytes = from.to_vec_with(&world, &modded).unwrap();
        let (loaded, report) = from
            .from_slice_report::<Places>(&bytes, &plain)
            .unwrap_or_else(|e| panic!("{from}: {e}"));
        check(&loaded, |_| 0, &from.to_string());
        let kept: Vec<_> = report.unknown_types().map(|(path, _)| path).collect();
        let count: u64 = report.notes().iter().map(|note| note.count).sum();
        let others = report.notes().len() - kept.len();
        assert_eq!(count, 11 + others as u64, "{from}: {report}");
        assert!(kept.contains(&"boxed[0]") && kept.contains(&"cells[0]"), "{from}: {report}");
        assert!(report.unknown_types().all(|(_, id)| id == "Brew"));
        for to in formats() {
            if !goes_into(from, to) {
                continue;
            }
            let context = format!("{from} to {to}");
            let bytes =
                to.to_vec_with(&loaded, &plain).unwrap_or_else(|e| panic!("{context}: {e}"));
            let mut again: Places =
                to.from_slice_with(&bytes, &plain).unwrap_or_else(|e| panic!("{context}: {e}"));
            check(&again, |_| 0, &context);
            let saved = to.to_vec_with(&mut Erased(&mut again), &plain).unwrap();
            assert_eq!(text(&saved), text(&bytes), "{context}");
            let mut back = Places::default();
            to.load_into_with(&mut Erased(&mut back), &saved, &modded)
                .unwrap_or_else(|e| panic!("{context}: {e}"));
            check(&back, |power| power, &context);
            assert_eq!(json::to_string_with(&back, &modded).unwrap(), wanted, "{context}");
        }
    }
}

/// Within a format the game writes exactly the file of the mod's program, if the format does not
/// need the types for it.
#[test]
fn text_is_written_back_as_it_was() {
    let bytes = json::to_vec_with(&places(), &modded()).unwrap();
    let loaded: Places = json::from_slice_with(&bytes, &plain()).unwrap();
    assert_eq!(text(&json::to_vec_with(&loaded, &plain()).unwrap()), text(&bytes));
}
