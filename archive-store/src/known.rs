//! [`Known`]: the rows of a class, and which save wrote each.
// Why: docs/decisions/store.md#rows-that-were-not-loaded-are-kept

use rustc_hash::FxHashMap;

/// The rows in the storage, by key, each with the number of the save that wrote it. An object is
/// unchanged since its row was written only if its [`LastSave`](crate::last_save::LastSave) has the same number: then no other object
/// was saved in its place, and the row was not deleted.
///
/// The lower half of a key is its place in a vector, as in a [`Pool`](crate::Pool). Keys with the
/// same lower half, and much larger keys, are in a map.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// The upper half of a key, and a number; 0 if there is no such row.
    near: Vec<(u32, u32)>,
    far: FxHashMap<u64, u32>,
    /// The number of rows, of those from which no object was loaded, and of those that the program
    /// refused.
    len: u64,
    unclaimed: u64,
    refused: u64,
}

/// The state of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowState {
    /// No row is stored.
    Absent,
    /// The save with this number wrote the row.
    Of(u32),
    /// No object was loaded from it. `save_all` deletes it.
    Unclaimed,
    /// The program could not load the row. No save changes it.
    Refused,
}

impl RowState {
    /// The largest number of a save.
    pub(crate) const MAX_SAVE: u32 = u32::MAX - 2;

    fn from_number(number: u32) -> Self {
        match number {
            0 => RowState::Absent,
            u32::MAX => RowState::Unclaimed,
            number if number > Self::MAX_SAVE => RowState::Refused,
            number => RowState::Of(number),
        }
    }

    fn number(self) -> u32 {
        match self {
            RowState::Absent => 0,
            RowState::Of(number) => number,
            RowState::Unclaimed => u32::MAX,
            RowState::Refused => u32::MAX - 1,
        }
    }
}

impl Known {
    #[inline]
    pub(crate) fn get(&self, key: u64) -> RowState {
        match self.near.get(key as u32 as usize) {
            Some((high, number)) if *high == (key >> 32) as u32 && *number != 0 => {
                RowState::from_number(*number)
            }
            _ if self.far.is_empty() => RowState::Absent,
            _ => RowState::from_number(self.far.get(&key).copied().unwrap_or(0)),
        }
    }

    pub(crate) fn set(&mut self, key: u64, state: RowState) {
        let old = self.get(key);
        if old != state {
            self.count(old, u64::wrapping_sub);
            self.count(state, u64::wrapping_add);
        }
        let (high, place, number) = ((key >> 32) as u32, key as u32 as usize, state.number());
        if place >= self.near.len()
            && place as u64 <= 64 + 2 * self.len
            && !self.far.contains_key(&key)
        {
            self.near.resize(place + 1, (0, 0));
        }
        match self.near.get_mut(place) {
            Some(near) if near.1 != 0 && near.0 == high => near.1 = number,
            Some(near) if near.1 == 0 && !self.far.contains_key(&key) => *near = (high, number),
            _ if number == 0 => _ = self.far.remove(&key),
            _ => _ = self.far.insert(key, number),
        }
    }

    fn count(&mut self, state: RowState, change: fn(u64, u64) -> u64) {
        self.len = change(self.len, u64::from(state != RowState::Absent));
        self.unclaimed = change(self.unclaimed, u64::from(state == RowState::Unclaimed));
        self.refused = change(self.refused, u64::from(state == RowState::Refused));
    }

    /// Returns how many rows there are.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Returns how many rows were saved or loaded.
    pub(crate) fn live(&self) -> u64 {
        self.len - self.unclaimed - self.refused
    }

    pub(crate) fn has_refused(&self) -> bool {
        self.refused > 0
    }

    pub(crate) fn has_unclaimed(&self) -> bool {
        self.unclaimed > 0
    }

    /// Returns all rows.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, RowState)> {
        let near = self.near.iter().zip(0_u64..).filter(|((_, number), _)| *number != 0);
        let near = near.map(|((high, number), place)| (u64::from(*high) << 32 | place, *number));
        let far = self.far.iter().map(|(key, number)| (*key, *number));
        near.chain(far).map(|(key, number)| (key, RowState::from_number(number)))
    }

    pub(crate) fn clear(&mut self) {
        *self = Known::default();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::{Known, RowState};

    proptest! {
        #[test]
        fn it_is_a_map(steps in prop::collection::vec((0..3_u64, 0..200_u64, 0..4_u8), 0..400)) {
            let (mut known, mut map) = (Known::default(), BTreeMap::new());
            for (high, low, what) in steps {
                let key = (high << 32) | (low * low);
                let state = match what {
                    0 => RowState::Absent,
                    1 => RowState::Of(low as u32 + 1),
                    2 => RowState::Unclaimed,
                    _ => RowState::Refused,
                };
                known.set(key, state);
                if state == RowState::Absent { map.remove(&key) } else { map.insert(key, state) };
                prop_assert_eq!(known.get(key), state);
            }
            prop_assert_eq!(known.len(), map.len() as u64);
            let live = map.values().filter(|state| matches!(state, RowState::Of(_))).count();
            prop_assert_eq!(known.live(), live as u64);
            prop_assert!(map.iter().all(|(key, state)| known.get(*key) == *state));
            prop_assert_eq!(known.iter().collect::<BTreeMap<_, _>>(), map);
        }
    }

    #[test]
    fn keys_far_apart_take_little_memory() {
        let mut known = Known::default();
        (0..32).for_each(|bit| known.set(1 << bit, RowState::Of(1)));
        assert!(known.near.len() <= 200, "{}", known.near.len());
        assert_eq!(known.len(), 32);
    }
}
