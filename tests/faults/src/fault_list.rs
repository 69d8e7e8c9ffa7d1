//! The list of faults.

use std::error::Error;
use std::path::PathBuf;

/// A fault of the list.
pub struct Fault {
    /// Its number.
    pub number: u32,
    /// Whether the code runs only where types are compiled for each format.
    pub is_static: bool,
    /// The fault, in words.
    pub name: String,
    /// The file, from the root.
    pub file: PathBuf,
    /// The text that is replaced. It is in the file once.
    pub find: String,
    /// The text that replaces it.
    pub replace: String,
}

/// Parses the list: see its head.
pub fn faults(list: &str) -> Result<Vec<Fault>, Box<dyn Error>> {
    let mut faults = Vec::<Fault>::new();
    let mut lines = list.lines();
    while let Some(line) = lines.next() {
        if let Some((head, name)) = line.strip_prefix('[').and_then(|line| line.split_once("] ")) {
            let is_static = head.ends_with(" static");
            let number = head.trim_end_matches(" static").parse()?;
            let file = lines.next().unwrap_or_default().into();
            let (name, find, replace) = (name.into(), String::new(), String::new());
            faults.push(Fault { number, is_static, name, file, find, replace });
        } else if let Some(fault) = faults.last_mut().filter(|_| line.starts_with(['-', '+'])) {
            let is_old = line.starts_with('-');
            let side = if is_old { &mut fault.find } else { &mut fault.replace };
            let separator = if side.is_empty() { "" } else { "\n" };
            *side += &format!("{separator}{}", &line[1..]);
        } else if !line.is_empty() && !line.starts_with('#') {
            return Err(format!("not understood: {line}").into());
        }
    }
    Ok(faults)
}
