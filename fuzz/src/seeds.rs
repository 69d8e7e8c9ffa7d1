//! Values that the corpora start from.

use archive::format::Backend;
use archive::format::Writer;
use archive::{Format, Options, Save, Value};

use crate::graph::{NodePlan, Plan, Plate, Stance, ThingPlan, options};
use crate::model::{Fewer, Gone, Old, OldGraph, OldLists, OldMaps, OldNumbers, OldPlain, Rich};
use crate::plain::{
    Base, Double, Kind, Lists, Manual, Maps, Numbers, Open, Plain, Shape, Single, State, Tree,
    Wrapper,
};

/// A value with something in every member.
pub fn rich() -> Rich {
    Rich { plain: plain(), graph: plan().build() }
}

/// A plain value with something in every member.
pub fn plain() -> Plain {
    let states = vec![
        State::Idle,
        State::Attacking { target: 7, since: Double(1.5) },
        State::Carrying("wood".into()),
        State::Trading(1, vec![-2, 300]),
        State::Maybe(Some(3)),
        State::Nothing(()),
        State::Inside(Box::new(State::Maybe(None))),
    ];
    let leaf = |label| Tree { label, ..Tree::default() };
    Plain {
        numbers: Numbers {
            unsigned: (255, 65535, 70000, u64::MAX, u128::MAX),
            signed: (-128, -32768, -70000, i64::MIN, i128::MIN),
            floats: (Single(0.1), Double(-1e300)),
            pointer_sized: (9, -9),
            yes_or_no: true,
            letter: '🦀',
        },
        base: Base { id: 77, position: [Single(0.5), Single(f32::NAN), Single(-0.0)] },
        label: "a \"quoted\" naïve\0text".into(),
        lives: 3,
        option: Some(12),
        nested: Some(None),
        deepest: Some(Some(Some(()))),
        state: State::Attacking { target: 1, since: Double(f64::INFINITY) },
        history: states.clone(),
        lists: Lists {
            bytes: vec![0, 127, 255],
            floats: vec![Single(1e-45), Single(2.25)],
            wide: vec![1 << 63, 1 << 64],
            units: vec![(); 3],
            bools: vec![true, false],
            texts: ["x".to_owned(), String::new()].into(),
            pairs: vec![(-1, Some('a')), (1, None)],
            matrix: [[1, -2], [3, 4]],
            none: [],
            set: [-5, 5].into(),
            hash_set: [(1, "one".into()), (2, "two".into())].into(),
            ragged: vec![vec![vec![1], vec![]], vec![]],
        },
        maps: Maps {
            by_name: [("a".into(), states), ("$b".into(), vec![])].into(),
            by_number: [(-5, Wrapper(Some(1))), (3, Wrapper(None))].into(),
            by_truth: [(true, 't'), (false, 'f')].into(),
            by_pair: [((1, None), ()), ((1, Some(-1)), ())].into(),
            by_kind: [(Kind::SecondKind, Double(f64::NAN)), (Kind::ThirdKind, Double(5e-324))]
                .into(),
            path: "saves/été".into(),
            time: std::time::Duration::new(3, 500),
        },
        shape: Shape(-1, "s".into(), Some(true)),
        manual: Manual { looped: true, points: vec![[1, 2], [-3, 4]], pause: Single(0.5) },
        tree: Some(Box::new(Tree {
            label: 1,
            left: Some(Box::new(leaf(2))),
            right: vec![leaf(3), leaf(4)],
        })),
        open: Open(Value::Object(vec![
            ("any".into(), vec![Value::from(1), Value::from(2.5), Value::Null].into()),
            ("text".into(), "t".into()),
        ])),
        ..Plain::default()
    }
}

/// A graph with an edge of every kind.
pub fn plan() -> Plan {
    Plan {
        nodes: vec![
            NodePlan {
                strong: vec![1, 0],
                weak: vec![2],
                thing: Some(2),
                leaf: Some(1),
                pair: Some((0, 0)),
            },
            NodePlan { strong: vec![2], weak: vec![0, 1], ..NodePlan::default() },
            NodePlan { strong: vec![0], leaf: Some(0), ..NodePlan::default() },
        ],
        things: vec![
            ThingPlan::Plate(Plate { x: -1, y: Some(2) }),
            ThingPlan::Stance(Stance::Guard { radius: 300 }),
            ThingPlan::Holder { node: 1, inner: Some(Stance::Follow(-1)), before: Some(0) },
        ],
        leaves: vec![(0, false), (1, true)],
        shown: vec![0, 1],
        plates: vec![Plate { x: 5, y: None }, Plate { x: 6, y: Some(6) }],
        stance: Stance::Guard { radius: 1 },
        text: "shared".into(),
        lock: Some(vec![1, 2]),
        counter: 9,
        shared_counter: true,
    }
}

/// A chain so long that objects are deferred.
pub fn chain() -> Plan {
    let node = |next| NodePlan { strong: vec![next], ..NodePlan::default() };
    Plan { nodes: (1..=36).map(node).collect(), shown: vec![0], ..Plan::default() }
}

fn old() -> Old {
    let graph = std::mem::ManuallyDrop::new(plan().build());
    Old {
        gone: Gone {
            number: 0.5,
            list: vec![Some((1, "x".into())), None],
            states: vec![State::Trading(1, vec![2])],
            first: graph.nodes.first().cloned(),
        },
        graph: OldGraph { things: graph.things.clone(), nodes: graph.nodes.clone() },
        plain: OldPlain {
            history: vec![State::Carrying("c".into())],
            txt: "t".into(),
            id: 5,
            position: vec![0.5, 1.0, 1e300],
            option: 4,
            lives: 2.0,
            state: Fewer::Attacking { target: 3 },
            numbers: OldNumbers {
                letter: "x".into(),
                signed: [-1, 2, 3, 4, 5],
                unsigned: vec![1, 2, 3, 4, 5],
                pointer_sized: (1, -2.0),
            },
            lists: OldLists { wide: vec![1], matrix: vec![(1, 2), (3, 4)], ..OldLists::default() },
            maps: OldMaps {
                by_kind: vec![(Kind::FirstKind, 0.25)],
                by_number: vec![(1, Some(Some(1))), (2, Some(None)), (3, None)],
            },
        },
    }
}

/// The seeds of one format: a name and the bytes of each.
pub fn seeds<F: Backend>() -> Vec<(&'static str, Vec<u8>)> {
    let mut seeds = Vec::new();
    let mut add = |name, bytes: archive::Result<Vec<u8>>| seeds.push((name, bytes.unwrap()));
    let options = &options();
    add("rich", save::<F>(&rich(), options));
    add("rich-default", save::<F>(&Rich::default(), options));
    add("plain", save::<F>(&plain(), options));
    add("graph", save::<F>(&plan().build(), options));
    add("chain", save::<F>(&chain().build(), options));
    let old = old();
    add("old", save::<F>(&old, options));
    add(
        "fleeing",
        save::<F>(&OldPlain { state: Fewer::Fleeing { speed: 1 }, ..OldPlain::default() }, options),
    );
    let mut partial = plain();
    partial.numbers.floats.0 = Single(f32::NEG_INFINITY);
    partial.manual.looped = false;
    add("plain-other", save::<F>(&partial, options));
    add("value", save::<F>(&plain().open.0, options));
    for part in [0, 1] {
        let value = if part == 0 {
            Value::of_with(&rich(), options)
        } else {
            Value::of_with(&old, options)
        };
        add(["value-rich", "value-old"][part], save::<F>(&value.unwrap(), options));
    }
    add("lists", save::<F>(&plain().lists, options));
    add("maps", save::<F>(&plain().maps, options));
    add("numbers", save::<F>(&plain().numbers, options));
    add("states", save::<F>(&plain().history, options));
    add("tree", save::<F>(&plain().tree, options));
    add("scalar", save::<F>(&-70000_i32, options));
    add("text", save::<F>(&"text".to_owned(), options));
    let mut writer = Writer::<F>::with(options);
    let graph = plan().build();
    writer.save("value", &plain().open.0).unwrap();
    writer.save("graph", &graph).unwrap();
    writer.save("nodes", &graph.nodes).unwrap();
    writer.save("plain", &plain()).unwrap();
    add("roots", writer.finish().map(|output| output.as_ref().to_vec()));
    let mut writer = Writer::<F>::with(options);
    writer.save("nodes", &graph.nodes).unwrap();
    writer.save("other", &graph.things).unwrap();
    add("roots-few", writer.finish().map(|output| output.as_ref().to_vec()));
    if F::NAME == Format::Json.name() {
        add("pretty", save::<F>(&plan().build(), &options.clone().pretty(true)));
    }
    seeds
}

fn save<F: Backend>(value: &impl Save, options: &Options<'_>) -> archive::Result<Vec<u8>> {
    F::to_vec_with(value, options)
}
