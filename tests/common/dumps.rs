//! The bytes that the pages about formats show.

/// Returns the bytes in one of the dumps of a page: the part of each line before the two spaces.
pub fn dump(page: &str, number: usize) -> Vec<u8> {
    let block = page.split("```hex\n").nth(number + 1).expect("a dump");
    let lines = block.split("```").next().unwrap_or_default().lines();
    let bytes =
        lines.flat_map(|line| line.split("  ").next().unwrap_or_default().split_whitespace());
    bytes.map(|byte| u8::from_str_radix(byte, 16).expect("two digits")).collect()
}

/// Returns bytes as a page shows them.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}
