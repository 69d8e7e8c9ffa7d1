//! Maps the errors of Windows to those of Unix, so that a program finds the same kinds and words on
//! both.

use std::io::{Error, ErrorKind, Result};
use std::ops::RangeInclusive;
use std::time::Duration;

/// `ERROR_ACCESS_DENIED`.
pub const ACCESS_DENIED: i32 = 5;
/// `ERROR_SHARING_VIOLATION`.
pub const SHARING_VIOLATION: i32 = 32;
/// `ERROR_INVALID_NAME`.
pub const INVALID_NAME: i32 = 123;
/// `ERROR_FILENAME_EXCED_RANGE`.
pub const NAME_TOO_LONG: i32 = 206;

/// The first words of an error for a path that is too long, or has a name that is too long. They
/// are those of Unix.
pub const TOO_LONG: &str = "File name too long";
/// Another program has opened a file, or locked a part of it.
const IN_USE: &str = "Another program has the file open";

/// Returns the kind and the words of a Windows error.
pub fn of_windows(code: i32) -> Option<(ErrorKind, &'static str)> {
    Some(match code {
        2 | 3 => (ErrorKind::NotFound, "No such file or directory"),
        ACCESS_DENIED => (ErrorKind::PermissionDenied, "Permission denied"),
        19 => (ErrorKind::ReadOnlyFilesystem, "Read-only file system"),
        23 | 1117 => (ErrorKind::Other, "Input/output error"),
        SHARING_VIOLATION | 33 => (ErrorKind::ResourceBusy, IN_USE),
        39 | 112 => (ErrorKind::StorageFull, "No space left on device"),
        80 | 183 => (ErrorKind::AlreadyExists, "File exists"),
        INVALID_NAME => (ErrorKind::InvalidFilename, "Invalid file name"),
        145 => (ErrorKind::DirectoryNotEmpty, "Directory not empty"),
        NAME_TOO_LONG => (ErrorKind::InvalidFilename, TOO_LONG),
        267 => (ErrorKind::NotADirectory, "Not a directory"),
        _ => return None,
    })
}

/// Returns a Windows error, on any system.
///
/// # Panics
/// Panics if [`of_windows`] does not have the code.
pub fn windows(code: i32) -> Error {
    let (kind, words) = of_windows(code).expect("an error of Windows that is known");
    Error::new(kind, words)
}

fn known(error: &Error) -> Option<(ErrorKind, &'static str)> {
    error.raw_os_error().filter(|_| cfg!(windows)).and_then(of_windows)
}

/// Returns the kind of an error of the system. It is the same on all systems.
pub fn kind(error: &Error) -> ErrorKind {
    known(error).map_or_else(|| error.kind(), |(kind, _)| kind)
}

/// Returns the words of an error of the system: "No space left on device (os error 112)".
pub fn words(error: &Error) -> String {
    match (known(error), error.raw_os_error()) {
        (Some((_, words)), Some(code)) => format!("{words} (os error {code})"),
        _ => error.to_string(),
    }
}

/// Returns whether another program uses the file, so that a call may succeed a moment later.
/// Windows also denies access in this case.
pub fn is_busy(error: &Error) -> bool {
    kind(error) == ErrorKind::ResourceBusy
        || cfg!(windows) && error.raw_os_error() == Some(ACCESS_DENIED)
}

/// The pauses before each further call, in milliseconds: 0.8 s in all. No two pauses are equal, so that the
/// calls do not keep step with a program that opens a file regularly.
const PAUSES: RangeInclusive<u64> = 1..=40;
/// The number of rounds of these pauses before the replacement of a file fails: ten seconds in all.
const ROUNDS_TO_REPLACE: usize = 12;

/// Repeats a call for most of a second while another program uses the file, such as a virus scanner that reads a
/// file just written.
pub fn again<T>(call: impl FnMut() -> Result<T>, pause: impl FnMut(Duration)) -> Result<T> {
    again_in_rounds(1, call, pause)
}

/// Like [`again`], for ten seconds: for replacing a file. Programs that read it one after the other leave
/// gaps, which may be short.
pub fn again_to_replace<T>(
    call: impl FnMut() -> Result<T>,
    pause: impl FnMut(Duration),
) -> Result<T> {
    again_in_rounds(ROUNDS_TO_REPLACE, call, pause)
}

/// Returns the error of a rename. The error is final if the file to be replaced is read-only: Windows returns the same
/// error for a file that another program has opened.
pub fn of_rename(error: Error, is_read_only: impl FnOnce() -> bool) -> Error {
    match cfg!(windows) && is_busy(&error) && is_read_only() {
        true => windows(ACCESS_DENIED),
        false => error,
    }
}

fn again_in_rounds<T>(
    rounds: usize,
    mut call: impl FnMut() -> Result<T>,
    mut pause: impl FnMut(Duration),
) -> Result<T> {
    for milliseconds in (0..rounds).flat_map(|_| PAUSES) {
        match call() {
            Err(error) if is_busy(&error) => pause(Duration::from_millis(milliseconds)),
            result => return result,
        }
    }
    call()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::io::{Error, ErrorKind};
    use std::time::Duration;

    use super::{PAUSES, again, again_to_replace, kind, of_windows, windows, words};

    const CODES: [i32; 17] =
        [2, 3, 5, 19, 23, 32, 33, 39, 80, 112, 123, 145, 183, 206, 267, 1117, 9_999];

    /// The same errors with the codes of Linux, in the words of its C library.
    #[test]
    fn windows_has_the_words_of_linux() {
        let linux = [
            (2, 2),
            (3, 2),
            (5, 13),
            (19, 30),
            (23, 5),
            (39, 28),
            (80, 17),
            (112, 28),
            (145, 39),
            (183, 17),
            (206, 36),
            (267, 20),
            (1117, 5),
        ];
        for (code, same) in linux {
            let (kind, words) = of_windows(code).unwrap();
            if cfg!(target_os = "linux") {
                let error = Error::from_raw_os_error(same);
                assert_eq!(format!("{words} (os error {same})"), error.to_string(), "{code}");
                // The kind of `EIO` has no name.
                assert!(error.kind() == kind || same == 5, "{code}: {:?}", error.kind());
            }
        }
    }

    #[test]
    fn codes_are_of_the_system_that_has_them() {
        for code in CODES {
            let error = Error::from_raw_os_error(code);
            match of_windows(code) {
                Some((is, says)) if cfg!(windows) => {
                    assert_eq!(
                        (kind(&error), words(&error)),
                        (is, format!("{says} (os error {code})"))
                    );
                    assert!(
                        is == error.kind() || [23, 32, 33, 123, 1117].contains(&code),
                        "{code}"
                    );
                }
                _ => assert_eq!((kind(&error), words(&error)), (error.kind(), error.to_string())),
            }
        }
        assert_eq!(windows(32).kind(), ErrorKind::ResourceBusy);
    }

    /// Returns whether a call that fails `times` times finally succeeds, and the pauses.
    fn failing(times: usize, to_replace: bool, error: impl Fn() -> Error) -> (bool, Vec<u64>) {
        let (mut calls, pauses) = (0, RefCell::new(Vec::new()));
        let call = || {
            calls += 1;
            if calls > times { Ok(()) } else { Err(error()) }
        };
        let pause = |pause: Duration| {
            pauses.borrow_mut().push(pause.as_millis().try_into().unwrap());
        };
        let result = if to_replace { again_to_replace(call, pause) } else { again(call, pause) };
        (result.is_ok(), pauses.into_inner())
    }

    #[test]
    fn busy_files_are_tried_for_most_of_a_second_and_to_replace_them_for_ten() {
        let busy = || Error::from(ErrorKind::ResourceBusy);
        for (to_replace, seconds) in [(false, 0.7..0.9), (true, 9.5..10.0)] {
            let failing = |times| failing(times, to_replace, busy);
            let (_, all) = failing(usize::MAX);
            assert!(seconds.contains(&(all.iter().sum::<u64>() as f64 / 1_000.0)), "{all:?}");
            assert!(all.iter().all(|pause| PAUSES.contains(pause)));
            for times in [0, 1, 4, all.len()] {
                assert_eq!(failing(times), (true, all[..times].to_vec()));
            }
            assert_eq!(failing(all.len() + 1), (false, all));
        }
        // `EBUSY`; denied access, a sharing violation and a lock on a part of the file.
        let codes: &[i32] = if cfg!(windows) { &[5, 32, 33] } else { &[16] };
        for &code in codes {
            let error = || Error::from_raw_os_error(code);
            assert_eq!(failing(1, false, error), (true, vec![1]), "{code}");
        }
    }

    #[test]
    fn other_errors_are_final() {
        for to_replace in [false, true] {
            assert_eq!(failing(1, to_replace, || Error::from_raw_os_error(2)), (false, vec![]));
        }
    }
}
