//! Values that use the saves of their own folder while they are loaded.

use std::cell::RefCell;

use archive::save::testing::PowerCuts;
use archive::save::{SaveFile, Saves};
use archive::{Archive, Format, Result, Serialize};

use crate::proof::power_cuts;
use crate::slow_values::ends;

type Hook = Box<dyn Fn()>;

thread_local! {
    /// The action of a [`Hooked`] when this thread loads it.
    static HOOK: RefCell<Option<Hook>> = const { RefCell::new(None) };
}

/// A number that runs an action when it is loaded.
#[derive(Clone, Debug, Default, PartialEq)]
struct Hooked(i32);

impl Serialize for Hooked {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if ar.is_loading()
            && let Some(hook) = HOOK.take()
        {
            hook();
        }
        ar.serialize("number", &mut self.0)
    }
}
archive::save_by_clone!(Hooked);
archive::blank!(Hooked);

fn on_load(hook: impl Fn() + 'static) {
    HOOK.set(Some(Box::new(hook)));
}

fn saves(system: &PowerCuts) -> Saves {
    Saves::over(system.clone(), "saves").unwrap()
}

/// The slot `a` with a backup, whose newest save is damaged.
fn damaged(system: &PowerCuts) -> Saves {
    let saves = saves(system);
    for number in [1, 2] {
        saves.slot("a").unwrap().save(&Hooked(number), Format::Json).unwrap();
    }
    damage(system);
    saves
}

fn damage(system: &PowerCuts) {
    let mut bytes = system.get("saves/a.sav").unwrap();
    bytes.pop();
    system.put("saves/a.sav", bytes);
}

#[test]
fn a_value_saves_and_loads_while_a_load_falls_back() {
    ends(|| {
        let system = power_cuts();
        let saves = damaged(&system);
        let inner = self::saves(&system);
        on_load(move || {
            inner.slot("b").unwrap().save(&3, Format::Json).unwrap();
            let nested = inner.slot("a").unwrap().load::<Hooked>().unwrap();
            assert_eq!((nested.value, nested.fell_back), (Hooked(1), Some(1)));
        });
        let loaded = saves.slot("a").unwrap().load::<Hooked>().unwrap();
        assert_eq!((loaded.value, loaded.fell_back), (Hooked(1), Some(1)));
        assert_eq!(saves.slot("b").unwrap().load::<i32>().unwrap().value, 3);
    });
}

/// The thread that saves needs the folder.
#[test]
fn a_value_waits_for_a_save_in_the_background_while_a_load_falls_back() {
    ends(|| {
        let system = power_cuts();
        let saves = damaged(&system);
        let inner = self::saves(&system);
        on_load(move || {
            let slot = inner.slot("b").unwrap();
            slot.save_in_background(&3, Format::Json).unwrap().wait().unwrap();
        });
        assert_eq!(saves.slot("a").unwrap().load::<Hooked>().unwrap().fell_back, Some(1));
    });
}

#[test]
fn a_value_saves_while_the_newest_save_is_loaded() {
    ends(|| {
        let system = power_cuts();
        let saves = saves(&system);
        saves.slot("b").unwrap().save(&Hooked(1), Format::Json).unwrap();
        saves.slot("a").unwrap().save(&Hooked(2), Format::Json).unwrap();
        damage(&system);
        let inner = self::saves(&system);
        on_load(move || _ = inner.slot("c").unwrap().save(&3, Format::Json).unwrap());
        let loaded = saves.load_newest::<Hooked>().unwrap().unwrap();
        assert_eq!((loaded.value, loaded.damaged.len()), (Hooked(1), 1));
        assert!(loaded.damaged[0].aside.is_some());
    });
}

/// The damaged file is replaced by a good save at the same time.
#[test]
fn a_good_save_is_not_quarantined() {
    ends(|| {
        let system = power_cuts();
        let saves = damaged(&system);
        let inner = self::saves(&system);
        on_load(move || {
            inner.slot("a").unwrap().save(&Hooked(3), Format::Json).unwrap();
        });
        let loaded = saves.slot("a").unwrap().load::<Hooked>().unwrap();
        assert_eq!((loaded.value, loaded.damaged[0].aside.is_some()), (Hooked(1), false));
        let loaded = saves.slot("a").unwrap().load::<Hooked>().unwrap();
        assert_eq!((loaded.value, loaded.fell_back), (Hooked(3), None));
    });
}

/// Plain text is known to be damaged before it is loaded.
#[test]
fn plain_text_falls_back_and_saves() {
    ends(|| {
        let system = power_cuts();
        let file = SaveFile::over(system.clone(), "settings.json");
        for number in [1, 2] {
            file.save(&Hooked(number), Format::Json).unwrap();
        }
        system.put("settings.json", "");
        let inner = SaveFile::over(system.clone(), "other.json");
        on_load(move || _ = inner.save(&3, Format::Json).unwrap());
        let loaded = file.load::<Hooked>().unwrap();
        assert_eq!((loaded.value, loaded.fell_back), (Hooked(1), Some(1)));
        assert!(loaded.damaged[0].aside.is_some());
    });
}
