//! Skirmish: a game that is saved in the middle ends as if it had not been.

mod arena;
mod hostile;
mod ids;
mod interrupts;
mod levels;
mod paths;
mod pointers;
