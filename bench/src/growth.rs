//! Growth: whether a world a thousand times as large takes a thousand times as long. Clone and drop
//! is the yardstick: it also slows down when the memory no longer fits in the caches.

mod army;

use std::hint::black_box;
use std::rc::Rc;
use std::time::Duration;

use archive::{Options, Registry, binary};

use crate::entry::{Entry, Operation};
use crate::measure::{Plan, measure};
use crate::peer::Group;
use crate::targets::Target;
use crate::{report, rows};
use army::Army;

/// How much the ratio may grow.
const LIMIT: f64 = 1.15;

/// The numbers of units, each ten times the one before.
const UNITS: [u32; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Clone and drop, save, load: in seconds.
type Figures = [f64; 3];

/// Measures, and gives the section of the page.
pub fn section(quick: bool) -> String {
    let sizes = if quick { &UNITS[..3] } else { &UNITS };
    let plan = Plan { rounds: if quick { 3 } else { 12 }, turn: Duration::from_millis(5) };
    let figures: Vec<Figures> = sizes.iter().map(|&units| figures(units, plan)).collect();

    let mut text = "Units with shared squads, weak leaders and polymorphic orders, in the binary format. A clone is a deep \
                    copy by hand, shared objects included.\n\n"
        .to_owned();
    text += &report::head(0, &rows::GROWTH);
    for (&units, figures) in sizes.iter().zip(&figures) {
        let cells = [
            report::thousands(units as usize),
            format!("{:.3}", figures[0] * 1e3),
            format!("{:.2}", figures[1] / figures[0]),
            format!("{:.2}", figures[2] / figures[0]),
        ];
        text += &(report::line(cells) + "\n");
    }
    let targets = [("save", 1), ("load", 2)].map(|(what, index)| target(&figures, what, index));
    text + "\n" + &report::targets("growth", &targets)
}

/// The ratio at the largest size, divided by that at the smallest.
fn target(figures: &[Figures], what: &str, index: usize) -> Target {
    let ratio = |figures: &Figures| figures[index] / figures[0];
    let (first, rest) = figures.split_first().expect("there are several sizes");
    let most = rest.iter().map(ratio).fold(ratio(first), f64::max);
    let growth = most / ratio(first);
    Target {
        what: format!("{what} / (clone + drop)"),
        asked: format!("≤ {LIMIT} × that of the smallest"),
        found: format!("{growth:.2} ×"),
        excess: growth / LIMIT,
    }
}

fn figures(units: u32, plan: Plan) -> Figures {
    let mut registry = Registry::new();
    army::register(&mut registry).expect("ids are unique");
    let registry: &'static Registry = Box::leak(Box::new(registry));
    let options = Options::new().registry(registry);

    let army = Rc::new(Army::new(units));
    let bytes = binary::to_vec_with(&*army, &options).expect("it can be saved");
    let loaded: Army = binary::from_slice_with(&bytes, &options).expect("it was saved just now");
    assert!(loaded.is_like(&army) && army.deep_copy().is_like(&army));

    let (saved, copied, save_options) = (Rc::clone(&army), army, options.clone());
    let mut buffer = Vec::with_capacity(2 * bytes.len());
    let mut entries = [
        Entry::new("clone + drop", Group::Floor)
            .with(Operation::Load, move || drop(black_box(black_box(&copied).deep_copy()))),
        Entry::new("archive binary", Group::Ours)
            .with(Operation::Save, move || {
                buffer.clear();
                binary::to_writer_with(&mut buffer, black_box(&*saved), &save_options)
                    .expect("it can be saved");
                black_box(&buffer);
            })
            .with(Operation::Load, move || {
                let army: Army = binary::from_slice_with(black_box(&bytes), &options)
                    .expect("it was saved just now");
                drop(black_box(army));
            }),
    ];
    let times = measure(&mut entries, plan);
    let time = |entry: usize, operation: Operation| {
        times[entry][operation as usize].expect("it was measured")
    };
    [time(0, Operation::Load), time(1, Operation::Save), time(1, Operation::Load)]
}
