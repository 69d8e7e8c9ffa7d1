//! The command as a process, on real and on damaged files of every format.

mod add;
mod adversary;
mod at_once;
mod attacks;
mod compare;
mod convert;
mod detect;
mod edit;
mod editor;
mod hints;
mod hostile;
mod look;
mod manners;
mod patch;
mod pointers;
mod programs;
mod read;
mod repair;
mod schemas;
mod session;
mod shown;
mod sparse;
mod support;
mod twice;
mod typed;
mod types;
