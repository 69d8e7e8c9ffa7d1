//! `Options::maps_as_objects`, in every format, and in files of other programs.

mod every_format;
mod other_programs;
