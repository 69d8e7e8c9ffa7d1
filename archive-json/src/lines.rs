//! [`Lines`]: finds the line and the column of any number of offsets, each in a few steps.

use std::cell::RefCell;

/// Caches the line and the column of offsets at equal distances, up to the last requested one. A
/// load that continues after many errors therefore does not count lines from the start of the text
/// for each error.
#[derive(Debug, Default)]
pub struct Lines(RefCell<Vec<(usize, usize)>>);

impl Lines {
    /// The distance between cached offsets, in bytes.
    const STEP: usize = 1024;

    /// Returns the line and the column of an offset in `text`, which begins at the line and column
    /// `origin`. All are counted from 0.
    #[cold]
    pub(crate) fn find(&self, text: &str, origin: (usize, usize), at: usize) -> (usize, usize) {
        let text = text.as_bytes();
        let at = at.min(text.len());
        let mut known = self.0.borrow_mut();
        while (known.len() + 1) * Self::STEP <= at {
            let from = known.len() * Self::STEP;
            let before = known.last().copied().unwrap_or(origin);
            known.push(position_after(before, &text[from..from + Self::STEP]));
        }
        let steps = at / Self::STEP;
        let before = if steps == 0 { origin } else { known[steps - 1] };
        position_after(before, &text[steps * Self::STEP..at])
    }

    /// Drops all cached offsets. For a text that now begins at a different offset.
    pub(crate) fn clear(&mut self) {
        self.0.get_mut().clear();
    }
}

/// Returns the line and the column after a text that begins at the line and column `origin`. All
/// are counted from 0.
pub(crate) fn position_after(origin: (usize, usize), text: &[u8]) -> (usize, usize) {
    #[cfg(test)]
    tests::PASSED.set(tests::PASSED.get() + text.len());
    // Counts in chunks of 255, so that the count fits a byte; compilers vectorize this form.
    let is_first_byte = |byte: &u8| u8::from((*byte as i8) >= -0x40);
    let some = |text: &[u8]| usize::from(text.iter().map(is_first_byte).sum::<u8>());
    let characters = |text: &[u8]| text.chunks(255).map(some).sum::<usize>();
    match memchr::memrchr(b'\n', text) {
        None => (origin.0, origin.1 + characters(text)),
        Some(newline) => {
            let lines = memchr::memchr_iter(b'\n', &text[..=newline]).count();
            (origin.0 + lines, characters(&text[newline + 1..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use archive_core::Options;
    use archive_core::backend::Backend;

    use super::*;

    thread_local! {
        /// The number of bytes that this thread has scanned for lines.
        pub(super) static PASSED: Cell<usize> = const { Cell::new(0) };
    }

    #[test]
    fn are_those_that_are_counted_from_the_start() {
        let text = "aß\n\u{10348}\r\n".repeat(3000);
        let lines = Lines::default();
        for at in (0..text.len()).rev().step_by(977).chain((0..text.len()).step_by(1009)) {
            let expected = position_after((3, 5), &text.as_bytes()[..at]);
            assert_eq!(lines.find(&text, (3, 5), at), expected, "{at}");
        }
    }

    /// As many errors as values, on one line, after a long text: from memory and from a reader.
    #[test]
    fn take_no_more_steps_for_each_error_the_longer_the_text() {
        let passed = |errors: usize, from_reader: bool| {
            let text = format!("[[{}-1],{:?}]", "-1,".repeat(errors - 1), "x".repeat(1 << 20));
            let report = Cell::default();
            let options = Options::new()
                .keep_going(true)
                .max_errors(usize::MAX)
                .each_error(true)
                .report(&report);
            PASSED.set(0);
            let loaded = if from_reader {
                let mut rest = text.as_bytes();
                let mut feed = |room: &mut [u8]| {
                    let len = room.len().min(rest.len());
                    room[..len].copy_from_slice(&rest[..len]);
                    rest = &rest[len..];
                    Ok(len)
                };
                crate::Json::from_feed::<(Vec<u8>, String)>(&mut feed, &options)
            } else {
                crate::Json::from_slice_with::<(Vec<u8>, String)>(text.as_bytes(), &options)
            };
            loaded.unwrap();
            assert_eq!(report.take().errors().len(), errors);
            PASSED.get()
        };
        for from_reader in [false, true] {
            let (few, many) = (passed(1_000, from_reader), passed(10_000, from_reader));
            assert!(many < 20 * few + 10_000 * Lines::STEP, "{few} and {many}");
            assert!(many < 10_000 * 2 * Lines::STEP, "{many}");
        }
    }
}
