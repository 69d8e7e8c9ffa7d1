//! Output that is sent to a sink piece by piece. The headers of open containers are replaced later.

use archive_core::Result;
use archive_core::backend::{Patch, Pieces, Sink};

use crate::Encoder;
use crate::encoder::Frame;
use crate::ext;
use crate::header::FrameKind;

/// Marks the header of a container that was sent to the sink.
pub(crate) const PASSED: u8 = 0x80;

/// The bytes that were sent to the sink.
#[derive(Default)]
pub(crate) struct Passed {
    len: usize,
    patches: Vec<Patch>,
}

impl Passed {
    /// Replaces a header that was sent to the sink, if it has changed.
    #[cold]
    pub(crate) fn replace(&mut self, at: usize, len: u8, header: &[u8]) {
        self.patches.push(Patch::Replace { at: at as u64, len: len.into(), with: header.to_vec() });
    }
}

impl Pieces for Encoder {
    fn pending(&self) -> usize {
        self.out.len()
    }

    fn pass_on(&mut self, sink: Sink<'_>) -> Result {
        let is_fixed = |frame: &Frame| {
            frame.kind != FrameKind::Object
                || frame.header & PASSED != 0
                || (frame.count > 0 && !ext::begins(&self.out, frame.at))
        };
        // The data of an extension may be a sequence of numbers.
        if !self.open.iter().rev().take(2).all(is_fixed) {
            return Ok(());
        }
        let patches = std::mem::take(&mut self.patches);
        for frame in &mut self.open {
            if frame.header & PASSED == 0 {
                frame.at = self.passed.len + patches.moved(frame.at);
                frame.header |= PASSED;
            }
        }
        self.key = if self.key == self.out.len() { 0 } else { usize::MAX };
        let mut out = patches.apply(std::mem::take(&mut self.out));
        self.passed.len += out.len();
        sink(&out)?;
        out.clear();
        self.out = out;
        Ok(())
    }

    fn into_pieces(self) -> Result<(Vec<u8>, Vec<Patch>)> {
        let patches = self.passed.patches;
        Ok((self.patches.apply(self.out), patches))
    }
}
