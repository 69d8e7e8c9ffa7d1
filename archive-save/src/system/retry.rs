//! Calls that are made again while another program has a file.

use std::io;
use std::time::Duration;

/// Windows: access is denied, and a sharing violation. Both are what a virus scanner or a sync
/// client causes that reads a file which was just written.
#[cfg_attr(not(windows), allow(dead_code, reason = "other systems have no such errors"))]
pub(super) const BUSY: [i32; 2] = [5, 32];

/// How long to pause before each further call.
const PAUSES: [u64; 4] = [10, 25, 50, 100];

/// Makes a call again as long as it fails with one of these codes, after 10, 25, 50 and 100
/// milliseconds.
#[cfg_attr(not(windows), allow(dead_code, reason = "other systems have no such errors"))]
pub(super) fn again<T>(
    codes: &[i32],
    mut call: impl FnMut() -> io::Result<T>,
    mut pause: impl FnMut(Duration),
) -> io::Result<T> {
    for milliseconds in PAUSES {
        match call() {
            Err(error) if error.raw_os_error().is_some_and(|code| codes.contains(&code)) => {
                pause(Duration::from_millis(milliseconds));
            }
            result => return result,
        }
    }
    call()
}

#[cfg(test)]
mod tests {
    use std::io::Error;

    use super::{BUSY, again};

    /// Returns the result of a call that fails `times` times with that code, and the pauses.
    fn failing(times: usize, code: i32) -> (bool, Vec<u128>) {
        let (mut calls, mut pauses) = (0, Vec::new());
        let call = || {
            calls += 1;
            if calls > times { Ok(()) } else { Err(Error::from_raw_os_error(code)) }
        };
        let result = again(&BUSY, call, |pause| pauses.push(pause.as_millis()));
        (result.is_ok(), pauses)
    }

    #[test]
    fn busy_files_are_tried_five_times() {
        for code in BUSY {
            assert_eq!(failing(0, code), (true, vec![]));
            assert_eq!(failing(1, code), (true, vec![10]));
            assert_eq!(failing(4, code), (true, vec![10, 25, 50, 100]));
            assert_eq!(failing(5, code), (false, vec![10, 25, 50, 100]));
        }
    }

    #[test]
    fn other_errors_are_final() {
        assert_eq!(failing(1, 2), (false, vec![]));
    }
}
