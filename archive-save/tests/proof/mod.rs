//! The promises about saves, and searches for faults. The tests run a little of each search, the
//! program `prove` all of it.

pub(crate) mod calls;
pub(crate) mod dice;
pub(crate) mod failing_system;
pub(crate) mod files_of_a_save;
pub(crate) mod full_disk;
pub(crate) mod interrupted_save;
pub(crate) mod killed_saver;
pub(crate) mod moves;
pub(crate) mod together;

use archive::save::testing::PowerCuts;

/// The rules of file systems in memory: those of Windows if this variable is `windows`.
pub(crate) const RULES: &str = "ARCHIVE_RULES";

/// Returns whether file systems in memory have the rules of Windows.
pub(crate) fn is_windows() -> bool {
    std::env::var_os(RULES).is_some_and(|rules| rules == "windows")
}

/// Returns a path with `/` as messages have it on this system.
#[allow(dead_code, reason = "the program `prove` shows no paths")]
pub(crate) fn native(path: &str) -> String {
    path.replace('/', std::path::MAIN_SEPARATOR_STR)
}

/// Returns a file system without files, with the rules of this run.
pub(crate) fn power_cuts() -> PowerCuts {
    if is_windows() { PowerCuts::windows() } else { PowerCuts::new() }
}
