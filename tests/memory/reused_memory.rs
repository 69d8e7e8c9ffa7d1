//! Loading over an existing value reuses its memory.

use allocation_counter::measure;
use archive::{Serialize, binary};

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
struct Snapshot {
    tick: u64,
    units: Vec<Unit>,
    log: Vec<(u32, String)>,
}

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
struct Unit {
    name: String,
    at: [f32; 3],
    order: Order,
    target: Option<u32>,
    cargo: Option<Box<Cargo>>,
    path: Vec<(i16, i16)>,
}

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
struct Cargo {
    what: String,
    amounts: Vec<u64>,
}

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
enum Order {
    #[default]
    Wait,
    Say(String),
    Patrol {
        between: Vec<String>,
    },
}

fn snapshot(units: u32, tick: u64) -> Snapshot {
    let unit = |n: u32| Unit {
        name: format!("unit {:05}", u64::from(n) + tick),
        at: [n as f32, tick as f32, 0.0],
        order: match n % 3 {
            0 => Order::Wait,
            1 => Order::Say(format!("{:05}", tick)),
            _ => Order::Patrol { between: vec!["here".into(), "there".into()] },
        },
        target: n.is_multiple_of(2).then_some(n),
        cargo: n
            .is_multiple_of(4)
            .then(|| Cargo { what: "wood".into(), amounts: vec![1, tick] }.into()),
        path: vec![(n as i16, -1); 3],
    };
    Snapshot {
        tick,
        units: (0..units).map(unit).collect(),
        log: (0..units).map(|n| (n, "gone".to_owned())).collect(),
    }
}

/// The number of allocations while one snapshot is loaded over another one.
fn allocations(units: u32) -> u64 {
    let bytes = binary::to_vec(&snapshot(units, 2)).unwrap();
    let mut into = snapshot(units, 1);
    let measured = measure(|| binary::load_into(&mut into, &bytes).unwrap());
    assert_eq!(into, snapshot(units, 2));
    measured.count_total
}

/// The rest are the tables of the file and of the type: the same for any number of units.
#[test]
fn a_snapshot_of_the_same_shape_allocates_nothing_for_its_content() {
    let (few, many) = (allocations(12), allocations(12_000));
    assert_eq!(few, many);
    assert!(few < 200, "{few}");
}

/// A buffer that is large enough is kept.
#[test]
fn saving_into_a_buffer_does_not_grow_it() {
    let (small, large) = (snapshot(12, 1), snapshot(1_200, 1));
    let mut buffer = binary::to_vec(&large).unwrap();
    buffer.reserve(buffer.len());
    let into = |buffer: &mut Vec<u8>, value: &Snapshot| {
        measure(|| binary::save_into(buffer, value, &archive::Options::new()).unwrap()).bytes_total
    };
    let (few, many) = (into(&mut buffer, &small), into(&mut buffer, &large));
    assert_eq!(few, many);
    assert_eq!(binary::from_slice::<Snapshot>(&buffer).unwrap(), large);
}
