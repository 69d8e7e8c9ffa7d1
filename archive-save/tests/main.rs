//! Save files and slots.

mod background;
mod backups;
mod damage;
mod disk;
mod faults;
mod generations;
mod golden;
mod hostile;
mod layout;
mod lineages;
mod names;
mod power;
mod processes;
mod proof;
mod refused;
mod slots;
mod special;
mod turns;
mod worlds;
