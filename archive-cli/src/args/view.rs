//! The arguments of `archive view`.

use std::path::PathBuf;

use clap::Args;

use super::{Typing, Write, count};

#[derive(Args)]
pub struct View {
    /// The file, or a folder of saves
    pub file: PathBuf,
    /// A file to compare with
    #[arg(long, value_name = "OTHER")]
    pub compare: Option<PathBuf>,
    /// Write the page to PAGE, or to `-`, to be opened without this command
    #[arg(long, value_name = "PAGE", conflicts_with_all = ["compare", "port", "read_only", "no_open", "backups"])]
    pub export: Option<PathBuf>,
    /// The maximum size of PAGE, such as 500kB. What does not fit is left out
    #[arg(long, value_name = "SIZE", default_value = "10MB", value_parser = size, requires = "export")]
    pub max_size: u64,
    /// Do not allow changes of the file
    #[arg(long)]
    pub read_only: bool,
    /// Only print the address, and do not open the browser
    #[arg(long)]
    pub no_open: bool,
    /// The port [default: any free port]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// How many backups of a save file to keep [default: as many as there are, and at least one]
    #[arg(long, value_name = "COUNT", value_parser = count, allow_negative_numbers = true)]
    pub backups: Option<usize>,
    #[command(flatten)]
    pub typing: Typing,
}

impl View {
    /// Returns how changed files are written.
    pub fn write(&self) -> Write {
        Write { output: None, backups: self.backups, json: false }
    }
}

/// Parses a number of bytes.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..].trim() {
        "" | "B" => 1,
        "kB" => 1000,
        "MB" => 1_000_000,
        _ => 0,
    };
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    let bytes = bytes.filter(|bytes| *bytes > 0);
    bytes.ok_or_else(|| "expected a size, such as 500kB or 10MB".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, expected) in [("12", 12), ("12B", 12), ("500kB", 500_000), ("10 MB", 10_000_000)]
        {
            assert_eq!(size(text), Ok(expected));
        }
        for text in
            ["", "0", "MB", "-1", "1.5MB", "5GB", "99999999999999999999", "9999999999999999MB"]
        {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
