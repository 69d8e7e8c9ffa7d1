//! Texts in the repository that must be equal to what the tests generate.

use std::path::Path;

/// Compares a text with the file at that path from the repository. If the environment variable is
/// set, the file is rewritten.
pub fn pinned(path: &str, text: &str, variable: &str) {
    let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path);
    if std::env::var_os(variable).is_some() {
        std::fs::write(&file, text).unwrap();
        return;
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    let same = found.lines().zip(text.lines()).take_while(|(found, text)| found == text).count();
    assert!(found == text, "{path} differs from line {} on; `{variable}=1` rewrites it", same + 1);
}
