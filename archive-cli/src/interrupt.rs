//! Removes temporary files on an interrupt, and leaves interrupts to a running editor.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files and folders that exist.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Whether an editor is running, which gets the same interrupts from the terminal.
static IS_EDITING: AtomicBool = AtomicBool::new(false);

fn temporary() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file or folder that is removed if the process is interrupted. Otherwise its creator
/// removes it.
pub struct Guard(PathBuf);

/// Creates a temporary file or folder.
pub fn guarded<T: AsRef<Path>>(create: impl FnOnce() -> io::Result<T>) -> io::Result<(T, Guard)> {
    watch();
    // The lock keeps an interrupt from coming between the creation and the note of it.
    let mut all = temporary();
    let created = create()?;
    let path = created.as_ref().to_owned();
    all.push(path.clone());
    Ok((created, Guard(path)))
}

impl Drop for Guard {
    fn drop(&mut self) {
        temporary().retain(|path| *path != self.0);
    }
}

/// Runs a function. Interrupts from the terminal do not end this process meanwhile.
pub fn with_editor<R>(run: impl FnOnce() -> R) -> R {
    watch();
    IS_EDITING.store(true, Ordering::SeqCst);
    let result = run();
    IS_EDITING.store(false, Ordering::SeqCst);
    result
}

#[cfg(not(unix))]
fn watch() {}

/// Starts handling the signals that end a process, unless they are ignored, as by `nohup`.
#[cfg(unix)]
fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let is_heeded = |signal: &i32| !is_ignored(*signal);
        let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP].into_iter().filter(is_heeded);
        let Ok(mut signals) = Signals::new(signals) else { return };
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let is_of_editor = matches!(signal, SIGINT | SIGQUIT);
                if is_of_editor && IS_EDITING.load(Ordering::SeqCst) {
                    continue;
                }
                end(signal);
            }
        });
    });
}

/// Removes the temporary files, and ends the process as the signal would.
#[cfg(unix)]
fn end(signal: i32) {
    let all = temporary();
    for path in all.iter() {
        let _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir_all(path));
    }
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// Returns whether the process was started with that signal ignored. Only Linux reports that. On
/// other systems a hangup, which `nohup` ignores, is not handled.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    match mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()) {
        Some(mask) => mask >> (signal - 1) & 1 == 1,
        None => signal == signal_hook::consts::SIGHUP,
    }
}
