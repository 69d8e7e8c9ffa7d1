//! The members that a hand-written function visits. For each direction there is an archive that
//! lives as long as the object and tracks the position of the function in it.

mod loading;
mod saving;
