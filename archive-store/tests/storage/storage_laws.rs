//! The engines of the library obey the laws, and faulty ones do not.

use std::collections::HashMap;
use std::panic::catch_unwind;
use std::rc::Rc;

use archive::store::storage::{Change, Changes, Memory, Redb, Storage};
use archive::store::testing::conformance;
use archive::{Error, Result};

#[test]
fn redb_obeys_the_laws() {
    let folder = tempfile::tempdir().unwrap();
    conformance(|name| Box::new(Redb::open(folder.path().join(name)).unwrap()));
}

#[test]
fn memory_obeys_the_laws() {
    let mut kept = HashMap::<String, Rc<Memory>>::new();
    conformance(|name| Box::new(kept.entry(name.into()).or_default().clone()));
}

/// The fault of an engine.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    Nothing,
    SignedKeys,
    ScansBackwards,
    IncludesTheEnd,
    ExcludesTheStart,
    NoEndIsNothing,
    ReversedRangeIsAll,
    FirstChangeCounts,
    DeletesLast,
    DeleteOfNothingFails,
    Continues,
    DropsErrors,
    WrapsErrors,
    EmptyValueIsNone,
    EmptyKeyIsNone,
    FindsTwice,
    SaysFound,
    CutsValues,
    CutsKeys,
    LimitsScans,
    Forgets,
    SharesNames,
    RefusesNestedReads,
    FailsWithoutChanges,
    CompactLosesRows,
}

const ALL: [Wrong; 24] = [
    Wrong::SignedKeys,
    Wrong::ScansBackwards,
    Wrong::IncludesTheEnd,
    Wrong::ExcludesTheStart,
    Wrong::NoEndIsNothing,
    Wrong::ReversedRangeIsAll,
    Wrong::FirstChangeCounts,
    Wrong::DeletesLast,
    Wrong::DeleteOfNothingFails,
    Wrong::Continues,
    Wrong::DropsErrors,
    Wrong::WrapsErrors,
    Wrong::EmptyValueIsNone,
    Wrong::EmptyKeyIsNone,
    Wrong::FindsTwice,
    Wrong::SaysFound,
    Wrong::CutsValues,
    Wrong::CutsKeys,
    Wrong::LimitsScans,
    Wrong::Forgets,
    Wrong::SharesNames,
    Wrong::RefusesNestedReads,
    Wrong::FailsWithoutChanges,
    Wrong::CompactLosesRows,
];

/// An engine in memory with one fault.
struct Engine {
    rows: Rc<Memory>,
    wrong: Wrong,
    reading: std::cell::Cell<bool>,
}

impl Engine {
    /// Returns the key under which a row is kept.
    fn key(&self, key: &[u8]) -> Vec<u8> {
        match self.wrong {
            Wrong::SignedKeys => key.iter().map(|byte| byte ^ 0x80).collect(),
            Wrong::CutsKeys => key[..key.len().min(1000)].to_vec(),
            _ => key.to_vec(),
        }
    }

    fn has(&self, key: &[u8]) -> bool {
        self.rows.get(key, &mut |_| Ok(())).unwrap()
    }
}

impl Storage for Engine {
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool> {
        if matches!(self.wrong, Wrong::RefusesNestedReads) && self.reading.get() {
            return Err(Error::custom("busy"));
        }
        let mut is_empty = false;
        let result = self.rows.get(&self.key(key), &mut |value| {
            is_empty = value.is_empty();
            match self.wrong {
                Wrong::EmptyValueIsNone if is_empty => return Ok(()),
                Wrong::FindsTwice => found(value)?,
                Wrong::CutsValues => return found(&value[..value.len().min(1 << 20)]),
                _ => {}
            }
            found(value)
        });
        match self.wrong {
            Wrong::EmptyValueIsNone if is_empty => Ok(false),
            Wrong::SaysFound => result.map(|_| true),
            Wrong::DropsErrors => Ok(result.unwrap_or(true)),
            Wrong::WrapsErrors => result.map_err(|error| Error::custom(format!("get: {error}"))),
            _ => result,
        }
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result {
        let mut all = Vec::new();
        let (from, to) = match self.wrong {
            Wrong::SignedKeys if !to.is_empty() => (self.key(from), self.key(to)),
            Wrong::SignedKeys => (self.key(from), Vec::new()),
            Wrong::IncludesTheEnd if !to.is_empty() => (from.to_vec(), [to, &[0]].concat()),
            Wrong::ExcludesTheStart => ([from, &[0]].concat(), to.to_vec()),
            Wrong::NoEndIsNothing if to.is_empty() => return Ok(()),
            Wrong::ReversedRangeIsAll if from > to => (from.to_vec(), Vec::new()),
            _ => (from.to_vec(), to.to_vec()),
        };
        self.rows.scan(&from, &to, &mut |key, value| {
            all.push((self.key(key), value.to_vec()));
            Ok(true)
        })?;
        match self.wrong {
            Wrong::ScansBackwards => all.reverse(),
            Wrong::LimitsScans => all.truncate(1000),
            _ => {}
        }
        self.reading.set(true);
        for (key, value) in all {
            match (each(&key, &value), self.wrong) {
                (Ok(true), _) | (Ok(false), Wrong::Continues) | (Err(_), Wrong::DropsErrors) => {}
                (Ok(false), _) => break,
                (Err(error), _) => {
                    self.reading.set(false);
                    return Err(error);
                }
            }
        }
        self.reading.set(false);
        Ok(())
    }

    fn commit(&self, changes: &Changes) -> Result {
        if matches!(self.wrong, Wrong::FailsWithoutChanges) && changes.is_empty() {
            return Err(Error::custom("no changes"));
        }
        let mut ordered: Vec<_> = changes.iter().collect();
        match self.wrong {
            Wrong::FirstChangeCounts => ordered.reverse(),
            Wrong::DeletesLast => ordered.sort_by_key(|change| matches!(change, Change::Delete(_))),
            _ => {}
        }
        let mut changes = Changes::new();
        for change in ordered {
            match change {
                Change::Put([], _) if matches!(self.wrong, Wrong::EmptyKeyIsNone) => {}
                Change::Put(key, value) => changes.put(&self.key(key), value),
                Change::Delete(key) => {
                    if matches!(self.wrong, Wrong::DeleteOfNothingFails) && !self.has(key) {
                        return Err(Error::custom("no such key"));
                    }
                    changes.delete(&self.key(key));
                }
            }
        }
        self.rows.commit(&changes)
    }

    fn compact(&self) -> Result {
        let mut changes = Changes::new();
        if matches!(self.wrong, Wrong::CompactLosesRows) {
            changes.delete(b"");
        }
        self.rows.commit(&changes)
    }

    fn name(&self) -> String {
        format!("{:?}", self.wrong)
    }
}

fn run(wrong: Wrong) {
    let mut kept = HashMap::<String, Rc<Memory>>::new();
    conformance(|name| {
        let name = match wrong {
            Wrong::Forgets => kept.len().to_string(),
            Wrong::SharesNames => name.rsplit_once('-').unwrap().0.to_owned(),
            _ => name.to_owned(),
        };
        let rows = kept.entry(name).or_default().clone();
        Box::new(Engine { rows, wrong, reading: false.into() })
    });
}

#[test]
fn each_wrong_engine_is_found() {
    run(Wrong::Nothing);
    let passed: Vec<_> =
        ALL.into_iter().filter(|wrong| catch_unwind(|| run(*wrong)).is_ok()).collect();
    assert!(passed.is_empty(), "engines that are wrong and passed: {passed:?}");
}
