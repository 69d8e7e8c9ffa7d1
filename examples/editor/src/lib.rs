//! An editor of Skirmish saves, built on `archive::reflect`. It knows nothing of the game except
//! the type of a world, the registry, and how a file is loaded.
//!
//! - `document`: a world, the commands that change it, undo and redo.
//! - `command`: the commands.
//! - `table`: the property table of a part of the world, as text.
//! - `app`, `view`: the terminal program; `picture`: its screen as SVG.

pub mod app;
pub mod command;
pub mod document;
pub mod picture;
pub mod table;
pub mod view;
