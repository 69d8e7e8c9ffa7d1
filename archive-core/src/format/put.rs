//! Appends short pieces of text. A copy whose length is known at compile time takes a few
//! instructions; any other copy is a function call. Short text is therefore copied in pieces of
//! fixed length, which may overlap, or together with padding, which is then removed.
// Why: docs/decisions/json-and-messagepack.md#short-pieces-are-copied-with-the-bytes-that-follow

/// Appends the first `len` bytes of `text`.
#[inline]
pub fn padded<const N: usize>(out: &mut Vec<u8>, text: &[u8; N], len: usize) {
    let end = out.len() + len;
    out.extend_from_slice(text);
    out.truncate(end);
}

/// Appends text that is probably short.
#[inline]
pub fn short(out: &mut Vec<u8>, text: &[u8]) {
    match text.len() {
        16..=32 => halves::<16>(out, text),
        8..16 => halves::<8>(out, text),
        4..8 => halves::<4>(out, text),
        0..4 => text.iter().for_each(|byte| out.push(*byte)),
        _ => out.extend_from_slice(text),
    }
}

/// Appends text of `N` to `2 * N` bytes.
#[inline]
fn halves<const N: usize>(out: &mut Vec<u8>, text: &[u8]) {
    let (Some(first), Some(last)) = (text.first_chunk::<N>(), text.last_chunk::<N>()) else {
        return out.extend_from_slice(text);
    };
    let middle = out.len() + text.len() - N;
    out.extend_from_slice(first);
    out.truncate(middle);
    out.extend_from_slice(last);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_of_all_lengths() {
        let text: Vec<u8> = (0..50).collect();
        for len in 0..50 {
            let mut out = vec![99];
            short(&mut out, &text[..len]);
            assert_eq!(out[1..], text[..len]);
        }
    }
}
