//! [`Disk`]: a file that loses what was not synced when its power is cut.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use redb::StorageBackend;

/// SplitMix64.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut hash = self.0;
        hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ hash >> 31
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// A disk with one file, that several owners see.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// What reads see.
    seen: Vec<u8>,
    /// What a loss of power leaves.
    kept: Vec<u8>,
    /// What was not synced yet, in order.
    pending: Vec<Step>,
    faults: Faults,
    is_off: bool,
    steps: u64,
    syncs: u64,
    /// The most bytes that were read at once beyond the end of the file.
    beyond: usize,
}

#[derive(Debug)]
enum Step {
    Write(usize, Vec<u8>),
    SetLen(usize),
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Faults {
    /// The power is cut at that write, change of length or sync.
    pub(crate) cut_at: Option<u64>,
    /// Each sync of that number does nothing.
    pub(crate) drops_sync: Option<u64>,
    /// From that step on, writes and changes of length fail, since the disk is full.
    pub(crate) full_at: Option<u64>,
    /// That step fails, if it is a sync. What was to be written is kept in part and not written
    /// again by the next, as on Linux.
    pub(crate) sync_fails_at: Option<u64>,
}

impl Disk {
    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        let disk = Disk::default();
        (disk.state().seen, disk.state().kept) = (bytes.clone(), bytes);
        disk
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// Returns the contents of the file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.state().seen.clone()
    }

    pub(crate) fn is_off(&self) -> bool {
        self.state().is_off
    }

    /// Returns how many writes, changes of length and syncs there were.
    pub(crate) fn steps(&self) -> u64 {
        self.state().steps
    }

    /// Returns the most bytes that were read at once beyond the end of the file.
    pub(crate) fn beyond(&self) -> usize {
        self.state().beyond
    }

    /// Lets things go wrong from now on. Steps are counted from here.
    pub(crate) fn set_faults(&self, faults: Faults) {
        let mut state = self.state();
        (state.steps, state.faults) = (0, faults);
    }

    /// Cuts the power, and turns it on again. A random part of what was not synced survives, in
    /// whole writes or torn at sectors.
    pub(crate) fn lose_power(&self, random: &mut Random) {
        let mut state = self.state();
        state.keep_some(random);
        state.seen = state.kept.clone();
        (state.is_off, state.faults) = (false, Faults::default());
    }
}

impl State {
    /// Begins a step. Returns whether the power is cut at it.
    fn step(&mut self) -> io::Result<bool> {
        if self.is_off {
            return Err(io::Error::other("the power is off"));
        }
        self.steps += 1;
        self.is_off = self.faults.cut_at == Some(self.steps);
        Ok(self.is_off)
    }

    fn change(&mut self, change: Step) -> io::Result<()> {
        let is_cut = self.step()?;
        if self.faults.full_at.is_some_and(|full| self.steps >= full) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        apply(&mut self.seen, &change);
        self.pending.push(change);
        if is_cut { Err(io::Error::other("the power is off")) } else { Ok(()) }
    }

    fn sync(&mut self) -> io::Result<()> {
        let is_cut = self.step()?;
        self.syncs += 1;
        if self.faults.drops_sync.is_some_and(|every| self.syncs.is_multiple_of(every)) {
            return Ok(());
        }
        if self.faults.sync_fails_at == Some(self.steps) {
            // The system writes down the length again, but not what is in the file.
            let lengths = self.pending.extract_if(.., |step| matches!(step, Step::SetLen(_)));
            let lengths: Vec<_> = lengths.collect();
            self.keep_some(&mut Random(self.steps ^ self.syncs << 32));
            self.pending = lengths;
            return Err(io::Error::other("the disk failed"));
        }
        if is_cut {
            return Err(io::Error::other("the power is off"));
        }
        for step in self.pending.drain(..) {
            apply(&mut self.kept, &step);
        }
        Ok(())
    }

    fn keep_some(&mut self, random: &mut Random) {
        const SECTOR: usize = 512;
        let (percent, is_torn) = (random.below(101), random.below(2) == 0);
        for step in std::mem::take(&mut self.pending) {
            match step {
                Step::Write(at, bytes) if is_torn => {
                    let mut from = 0;
                    while from < bytes.len() {
                        let to = bytes.len().min(from + SECTOR - (at + from) % SECTOR);
                        if random.below(100) < percent {
                            let sector = Step::Write(at + from, bytes[from..to].to_vec());
                            apply(&mut self.kept, &sector);
                        }
                        from = to;
                    }
                }
                step if random.below(100) < percent => apply(&mut self.kept, &step),
                _ => {}
            }
        }
    }
}

fn apply(bytes: &mut Vec<u8>, step: &Step) {
    match step {
        Step::SetLen(len) => bytes.resize(*len, 0),
        Step::Write(at, new) => {
            bytes.resize(bytes.len().max(at + new.len()), 0);
            bytes[*at..at + new.len()].copy_from_slice(new);
        }
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().seen.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut state = self.state();
        if state.is_off {
            return Err(io::Error::other("the power is off"));
        }
        let from = usize::try_from(offset).ok();
        let end = from.and_then(|from| from.checked_add(out.len()));
        match from.zip(end).and_then(|(from, end)| state.seen.get(from..end)) {
            Some(bytes) => out.copy_from_slice(bytes),
            None => {
                state.beyond = state.beyond.max(out.len());
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.state().change(Step::SetLen(len as usize))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.state().sync()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.state().change(Step::Write(offset as usize, data.to_vec()))
    }
}
