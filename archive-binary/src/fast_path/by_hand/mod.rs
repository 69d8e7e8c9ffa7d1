//! The members that a hand-written function visits: for each direction an archive that lives as
//! long as the object and tracks how far the function is in it.

mod loading;
mod saving;
