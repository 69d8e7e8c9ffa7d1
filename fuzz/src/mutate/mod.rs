//! Mutations of structured data.

mod binary;
mod bins;
mod tree;

pub use binary::binary;
pub use bins::bins;
pub use tree::tree;

use archive::format::Backend;

/// The mutation of a format's own target: one time in three the file as a tree, else its bytes,
/// which `change` mutates.
pub fn mutate<F: Backend>(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    change: fn(&mut [u8], usize, usize) -> usize,
) -> usize {
    if seed.is_multiple_of(3)
        && let Some(new) = tree::<F>(&data[..size], seed / 3)
        && new.len() <= max_size
    {
        data[..new.len()].copy_from_slice(&new);
        return new.len();
    }
    change(data, size, max_size)
}
