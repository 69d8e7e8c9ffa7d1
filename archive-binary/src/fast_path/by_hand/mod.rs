//! The members that a hand-written function visits: an archive for each direction, which lives as long as
//! the object and knows how far in it the function is.

mod loading;
mod saving;
