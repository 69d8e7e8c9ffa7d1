//! Damaged files.

/// The file cut short, with other bytes in some places, and with other digits in the places of digits:
/// ids among others.
pub fn damaged(bytes: &[u8], flips: &[(usize, u8)], cut: usize) -> [Vec<u8>; 3] {
    let short = bytes[..cut % bytes.len()].to_vec();
    let mut flipped = bytes.to_vec();
    let mut other = bytes.to_vec();
    let digits: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
    for (at, byte) in flips {
        flipped[at % bytes.len()] = *byte;
        if !digits.is_empty() {
            other[digits[at % digits.len()]] = b'0' + byte % 10;
        }
    }
    [short, flipped, other]
}
