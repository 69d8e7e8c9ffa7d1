//! What the pictures show.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive::Serialize;
use archive_egui::{History, inspector};
use egui::accesskit::Role;
use egui::{CentralPanel, ColorImage, Event, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::paint::Painter;
use super::{SCALE, draw};

#[derive(Clone, Default, Serialize)]
struct Unit {
    name: String,
    #[archive(label = "Hit points", range = 0..=100)]
    hp: u8,
    #[archive(group = "Motion", range = 0.0..=30.0, step = 0.5, unit = "m/s")]
    speed: f32,
    #[archive(group = "Motion", unit = "m")]
    position: [f32; 2],
    #[archive(group = "Look", color)]
    tint: [f32; 3],
    #[archive(group = "Look")]
    visible: bool,
    order: Order,
    #[archive(multiline)]
    notes: String,
    shield: Option<u16>,
    #[archive(read_only)]
    id: u64,
}

#[derive(Clone, Default, Serialize)]
enum Order {
    #[default]
    Idle,
    Attack {
        target: u32,
        until_dead: bool,
    },
}

/// A unit with a widget of each kind.
pub fn unit() -> ColorImage {
    let unit = Unit {
        name: "Ann".into(),
        hp: 70,
        speed: 12.5,
        position: [3.0, -4.5],
        tint: [0.9, 0.35, 0.1],
        visible: true,
        order: Order::Attack { target: 2, until_dead: true },
        notes: "Guards the bridge.\nLeaves it at night.".into(),
        shield: Some(12),
        id: 77,
    };
    let (mut shown, painter) = show(unit, 480.0, 460.0);
    press(&mut shown, "Open order");
    press(&mut shown, "Open position");
    draw(&shown, &painter)
}

#[derive(Default, Serialize)]
struct World {
    title: String,
    units: Vec<Rc<RefCell<Guard>>>,
    selected: Weak<RefCell<Guard>>,
    prices: BTreeMap<String, u32>,
}

#[derive(Default, Serialize)]
struct Guard {
    name: String,
    target: Weak<RefCell<Guard>>,
}

/// Lists, maps and shared objects.
pub fn lists() -> ColorImage {
    let guard =
        |name: &str| Rc::new(RefCell::new(Guard { name: name.into(), target: Weak::new() }));
    let units: Vec<_> = ["Ann", "Bo", "Cem"].map(guard).into();
    units[1].borrow_mut().target = Rc::downgrade(&units[0]);
    let world = World {
        title: "The bridge".into(),
        selected: Rc::downgrade(&units[0]),
        units,
        prices: [("bread".to_owned(), 3), ("sword".to_owned(), 120)].into(),
    };
    let (mut shown, painter) = show(world, 480.0, 310.0);
    for part in ["units", "units[1]", "prices"] {
        press(&mut shown, &format!("Open {part}"));
    }
    press(&mut shown, "Links of units[0]");
    draw(&shown, &painter)
}

/// A search, and a change that the type refuses.
pub fn refused() -> ColorImage {
    #[derive(Clone, Default, Serialize)]
    struct Army {
        units: Vec<Soldier>,
    }
    #[derive(Clone, Default, Serialize)]
    #[archive(after_load = Soldier::has_rank)]
    struct Soldier {
        name: String,
        rank: String,
    }
    impl Soldier {
        fn has_rank(&mut self) -> archive::Result {
            match self.rank.as_str() {
                "captain" | "private" => Ok(()),
                other => Err(archive::Error::custom(format!("\"{other}\" is not a rank"))),
            }
        }
    }
    let soldier = |name: &str, rank: &str| Soldier { name: name.into(), rank: rank.into() };
    let units =
        vec![soldier("Ann", "captain"), soldier("Bo", "private"), soldier("Cem", "captain")];
    let (mut shown, painter) = show(Army { units }, 480.0, 110.0);
    type_into(&mut shown, "Search", "captain");
    type_into(&mut shown, "units[2].rank", "s");
    draw(&shown, &painter)
}

/// Shows a value in a window of that size in points.
fn show<T: Serialize + archive::Polymorphic + 'static>(
    value: T,
    width: f32,
    height: f32,
) -> (Harness<'static, (T, History)>, Painter) {
    let painter = Painter::default();
    let builder = Harness::builder().with_size([width, height]).with_pixels_per_point(SCALE);
    let mut shown = builder.renderer(painter.clone()).build_ui_state(
        |ui, (value, history): &mut (T, History)| {
            CentralPanel::default().show(ui, |ui| inspector(ui, value, history));
        },
        (value, History::new()),
    );
    shown.run();
    (shown, painter)
}

fn press<S>(shown: &mut Harness<'_, S>, name: &str) {
    shown.get_by_role_and_label(Role::Button, name).click();
    shown.run();
}

/// Types a text at the end of a field.
fn type_into<S>(shown: &mut Harness<'_, S>, name: &str, text: &str) {
    shown.get_by_role_and_label(Role::TextInput, name).click();
    shown.run();
    shown.key_press_modifiers(Modifiers::NONE, egui::Key::End);
    shown.event(Event::Text(text.to_owned()));
    shown.run();
}
