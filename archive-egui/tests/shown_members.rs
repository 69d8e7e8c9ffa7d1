//! What types and members say about themselves: names, groups, units, tooltips, and what is shown at all.

use std::marker::PhantomData;

use archive::Serialize;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::driven::{press, says, show, type_over, undo, widget};

#[derive(Default, Serialize)]
struct Gun {
    /// Whether it can fire.
    loaded: bool,
    #[archive(label = "Ammunition", show_if = Gun::is_loaded)]
    rounds: u32,
    #[archive(hidden)]
    seed: u64,
    #[archive(read_only)]
    id: u32,
    #[archive(group = "Place", unit = "m")]
    x: f32,
    #[archive(group = "Look")]
    worn: bool,
    #[archive(group = "Place", unit = "m")]
    y: f32,
    mode: Mode,
    #[archive(get = Gun::power, set = Gun::set_power, label = "Power", unit = "J")]
    power: PhantomData<f32>,
    #[archive(get = Gun::is_loaded, show_if = Gun::is_loaded)]
    ready: PhantomData<bool>,
    #[archive(flatten)]
    rest: Rest,
}

#[derive(Default, Serialize)]
struct Rest {
    price: u16,
    #[archive(show_if = Rest::is_dear)]
    thanks: String,
}

impl Rest {
    fn is_dear(&self) -> bool {
        self.price > 99
    }
}

#[derive(Default, Serialize)]
enum Mode {
    #[default]
    Safe,
    Burst {
        long: bool,
        #[archive(show_if = Mode::is_long)]
        pause: u8,
    },
}

impl Mode {
    fn is_long(&self) -> bool {
        matches!(self, Mode::Burst { long: true, .. })
    }
}

impl Gun {
    fn is_loaded(&self) -> bool {
        self.loaded
    }
    fn power(&self) -> f32 {
        self.rounds as f32 * 2.0
    }
    fn set_power(&mut self, power: f32) {
        self.rounds = (power / 2.0) as u32;
    }
}

#[test]
fn a_member_is_shown_if_its_function_says_so() {
    let mut shown = show(Gun::default());
    assert!(!says(&shown, "Ammunition") && !says(&shown, "ready"));
    widget(&shown, Role::CheckBox, "loaded").click();
    shown.run();
    assert!(says(&shown, "Ammunition") && says(&shown, "ready"));
    type_over(&mut shown, Role::SpinButton, "Ammunition", "30");
    assert_eq!(shown.state().value.rounds, 30);
    undo(&mut shown);
    undo(&mut shown);
    assert!(!says(&shown, "Ammunition"));
}

#[test]
fn members_of_variants_and_flattened_members_are_shown_if_their_functions_say_so() {
    let gun = Gun { mode: Mode::Burst { long: false, pause: 3 }, ..Gun::default() };
    let mut shown = show(vec![gun]);
    press(&mut shown, "Open [0]");
    press(&mut shown, "Open [0].mode");
    assert!(says(&shown, "long"));
    assert!(!says(&shown, "pause"));
    shown.state_mut().value[0].mode = Mode::Burst { long: true, pause: 3 };
    shown.run();
    assert!(says(&shown, "pause") && !says(&shown, "thanks"));
    shown.state_mut().value[0].rest.price = 100;
    shown.run();
    assert!(says(&shown, "thanks"));
}

#[test]
fn hidden_members_are_left_out_and_read_only_ones_cannot_be_changed() {
    let mut shown = show(Gun { id: 7, ..Gun::default() });
    assert!(!says(&shown, "seed"));
    let number = widget(&shown, Role::SpinButton, "id");
    assert!(number.accesskit_node().is_disabled());
    number.click();
    shown.run();
    shown.event(egui::Event::Text("9".into()));
    shown.run();
    assert_eq!(shown.state().value.id, 7);
}

#[test]
fn groups_are_together_and_close() {
    let mut shown = show(Gun::default());
    let top = |label| shown.get_all_by_label(label).next().unwrap().rect().top();
    assert!(top("Close Place") < top("x") && top("x") < top("y") && top("y") < top("Close Look"));
    assert!(top("Close Look") < top("worn"));
    press(&mut shown, "Close Place");
    assert!(shown.query_by_role_and_label(Role::SpinButton, "x").is_none());
    assert!(shown.query_by_role_and_label(Role::CheckBox, "worn").is_some());
    press(&mut shown, "Open Place");
    assert!(shown.query_by_role_and_label(Role::SpinButton, "x").is_some());
}

#[test]
fn labels_units_and_doc_comments_are_shown() {
    let mut shown = show(Gun::default());
    assert!(says(&shown, "Power"));
    assert_eq!(shown.get_all_by_label("m").count(), 2);
    assert!(!says(&shown, "Whether it can fire."));
    shown.get_by_role_and_label(Role::Label, "loaded").hover();
    shown.run_steps(60);
    assert!(says(&shown, "Whether it can fire."));
    assert!(says(&shown, "loaded: bool"));
}

#[test]
fn properties_are_changed_by_their_functions() {
    let mut shown = show(Gun::default());
    type_over(&mut shown, Role::SpinButton, "Power", "8");
    assert_eq!(shown.state().value.rounds, 4);
    undo(&mut shown);
    assert_eq!(shown.state().value.rounds, 0);
}

#[test]
fn enums_of_all_forms() {
    #[derive(Default, Debug, PartialEq, Serialize)]
    enum Order {
        #[default]
        Wait,
        Go(u32),
        Pair(u8, bool),
        To(Point),
        Say(Vec<String>),
        Then(Box<Order>),
    }
    #[derive(Default, Debug, PartialEq, Serialize)]
    struct Point {
        x: i8,
    }
    #[derive(Default, Debug, PartialEq, Serialize)]
    #[archive(tag = "kind")]
    enum Tagged {
        #[default]
        Off,
        On {
            level: u8,
        },
    }
    let choose = |shown: &mut super::driven::Shown<(Order, Tagged)>, from: &str, to: &str| {
        shown.get_by_label(from).click();
        shown.run();
        shown.get_by_label(to).click();
        shown.run();
    };
    let mut shown = show((Order::Wait, Tagged::Off));
    choose(&mut shown, "0 is Wait", "Go");
    press(&mut shown, "Open [0]");
    type_over(&mut shown, Role::SpinButton, "Go", "5");
    assert_eq!(shown.state().value.0, Order::Go(5));
    choose(&mut shown, "0 is Go", "Pair");
    widget(&shown, Role::CheckBox, "1").click();
    shown.run();
    assert_eq!(shown.state().value.0, Order::Pair(0, true));
    choose(&mut shown, "0 is Pair", "To");
    type_over(&mut shown, Role::SpinButton, "x", "-1");
    assert_eq!(shown.state().value.0, Order::To(Point { x: -1 }));
    choose(&mut shown, "0 is To", "Say");
    press(&mut shown, "Add to [0].Say");
    assert_eq!(shown.state().value.0, Order::Say(vec![String::new()]));
    choose(&mut shown, "0 is Say", "Then");
    assert_eq!(shown.state().value.0, Order::Then(Box::new(Order::Wait)));
    choose(&mut shown, "Then is Wait", "Go");
    assert_eq!(shown.state().value.0, Order::Then(Box::new(Order::Go(0))));
    press(&mut shown, "Close [0]");
    choose(&mut shown, "1 is Off", "On");
    press(&mut shown, "Open [1]");
    type_over(&mut shown, Role::SpinButton, "level", "3");
    assert_eq!(shown.state().value.1, Tagged::On { level: 3 });
    while shown.state().history.undo_len() > 0 {
        undo(&mut shown);
    }
    assert_eq!(shown.state().value, (Order::Wait, Tagged::Off));
}
