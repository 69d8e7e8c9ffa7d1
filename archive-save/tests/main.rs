//! Save files and slots.

mod background;
mod backups;
mod damage;
mod disk;
mod faults;
mod golden;
mod hostile;
mod layout;
mod loads;
mod names;
mod newest;
mod others;
mod power;
mod processes;
mod proof;
mod slots;
mod worlds;
