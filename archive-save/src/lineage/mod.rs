//! [`Lineage`]: the saves from which a save comes.

mod branch;
mod known;

use std::fmt;

pub(crate) use branch::{Branches, random};
pub(crate) use known::Known;

/// The saves from which a save comes: those before it in its file, on this device and on others.
/// Dates play no part in it.
///
/// A save continues the one that this process last loaded from its file, or saved to it. If there
/// is none, it continues the save that it replaces. [`relation`] compares two lineages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lineage {
    id: u64,
    parent: u64,
    counter: u64,
    device: String,
    branch: u64,
    /// The branches of the saves before this one, the oldest first, each with the counter of its
    /// last save.
    before: Vec<(u64, u64)>,
}

/// The maximum number of branches in a lineage. Each run of a game that saves to a file is one
/// branch.
const MAX_BRANCHES: usize = 64;

/// How one save relates to another, from [`relation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Both are the same save.
    Equal,
    /// The first one continues the second one, which has nothing that the first one lacks.
    Ahead,
    /// The second one continues the first one.
    Behind,
    /// Each has progress that the other one lacks, or the relation is unknown. Only the player can
    /// say which to keep.
    Diverged,
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Equal => "equal",
            Relation::Ahead => "ahead",
            Relation::Behind => "behind",
            Relation::Diverged => "diverged",
        })
    }
}

/// Compares two saves by their [lineages](Lineage), for example those of this device and of the
/// cloud. Saves of different games, or of different slots, have diverged.
///
/// A save remembers the last 64 runs of the game that saved to its file. If the common save is
/// older than that, the result is [`Relation::Diverged`]. So it is for saves made in a browser
/// (`wasm32-unknown-unknown`), where the standard library has no random numbers.
///
/// ```
/// use archive::Format;
/// use archive::save::{Relation, SaveFile, relation};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let (here, cloud) = (folder.path().join("quick.sav"), folder.path().join("cloud.sav"));
/// let file = SaveFile::new(&here);
/// file.save(&1, Format::Binary)?;
/// std::fs::copy(&here, &cloud).unwrap();
/// file.save(&2, Format::Binary)?;
///
/// let (mine, theirs) = (SaveFile::peek(&here)?, SaveFile::peek(&cloud)?);
/// assert_eq!(relation(&mine.lineage, &theirs.lineage), Relation::Ahead);
/// # Ok::<(), archive::Error>(())
/// ```
pub fn relation(first: &Lineage, second: &Lineage) -> Relation {
    // Plain text files and saves made in a browser have no number.
    if first.id == second.id && first.id != 0 {
        Relation::Equal
    } else if first.continues(second) {
        Relation::Ahead
    } else if second.continues(first) {
        Relation::Behind
    } else {
        Relation::Diverged
    }
}

impl Lineage {
    /// Returns the number of the save, which is unique. It is 0 for a plain text file, and for a
    /// save made in a browser.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Returns the number of the save that this one continues, or 0 for the first save.
    pub fn parent(&self) -> u64 {
        self.parent
    }

    /// Returns the number of saves up to this one: 1 for the first save.
    pub fn counter(&self) -> u64 {
        self.counter
    }

    /// Returns the [device](crate::SaveFile::device) that saved.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// Returns the lineage of a save that continues another one, or of the first save.
    pub(crate) fn next(before: Option<&Lineage>, device: &str, branches: &Branches) -> Lineage {
        if !branch::HAS_RANDOM {
            return Lineage { device: device.to_owned(), ..Lineage::default() };
        }
        let Some(parent) = before else {
            let branch = branches.begin(1);
            let (id, device) = (random(), device.to_owned());
            return Lineage { id, parent: 0, counter: 1, device, branch, before: Vec::new() };
        };
        // The counter in a forged file may be the largest number.
        let counter = parent.counter.saturating_add(1);
        let mut before = parent.before.clone();
        let branch = if branches.resume(parent.branch, parent.counter) {
            parent.branch
        } else {
            before.extend(parent.place());
            branches.begin(counter)
        };
        before.drain(..before.len().saturating_sub(MAX_BRANCHES));
        let device = device.to_owned();
        Lineage { id: random(), parent: parent.id, counter, device, branch, before }
    }

    /// Returns the lineage of a save that continues two others, and has the value of the first one.
    pub(crate) fn both(kept: &Lineage, other: &Lineage, device: &str, branches: &Branches) -> Self {
        if !branch::HAS_RANDOM {
            return Lineage { device: device.to_owned(), ..Lineage::default() };
        }
        let mut before: Vec<(u64, u64)> = Vec::new();
        let all = |one: &Lineage| one.before.iter().copied().chain(one.place()).collect::<Vec<_>>();
        for (branch, last) in all(kept).into_iter().chain(all(other)) {
            match before.iter_mut().find(|(other, _)| *other == branch) {
                Some((_, other)) => *other = last.max(*other),
                None => before.push((branch, last)),
            }
        }
        // The oldest first. The branches of the two saves themselves are never forgotten.
        let is_own = |branch: u64| branch == kept.branch || branch == other.branch;
        before.sort_by_key(|&(branch, last)| (is_own(branch), last));
        before.drain(..before.len().saturating_sub(MAX_BRANCHES));
        let counter = kept.counter.max(other.counter).saturating_add(1);
        let branch = branches.begin(counter);
        Lineage {
            id: random(),
            parent: kept.id,
            counter,
            device: device.to_owned(),
            branch,
            before,
        }
    }

    /// Undoes a lineage whose save was not made, so that the next save can use its branch.
    pub(crate) fn undo(&self, before: Option<&Lineage>, branches: &Branches) {
        let is_first = before.is_none_or(|before| before.branch != self.branch);
        branches.undo(self.branch, self.counter, is_first);
    }

    /// Returns the branch, and the counter in it. A save without a number has no place, since all of
    /// them would have the same one.
    pub(crate) fn place(&self) -> Option<(u64, u64)> {
        (self.id != 0).then_some((self.branch, self.counter))
    }

    /// Returns the branches of the saves before this one, each with the counter of its last save.
    pub(crate) fn before(&self) -> &[(u64, u64)] {
        &self.before
    }

    /// Returns an arbitrary lineage, for tests.
    #[cfg(test)]
    pub(crate) fn forged(branch: u64, counter: u64, before: Vec<(u64, u64)>) -> Lineage {
        Lineage { id: random(), branch, counter, before, ..Lineage::default() }
    }

    /// Whether this save continues another one, directly or through others.
    pub(crate) fn continues(&self, other: &Lineage) -> bool {
        // In a branch each save continues the previous one.
        let own = self.branch == other.branch && other.counter < self.counter;
        let is_before =
            |&(branch, last): &(u64, u64)| branch == other.branch && other.counter <= last;
        // Nothing is known of a save without a number.
        self.id != 0 && other.id != 0 && (own || self.before.iter().any(is_before))
    }

    /// Returns the members as stored in a file. Numbers are text, because JavaScript rounds
    /// integers of 64 bits.
    pub(crate) fn to_record(&self) -> Record {
        let before = self.before.iter().map(|&(branch, last)| (hex(branch), last));
        Record {
            id: hex(self.id),
            parent: hex(self.parent),
            counter: self.counter,
            device: self.device.clone(),
            branch: hex(self.branch),
            before: before.collect(),
        }
    }
}

/// A [`Lineage`] in a file.
#[derive(Clone, Default)]
pub(crate) struct Record {
    id: String,
    parent: String,
    counter: u64,
    device: String,
    branch: String,
    before: Vec<(String, u64)>,
}
archive_core::members!(Record { id, parent, counter, device, branch, before });
archive_core::blank!(Record);

impl Record {
    /// Returns the lineage, or `None` if a number is malformed. Of more branches than a save remembers
    /// the last ones are kept.
    pub(crate) fn to_lineage(&self) -> Option<Lineage> {
        let last = &self.before[self.before.len().saturating_sub(MAX_BRANCHES)..];
        let before = last.iter().map(|(branch, last)| Some((from_hex(branch)?, *last)));
        Some(Lineage {
            id: from_hex(&self.id)?,
            parent: from_hex(&self.parent)?,
            counter: self.counter,
            device: self.device.clone(),
            branch: from_hex(&self.branch)?,
            before: before.collect::<Option<_>>()?,
        })
    }
}

/// Returns a number as text of 16 digits.
pub(crate) fn hex(number: u64) -> String {
    format!("{number:016x}")
}

/// Returns the number of such a text.
pub(crate) fn from_hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests;
