//! What the tests have in common.

use archive::Polymorphic;
use archive_egui::{History, inspector};
use egui::accesskit::Role;
use egui::{Event, Modifiers, PointerButton, Pos2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, Node};

/// A value in an inspector.
pub struct State<T> {
    pub value: T,
    pub history: History,
    /// The number of frames in which the value changed.
    pub changes: usize,
}

pub type Shown<T> = Harness<'static, State<T>>;

/// Shows a value.
pub fn show<T: Polymorphic>(value: T) -> Shown<T> {
    show_with(value, |ui, state| inspector(ui, &mut state.value, &mut state.history))
}

/// Shows a value with an inspector of the caller's.
pub fn show_with<T: Polymorphic>(
    value: T,
    inspect: impl Fn(&mut egui::Ui, &mut State<T>) -> egui::Response + 'static,
) -> Shown<T> {
    let state = State { value, history: History::new(), changes: 0 };
    let mut harness =
        Harness::builder().with_size([500.0, 400.0]).with_max_steps(40).build_ui_state(
            move |ui, state: &mut State<T>| {
                if inspect(ui, state).changed() {
                    state.changes += 1;
                }
            },
            state,
        );
    // Some of the signs of egui are not in its own fonts.
    harness.ctx.set_missing_glyph_policy(egui::epaint::text::MissingGlyphPolicy::Tofu);
    harness.run();
    harness
}

/// Makes the window tall, so that more lines are drawn.
pub fn tall<T>(mut shown: Shown<T>) -> Shown<T> {
    shown.set_size(egui::vec2(500.0, 1200.0));
    shown.run();
    shown
}

/// Clicks what has that name.
pub fn click<T>(shown: &mut Shown<T>, name: &str) {
    shown.get_by_label(name).click();
    shown.run();
}

/// Clicks the button with that name.
pub fn press<T>(shown: &mut Shown<T>, name: &str) {
    shown.get_by_role_and_label(Role::Button, name).click();
    shown.run();
}

/// Returns the widget of that kind and name.
pub fn widget<'h, T>(shown: &'h Shown<T>, role: Role, name: &'h str) -> Node<'h> {
    shown.get_by_role_and_label(role, name)
}

/// Types a text into a field, in place of all that is there.
pub fn type_over<T>(shown: &mut Shown<T>, role: Role, name: &str, text: &str) {
    shown.get_by_role_and_label(role, name).click();
    shown.run();
    shown.key_press_modifiers(Modifiers::COMMAND, egui::Key::A);
    shown.run();
    for letter in text.chars() {
        shown.event(Event::Text(letter.to_string()));
        shown.step();
    }
    shown.run();
}

/// Drags from one place over others, with a frame at each.
pub fn drag<T>(shown: &mut Shown<T>, places: &[Pos2]) {
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    shown.event(Event::PointerMoved(places[0]));
    shown.event(button(places[0], true));
    shown.step();
    for place in &places[1..] {
        shown.event(Event::PointerMoved(*place));
        shown.step();
    }
    shown.event(button(places[places.len() - 1], false));
    shown.run();
}

/// Presses the undo button, and checks that it undoes one step.
pub fn undo<T>(shown: &mut Shown<T>) {
    let steps = shown.state().history.undo_len();
    assert!(steps > 0, "there is nothing to undo");
    press(shown, "Undo");
    assert_eq!(shown.state().history.undo_len(), steps - 1);
}

/// Returns whether a text is shown.
pub fn says<T>(shown: &Shown<T>, text: &str) -> bool {
    shown.query_all_by_label_contains(text).next().is_some()
}
