//! The interface as users write it, and the order of the repository.

mod counts;
mod decisions;
mod doc_examples;
mod exports;
mod faults;
mod interface;
mod layers;
mod no_operating_system;
mod pages;
mod test_files;
mod testing;
mod tidy;
