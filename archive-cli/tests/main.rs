//! The command as a process, on real and on damaged files of every format.

mod add;
mod changed_while_open;
mod compare;
mod convert;
mod detected_formats;
mod documented_session;
mod duplicate_names;
mod editor;
mod get_and_inspect;
mod hints;
mod hostile_files;
mod interrupts_and_permissions;
mod json_for_programs;
mod mistyped;
mod patch;
mod pipes_and_links;
mod repair;
mod run_command;
mod schema_verify_stats;
mod schemas;
mod set;
mod set_references;
mod sparse_files;
mod terminal_output;
mod types_of_files;
mod unreadable_places;
