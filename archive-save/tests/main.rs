//! Save files and slots.

mod autosaves;
mod background;
mod backups;
mod damage;
mod disk;
mod faults;
mod files;
mod folding;
mod generations;
mod golden;
mod hostile;
mod layout;
mod lineages;
mod names;
mod power;
mod processes;
mod proof;
mod queue;
mod refused;
mod slots;
mod slow;
mod special;
mod trash;
mod turns;
mod worlds;
