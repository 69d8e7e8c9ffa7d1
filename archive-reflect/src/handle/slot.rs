//! [`Slot`]: one place of a map.

use archive_derive::Serialize;

/// A place of a map, which can be used again.
#[derive(Clone, Debug, Serialize)]
#[archive(crate = archive_core, default)]
pub struct Slot<T> {
    /// How many values the slot had before the one that it has or gets next.
    #[archive(skip_if_default)]
    pub(super) generation: u32,
    pub(super) value: Option<T>,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Slot { generation: 0, value: None }
    }
}

impl<T> Slot<T> {
    /// Takes the value out. From now on its handles refer to no value.
    pub(super) fn take(&mut self) -> Option<T> {
        let value = self.value.take()?;
        self.generation = self.generation.saturating_add(1);
        Some(value)
    }

    /// Returns whether the slot may get another value. A slot that had 2³² − 1 values may not,
    /// because its handles are used up.
    pub(super) fn is_free(&self) -> bool {
        self.value.is_none() && self.generation != u32::MAX
    }
}
