//! Skirmish: a game that is saved in the middle has the same end as the uninterrupted one.

mod arena;
mod ids;
mod interrupts;
mod ldtk_projects;
mod not_a_game;
mod shared_in_games;
mod walking_paths;
