//! The command as a process, on real and on damaged files of every format.

mod add;
mod adversary;
mod at_once;
mod attacks;
mod compare;
mod convert;
mod detected_formats;
mod duplicate_names;
mod editor;
mod hints;
mod hostile_files;
mod look;
mod manners;
mod mistyped;
mod patch;
mod programs;
mod read;
mod repair;
mod run_command;
mod session;
mod set;
mod set_references;
mod shown;
mod sparse;
mod types_of_files;
