//! The minimum of memory that values own, compared with an allocator that counts.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use archive::reflect::heap_size;
use archive::{Options, Serialize};
use archive_test_support::everything::sample;
use archive_test_support::search;
use proptest::prelude::*;

trait Order: archive::Polymorphic {}
archive::polymorphic!(dyn Order);

#[derive(Default, Serialize)]
struct MoveTo {
    way: Vec<[i32; 2]>,
}
impl Order for MoveTo {}

#[derive(Serialize)]
enum Note {
    None,
    Text(String),
    Pair(String, Box<u64>),
    Named { text: String },
}

#[derive(Serialize)]
struct Unit {
    name: String,
    title: Cow<'static, str>,
    hp: Option<Box<u32>>,
    way: VecDeque<(u8, Option<String>)>,
    items: BTreeMap<String, Vec<u16>>,
    more: HashMap<u8, Box<[u64; 2]>>,
    order: Option<Box<dyn Order>>,
    leader: Option<Rc<RefCell<Note>>>,
    same: Option<Rc<RefCell<Note>>>,
    text: Rc<str>,
    note: Note,
}

/// A unit whose every part has this size.
fn unit(len: usize) -> Unit {
    let text = || "x".repeat(len);
    let note = Rc::new(RefCell::new(Note::Text(text())));
    Unit {
        name: text(),
        title: Cow::Borrowed("borrowed, and so on no heap"),
        hp: (len > 1).then(|| Box::new(7)),
        way: (0..len).map(|index| (1, (index % 2 == 0).then(text))).collect(),
        items: (0..len).map(|key| (key.to_string(), vec![1; len])).collect(),
        more: (0..len).map(|key| (key as u8, Box::new([0; 2]))).collect(),
        order: (len > 0).then(|| Box::new(MoveTo { way: vec![[0; 2]; len] }) as Box<dyn Order>),
        leader: Some(note.clone()),
        same: Some(note),
        text: text().into(),
        note: match len % 4 {
            0 => Note::None,
            1 => Note::Text(text()),
            2 => Note::Pair(text(), Box::new(1)),
            _ => Note::Named { text: text() },
        },
    }
}

proptest! {
    #![proptest_config(search::config(200))]

    #[test]
    fn the_size_is_at_most_the_allocation(lens in prop::collection::vec(0..20_usize, 0..6)) {
        let mut units = Vec::new();
        let allocated = allocation_counter::measure(|| {
            units = lens.iter().map(|len| unit(*len)).collect::<Vec<_>>();
        });
        let mut registry = archive::Registry::new();
        archive::register!(registry, dyn Order { MoveTo })?;
        let size = heap_size(&units, &Options::new().registry(&registry))?;
        let allocated = allocated.bytes_current;
        prop_assert!(size.bytes() as i64 <= allocated, "{size}, allocated: {allocated}");
        // The difference consists of texts in `Rc`, capacities, and the tables and nodes of maps.
        prop_assert!(size.bytes() as i64 * 3 >= allocated, "{size}, allocated: {allocated}");
    }
}

#[test]
fn each_member_has_its_bytes() -> archive::Result {
    let mut registry = archive::Registry::new();
    archive::register!(registry, dyn Order { MoveTo })?;
    let size = heap_size(&unit(3), &Options::new().registry(&registry))?;
    let bytes = |member: &str| {
        let row = size.by_member().iter().find(|row| row.0 == member);
        row.map_or(0, |row| row.1)
    };
    assert_eq!(bytes("Unit.name"), 3);
    assert_eq!(bytes("Unit.title"), 0);
    assert_eq!(bytes("Unit.hp"), 4);
    assert_eq!(bytes("Unit.way"), 3 * size_of::<(u8, Option<String>)>() + 2 * 3);
    let entry = size_of::<String>() + size_of::<Vec<u16>>();
    assert_eq!(bytes("Unit.items"), 3 * (entry + 1 + 3 * 2));
    assert_eq!(bytes("Unit.more"), 3 * (1 + size_of::<usize>() + 16));
    assert_eq!(bytes("Unit.order"), size_of::<MoveTo>());
    assert_eq!(bytes("MoveTo.way"), 3 * 8);
    assert_eq!(bytes("Unit.leader"), 2 * size_of::<usize>() + size_of::<Note>() + 3);
    assert_eq!(bytes("Unit.same"), 0);
    assert_eq!(bytes("Unit.text"), 0);
    assert_eq!(bytes("Named.text"), 3);
    let all: usize = size.by_member().iter().map(|row| row.1).sum();
    assert_eq!(size.bytes(), all);
    Ok(())
}

#[test]
fn values_of_every_type_have_a_size() -> archive::Result {
    assert!(heap_size(&sample(), &Options::new())?.bytes() > 500);
    Ok(())
}
