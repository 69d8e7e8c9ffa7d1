//! The bytes of snapshots, as `docs/formats/object_store.md` shows them.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use archive::store::{Pool, Store};
use archive::{Result, Serialize};
use archive_test_support::dumps::hex;

use super::all;

#[derive(Default, Serialize)]
struct Tank {
    hp: u16,
}
#[derive(Default, Serialize)]
struct Field {
    tanks: Pool<Tank>,
}
archive::store::persistent!(Field = "field", Tank = "tank");

#[test]
fn the_page_has_the_bytes_of_a_snapshot() -> Result {
    let (memory, _, store) = crate::failing_storage::watched()?;
    let mut field = Field::default();
    let ann = field.tanks.insert(Tank { hp: 9 });
    store.save(&field)?;
    let taken = store.snapshot("first")?;
    field.tanks[ann].hp = 8;
    field.tanks.insert(Tank { hp: 7 });
    store.save(&field)?;

    let page = include_str!("../../../docs/formats/object_store.md");
    let shown = page.split("```text\n").nth(2).unwrap().split("```").next().unwrap();
    let mut dump = String::new();
    for (key, mut value) in all(&*memory)? {
        if key[0] == 4 {
            let created = u64::from_be_bytes(value[..8].try_into().unwrap());
            let created = SystemTime::UNIX_EPOCH + Duration::from_millis(created);
            assert_eq!(created, taken.created());
            // The time in the page.
            value.splice(..8, 1_795_863_600_000_u64.to_be_bytes());
        }
        if key == [0] || key[0] > 2 {
            writeln!(dump, "{}\n    {}", hex(&key), hex(&value)).unwrap();
        }
    }
    assert_eq!(dump, shown);
    Ok(())
}

/// A program that does not know snapshots reads version 1 alone.
#[test]
fn the_version_is_two_while_there_are_snapshots() -> Result {
    let (memory, _, store) = crate::failing_storage::watched()?;
    let version = || all(&*memory).unwrap()[&[0][..]][13];
    assert_eq!(version(), 1);
    store.snapshot("a")?;
    store.snapshot("b")?;
    assert_eq!(version(), 2);
    store.delete_snapshot("a")?;
    assert_eq!((version(), Store::over(memory.clone())?.snapshots()?.len()), (2, 1));
    store.delete_snapshot("b")?;
    assert_eq!((version(), Store::over(memory.clone())?.snapshots()?.len()), (1, 0));
    Ok(())
}
