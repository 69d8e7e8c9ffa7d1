//! Input made to break the program ends in a typed error.

mod cut;
mod every_format;
mod json;
mod lengths;
