//! [`Key`]: a member's name as two numbers, which are faster to compare than text. If the name is
//! known at compile time, so are the numbers.

/// A name of less than 16 bytes, and its length. All longer names have the same key.
pub type Key = [u64; 2];

/// Returns the key of a name.
#[inline(always)]
pub fn key(name: &str) -> Key {
    let mut key = [0; 16];
    let [text @ .., len] = &mut key;
    *len = match text.get_mut(..name.len()) {
        Some(text) => {
            text.copy_from_slice(name.as_bytes());
            name.len() as u8
        }
        None => u8::MAX,
    };
    let [start, end] = key.as_chunks().0 else { return [0; 2] };
    [u64::from_le_bytes(*start), u64::from_le_bytes(*end)]
}

/// Returns whether the key of the name identifies it.
#[inline(always)]
pub fn is_short(name: &str) -> bool {
    name.len() < size_of::<Key>()
}
