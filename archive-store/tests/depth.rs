//! Rows inside rows: as many as fit on the stack, or an error. The threads of these tests have a
//! stack of 2 MiB, as the threads of programs have.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::rc::Rc;

use archive::store::storage::Memory;
use archive::store::{Link, Persistent, Pool, Ref, Shared, Store};
use archive::{ErrorKind, Result, Serialize, Value};

use super::failing_storage::{load, load_from};

/// The maximum number of nested rows.
const MAX_ROWS: usize = 32;

#[derive(Default, Serialize)]
struct Place {
    name: String,
    next: Option<Shared<Place>>,
    links: Vec<Link<Place>>,
}
#[derive(Default, Serialize)]
struct Map {
    places: Vec<Shared<Place>>,
}
#[derive(Debug, Default, PartialEq, Serialize)]
struct Chain {
    next: Option<Box<Persistent<Chain>>>,
    hp: u64,
    tree: Tree,
}
/// Levels in a row. The innermost one has the next row.
#[derive(Debug, Default, PartialEq, Serialize)]
struct Tree {
    list: Vec<Tree>,
    map: BTreeMap<String, Tree>,
    branch: Branch,
    next: Option<Box<Persistent<Chain>>>,
}
#[derive(Debug, Default, PartialEq, Serialize)]
enum Branch {
    #[default]
    Leaf,
    Fork {
        trees: Vec<Tree>,
    },
}
archive::store::persistent!(Place = "place", Map = "map", Chain = "chain");

/// The same classes in a program that puts numbers in place of the objects.
mod forged {
    use super::{Pool, Serialize, Value};

    #[derive(Default, Serialize)]
    pub struct Chain {
        pub next: Option<Value>,
        pub hp: u64,
    }
    #[derive(Default, Serialize)]
    pub struct Place {
        pub name: String,
        pub next: Option<Value>,
    }
    #[derive(Default, Serialize)]
    pub struct Map {
        pub places: Vec<Value>,
        pub all: Pool<Place>,
    }
    #[derive(Default, Serialize)]
    pub struct Chains {
        pub all: Pool<Chain>,
    }
    archive::store::persistent!(Chain = "chain", Chains = "chains", Place = "place", Map = "map");
}

fn on_a_small_stack(run: impl FnOnce() -> Result + Send) -> Result {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, run);
        thread.unwrap().join().unwrap()
    })
}

/// Drops a chain link by link, because each drop is inside the previous one.
fn dismantle(map: Map) -> Vec<String> {
    let (mut names, mut all) = (Vec::new(), map.places);
    while let Some(place) = all.pop() {
        let mut place = place.borrow_mut();
        names.push(std::mem::take(&mut place.name));
        all.extend(place.next.take());
    }
    names
}

#[test]
fn a_chain_of_shared_objects_may_be_long() -> Result {
    const LEN: usize = 10_000;
    on_a_small_stack(|| {
        let memory = Rc::new(Memory::new());
        let store = Store::over(memory.clone())?;
        let mut last = None;
        for index in 0..LEN {
            let (name, links) = (index.to_string(), Vec::new());
            last = Some(Shared::new(Place { name, next: last, links }));
        }
        let map = Map { places: vec![last.unwrap()] };
        assert_eq!(store.save(&map)?.written, LEN as u64 + 1);
        assert_eq!(store.save_all(&map)?.written, 0);
        let (again, loaded) = load::<Map>(memory)?;
        assert!(loaded.is_clean(), "{loaded}");
        let (first, read) = (dismantle(again), store.read(Ref::<Map>::new(1))?.map(dismantle));
        assert!(
            first.iter().rev().eq(&(0..LEN).map(|index| index.to_string()).collect::<Vec<_>>())
        );
        assert!(read.as_ref() == Some(&first) && dismantle(map) == first);
        Ok(())
    })
}

/// Returns a chain of `len` rows. The first one is the root.
fn chain(len: usize) -> Chain {
    let mut last = Chain::default();
    for hp in 1..len {
        let next = Some(Box::new(Persistent::new(last)));
        last = Chain { next, hp: hp as u64, ..Chain::default() };
    }
    last
}

#[test]
fn rows_are_nested_up_to_a_limit() -> Result {
    on_a_small_stack(|| {
        let memory = Rc::new(Memory::new());
        let store = Store::over(memory.clone())?;
        let stored = chain(MAX_ROWS);
        assert_eq!(store.save(&stored)?.written, MAX_ROWS as u64);
        for all in [false, true, false] {
            let deep = chain(MAX_ROWS + 1);
            let saved = if all { store.save_all(&deep) } else { store.save(&deep) };
            let error = saved.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DepthLimit);
            assert!(error.to_string().contains("`Shared` has no such limit"), "{error}");
        }
        let (again, loaded) = load::<Chain>(memory)?;
        assert!(again == stored && loaded.is_clean(), "{loaded}");
        assert_eq!(store.save(&stored)?.deleted, 0);
        assert_eq!(store.read(Ref::new(1))?, Some(stored));
        Ok(())
    })
}

/// Stores rows, each with the key of the one inside of it.
fn forge(rows: impl Iterator<Item = (u64, u64)>) -> Result<Rc<Memory>> {
    let memory = Rc::new(Memory::new());
    let mut chains = forged::Chains::default();
    for (key, next) in rows {
        let next = (next > 0).then(|| Value::from(next));
        chains.all.insert_at(key, forged::Chain { next, hp: key })?;
    }
    Store::over(memory.clone())?.save(&chains)?;
    Ok(memory)
}

/// Loading ends with an error, and no save replaces a row.
fn is_refused(memory: Rc<Memory>, kind: ErrorKind) -> Result {
    let store = Store::over(memory.clone())?;
    let mut half = Chain::default();
    assert_eq!(store.attach(&mut half).unwrap_err().kind(), kind);
    assert!(store.finish_load().is_err() && store.save(&half).is_err());
    assert!(store.save_all(&half).is_err());
    assert_eq!(store.read(Ref::<Chain>::new(1)).unwrap_err().kind(), kind);
    assert!(store.rows::<Chain>().next().unwrap().is_err());
    // Rows of the other program are there.
    let (chains, _) = load::<forged::Chains>(memory)?;
    assert!(chains.all.iter().all(|(at, row)| at.key() == row.hp) && !chains.all.is_empty());
    Ok(())
}

#[test]
fn a_file_with_rows_that_are_too_deep_is_an_error() -> Result {
    on_a_small_stack(|| {
        let rows = |len: u64| forge((1..=len).map(|key| (key, (key + 1) % (len + 1))));
        let store = Store::over(rows(MAX_ROWS as u64)?)?;
        let (world, _) = load_from::<Chain>(&store)?;
        let (mut at, mut len) = (Some(&world), 0);
        while let Some(row) = at {
            len += 1;
            assert_eq!(row.hp, len);
            at = row.next.as_ref().map(|next| &***next);
        }
        assert_eq!(len, MAX_ROWS as u64);
        is_refused(rows(MAX_ROWS as u64 + 1)?, ErrorKind::DepthLimit)?;
        is_refused(rows(50_000)?, ErrorKind::DepthLimit)
    })
}

#[test]
fn rows_that_own_themselves_are_an_error() -> Result {
    on_a_small_stack(|| {
        is_refused(forge([(1, 1)].into_iter())?, ErrorKind::DuplicateMember)?;
        is_refused(forge([(1, 2), (2, 3), (3, 1)].into_iter())?, ErrorKind::DuplicateMember)
    })
}

/// Shared objects may own themselves: the file has what a program can build.
#[test]
fn shared_objects_that_own_themselves_are_loaded() -> Result {
    let memory = Rc::new(Memory::new());
    let mut map = forged::Map { places: vec![Value::from(1_u64)], ..forged::Map::default() };
    for (key, next) in [(1, 2), (2, 1)] {
        let next = Some(Value::from(next as u64));
        map.all.insert_at(key, forged::Place { name: key.to_string(), next })?;
    }
    Store::over(memory.clone())?.save(&map)?;
    let store = Store::over(memory)?;
    let (map, loaded) = load_from::<Map>(&store)?;
    let first = map.places[0].clone();
    let second = first.borrow().next.clone().unwrap();
    assert!(second.borrow().next.as_ref().unwrap().is(&first), "{loaded}");
    assert_eq!(second.borrow().name, "2");
    second.borrow_mut().name = "two".into();
    assert_eq!(store.save_all(&map)?.deleted, 0);
    assert_eq!(store.read(Ref::<Place>::new(2))?.unwrap().name, "two");
    first.borrow_mut().next = None;
    Ok(())
}

/// Returns a tree around another one.
fn around(tree: Tree, kind: usize) -> Tree {
    match kind {
        0 => Tree { list: vec![tree], ..Tree::default() },
        1 => Tree { map: [("a".into(), tree)].into(), ..Tree::default() },
        _ => Tree { branch: Branch::Fork { trees: vec![tree] }, ..Tree::default() },
    }
}

/// Returns a chain of rows, each with so many levels to the next one.
fn deep(rows: usize, kind: usize, levels: impl Fn(usize) -> usize) -> Chain {
    let mut last = Chain::default();
    for row in (0..rows - 1).rev() {
        let mut tree = Tree { next: Some(Box::new(Persistent::new(last))), ..Tree::default() };
        for _ in 0..levels(row) {
            tree = around(tree, kind);
        }
        last = Chain { hp: row as u64, tree, next: None };
    }
    last
}

/// A saved chain loads. The outer rows have more levels than the inner ones, which may have fewer.
fn visit(kind: usize, rows: usize, levels: usize) -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let world = deep(rows, kind, |row| levels.min(2 * levels / (row + 1)));
    if let Err(error) = store.save(&world) {
        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
        return Ok(());
    }
    let (again, loaded) = load::<Chain>(memory)?;
    assert!(again == world && loaded.is_clean(), "{loaded}");
    assert_eq!(store.read(Ref::new(1))?, Some(again));
    Ok(())
}

/// The body of the test below. It runs in a process of its own, because a stack overflow ends the
/// process.
#[test]
fn child() -> Result {
    let Ok(order) = std::env::var("DEPTH_OF_CHILD") else { return Ok(()) };
    let numbers: Vec<usize> = order.split(',').map(|number| number.parse().unwrap()).collect();
    on_a_small_stack(|| visit(numbers[0], numbers[1], numbers[2]))
}

#[test]
fn the_levels_of_deep_rows_fit_into_the_stack() {
    let is_survived = |kind: usize, rows: usize, levels: usize| {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["depth::child", "--exact"]);
        child.env("DEPTH_OF_CHILD", format!("{kind},{rows},{levels}"));
        child.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
    };
    let mut failed = Vec::new();
    for (kind, name) in ["lists", "maps", "lists in variants"].into_iter().enumerate() {
        for rows in [1, 2, 8, 16, MAX_ROWS] {
            let all = [1, 8, 20, 40, 60, 100, 126];
            let levels = all.into_iter().filter(|levels| !is_survived(kind, rows, *levels));
            failed.extend(levels.map(|levels| format!("{name}: {rows} rows of {levels} levels")));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
