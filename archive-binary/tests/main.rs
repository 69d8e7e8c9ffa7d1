//! The binary format: its bytes, its profiles, what hand-written types store, and hostile files.

mod asking_by_position;
mod binary_layout;
mod binary_pointers;
mod common;
mod evolution;
mod forging;
mod handwritten;
mod hostile;
mod inspect;
mod profiles;
mod references;
mod round_trip;
mod same_as_over_an_encoder;
mod self_describing;
