//! The types of worlds, for two orders of their members and two kinds of pointers.

/// Writes the types and functions for one kind of pointer and one order of the members.
macro_rules! worlds {
    ($module:ident, $Rc:ident, $Cell:ident, $weak:ident, |$cell:ident| $read:expr, $write:expr,
        [$($member:ident),*], [$($root:ident),*]) => {
        pub mod $module {
            #[allow(unused_imports, reason = "one module uses one kind of pointers")]
            use std::{cell::RefCell, rc, rc::Rc, sync, sync::Arc, sync::Mutex};
            use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet};
            use std::hash::{Hash, Hasher};

            use archive::Serialize;
            use archive_test_support::key;
            use indexmap::IndexSet;

            use super::super::plan::{Plan, Seen};

            type UnitRef = $Rc<$Cell<Unit>>;

            #[derive(Default)]
            pub struct Unit {
                number: usize,
                name: String,
                next: Option<UnitRef>,
                by_name: HashSet<ByName>,
                tree: BTreeSet<ByName>,
                by_address: HashSet<ByAddress>,
                weak: HashSet<WeakKey>,
                scores: HashMap<ByName, u32>,
                tags: BTreeSet<ByName>,
                by_tags: HashSet<ByTags>,
                indexed: IndexSet<ByName>,
                heap: BinaryHeap<ByName>,
                bare: HashMap<$Rc<Badge>, u8>,
            }
            archive::members!(Unit { $($member),* });
            archive::blank!(Unit);

            #[derive(Default)]
            pub struct World {
                first: Vec<UnitRef>,
                last: Vec<UnitRef>,
                chosen: BTreeSet<ByName>,
                scores: HashMap<ByName, u32>,
            }
            archive::members!(World { $($root),* });
            archive::blank!(World);

            /// An object without a cell.
            #[derive(Default, Serialize)]
            pub struct Badge {
                name: String,
                owner: $weak::Weak<$Cell<Unit>>,
            }
            impl PartialEq for Badge {
                fn eq(&self, other: &Self) -> bool {
                    self.name == other.name
                }
            }
            impl Eq for Badge {}
            impl Hash for Badge {
                fn hash<H: Hasher>(&self, state: &mut H) {
                    self.name.hash(state);
                }
            }

            fn read<R>($cell: &UnitRef, visit: impl FnOnce(&Unit) -> R) -> R {
                visit(&$read)
            }
            fn write($cell: &UnitRef, visit: impl FnOnce(&mut Unit)) {
                visit(&mut $write);
            }

            key!(ByName, UnitRef, name);
            key!(ByAddress, UnitRef, $Rc::as_ptr);
            key!(ByTags, UnitRef, tags);
            key!(WeakKey, $weak::Weak<$Cell<Unit>>, $weak::Weak::as_ptr);

            fn name(unit: &UnitRef) -> String {
                read(unit, |unit| unit.name.clone())
            }
            fn number(unit: &UnitRef) -> usize {
                read(unit, |unit| unit.number)
            }
            /// Depends on a container of the unit.
            fn tags(unit: &UnitRef) -> Vec<String> {
                let tags = read(unit, |unit| units(unit.tags.iter().map(|tag| &tag.0)));
                tags.iter().map(name).collect()
            }

            fn units<'a>(units: impl Iterator<Item = &'a UnitRef>) -> Vec<UnitRef> {
                units.cloned().collect()
            }

            /// Removes the containers, because keys are compared through units that may be the same
            /// one.
            fn take(unit: &UnitRef) -> Unit {
                let mut content = Unit::default();
                write(unit, |unit| {
                    std::mem::swap(unit, &mut content);
                    unit.name.clone_from(&content.name);
                    unit.tags = std::mem::take(&mut content.tags);
                    unit.number = content.number;
                });
                content
            }

            fn put_back(unit: &UnitRef, mut content: Unit) {
                write(unit, |unit| {
                    content.tags = std::mem::take(&mut unit.tags);
                    std::mem::swap(unit, &mut content);
                });
            }

            #[allow(dead_code, reason = "worlds of some members are only loaded")]
            /// Without numbers, units of the same name differ only in their references.
            pub fn build(plan: &Plan, numbers: bool) -> World {
                let unit = |number: usize| {
                    let name = plan.name(number);
                    let number = if numbers { number } else { 0 };
                    $Rc::new($Cell::new(Unit { number, name, ..Unit::default() }))
                };
                let units: Vec<UnitRef> = (0..plan.units.len()).map(unit).collect();
                let badges: Vec<$Rc<Badge>> = units
                    .iter()
                    .map(|unit| $Rc::new(Badge { name: name(unit), owner: $Rc::downgrade(unit) }))
                    .collect();
                let by_name = |unit: &usize| ByName(units[*unit].clone());
                for (unit, plan) in units.iter().zip(&plan.units) {
                    let keys = &plan.keys;
                    // An existing key is kept.
                    let mut set = HashSet::new();
                    keys.by_name.iter().map(by_name).for_each(|key| _ = set.insert(key));
                    let mut tree = BTreeSet::new();
                    keys.tree.iter().map(by_name).for_each(|key| _ = tree.insert(key));
                    let mut tags = BTreeSet::new();
                    keys.tags.iter().map(by_name).for_each(|key| _ = tags.insert(key));
                    let mut scores = HashMap::new();
                    keys.scores.iter().for_each(|key| _ = scores.entry(by_name(key)).or_insert(7));
                    let mut indexed = IndexSet::new();
                    keys.indexed.iter().map(by_name).for_each(|key| _ = indexed.insert(key));
                    let mut bare = HashMap::new();
                    keys.bare.iter().for_each(|key| _ = bare.entry(badges[*key].clone()).or_insert(9));
                    let address = |key: &usize| ByAddress(units[*key].clone());
                    let weak = |key: &usize| WeakKey($Rc::downgrade(&units[*key]));
                    let next = plan.next.map(|next| units[next].clone());
                    let by_address = keys.by_address.iter().map(address).collect();
                    let weak = keys.weak.iter().map(weak).collect();
                    let heap: BinaryHeap<ByName> = keys.heap.iter().map(by_name).collect();
                    write(unit, |unit| {
                        (unit.by_name, unit.tree, unit.tags) = (set, tree, tags);
                        (unit.scores, unit.indexed, unit.heap) = (scores, indexed, heap);
                        (unit.bare, unit.by_address, unit.weak) = (bare, by_address, weak);
                        unit.next = next;
                    });
                }
                for (unit, plan) in units.iter().zip(&plan.units) {
                    let mut by_tags = HashSet::new();
                    plan.keys.by_tags.iter().for_each(|key| {
                        by_tags.insert(ByTags(units[*key].clone()));
                    });
                    write(unit, |unit| unit.by_tags = by_tags);
                }
                let list = |list: &[usize]| list.iter().map(|unit| units[*unit].clone()).collect();
                let (first, last) = (list(&plan.first), list(&plan.last));
                let mut world = World { first, last, ..World::default() };
                plan.chosen.iter().map(by_name).for_each(|key| _ = world.chosen.insert(key));
                for key in &plan.scores {
                    world.scores.entry(by_name(key)).or_insert(7);
                }
                drop_rest(&units, &world);
                world
            }

            #[allow(dead_code, reason = "as `build`")]
            /// Empties the units that are not in the world, so that none is leaked.
            fn drop_rest(units: &[UnitRef], world: &World) {
                let held = walk(world);
                for unit in units.iter().filter(|unit| !held.contains_key(&number(unit))) {
                    if read(unit, |unit| unit.number != 0) {
                        let mut content = Unit::default();
                        write(unit, |unit| std::mem::swap(unit, &mut content));
                    }
                }
            }

            /// Returns the visible content of the world. Each key must be found in its container.
            pub fn walk(world: &World) -> Seen {
                let mut seen = Seen::new();
                let numbers = |units: &[UnitRef]| units.iter().map(number).collect::<Vec<_>>();
                fn sorted(numbers: impl Iterator<Item = usize>) -> Vec<usize> {
                    let mut numbers: Vec<usize> = numbers.collect();
                    numbers.sort_unstable();
                    numbers
                }
                assert!(world.chosen.iter().all(|key| world.chosen.contains(key)));
                assert!(world.scores.iter().all(|(key, _)| world.scores.get(key) == Some(&7)));
                seen.insert(1000, BTreeMap::from([
                    ("first", numbers(&world.first)),
                    ("last", numbers(&world.last)),
                    ("chosen", sorted(world.chosen.iter().map(|key| number(&key.0)))),
                    ("scores", sorted(world.scores.keys().map(|key| number(&key.0)))),
                ]));
                let mut open: Vec<UnitRef> = world.first.iter().chain(&world.last).cloned().collect();
                open.extend(world.chosen.iter().chain(world.scores.keys()).map(|key| key.0.clone()));
                while let Some(unit) = open.pop() {
                    let at = number(&unit);
                    if seen.contains_key(&at) {
                        continue;
                    }
                    let mut tags = BTreeSet::new();
                    write(&unit, |unit| std::mem::swap(&mut unit.tags, &mut tags));
                    assert!(tags.iter().all(|key| tags.contains(key)));
                    let tagged = sorted(tags.iter().map(|key| number(&key.0)));
                    open.extend(tags.iter().map(|key| key.0.clone()));
                    write(&unit, |unit| std::mem::swap(&mut unit.tags, &mut tags));
                    let content = take(&unit);
                    let containers = {
                        let unit = &content;
                        let Unit { by_name, tree, by_address, weak, scores, by_tags, .. } = unit;
                        assert!(by_name.iter().all(|key| by_name.contains(key)));
                        assert!(tree.iter().all(|key| tree.contains(key)));
                        assert!(by_address.iter().all(|key| by_address.contains(key)));
                        assert!(weak.iter().all(|key| weak.contains(key)));
                        assert!(scores.iter().all(|(key, _)| scores.get(key) == Some(&7)));
                        assert!(by_tags.iter().all(|key| by_tags.contains(key)));
                        assert!(unit.indexed.iter().all(|key| unit.indexed.contains(key)));
                        assert!(unit.bare.keys().all(|key| unit.bare.contains_key(key)));
                        let names: Vec<String> =
                            unit.heap.clone_sorted().iter().map(|key| name(key)).collect();
                        assert!(names.is_sorted());
                        let number_of = |weak: &$weak::Weak<$Cell<Unit>>| {
                            weak.upgrade().map_or(2000, |unit| number(&unit))
                        };
                        open.extend(unit.next.clone());
                        open.extend(by_name.iter().chain(tree).chain(scores.keys()).map(|key| key.0.clone()));
                        open.extend(unit.indexed.iter().map(|key| key.0.clone()));
                        open.extend(unit.heap.iter().map(|key| key.0.clone()));
                        open.extend(by_address.iter().map(|key| key.0.clone()));
                        open.extend(by_tags.iter().map(|key| key.0.clone()));
                        let weak = weak.iter().map(|key| number_of(&key.0));
                        let bare = unit.bare.keys().map(|badge| number_of(&badge.owner));
                        BTreeMap::from([
                            ("next", unit.next.iter().map(number).collect()),
                            ("by_name", sorted(by_name.iter().map(|key| number(&key.0)))),
                            ("tree", sorted(tree.iter().map(|key| number(&key.0)))),
                            ("by_address", sorted(by_address.iter().map(|key| number(&key.0)))),
                            ("weak", sorted(weak)),
                            ("scores", sorted(scores.keys().map(|key| number(&key.0)))),
                            ("tags", tagged),
                            ("by_tags", sorted(by_tags.iter().map(|key| number(&key.0)))),
                            ("indexed", unit.indexed.iter().map(|key| number(&key.0)).collect()),
                            ("heap", sorted(unit.heap.iter().map(|key| number(&key.0)))),
                            ("bare", sorted(bare)),
                        ])
                    };
                    put_back(&unit, content);
                    seen.insert(at, containers);
                }
                seen
            }

            /// Drops a world with its cycles.
            pub fn unlink(world: World) {
                let mut open: Vec<UnitRef> = world.first.into_iter().chain(world.last).collect();
                open.extend(world.chosen.into_iter().chain(world.scores.into_keys()).map(|key| key.0));
                while let Some(unit) = open.pop() {
                    let mut content = Unit::default();
                    write(&unit, |unit| std::mem::swap(unit, &mut content));
                    open.extend(content.next);
                    let keys = content.by_name.into_iter().chain(content.tree);
                    open.extend(keys.chain(content.scores.into_keys()).map(|key| key.0));
                    open.extend(content.tags.into_iter().chain(content.indexed).map(|key| key.0));
                    open.extend(content.heap.into_vec().into_iter().map(|key| key.0));
                    open.extend(content.by_address.into_iter().map(|key| key.0));
                    open.extend(content.by_tags.into_iter().map(|key| key.0));
                }
            }

            /// The items of a heap in order.
            trait Sorted {
                fn clone_sorted(&self) -> Vec<UnitRef>;
            }
            impl Sorted for BinaryHeap<ByName> {
                fn clone_sorted(&self) -> Vec<UnitRef> {
                    let keys: BinaryHeap<ByName> = self.iter().map(|key| ByName(key.0.clone())).collect();
                    keys.into_sorted_vec().into_iter().map(|key| key.0).collect()
                }
            }
        }
    };
}

worlds!(
    forwards,
    Rc,
    RefCell,
    rc,
    |cell| cell.borrow(),
    cell.borrow_mut(),
    [
        number, name, next, by_name, tree, by_address, weak, scores, tags, by_tags, indexed, heap,
        bare
    ],
    [first, chosen, scores, last]
);
worlds!(
    reversed,
    Rc,
    RefCell,
    rc,
    |cell| cell.borrow(),
    cell.borrow_mut(),
    [
        bare, heap, indexed, by_tags, tags, scores, weak, by_address, tree, by_name, next, name,
        number
    ],
    [last, scores, chosen, first]
);
worlds!(
    threads,
    Arc,
    Mutex,
    sync,
    |cell| cell.lock().unwrap(),
    cell.lock().unwrap(),
    [
        name, by_name, tree, by_address, weak, scores, tags, by_tags, indexed, heap, bare, next,
        number
    ],
    [chosen, scores, first, last]
);
