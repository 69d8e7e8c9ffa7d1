//! Rows that own others twice, as in a forged file: an error, after as many reads as there are
//! rows.

use std::rc::Rc;

use archive::store::storage::Memory;
use archive::store::{Persistent, Pool, Ref, Shared, Store};
use archive::{ErrorKind, Result, Serialize};

use super::failing_storage::Watched;

/// A value that the program refuses if it is 0.
#[derive(Default, Serialize)]
#[archive(after_load = Level::check)]
struct Level {
    number: u8,
}
impl Level {
    fn check(&mut self, _: &archive::Options<'_>) -> Result {
        if self.number > 0 { Ok(()) } else { Err(archive::Error::custom("no level")) }
    }
}
/// An object owns two others.
#[derive(Default, Serialize)]
struct Fork {
    first: Level,
    left: Option<Box<Persistent<Fork>>>,
    right: Option<Box<Persistent<Fork>>>,
    last: Level,
}
#[derive(Default, Serialize)]
struct Town {
    left: Option<Shared<Town>>,
    right: Option<Shared<Town>>,
}
/// A pool of objects with a pool, as only a file can have it.
#[derive(Default, Serialize)]
struct Nest {
    inner: Pool<Nest>,
}
archive::store::persistent!(Fork = "fork", Town = "town", Nest = "nest");

/// The same classes in a program that puts numbers in place of the objects.
mod forged {
    use super::{Pool, Serialize};
    use archive::Value;

    #[derive(Default, Serialize)]
    pub struct Level {
        pub number: u8,
    }
    #[derive(Default, Serialize)]
    pub struct Fork {
        pub first: Level,
        pub left: Option<Value>,
        pub right: Option<Value>,
        pub last: Level,
    }
    #[derive(Default, Serialize)]
    pub struct Town {
        pub left: Option<Value>,
        pub right: Option<Value>,
    }
    #[derive(Default, Serialize)]
    pub struct Nest {
        pub inner: Vec<(u64, u64)>,
    }
    #[derive(Default, Serialize)]
    pub struct All {
        pub forks: Pool<Fork>,
        pub towns: Pool<Town>,
        pub nests: Pool<Nest>,
    }
    archive::store::persistent!(Fork = "fork", Town = "town", Nest = "nest", All = "all");
}

/// Stores that many rows, each with the next one twice. All forks have these values.
fn forge(len: u64, (first, last): (u8, u8)) -> Result<Rc<Memory>> {
    let memory = Rc::new(Memory::new());
    let mut all = forged::All::default();
    for key in 1..=len {
        let next = || (key < len).then(|| archive::Value::from(key + 1));
        let [first, last] = [first, last].map(|number| forged::Level { number });
        all.forks.insert_at(key, forged::Fork { first, left: next(), right: next(), last })?;
        all.towns.insert_at(key, forged::Town { left: next(), right: next() })?;
        all.nests.insert_at(key, forged::Nest::default())?;
    }
    Store::over(memory.clone())?.save(&all)?;
    Ok(memory)
}

/// Runs a function in a store with that many rows. Returns the number of reads of the storage.
fn reads(
    len: u64,
    values: (u8, u8),
    run: impl FnOnce(&Store) -> Option<ErrorKind>,
    expected: Option<ErrorKind>,
) -> Result<u64> {
    let disk = Watched::new(forge(len, values)?);
    let store = Store::over(disk.clone())?;
    disk.reads.set(0);
    assert_eq!(run(&store), expected, "{len} rows");
    Ok(disk.reads.get())
}

fn kind<T>(result: Result<T>) -> Option<ErrorKind> {
    result.err().map(|error| error.kind())
}

const TWICE: Option<ErrorKind> = Some(ErrorKind::DuplicateMember);

/// Checks that twice as many rows cost twice as many reads, and not the square or more.
#[track_caller]
fn assert_linear(run: impl Fn(u64) -> Result<u64>) -> Result {
    let (some, twice) = (run(12)?, run(24)?);
    assert!(twice <= 2 * some + 8, "{some} reads of 12 rows, and {twice} of 24");
    Ok(())
}

#[test]
fn one_object_is_read() -> Result {
    assert_linear(|len| reads(len, (1, 1), |store| kind(store.read(Ref::<Fork>::new(1))), TWICE))?;
    assert_linear(|len| {
        reads(len, (1, 1), |store| kind(store.rows::<Fork>().next().unwrap()), TWICE)
    })
}

#[test]
fn shared_objects_have_many_owners() -> Result {
    assert_linear(|len| reads(len, (1, 1), |store| kind(store.read(Ref::<Town>::new(1))), None))?;
    assert_linear(|len| reads(len, (1, 1), |store| kind(store.attach(&mut Town::default())), None))
}

#[test]
fn a_world_is_attached() -> Result {
    assert_linear(|len| reads(len, (1, 1), |store| kind(store.attach(&mut Fork::default())), TWICE))
}

/// A row with a value that the program refuses is loaded a second time.
#[test]
fn a_world_is_attached_whose_values_are_refused() -> Result {
    for values in [(0, 1), (1, 0), (0, 0)] {
        assert_linear(|len| {
            reads(len, values, |store| kind(store.attach(&mut Fork::default())), TWICE)
        })?;
    }
    Ok(())
}

#[test]
fn a_pool_is_inside_of_its_objects() -> Result {
    assert_linear(|len| reads(len, (1, 1), |store| kind(store.read(Ref::<Nest>::new(1))), TWICE))?;
    assert_linear(|len| reads(len, (1, 1), |store| kind(store.attach(&mut Nest::default())), TWICE))
}

/// A program may read while it loads: such a read does not count as owning.
#[test]
fn a_read_inside_of_a_load_changes_nothing() -> Result {
    let memory = Rc::new(Memory::new());
    let tree = || {
        let fork =
            || Fork { first: Level { number: 1 }, last: Level { number: 1 }, ..Fork::default() };
        let leaf = || Some(Box::new(Persistent::new(fork())));
        Fork { left: leaf(), right: leaf(), ..fork() }
    };
    Store::over(memory.clone())?.save(&tree())?;
    let store = Store::over(memory)?;
    for _ in 0..2 {
        assert!(store.read(Ref::<Fork>::new(1))?.is_some_and(|fork| fork.right.is_some()));
    }
    let mut world = Fork::default();
    store.attach(&mut world)?;
    assert!(store.finish_load()?.is_clean() && world.left.is_some() && world.right.is_some());
    Ok(())
}
