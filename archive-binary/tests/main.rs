//! The binary format: its bytes, its profiles, what hand-written types store, and hostile files.

mod by_hand;
mod common;
mod evolution;
mod forging;
mod handwritten;
mod hostile;
mod inspect;
mod layout;
mod pointers;
mod profiles;
mod references;
mod round_trip;
mod self_describing;
mod two_ways;
