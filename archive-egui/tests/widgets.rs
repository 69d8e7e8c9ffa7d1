//! Every widget changes its value, and the change is one step of the history.

use archive::Serialize;
use egui::accesskit::Role;
use egui::{Key, vec2};
use egui_kittest::kittest::Queryable as _;

use super::driven::{click, drag, says, show, type_over, undo, widget};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct All {
    on: bool,
    #[archive(range = 0.0..=10.0, step = 0.5)]
    slider: f32,
    #[archive(range = 0..=8)]
    notch: u8,
    free: i32,
    fine: f64,
    name: String,
    #[archive(multiline)]
    notes: String,
    letter: char,
    large: u64,
    size: Size,
    maybe: Option<u16>,
    perhaps: Option<Size>,
    #[archive(color)]
    tint: String,
    bytes: Raw,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Raw {
    #[archive(bytes)]
    bytes: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
enum Size {
    /// Not large.
    #[default]
    Small,
    Large,
    Other {
        meters: u32,
    },
}

fn all() -> All {
    All { tint: "#804020".into(), large: u64::MAX, letter: 'a', ..All::default() }
}

#[test]
fn a_check_box() {
    let mut shown = show(all());
    widget(&shown, Role::CheckBox, "on").click();
    shown.run();
    assert!(shown.state().value.on);
    assert_eq!(shown.state().changes, 1);
    undo(&mut shown);
    assert_eq!(shown.state().value, all());
}

#[test]
fn a_slider_has_steps_and_one_step_of_the_history_for_each_drag() {
    let mut shown = show(all());
    let rect = widget(&shown, Role::Slider, "slider").rect();
    let (left, right) = (rect.left_center() + vec2(10.0, 0.0), rect.center());
    drag(&mut shown, &[left, left + vec2(10.0, 0.0), right - vec2(5.0, 0.0), right]);
    let first = shown.state().value.slider;
    assert!(first > 0.0 && first <= 10.0 && first % 0.5 == 0.0, "{first}");
    assert!(shown.state().changes > 1);
    assert_eq!(shown.state().history.undo_len(), 1);
    drag(&mut shown, &[right, left]);
    assert_eq!(shown.state().history.undo_len(), 2);
    undo(&mut shown);
    assert_eq!(shown.state().value.slider, first);
    undo(&mut shown);
    assert_eq!(shown.state().value, all());
}

#[test]
fn a_slider_of_integers() {
    let mut shown = show(all());
    let rect = widget(&shown, Role::Slider, "notch").rect();
    drag(&mut shown, &[rect.left_center() + vec2(5.0, 0.0), rect.center()]);
    assert!((1..=8).contains(&shown.state().value.notch));
    undo(&mut shown);
    assert_eq!(shown.state().value, all());
}

#[test]
fn a_number_is_dragged_and_typed() {
    let mut shown = show(all());
    let at = widget(&shown, Role::SpinButton, "free").rect().center();
    drag(&mut shown, &[at, at + vec2(30.0, 0.0), at + vec2(80.0, 0.0)]);
    assert!(shown.state().value.free > 0);
    assert_eq!(shown.state().history.undo_len(), 1);
    undo(&mut shown);
    assert_eq!(shown.state().value, all());

    type_over(&mut shown, Role::SpinButton, "free", "-321");
    shown.key_press(Key::Enter);
    shown.run();
    assert_eq!(shown.state().value.free, -321);
    assert_eq!(shown.state().history.undo_len(), 1);
    undo(&mut shown);
    assert_eq!(shown.state().value, all());
}

#[test]
fn a_float_is_typed_and_larger_numbers_than_the_type_has_are_limited() {
    let mut shown = show(all());
    type_over(&mut shown, Role::SpinButton, "fine", "0.125");
    type_over(&mut shown, Role::SpinButton, "free", "99999999999");
    assert_eq!((shown.state().value.fine, shown.state().value.free), (0.125, i32::MAX));
    assert_eq!(shown.state().history.undo_len(), 2);
}

#[test]
fn an_integer_that_no_float_has_is_exact() {
    let mut shown = show(all());
    assert_eq!(shown.state().changes, 0);
    type_over(&mut shown, Role::SpinButton, "large", "9007199254740993");
    assert_eq!(shown.state().value.large, 9_007_199_254_740_993);
    type_over(&mut shown, Role::SpinButton, "large", "99999999999999999999");
    assert_eq!(shown.state().value.large, u64::MAX);
    let at = widget(&shown, Role::SpinButton, "large").rect().center();
    drag(&mut shown, &[at, at - vec2(30.0, 0.0), at + vec2(80.0, 0.0)]);
    assert!(!says(&shown, "does not fit"));
}

#[test]
fn a_text_is_one_step_as_long_as_it_has_the_focus() {
    let mut shown = show(all());
    type_over(&mut shown, Role::TextInput, "name", "Ann");
    assert_eq!(shown.state().value.name, "Ann");
    assert_eq!(shown.state().history.undo_len(), 1);
    type_over(&mut shown, Role::TextInput, "name", "Bo");
    assert_eq!(shown.state().history.undo_len(), 2);
    undo(&mut shown);
    assert_eq!(shown.state().value.name, "Ann");
}

#[test]
fn a_text_of_several_lines() {
    let mut shown = show(all());
    widget(&shown, Role::MultilineTextInput, "notes").click();
    shown.run();
    for text in ["one", "two"] {
        shown.event(egui::Event::Text(text.into()));
        shown.key_press(Key::Enter);
        shown.run();
    }
    assert_eq!(shown.state().value.notes, "one\ntwo\n");
    undo(&mut shown);
    assert_eq!(shown.state().value, all());
}

#[test]
fn a_character_is_one_letter() {
    let mut shown = show(all());
    type_over(&mut shown, Role::TextInput, "letter", "ß");
    assert_eq!(shown.state().value.letter, 'ß');
    shown.event(egui::Event::Text("x".into()));
    shown.run();
    assert_eq!(shown.state().value.letter, 'ß');
    assert_eq!(widget(&shown, Role::TextInput, "letter").value().unwrap(), "ßx");
}

#[test]
fn a_combo_box_of_variants() {
    let mut shown = show(all());
    click(&mut shown, "size is Small");
    click(&mut shown, "Large");
    assert_eq!(shown.state().value.size, Size::Large);
    undo(&mut shown);
    assert_eq!(shown.state().value, all());

    click(&mut shown, "size is Small");
    click(&mut shown, "Other");
    assert_eq!(shown.state().value.size, Size::Other { meters: 0 });
    click(&mut shown, "Open size");
    type_over(&mut shown, Role::SpinButton, "meters", "7");
    assert_eq!(shown.state().value.size, Size::Other { meters: 7 });
}

#[test]
fn an_option_has_a_check_box_and_the_widget_of_its_value() {
    let mut shown = show(all());
    click(&mut shown, "maybe has a value");
    assert_eq!(shown.state().value.maybe, Some(0));
    type_over(&mut shown, Role::SpinButton, "maybe", "12");
    assert_eq!(shown.state().value.maybe, Some(12));
    click(&mut shown, "maybe has a value");
    assert_eq!(shown.state().value.maybe, None);
    undo(&mut shown);
    assert_eq!(shown.state().value.maybe, Some(12));

    click(&mut shown, "perhaps has a value");
    assert_eq!(shown.state().value.perhaps, Some(Size::Small));
    click(&mut shown, "perhaps is Small");
    click(&mut shown, "Large");
    assert_eq!(shown.state().value.perhaps, Some(Size::Large));
}

#[test]
fn a_color() {
    let mut shown = show(all());
    widget(&shown, Role::ColorWell, "tint").scroll_to_me();
    shown.run();
    widget(&shown, Role::ColorWell, "tint").click();
    shown.run();
    // Among the numbers in the window that opened.
    let steps = shown.state().history.undo_len();
    let numbers: Vec<_> = shown.get_all_by_role(Role::SpinButton).map(|it| it.rect()).collect();
    let red = numbers[numbers.len() - 3].center();
    drag(&mut shown, &[red, red + vec2(20.0, 0.0), red + vec2(60.0, 0.0)]);
    let tint = shown.state().value.tint.clone();
    assert!(tint != "#804020" && tint.len() == 7 && tint.starts_with('#'), "{tint}");
    assert_eq!(shown.state().history.undo_len(), steps + 1);
    undo(&mut shown);
    assert_eq!(shown.state().value, all());
}

#[test]
fn other_values_are_described() {
    let shown = show(Raw { bytes: vec![1, 2, 3] });
    assert!(says(&shown, "3 bytes"));
}
