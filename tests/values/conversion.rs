//! From one format to another without the program: typed → A → `Value` → B → typed, for every pair.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex, RwLock};

use crate::common::{forgiving, of_library, text};
use archive::{Element, Options, Registry, Save, Serialize, Value, json, polymorphic, register};

trait Thing: archive::Polymorphic {
    fn label(&self) -> u32;
    fn peer(&self) -> Option<Rc<RefCell<dyn Thing>>> {
        None
    }
}
polymorphic!(dyn Thing);

#[derive(Clone, Default, Serialize)]
struct Stone(u32);

impl Thing for Stone {
    fn label(&self) -> u32 {
        self.0
    }
}

#[derive(Default, Serialize)]
struct Pair {
    label: u32,
    peer: Option<Rc<RefCell<dyn Thing>>>,
    back: Option<Weak<RefCell<dyn Thing>>>,
}

impl Thing for Pair {
    fn label(&self) -> u32 {
        self.label
    }
    fn peer(&self) -> Option<Rc<RefCell<dyn Thing>>> {
        self.peer.clone()
    }
}

#[derive(Default, Serialize)]
struct Node {
    label: u32,
    next: Option<Rc<RefCell<Node>>>,
    back: Weak<RefCell<Node>>,
}

type Shared = Rc<RefCell<Node>>;

fn node(label: u32) -> Shared {
    Rc::new(RefCell::new(Node { label, ..Node::default() }))
}

fn with_things<R>(run: impl FnOnce(&Options<'_>) -> R) -> R {
    let mut registry = Registry::new();
    register!(registry, dyn Thing { Stone, Pair as "pair of things" }).unwrap();
    run(&Options::new().registry(&registry))
}

/// Converts a value between all pairs of formats, and passes the results to `check`.
fn convert<T: Element + Save>(value: &T, check: impl Fn(T)) {
    with_things(|options| {
        let original = json::to_string_with(value, options).unwrap();
        let tree = Value::of_with(value, options).unwrap();
        assert_eq!(json::to_string(&tree).unwrap(), original);
        for from in forgiving() {
            let bytes = from.to_vec_with(value, options).unwrap();
            // Without registry: a tree needs no types.
            let tree: Value = from.from_slice(&bytes).unwrap_or_else(|e| panic!("{from}: {e}"));
            // The text of a tree is the text of the value, unless the format has maps of its own:
            // then one with names for keys is an object, and the value is the same.
            let written = if from.name() == "msgpack" {
                json::to_string_with(&tree.to_with::<T>(options).unwrap(), options).unwrap()
            } else {
                json::to_string(&tree).unwrap()
            };
            assert_eq!(written, original, "{from}");
            for to in forgiving() {
                let context = format!("{from} to {to}");
                let bytes = to.to_vec(&tree).unwrap_or_else(|e| panic!("{context}: {e}"));
                let same: Value = to.from_slice(&bytes).unwrap();
                assert_eq!(text(&to.to_vec(&same).unwrap()), text(&bytes), "{context}");
                let mut loaded: T = to
                    .from_slice_with(&bytes, options)
                    .unwrap_or_else(|e| panic!("{context}: {e}\n{}", text(&bytes)));
                let again = json::to_string_with(&mut loaded, options).unwrap();
                assert_eq!(again, original, "{context}");
                check(loaded);
            }
        }
    });
}

#[test]
fn shared_objects() {
    let (a, b) = (node(1), node(2));
    a.borrow_mut().next = Some(b.clone());
    b.borrow_mut().back = Rc::downgrade(&a);
    convert(&vec![b.clone(), a.clone(), b], |nodes: Vec<Shared>| {
        assert!(Rc::ptr_eq(&nodes[0], &nodes[2]));
        assert!(Rc::ptr_eq(&nodes[0], nodes[1].borrow().next.as_ref().unwrap()));
        assert!(Rc::ptr_eq(&nodes[1], &nodes[0].borrow().back.upgrade().unwrap()));
    });
    type Kinds =
        (Rc<Cell<u8>>, Rc<Cell<u8>>, Arc<Mutex<String>>, Arc<Mutex<String>>, Arc<RwLock<Stone>>);
    let (cell, mutex) = (Rc::new(Cell::new(3)), Arc::new(Mutex::new("x".to_owned())));
    let lock = Arc::new(RwLock::new(Stone(1)));
    convert(&(cell.clone(), cell, mutex.clone(), mutex, lock), |kinds: Kinds| {
        assert!(Rc::ptr_eq(&kinds.0, &kinds.1) && kinds.0.get() == 3);
        assert!(Arc::ptr_eq(&kinds.2, &kinds.3) && *kinds.2.lock().unwrap() == "x");
        assert_eq!(kinds.4.read().unwrap().0, 1);
    });
}

#[test]
fn cycles() {
    let nodes: Vec<_> = (0..4).map(node).collect();
    for at in 0..4 {
        nodes[at].borrow_mut().next = Some(nodes[(at + 1) % 4].clone());
        nodes[at].borrow_mut().back = Rc::downgrade(&nodes[(at + 3) % 4]);
    }
    let own = node(9);
    own.borrow_mut().next = Some(own.clone());
    let roots = vec![nodes[2].clone(), own.clone()];
    convert(&roots, |roots: Vec<Shared>| {
        let mut at = roots[0].clone();
        for label in [2, 3, 0, 1] {
            assert_eq!(at.borrow().label, label);
            let next = at.borrow().next.clone().unwrap();
            assert!(Rc::ptr_eq(&next.borrow().back.upgrade().unwrap(), &at));
            at = next;
        }
        assert!(Rc::ptr_eq(&at, &roots[0]));
        assert!(Rc::ptr_eq(roots[1].borrow().next.as_ref().unwrap(), &roots[1]));
        roots.iter().for_each(|node| node.borrow_mut().next = None);
    });
    roots.iter().for_each(|node| node.borrow_mut().next = None);
}

#[test]
fn weak_pointers_to_later_objects_and_dangling_ones() {
    let a = node(1);
    type Weaks = (Vec<Weak<RefCell<Node>>>, Shared, Weak<Stone>);
    let weak = vec![Rc::downgrade(&a), Weak::new()];
    convert(&(weak, a, Weak::new()), |(weak, a, nothing): Weaks| {
        assert!(Rc::ptr_eq(&weak[0].upgrade().unwrap(), &a));
        assert!(weak[1].upgrade().is_none() && nothing.upgrade().is_none());
    });
}

#[test]
fn trait_objects() {
    type Things = (Vec<Box<dyn Thing>>, Vec<Rc<RefCell<dyn Thing>>>, Vec<Rc<dyn Thing>>);
    let first: Rc<RefCell<dyn Thing>> = Rc::new(RefCell::new(Stone(1)));
    let second: Rc<RefCell<dyn Thing>> = Rc::new(RefCell::new(Pair {
        label: 2,
        peer: Some(first.clone()),
        back: Some(Rc::downgrade(&first)),
    }));
    let bare: Rc<dyn Thing> = Rc::new(Stone(3));
    let pair = Pair { label: 4, peer: Some(second.clone()), back: None };
    let things: Things = (
        vec![Box::new(Stone(5)), Box::new(pair)],
        vec![second.clone(), first, second],
        vec![bare.clone(), bare],
    );
    convert(&things, |(boxed, cells, bare): Things| {
        let labels: Vec<u32> = boxed.iter().map(|thing| thing.label()).collect();
        assert_eq!(labels, [5, 4]);
        assert!(Rc::ptr_eq(&boxed[1].peer().unwrap(), &cells[0]));
        assert!(Rc::ptr_eq(&cells[0], &cells[2]));
        assert!(Rc::ptr_eq(&cells[0].borrow().peer().unwrap(), &cells[1]));
        assert!(Rc::ptr_eq(&bare[0], &bare[1]) && bare[0].label() == 3);
    });
}

#[test]
fn bare_pointers() {
    #[derive(Default, Serialize)]
    struct Leaf {
        name: String,
        inner: Option<Rc<Leaf>>,
        back: Weak<Leaf>,
    }
    let inner = Rc::new(Leaf { name: "inner".into(), ..Leaf::default() });
    let leaf = Rc::new_cyclic(|back| Leaf {
        name: "outer".into(),
        inner: Some(inner.clone()),
        back: back.clone(),
    });
    convert(&(vec![leaf.clone(), leaf], inner), |(leaves, inner): (Vec<Rc<Leaf>>, Rc<Leaf>)| {
        assert!(Rc::ptr_eq(&leaves[0], &leaves[1]));
        assert!(Rc::ptr_eq(leaves[0].inner.as_ref().unwrap(), &inner));
        assert!(Rc::ptr_eq(&leaves[0].back.upgrade().unwrap(), &leaves[0]));
    });
    let bytes = Rc::new(vec![1_u8, 2]);
    convert(&(bytes.clone(), bytes), |pair: (Rc<Vec<u8>>, Rc<Vec<u8>>)| {
        assert!(Rc::ptr_eq(&pair.0, &pair.1) && *pair.0 == [1, 2]);
    });
}

#[test]
fn maps_and_enums_with_pointers() {
    #[derive(Default, Serialize)]
    enum Order {
        #[default]
        Idle,
        Follow(Shared),
        Between(Shared, Weak<RefCell<Node>>),
        Guard {
            node: Option<Shared>,
            thing: Box<dyn Thing>,
        },
    }
    #[derive(Default, Serialize)]
    struct World {
        by_name: BTreeMap<String, Shared>,
        by_number: HashMap<u8, Weak<RefCell<Node>>>,
        by_key: BTreeMap<(i8, String), Vec<Option<Shared>>>,
        orders: Vec<Order>,
    }
    let (a, b) = (node(1), node(2));
    a.borrow_mut().next = Some(b.clone());
    let world = World {
        by_name: [("b".into(), b.clone()), ("a".into(), a.clone()), ("$".into(), b.clone())].into(),
        by_number: [(1, Rc::downgrade(&a)), (2, Rc::downgrade(&b)), (3, Weak::new())].into(),
        by_key: [((-1, "k".into()), vec![None, Some(b.clone())])].into(),
        orders: vec![
            Order::Between(b.clone(), Rc::downgrade(&a)),
            Order::Guard { node: Some(a.clone()), thing: Box::new(Stone(6)) },
            Order::Idle,
            Order::Follow(a),
        ],
    };
    convert(&world, |world: World| {
        let (a, b) = (&world.by_name["a"], &world.by_name["b"]);
        let same = Rc::ptr_eq;
        assert!(same(b, &world.by_name["$"]) && same(b, a.borrow().next.as_ref().unwrap()));
        assert!(same(a, &world.by_number[&1].upgrade().unwrap()));
        assert!(same(b, &world.by_number[&2].upgrade().unwrap()));
        assert!(same(b, world.by_key[&(-1, "k".to_owned())][1].as_ref().unwrap()));
        assert!(matches!(&world.orders[0], Order::Between(one, two)
            if same(one, b) && same(&two.upgrade().unwrap(), a)));
        assert!(matches!(&world.orders[1], Order::Guard { node: Some(node), thing }
            if same(node, a) && thing.label() == 6));
        assert!(matches!(&world.orders[3], Order::Follow(node) if same(node, a)));
    });
}

/// Deferred objects, some of them trait objects.
#[test]
fn long_chains() {
    let nodes: Vec<_> = (0..1000).map(node).collect();
    for pair in nodes.windows(2) {
        pair[0].borrow_mut().next = Some(pair[1].clone());
        pair[1].borrow_mut().back = Rc::downgrade(&pair[0]);
    }
    let unlink = |first: &Shared| {
        let mut next = Some(first.clone());
        let mut labels = 0..;
        while let Some(node) = next {
            assert_eq!(Some(node.borrow().label), labels.next());
            next = node.borrow_mut().next.take();
            if let Some(next) = &next {
                assert!(Rc::ptr_eq(&next.borrow().back.upgrade().unwrap(), &node));
            }
        }
        labels.start
    };
    let ends = (nodes[0].clone(), nodes[500].clone(), nodes[999].clone());
    convert(&ends, |ends: (Shared, Shared, Shared)| {
        assert_eq!(ends.1.borrow().label, 500);
        assert_eq!(unlink(&ends.0), 1000);
    });
    unlink(&nodes[0]);

    let mut things: Rc<RefCell<dyn Thing>> = Rc::new(RefCell::new(Stone(0)));
    for label in 1..300 {
        things = Rc::new(RefCell::new(Pair { label, peer: Some(things), back: None }));
    }
    convert(&vec![things.clone(), things], |things: Vec<Rc<RefCell<dyn Thing>>>| {
        assert!(Rc::ptr_eq(&things[0], &things[1]));
        let mut at = things[0].clone();
        for label in (0..300).rev() {
            assert_eq!(at.borrow().label(), label);
            let next = at.borrow().peer();
            at = next.unwrap_or(at);
        }
    });
}

/// An integer as a float is the nearest one in every format, rounded once; and noted if the float, rounded
/// to as many digits, is another number.
mod integers {
    use super::*;
    use archive::Format;
    use archive::value::Number;
    use proptest::prelude::*;

    fn check<I: Element + Save>(format: Format, value: I, spelled: &str) {
        let file = format.to_vec(&value).unwrap();
        let (short, report) = format.from_slice_report::<f32>(&file, &Options::new()).unwrap();
        assert_eq!(short, spelled.parse::<f32>().unwrap(), "{format}: {spelled}");
        let is_noted = !Number::spells(spelled, short.into());
        assert_eq!(report.converted().count(), usize::from(is_noted), "{format}: {spelled}");
        let (long, report) = format.from_slice_report::<f64>(&file, &Options::new()).unwrap();
        assert_eq!(long, spelled.parse::<f64>().unwrap(), "{format}: {spelled}");
        let is_noted = !Number::spells(spelled, long);
        assert_eq!(report.converted().count(), usize::from(is_noted), "{format}: {spelled}");
        // Without a report, and through a tree.
        assert_eq!(format.from_slice::<f32>(&file).unwrap(), short, "{format}: {spelled}");
        assert_eq!(format.from_slice::<f64>(&file).unwrap(), long, "{format}: {spelled}");
        let tree: Value = format.from_slice(&file).unwrap();
        let noted = |tree: &Value| {
            let file = Format::Binary.to_vec(tree).unwrap();
            Format::Binary
                .from_slice_report::<f64>(&file, &Options::new())
                .unwrap()
                .1
                .converted()
                .count()
        };
        assert_eq!(noted(&tree), usize::from(is_noted), "{format}: {spelled}");
        assert_eq!(tree.to::<f32>().unwrap(), short, "{format}: {spelled}");
        assert_eq!(tree.to::<f64>().unwrap(), long, "{format}: {spelled}");
    }

    fn formats() -> Vec<Format> {
        let serde = crate::common::serde_formats::serde_forgiving().into_iter();
        serde.chain(of_library(forgiving())).collect()
    }

    proptest! {
        #![proptest_config(crate::common::search::config(256))]
        #[test]
        fn become_the_nearest_float(bits in any::<u64>(), shift in 0_u32..64, near in -2_i64..=2) {
            let value = (bits >> shift).saturating_add_signed(near);
            for format in formats() {
                check(format, value, &value.to_string());
                check(format, value as i64, &(value as i64).to_string());
            }
        }
    }
}

/// A decimal in text is read at the width of the field, and noted by the same rule.
mod decimals {
    use super::*;
    use archive::ErrorKind;
    use archive::value::Number;
    use proptest::prelude::*;

    /// The decimal as a float: what it loads as, and whether that was noted.
    fn load<F: Element>(text: &str) -> Result<(F, bool), ErrorKind> {
        let loaded = json::from_slice_report::<F>(text.as_bytes(), &Options::new());
        let plain = json::from_str::<F>(text).err().map(|error| error.kind());
        let loaded = loaded.map(|(value, report)| (value, report.converted().count() == 1));
        let loaded = loaded.map_err(|error| error.kind());
        assert_eq!(loaded.as_ref().err(), plain.as_ref(), "{text}");
        loaded
    }

    /// The float is 257749727908951.125, exactly between two decimals of this length.
    #[test]
    fn both_decimals_around_a_float_are_its_own() {
        for (text, noted) in [
            ("257749727908951.12", false),
            ("257749727908951.13", false),
            ("-257749727908951.13", false),
            ("257749727908951.14", true),
            ("257749727908951.11", true),
        ] {
            assert_eq!(load::<f64>(text).unwrap().1, noted, "{text}");
        }
    }

    proptest! {
        #![proptest_config(crate::common::search::config(256))]
        #[test]
        fn become_the_nearest_float(
            minus in any::<bool>(), whole in "0|[1-9][0-9]{0,30}", fraction in "(\\.[0-9]{1,30})?",
            exponent in "([eE][+-]?[0-9]{1,2})?", zeros in 0_usize..30,
        ) {
            let zeros = if whole == "0" { 0 } else { zeros };
            let sign = if minus { "-" } else { "" };
            let text = format!("{sign}{whole}{}{fraction}{exponent}", "0".repeat(zeros));
            let (short, long): (f32, f64) = (text.parse().unwrap(), text.parse().unwrap());
            let expected = (short, !Number::spells(&text, short.into()));
            let expected = if short.is_finite() { Ok(expected) } else { Err(ErrorKind::OutOfRange) };
            prop_assert_eq!(load::<f32>(&text), expected, "{}", text);
            prop_assert_eq!(load::<f64>(&text), Ok((long, !Number::spells(&text, long))), "{}", text);
        }

        /// Decimals that floats write, at either width: never noted if they are read at that width.
        #[test]
        fn that_floats_write_are_not_noted(short in any::<f32>(), long in any::<f64>()) {
            for text in [json::to_string(&short).unwrap(), short.to_string(), format!("{short:e}")] {
                prop_assert_eq!(load::<f32>(&text), Ok((short, false)), "{}", text);
            }
            for text in [json::to_string(&long).unwrap(), long.to_string(), format!("{long:e}")] {
                prop_assert_eq!(load::<f64>(&text), Ok((long, false)), "{}", text);
            }
            // In exact decimals, and in as many digits as C writes; or in fewer, which are another
            // float.
            for (text, exact) in [
                (format!("{long:.800e}"), true),
                (format!("{long:.16e}"), true),
                (format!("{long:.3e}"), false),
            ] {
                let expected: f64 = text.parse().unwrap();
                if expected.is_finite() {
                    prop_assert!(!exact || expected == long, "{}", text);
                    prop_assert_eq!(load::<f64>(&text), Ok((expected, false)), "{}", text);
                }
            }
        }
    }

    #[test]
    fn by_hand() {
        for (text, value, is_noted) in [
            ("81718361", 81_718_360.0, true),
            ("81718361.0", 81_718_360.0, true),
            ("8.1718361e7", 81_718_360.0, true),
            ("81718360", 81_718_360.0, false),
            ("-0.1", -0.1, false),
            ("0.30000000000000004", 0.3, true),
            ("0.100000001490116", 0.1, false),
            ("0.10000000149011612", 0.1, false),
            ("1e-50", 0.0, true),
            ("0e-50", 0.0, false),
            // Rounded twice it is 1: first to halfway between two floats, and then to the even one.
            ("1.00000005960464477540", 1.000_000_1, true),
        ] {
            assert_eq!(load::<f32>(text), Ok((value, is_noted)), "{text}");
        }
        for (text, value, is_noted) in [
            ("9007199254740993", 9_007_199_254_740_992.0, true),
            ("18446744073709552000", 18_446_744_073_709_551_616.0, false),
            ("1e-400", 0.0, true),
            ("0.1000000000000000055511151231257827021181583404541015625", 0.1, false),
            ("0.1000000000000000055511151231257827021181583404541015626", 0.1, true),
        ] {
            assert_eq!(load::<f64>(text), Ok((value, is_noted)), "{text}");
        }
        assert_eq!(load::<u8>("256"), Err(ErrorKind::OutOfRange));
        assert_eq!(load::<i64>("9223372036854775808"), Err(ErrorKind::OutOfRange));
        let large = u128::MAX.to_string();
        assert_eq!(load::<f32>(&large), Err(ErrorKind::OutOfRange));
        let tree: Value = json::from_str(&large).unwrap();
        assert_eq!(tree.to::<f32>().unwrap_err().kind(), ErrorKind::OutOfRange);
        assert_eq!(tree.as_f64(), None);
    }

    /// If another parser passes a decimal on, it is as exact as the `f64` of that parser.
    #[test]
    fn in_serde_formats() {
        use crate::common::serde_formats::{serde_forgiving, toml};
        #[derive(Debug, Default, PartialEq, Serialize)]
        struct Floats {
            short: f32,
            long: f64,
        }
        for format in serde_forgiving().into_iter().chain([toml()]) {
            let (equals, ends) = match format.name() {
                "serde_json" => ("\"short\": S, \"long\": L", ("{", "}")),
                "ron" => ("short: S, long: L", ("(", ")")),
                "toml" => ("short = S\nlong = L", ("", "")),
                _ => continue,
            };
            for (short, long, value, noted) in [
                ("81718361", "9007199254740993", (81_718_360.0, 9_007_199_254_740_992.0), 2),
                ("81718361.0", "0.1", (81_718_360.0, 0.1), 1),
                ("0.1", "16777217", (0.1, 16_777_217.0), 0),
                ("0.30000000000000004", "2.5", (0.3, 2.5), 1),
                ("1e-50", "1e22", (0.0, 1e22), 1),
            ] {
                let text = equals.replace('S', short).replace('L', long);
                let text = format!("{}{text}{}", ends.0, ends.1);
                let loaded = format.from_slice_report::<Floats>(text.as_bytes(), &Options::new());
                let (floats, report) = loaded.unwrap_or_else(|e| panic!("{format}: {text}: {e}"));
                assert_eq!((floats.short, floats.long), value, "{format}: {text}");
                assert_eq!(report.converted().count(), noted, "{format}: {text}");
                let plain: Floats = format.from_slice(text.as_bytes()).unwrap();
                assert_eq!(plain, floats, "{format}: {text}");
            }
        }
    }
}
