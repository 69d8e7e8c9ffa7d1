//! The command as a process, on real and on damaged files of every format.

mod convert;
mod read;
mod support;
