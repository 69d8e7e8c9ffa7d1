//! `Option` of what may itself be null.

mod every_format;
mod text;
