//! [`Progress`]: a progress bar, shown only on a terminal.

use std::io::{IsTerminal, stderr, stdout};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The progress of reading a file.
pub struct Progress(ProgressBar);

impl Progress {
    /// Creates a bar for a file of that length. It is shown on standard error if that is a terminal and
    /// standard output is not.
    pub fn new(len: Option<u64>) -> Progress {
        Progress::shown(len, stderr().is_terminal() && !stdout().is_terminal())
    }

    /// Creates a bar for files of that length, for a command that writes nothing to standard output meanwhile.
    pub fn of_files(len: u64) -> Progress {
        Progress::shown(Some(len), stderr().is_terminal())
    }

    fn shown(len: Option<u64>, is_shown: bool) -> Progress {
        let target =
            if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(len, target);
        let template = "{bytes:>10} of {total_bytes} [{bar:30}] {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        Progress(bar)
    }

    /// Adds bytes that were read.
    pub fn add(&self, bytes: usize) {
        self.0.inc(bytes as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
