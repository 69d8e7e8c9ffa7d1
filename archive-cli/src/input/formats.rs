//! The formats of files, by their names and by their first bytes.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use archive::{Error, ErrorKind, Format, Options, Result, bins};

/// The number of levels that a file may have, or 0 for the default.
static DEPTH: AtomicUsize = AtomicUsize::new(0);

/// Sets the number of levels that files may have. The stack of each thread that reads them must be large enough.
#[cfg(feature = "view")]
pub fn allow_depth(levels: usize) {
    DEPTH.store(levels, Ordering::Relaxed);
}

/// Returns the options with which files are read.
pub fn options() -> Options<'static> {
    let options = Options::new().relaxed(true).max_elements(u64::MAX);
    match DEPTH.load(Ordering::Relaxed) {
        0 => options,
        levels => options.max_depth(levels),
    }
}

/// The memory that the tree of a file may take, in bytes.
const TREE: u64 = 4 << 30;

/// Returns the options for loading a file of that length as a tree, which bound its memory.
pub fn tree_options(len: usize) -> Options<'static> {
    options().max_expansion(expansion(len, TREE))
}

/// Returns the maximum number of bytes of a tree for each byte of a file of that length.
fn expansion(len: usize, most: u64) -> usize {
    let each = most / (len as u64).max(1);
    (each as usize).clamp(1, Options::new().settings().limits().expansion)
}

/// Replaces the message of an error about the limits of trees.
#[cold]
pub fn explain_limit(error: Error) -> Error {
    if error.kind() != ErrorKind::SizeLimit {
        return error;
    }
    let message = format_args!(
        "this command keeps the whole file in memory as a tree, which would take more than {} GiB",
        TREE >> 30
    );
    error.in_words_of(Error::new(ErrorKind::SizeLimit, message))
}

/// Returns the format Bins.
pub fn bins_format() -> Format {
    Format::of::<bins::Bins>()
}

/// Returns the format of that name, Bins included.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if there is none.
pub fn by_name(name: &str) -> Result<Format> {
    if name.eq_ignore_ascii_case("bins") {
        return Ok(bins_format());
    }
    Format::from_name(name).map_err(|error| {
        let message = format_args!("{}, `bins`", error.message());
        Error::new(error.kind(), message)
    })
}

/// Returns the format for the name of a file, Bins included.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if there is none.
pub fn by_path(path: &Path) -> Result<Format> {
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("bins") => Ok(bins_format()),
        _ => Format::from_path(path).map_err(|error| {
            let message = format_args!("{}, `bins`; or name the format with --to", error.message());
            Error::new(error.kind(), message)
        }),
    }
}

/// Returns the name of a format, for people.
pub fn format_name(format: Format) -> &'static str {
    match format {
        Format::Json => "JSON",
        Format::Binary => "binary",
        Format::Blob => "ObjectBlob",
        Format::MessagePack => "MessagePack",
        Format::Custom(_) => "Bins",
        other => other.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_may_not_take_more_as_a_tree() {
        assert_eq!([0, 1, 1 << 20].map(|len| expansion(len, TREE)), [256; 3]);
        assert_eq!(expansion(100 << 20, TREE), 40);
        assert_eq!(expansion(usize::MAX, TREE), 1);
        // The error names the limit in the terms of the command.
        let text = format!("[{}0]", "0,".repeat(1 << 18));
        let small = options().max_expansion(expansion(text.len(), text.len() as u64));
        let error = archive::json::from_str_with::<archive::Value>(&text, &small).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::SizeLimit);
        assert!(explain_limit(error).message().ends_with("more than 4 GiB"));
    }
}
