//! The laws of [`Storage`], one function each.

use std::collections::BTreeMap;

use archive_core::{Error, Result};

use crate::storage::{Change, Changes, Storage};

type Rows = BTreeMap<Vec<u8>, Vec<u8>>;
type Open<'a> = dyn FnMut(&str) -> Box<dyn Storage> + 'a;

type Law = fn(&mut Open<'_>);

/// The laws, with their names.
pub(super) const ALL: &[(&str, Law)] = &[
    ("values come back", values_come_back),
    ("keys are ordered as bytes", keys_are_ordered_as_bytes),
    ("later changes count", later_changes_count),
    ("scans end where they should", scans_end_where_they_should),
    ("functions that fail end a read", functions_that_fail_end_a_read),
    ("reads are nested", reads_are_nested),
    ("large rows are taken", large_rows_are_taken),
    ("many rows are taken", many_rows_are_taken),
    ("rows outlive the engine", rows_outlive_the_engine),
    ("histories are those of a map", histories_are_those_of_a_map),
];

fn commit(storage: &dyn Storage, changes: &[Change<'_>]) {
    let mut all = Changes::new();
    for change in changes {
        match change {
            Change::Put(key, value) => all.put(key, value),
            Change::Delete(key) => all.delete(key),
        }
    }
    storage.commit(&all).expect("a commit");
}

fn put(storage: &dyn Storage, key: &[u8], value: &[u8]) {
    commit(storage, &[Change::Put(key, value)]);
}

fn get_many(storage: &dyn Storage, keys: &[&[u8]]) -> Vec<Option<Vec<u8>>> {
    let mut found = Vec::new();
    let done = storage.get_many(keys, &mut |index, value| {
        assert_eq!(index, found.len(), "the index of a key");
        found.push(value.map(<[u8]>::to_vec));
        Ok(())
    });
    done.expect("a read of several keys");
    let single: Vec<_> = keys.iter().map(|key| get(storage, key)).collect();
    assert!(found == single, "`get_many` and `get` pass other values of {keys:?}");
    found
}

fn get(storage: &dyn Storage, key: &[u8]) -> Option<Vec<u8>> {
    let mut values = Vec::new();
    let is_there = storage.get(key, &mut |value| {
        values.push(value.to_vec());
        Ok(())
    });
    let is_there = is_there.expect("a read");
    assert_eq!(values.len(), usize::from(is_there), "how often `found` was called");
    values.pop()
}

fn scan(storage: &dyn Storage, from: &[u8], to: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut rows = Vec::new();
    let done = storage.scan(from, to, &mut |key, value| {
        rows.push((key.to_vec(), value.to_vec()));
        Ok(true)
    });
    done.expect("a scan");
    rows
}

fn keys(storage: &dyn Storage, from: &[u8], to: &[u8]) -> Vec<Vec<u8>> {
    let mut keys = Vec::new();
    let done = storage.keys(from, to, &mut |key| {
        keys.push(key.to_vec());
        Ok(true)
    });
    done.expect("a scan of keys");
    let scanned: Vec<_> = scan(storage, from, to).into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys, scanned, "`keys` and `scan` pass other keys");
    keys
}

fn values_come_back(open: &mut Open<'_>) {
    let storage = &*open("rows");
    assert!(!storage.name().is_empty());
    assert_eq!(get(storage, b"a"), None);
    assert_eq!(scan(storage, b"", b""), []);
    storage.commit(&Changes::new()).expect("a commit of nothing");
    let all_bytes: Vec<u8> = (0..=255).collect();
    for (key, value) in
        [(&b""[..], &b"no key"[..]), (b"no value", b""), (b"\0", b"\0"), (&all_bytes, &all_bytes)]
    {
        assert_eq!(get(storage, key), None);
        put(storage, key, value);
        assert_eq!(get(storage, key).as_deref(), Some(value), "the value of {key:?}");
    }
    let found = get_many(storage, &[b"absent", b"\0", b"", b"\0", b"no value", &all_bytes]);
    let found: Vec<_> = found.iter().map(Option::as_deref).collect();
    let zero = Some(&b"\0"[..]);
    assert_eq!(found, [None, zero, Some(b"no key"), zero, Some(b""), Some(&all_bytes)]);
    assert!(get_many(storage, &[]).is_empty(), "values of no keys");
    assert_eq!(get(storage, b"no"), None, "the value of a shorter key");
    assert_eq!(get(storage, b"no value "), None, "the value of a longer key");
    storage.compact().expect("no error of `compact`");
    storage.check().expect("no error of `check`");
    assert_eq!(scan(storage, b"", b"").len(), 4, "rows after `compact` and `check`");
}

fn keys_are_ordered_as_bytes(open: &mut Open<'_>) {
    let storage = &*open("rows");
    let ordered: [&[u8]; 11] =
        [b"", b"\0", b"\0\0", b"A", b"A\0", b"A\xff", b"B", b"a", b"\x7f", b"\x80", b"\xff\xff"];
    for at in [7, 3, 10, 0, 5, 9, 1, 8, 2, 6, 4] {
        put(storage, ordered[at], &[at as u8]);
    }
    assert_eq!(keys(storage, b"", b""), ordered);
    for (from, first) in ordered.iter().enumerate() {
        assert_eq!(keys(storage, first, b""), ordered[from..], "from {first:?} on");
        for (to, end) in ordered.iter().enumerate().skip(1) {
            let between = ordered.get(from..to).unwrap_or_default();
            assert_eq!(keys(storage, first, end), between, "from {first:?} to {end:?}");
        }
    }
}

fn later_changes_count(open: &mut Open<'_>) {
    use Change::{Delete, Put};
    let storage = &*open("rows");
    commit(storage, &[Delete(b"absent"), Put(b"a", b"1"), Put(b"a", b"2")]);
    assert_eq!(get(storage, b"a").as_deref(), Some(&b"2"[..]), "put, put");
    commit(
        storage,
        &[Put(b"b", b"1"), Delete(b"b"), Put(b"b", b"2"), Put(b"c", b"1"), Delete(b"c")],
    );
    assert_eq!(get(storage, b"b").as_deref(), Some(&b"2"[..]), "put, delete, put");
    assert_eq!(get(storage, b"c"), None, "put, delete");
    commit(storage, &[Delete(b"a"), Put(b"a", b""), Delete(b"b"), Delete(b"b")]);
    assert_eq!(get(storage, b"a").as_deref(), Some(&b""[..]), "delete, put of an empty value");
    assert_eq!(keys(storage, b"", b""), [b"a"], "delete, delete");
}

fn scans_end_where_they_should(open: &mut Open<'_>) {
    let storage = &*open("rows");
    for key in [b"a", b"b", b"c", b"d"] {
        put(storage, key, key);
    }
    assert_eq!(keys(storage, b"b", b"d"), [b"b", b"c"], "the end is not included");
    assert_eq!(keys(storage, b"aa", b"cc"), [b"b", b"c"], "ends that are not keys");
    for (from, to) in [(&b"c"[..], &b"c"[..]), (b"d", b"a"), (b"x", b"y"), (b"bb", b"c")] {
        assert_eq!(scan(storage, from, to), [], "from {from:?} to {to:?}");
    }
    let mut seen = 0;
    let done = storage.scan(b"", b"", &mut |_, _| {
        seen += 1;
        Ok(seen < 2)
    });
    assert!(done.is_ok() && seen == 2, "a scan that is ended passed {seen} rows, not 2");
    let done = storage.keys(b"", b"", &mut |_| {
        seen += 1;
        Ok(seen < 4)
    });
    assert!(
        done.is_ok() && seen == 4,
        "a scan of keys that is ended passed {} keys, not 2",
        seen - 2
    );
}

fn functions_that_fail_end_a_read(open: &mut Open<'_>) {
    let storage = &*open("rows");
    commit(storage, &[Change::Put(b"a", b"1"), Change::Put(b"b", b"2")]);
    let own = || Err(Error::custom("of the function"));
    let is_own =
        |result: Result<()>| result.is_err_and(|error| error.message() == "of the function");
    assert!(is_own(storage.get(b"a", &mut |_| own()).map(drop)), "the error of `found`");
    let mut seen = 0;
    let scanned = storage.scan(b"", b"", &mut |_, _| {
        seen += 1;
        own().map(|()| true)
    });
    assert!(is_own(scanned), "the error of `each`");
    assert_eq!(seen, 1, "rows that were passed with the error");
    assert!(is_own(storage.keys(b"", b"", &mut |_| own().map(|()| true))), "the error of `each`");
    let mut seen = 0;
    let many = storage.get_many(&[b"a", b"x", b"b"], &mut |index, _| {
        seen += 1;
        if index == 1 { own() } else { Ok(()) }
    });
    assert!(is_own(many) && seen == 2, "the error of `each` of several keys");
    put(storage, b"c", b"3");
    assert_eq!(keys(storage, b"", b"").len(), 3, "the engine works after errors of functions");
}

fn reads_are_nested(open: &mut Open<'_>) {
    let storage = &*open("rows");
    commit(storage, &[Change::Put(b"a", b"b"), Change::Put(b"b", b"c"), Change::Put(b"c", b"")]);
    let mut seen = 0;
    let done = storage.scan(b"", b"", &mut |_, next| {
        storage.get(next, &mut |last| {
            seen += 1 + usize::from(get(storage, last).is_some());
            get_many(storage, &[next, last]);
            assert_eq!(keys(storage, b"b", b""), [b"b", b"c"], "a scan inside of a read");
            Ok(())
        })?;
        Ok(true)
    });
    done.expect("reads from inside of reads");
    assert_eq!(seen, 3, "values that were found from inside of a scan");
}

fn large_rows_are_taken(open: &mut Open<'_>) {
    let storage = &*open("rows");
    let large: Vec<u8> = (0..5_000_000_u32).map(|i| (i.wrapping_mul(i) >> 8) as u8).collect();
    let key = [0xff; 1024];
    commit(
        storage,
        &[Change::Put(b"large", &large), Change::Put(&key, b"long"), Change::Put(b"z", b"")],
    );
    assert!(get(storage, b"large") == Some(large), "a value of 5 MB");
    assert_eq!(get(storage, &key).as_deref(), Some(&b"long"[..]), "a key of 1,024 bytes");
    assert_eq!(keys(storage, b"z\0", b""), [key], "the key of 1,024 bytes");
    put(storage, b"large", b"small");
    assert_eq!(get(storage, b"large").as_deref(), Some(&b"small"[..]));
}

fn many_rows_are_taken(open: &mut Open<'_>) {
    const MANY: u32 = 5_000;
    let storage = &*open("rows");
    let mut changes = Changes::new();
    for number in (0..MANY).rev() {
        changes.put(&number.to_be_bytes(), &number.to_le_bytes());
    }
    storage.commit(&changes).expect("a commit of many rows");
    let expected = |number: u32| (number.to_be_bytes().to_vec(), number.to_le_bytes().to_vec());
    assert!(scan(storage, b"", b"") == (0..MANY).map(expected).collect::<Vec<_>>());
    let keys: Vec<_> = (0..MANY).step_by(2).map(|number| (2 * number).to_be_bytes()).collect();
    let keys: Vec<&[u8]> = keys.iter().map(|key| &key[..]).collect();
    assert_eq!(get_many(storage, &keys).iter().flatten().count(), MANY as usize / 4);
    let mut changes = Changes::new();
    for number in (0..MANY).filter(|number| number % 3 > 0) {
        changes.delete(&number.to_be_bytes());
    }
    storage.commit(&changes).expect("a commit that deletes many rows");
    assert!(scan(storage, b"", b"") == (0..MANY).step_by(3).map(expected).collect::<Vec<_>>());
}

fn rows_outlive_the_engine(open: &mut Open<'_>) {
    let mut storage = open("rows");
    for round in 0..3_u8 {
        let before: Vec<_> = (0..round).map(|round| (vec![round], vec![round; 100])).collect();
        assert_eq!(scan(&*storage, b"", b""), before, "rows of a storage that was opened again");
        put(&*storage, &[round], &[round; 100]);
        drop(storage);
        storage = open("rows");
    }
    assert_eq!(scan(&*open("others"), b"", b""), [], "rows of a new storage");
}

fn histories_are_those_of_a_map(open: &mut Open<'_>) {
    let mut storage = open("rows");
    let mut rows = Rows::new();
    // Numerical Recipes' generator.
    let mut seed = 1_u32;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % below
    };
    for round in 0..60 {
        let mut changes = Changes::new();
        for _ in 0..random(12) {
            let key = vec![random(3) as u8 * 127; random(4) as usize];
            if random(3) == 0 {
                changes.delete(&key);
                rows.remove(&key);
            } else {
                let value = vec![round; random(600) as usize];
                changes.put(&key, &value);
                rows.insert(key, value);
            }
        }
        storage.commit(&changes).expect("a commit");
        match random(8) {
            0 => storage.compact().expect("no error of `compact`"),
            1 => storage.check().expect("no error of `check`"),
            2 => {
                drop(storage);
                storage = open("rows");
            }
            _ => {}
        }
        assert!(
            scan(&*storage, b"", b"") == rows.clone().into_iter().collect::<Vec<_>>(),
            "round {round}"
        );
    }
}
