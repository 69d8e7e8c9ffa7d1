//! The length of a report depends on the number of different changes: equal notes are joined, and
//! all are counted.

use std::collections::{BTreeMap, BTreeSet};

use archive::report::NoteKind;
use archive::{Format, Options, Result, Serialize};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;

use crate::common::forgiving;

#[derive(Serialize)]
struct OldTile {
    kind: u8,
}

#[derive(Default, Debug, PartialEq, Serialize)]
struct Tile {
    kind: u8,
    height: u8,
    fog: bool,
    road: bool,
}

#[derive(Default, Debug, PartialEq, Serialize)]
struct Map<T> {
    tiles: Vec<T>,
}

/// The length of a report depends on the changes, not on the file.
#[test]
fn objects_that_lack_the_same_member_make_one_note() {
    let old = Map { tiles: (0..20_000).map(|n| OldTile { kind: (n % 3) as u8 }).collect() };
    for format in forgiving() {
        let bytes = format.to_vec(&old).unwrap();
        let (map, report) = format.from_slice_report::<Map<Tile>>(&bytes, &Options::new()).unwrap();
        assert_eq!(map, format.from_slice(&bytes).unwrap(), "{format}");
        let report = report.to_string();
        // Bins files also report another type.
        let report = report.trim_end_matches("the file has the layout of another type\n");
        assert_eq!(
            report,
            "Tile.height: absent in 20,000 objects, first at tiles[0]\n\
             Tile.fog: absent in 20,000 objects, first at tiles[0]\n\
             Tile.road: absent in 20,000 objects, first at tiles[0]\n",
            "{format}"
        );
    }
}

#[test]
fn notes_inside_of_lists_and_maps_are_joined() {
    #[derive(Serialize)]
    struct OldCurve {
        points: Vec<(f64, f64)>,
        by_name: BTreeMap<String, f64>,
        nested: Vec<Vec<f64>>,
        own: f64,
    }

    #[derive(Default, Debug, PartialEq, Serialize)]
    struct Curve {
        points: Vec<(f32, f32)>,
        by_name: BTreeMap<String, f32>,
        nested: Vec<Vec<f32>>,
        own: f32,
    }

    let numbers = || (0..10_000).map(|n| f64::from(n) + 0.1);
    let curve = || OldCurve {
        points: numbers().map(|n| (n, n)).collect(),
        by_name: numbers().map(|n| (format!("n{n}"), n)).collect(),
        nested: numbers().map(|n| vec![n; 3]).collect(),
        own: 0.1,
    };
    for format in forgiving().into_iter().filter(|format| format.name() != "json") {
        let bytes = format.to_vec(&vec![curve(), curve()]).unwrap();
        let (_, report) = format.from_slice_report::<Vec<Curve>>(&bytes, &Options::new()).unwrap();
        let notes = report.notes().iter().filter(|note| note.kind != NoteKind::OtherLayout);
        let notes: Vec<String> = notes.map(ToString::to_string).collect();
        let key = notes.get(1).map_or("", |note| note.rsplit(' ').next().unwrap());
        assert_eq!(
            notes,
            [
                "Curve.points: converted from f64 to f32, 40,000 times, first at [0].points[0][0]",
                &format!("Curve.by_name: converted from f64 to f32, 20,000 times, first at {key}"),
                "Curve.nested: converted from f64 to f32, 60,000 times, first at [0].nested[0][0]",
                "Curve.own: converted from f64 to f32, 2 times, first at [0].own",
            ],
            "{format}"
        );
        assert_eq!(report.omitted(), 0, "{format}");
    }
}

/// Notes that do not fit in a report are counted, and the load continues.
#[test]
fn a_report_without_room_counts_the_rest() {
    let names = |n: u32| (0..n).map(|n| format!("\"{n:x}\":0")).collect::<Vec<_>>().join(",");
    for count in [10, 1000, 100_000] {
        let file = format!("[{{{}}},{{\"kind\":3,\"0\":1}}]", names(count));
        let (tiles, report) =
            archive::json::from_slice_report::<Vec<Tile>>(file.as_bytes(), &Options::new())
                .unwrap();
        assert_eq!(tiles[1].kind, 3);
        let noted: u64 = report.notes().iter().map(|note| note.count).sum();
        let absent = 4 + 3;
        assert_eq!(noted + report.omitted(), u64::from(count) + 1 + absent, "{count}");
        assert_eq!(report.omitted() > 0, count > 10, "{report}");
        if report.omitted() > 0 {
            let end = report.to_string();
            let end = end.trim_end().rsplit('\n').next().unwrap();
            assert!(end.starts_with("and ") && end.ends_with(" more notes"), "{end}");
        }
    }
}

/// Weak pointers come before their objects, and are noted until these are found.
#[test]
fn of_many_weak_pointers_only_those_to_nothing_are_noted() {
    use std::cell::RefCell;
    use std::rc::{Rc, Weak};

    #[derive(Default, Serialize)]
    struct Node {
        target: Weak<RefCell<Node>>,
    }
    #[derive(Default, Serialize)]
    struct World {
        early: Vec<Node>,
        nodes: Vec<Rc<RefCell<Node>>>,
    }

    let nodes: Vec<Rc<RefCell<Node>>> = (0..20_000).map(|_| Rc::default()).collect();
    let lost: Vec<Rc<RefCell<Node>>> = (0..3).map(|_| Rc::default()).collect();
    let target = |node: &Rc<_>| Node { target: Rc::downgrade(node) };
    let early = lost.iter().chain(&nodes).map(target).collect();
    let world = World { early, nodes };
    for format in forgiving() {
        let bytes = format.to_vec(&world).unwrap();
        let (_, report) = format.from_slice_report::<World>(&bytes, &Options::new()).unwrap();
        let noted: u64 = report.notes().iter().map(|note| note.count).sum();
        assert_eq!(noted + report.omitted(), 3, "{format}: {report}");
        if report.omitted() == 0 {
            let message = "Node.target: points to nothing, 3 times, first at early[0].target\n";
            assert_eq!(report.to_string(), message, "{format}");
        }
    }
}

/// Paths that grow by a name as long as the file do not make a report exceed its limit.
#[test]
fn long_names_around_many_notes() {
    let many: Vec<String> = (0..5_000).map(|n| format!("\"{n:x}\":0")).collect();
    let name = "n".repeat(20_000);
    let many = many.join(",");
    // Notes about the last members were the first of their kind, and were removed.
    let file = format!("{{\"{name}\":{{{many}}},\"o\":{{{many}}},\"p\":{{\"3e7\":0,\"7cf\":0}}}}");
    let load = || {
        let load = archive::json::from_slice_report::<BTreeMap<String, Tile>>;
        let (_, report) = load(file.as_bytes(), &Options::new()).unwrap();
        let noted: u64 = report.notes().iter().map(|note| note.count).sum();
        assert_eq!(noted + report.omitted(), 2 * (5_000 + 4) + 2 + 4);
        assert!(
            report.omitted() > 0 && report.notes().iter().all(|note| note.path.starts_with("nnn"))
        );
    };
    let peak = allocation_counter::measure(load).bytes_max;
    assert!(peak < (64 << 10) + 256 * file.len() as u64, "{peak} bytes");
}

/// Notes about a refused object are still about its class.
#[test]
fn notes_of_refused_objects_keep_their_class() {
    #[derive(Default, Serialize)]
    #[archive(after_load = Self::refuse)]
    struct Soldier {
        hp: u8,
    }
    impl Soldier {
        fn refuse(&mut self) -> Result {
            Err(archive::Error::custom("no"))
        }
    }
    #[derive(Default, Serialize)]
    struct Army {
        hp: u8,
        soldiers: Vec<Soldier>,
    }
    let options = Options::new().keep_going(true);
    for format in [Format::Json, Format::MessagePack] {
        let file: archive::Value = archive::json::from_str(r#"{"soldiers":[{},{},{}]}"#).unwrap();
        let file = format.to_vec(&file).unwrap();
        let (army, report) = format.from_slice_report::<Army>(&file, &options).unwrap();
        let errors: Vec<_> = report.counted_errors().map(|(_, count)| count).collect();
        assert!(army.soldiers.is_empty() && errors == [3], "{report}");
        let classes: Vec<_> =
            report.notes().iter().map(|note| (note.class(), note.count)).collect();
        assert_eq!(classes, [(Some("Army"), 1), (Some("Soldier"), 3)], "{format}: {report}");
    }
}

/// Dangling pointers in different roots are different notes.
#[test]
fn weak_pointers_in_roots_are_distinguished() {
    use std::rc::Weak;
    let lost = std::rc::Rc::new(std::cell::RefCell::new(1_u8));
    let weak = [(); 2].map(|()| std::rc::Rc::downgrade(&lost)).to_vec();
    for format in forgiving().into_iter().filter(|format| format.name() != "bins") {
        let mut writer = format.writer();
        writer.save("a", &weak).unwrap();
        writer.save("b", &weak).unwrap();
        let file = writer.finish().unwrap();
        let report = std::cell::Cell::default();
        let mut reader = format.reader_with(&file, &Options::new().report(&report)).unwrap();
        let _: Vec<Weak<std::cell::RefCell<u8>>> = reader.load("a").unwrap();
        let _: Vec<Weak<std::cell::RefCell<u8>>> = reader.load("b").unwrap();
        reader.finish().unwrap();
        let report = report.take();
        let notes: Vec<_> = report.notes().iter().map(|note| (&*note.path, note.count)).collect();
        assert_eq!(notes, [("a[0]", 2), ("b[0]", 2)], "{format}");
    }
}

#[derive(Debug, Default, PartialEq, Serialize)]
struct Branch {
    a: f32,
    b: u8,
    kids: Vec<Branch>,
    #[archive(as_object)]
    named: BTreeMap<String, Branch>,
    choice: Option<Leaf>,
}

#[derive(Debug, Default, PartialEq, Serialize)]
enum Leaf {
    #[default]
    Nothing,
    Small(f32),
    Large {
        size: f32,
        sizes: Vec<f32>,
    },
}

/// JSON of an object that lacks members, has unknown ones, and numbers that are not exact as `f32`.
fn branch() -> impl Strategy<Value = String> {
    let name = || prop_oneof![4 => "[a-c]{1,2}", 1 => "[a-z]{300}"];
    let number = || prop_oneof![Just("1"), Just("16777217"), Just("0.30000000000000004")];
    let choice = (number(), vec(number(), 0..4)).prop_map(|(size, sizes)| {
        let sizes = sizes.join(",");
        [
            format!("{{\"Small\":{size}}}"),
            format!("{{\"Large\":{{\"sizes\":[{sizes}]}}}}"),
            "\"Large\"".to_owned(),
        ]
    });
    let member = prop_oneof![
        number().prop_map(|a| format!("\"a\":{a}")),
        (choice, 0..3_usize).prop_map(|(choices, which)| format!("\"choice\":{}", choices[which])),
    ];
    let unknown = |names: BTreeSet<String>| {
        names.into_iter().map(|name| format!("\"x{name}\":{{}}")).collect::<Vec<_>>()
    };
    let object = move |parts: Vec<String>| format!("{{{}}}", parts.join(","));
    let leaf = (proptest::option::of(member.clone()), btree_set(name(), 0..3));
    let leaf = leaf.prop_map(move |(member, names)| {
        object(member.into_iter().chain(unknown(names)).collect())
    });
    leaf.prop_recursive(5, 60, 6, move |inner| {
        let kids = vec(inner.clone(), 0..5);
        let named = btree_map(name(), inner, 0..5);
        let parts = (proptest::option::of(member.clone()), btree_set(name(), 0..5), kids, named);
        parts.prop_map(move |(member, names, kids, named)| {
            let named: Vec<_> =
                named.iter().map(|(name, kid)| format!("\"{name}\":{kid}")).collect();
            let lists = [
                format!("\"kids\":[{}]", kids.join(",")),
                format!("\"named\":{{{}}}", named.join(",")),
            ];
            object(member.into_iter().chain(unknown(names)).chain(lists).collect())
        })
    })
}

proptest! {
    #![proptest_config(crate::common::search::config(1000))]

    /// Notes that do not fit are counted, with any limit, and the value is the same.
    #[test]
    fn reports_count_all_notes_in_any_room(text in branch()) {
        let value: Branch = archive::json::from_str(&text).unwrap();
        let mut counts = None;
        for room in [usize::MAX, 256, 8, 1, 0] {
            let options = Options::new().max_expansion(room);
            let loaded = Format::Json.from_slice_report::<Branch>(text.as_bytes(), &options);
            let (loaded, report) = loaded.unwrap();
            prop_assert_eq!(&loaded, &value, "{}", text);
            let noted: u64 = report.notes().iter().map(|note| note.count).sum();
            let all = noted + report.omitted();
            prop_assert_eq!(*counts.get_or_insert(all), all, "{} in {}: {}", text, room, report);
            // One note for a kind, a member of a class, and a variant.
            let about = |note: &archive::report::Note| {
                let variant = note.path.rsplit('.').next().map(str::to_owned);
                format!("{:?}", (&note.kind, note.class(), note.member(), variant))
            };
            let members: BTreeSet<_> = report.notes().iter().map(about).collect();
            prop_assert_eq!(members.len(), report.notes().len(), "{}: {}", text, report);
        }
    }
}
