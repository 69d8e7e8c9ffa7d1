//! Malicious input ends in a typed error.

mod cut;
mod deep_and_forged;
mod json;
mod lengths;
