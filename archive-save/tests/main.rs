//! Save files and slots.

mod background;
mod backups;
mod damage;
mod disk;
mod faults;
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
mod worlds;
