//! Save files and slots.

mod backups;
mod damage;
mod faults;
mod power;
mod worlds;
