//! What is promised of saves, and what tries to break it. The tests run a little of each part, and the program `prove`
//! all of it.

pub(crate) mod calls;
pub(crate) mod dice;
pub(crate) mod failing;
pub(crate) mod family;
pub(crate) mod full;
pub(crate) mod killed;
pub(crate) mod moves;
pub(crate) mod power;
pub(crate) mod together;
