//! Measures frames of inspectors of lists and maps of several lengths: `cargo run --release --example frames`.
//!
//! Prints the median of 100 frames in microseconds, at the top and scrolled to the end.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use archive::{Polymorphic, Serialize};
use archive_egui::{History, inspector};
use egui::{Event, Modifiers, MouseWheelUnit, Pos2, RawInput, Rect, TouchPhase, vec2};

#[derive(Clone, Default, Serialize)]
struct Unit {
    name: String,
    hp: u16,
    position: [f32; 2],
}

#[derive(Serialize)]
struct World {
    title: String,
    units: Vec<Unit>,
}

fn main() {
    println!("{:>10} {:>12} {:>8} {:>8}", "items", "in", "top", "end");
    for count in [100, 1_000, 10_000, 100_000] {
        let unit = Unit { name: "Ann".into(), ..Unit::default() };
        let units = vec![unit.clone(); count];
        let keys = || 0..count;
        measure(count, "list", &mut units.clone());
        measure(count, "BTreeMap", &mut keys().map(|at| (at, 7)).collect::<BTreeMap<_, _>>());
        measure(count, "HashMap", &mut keys().map(|at| (at, 7)).collect::<HashMap<_, _>>());
        measure(count, "object", &mut World { title: String::new(), units });
    }
}

/// Prints how long frames take.
fn measure(count: usize, name: &str, value: &mut dyn Polymorphic) {
    let (context, mut history) = (egui::Context::default(), History::new());
    let mut frame = |events: Vec<Event>| {
        let screen = Rect::from_min_size(Pos2::ZERO, vec2(600.0, 800.0));
        let input = RawInput { events, screen_rect: Some(screen), ..RawInput::default() };
        let begin = Instant::now();
        // The textures are those of no window.
        context.run_ui(input, |ui| _ = inspector(ui, value, &mut history)).textures_delta.clear();
        begin.elapsed().as_micros()
    };
    let mut median = |events: Vec<Event>| {
        frame(events);
        let mut times: Vec<_> = (0..101).map(|_| frame(Vec::new())).collect();
        times.sort_unstable();
        times[times.len() / 2]
    };
    let top = median(Vec::new());
    let wheel = Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, -1e9),
        phase: TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    };
    let end = median(vec![Event::PointerMoved(Pos2::new(300.0, 400.0)), wheel]);
    println!("{count:>10} {name:>12} {top:>8} {end:>8}");
}
