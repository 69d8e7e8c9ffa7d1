//! Save files and slots.

mod autosaves;
mod background;
mod backups;
mod damage;
mod disk;
mod faults;
mod files;
mod folding;
mod golden;
mod hostile;
mod layout;
mod names;
mod power;
mod processes;
mod proof;
mod queue;
mod slots;
mod slow;
mod trash;
mod worlds;
