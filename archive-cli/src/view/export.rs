//! Writes the page with the content of a file, to be opened without this command.

use std::path::Path as FilePath;

use archive::path::Path;
use archive::{Error, ErrorKind, Result, Value};

use super::{node, page, slots};
use crate::input::Input;
use crate::json_output::{extended, object};
use crate::node::{Builder, Fold};
use crate::{Outcome, output, show};

/// How much of a file is tried, from all of it to little: the items of each sequence, and the bytes of each text.
const TRIES: [(usize, usize); 9] = [
    (usize::MAX, 1 << 20),
    (10_000, 10_000),
    (3000, 3000),
    (1000, 1000),
    (300, 300),
    (100, 200),
    (30, 100),
    (10, 100),
    (3, 50),
];

/// The levels of a page, which the script of the page copies recursively.
const LEVELS: usize = 100;

/// Writes a page of at most that many bytes.
///
/// # Errors
/// [`ErrorKind::SizeLimit`] if even a small part of the file is larger, and errors of the file and of the system.
pub fn export(file: &FilePath, to: &FilePath, max_size: u64) -> Result<Outcome> {
    output::keep_input(file, to)?;
    let input = Input::open(file)?;
    let room = max_size.saturating_sub(page::len()? as u64);
    for (items, text) in TRIES {
        if let Some(data) = data(&input, items, text, room)? {
            let page = page::exported(&data)?;
            if page.len() as u64 <= max_size {
                output::write(to, page.as_bytes())?;
                return Ok(Outcome::Done);
            }
        }
    }
    let message = format_args!(
        "no page of {} can show this file: allow more with --max-size",
        show::bytes(max_size)
    );
    Err(Error::new(ErrorKind::SizeLimit, message).in_file(&input.name))
}

/// Returns the content of a page, or `None` if it is larger than that.
fn data(input: &Input, items: usize, text: usize, room: u64) -> Result<Option<String>> {
    /// The least number of bytes that a value takes in a page.
    const VALUE: u64 = 40;
    let nodes = usize::try_from(room / VALUE).unwrap_or(usize::MAX);
    let fold = Fold { depth: LEVELS, items, members: items, first: 0, nodes, text };
    let mut builder = Builder::new(fold);
    let root = input.read(|from| builder.build(from, 0))?;
    if builder.is_full() {
        return Ok(None);
    }
    let picture = input.meta.as_ref().map(|meta| picture(&meta.thumbnail)).unwrap_or_default();
    let cut = match items {
        usize::MAX => Value::Null,
        _ => format!(
            "This page has at most {items} items of each list or object, and {} of each text.",
            show::bytes(text as u64)
        )
        .into(),
    };
    let name = FilePath::new(&input.name).file_name().unwrap_or_default().to_string_lossy();
    let about = node::about(input, &name);
    let content = object([
        ("node", node::as_value(&root, &Path::new(), &|_| None)),
        ("cut", cut),
        ("thumbnail", crate::json_output::text(&picture)),
    ]);
    let data = extended(about, content).to_string();
    Ok((data.len() as u64 <= room).then_some(data))
}

/// Returns the picture of a save as an address.
fn picture(bytes: &[u8]) -> String {
    /// The maximum size of a picture.
    const MAX: usize = 100_000;
    match slots::picture_type(bytes).filter(|_| bytes.len() <= MAX) {
        Some(kind) => {
            let bytes: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
            format!("data:{kind},{bytes}")
        }
        None => String::new(),
    }
}
