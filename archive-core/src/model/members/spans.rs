//! [`Spans`]: the ends of objects and sequences that were skipped.

use std::ops::Range;

/// The ends of objects and sequences in one part of the input, with a note about each. For formats
/// that find members by name.
///
/// To find a member that does not come next, a format scans the rest of the object, including
/// everything nested in it. When the nested objects are read in turn, and their members are out of
/// order too, the same input would be scanned once per level. The first scan therefore records the
/// ends of all objects and sequences above a minimum size, and later scans of the same part jump to
/// these ends. All levels together scan each byte only a few times.
///
/// ```
/// use archive::format::spans::Spans;
///
/// let mut spans = Spans::<()>::default();
/// assert!(spans.begin(10)); // nothing is known here: the walk notes what it passes
/// spans.open(10);
/// spans.open(20);
/// spans.close(120);
/// spans.close(300);
/// spans.finish(300);
/// assert!(!spans.begin(20));
/// assert_eq!(spans.find(20).unwrap().end, 120);
/// ```
#[derive(Debug, Default)]
pub struct Spans<N> {
    /// The spans in the order in which they begin.
    list: Vec<Span<N>>,
    /// Indices into `list` of the spans whose end has not been reached.
    open: Vec<usize>,
    /// The part of the input for which all spans are known.
    covered: Range<usize>,
}

/// An object or a sequence that was skipped.
#[derive(Clone, Copy, Debug)]
pub struct Span<N> {
    start: usize,
    /// The position of its end.
    pub end: usize,
    /// The format's note about it.
    pub note: N,
}

/// The length below which a span is not recorded: skipping it again is as fast as a lookup.
const WORTH_NOTING: usize = 64;

impl<N: Copy + Default> Spans<N> {
    /// Returns whether a scan that begins at `at` should record spans, because none are known
    /// there. If so, the spans of other parts are forgotten.
    pub fn begin(&mut self, at: usize) -> bool {
        if self.covered.contains(&at) {
            return false;
        }
        self.list.clear();
        self.open.clear();
        self.covered = at..at;
        true
    }

    /// Ends a scan: all spans before `at` are known now.
    pub fn finish(&mut self, at: usize) {
        self.covered.end = at;
    }

    /// Records that an object or a sequence begins at `at`.
    #[inline]
    pub fn open(&mut self, at: usize) {
        self.open.push(self.list.len());
        self.list.push(Span { start: at, end: at, note: N::default() });
    }

    /// Returns the note about the object or sequence that was opened last.
    #[inline]
    pub fn note(&mut self) -> Option<&mut N> {
        self.list.get_mut(*self.open.last()?).map(|span| &mut span.note)
    }

    /// Records that the object or sequence that was opened last ends at `at`.
    #[inline]
    pub fn close(&mut self, at: usize) {
        let Some(index) = self.open.pop() else { return };
        // A short span contains only shorter ones. Those were removed before, so it is the last in
        // the list.
        match self.list.get_mut(index) {
            Some(span) if at - span.start >= WORTH_NOTING => span.end = at,
            _ => self.list.truncate(index),
        }
    }

    /// Returns whether no span is known.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the object or sequence that begins at `start`, if it is known.
    pub fn find(&self, start: usize) -> Option<&Span<N>> {
        if !self.covered.contains(&start) {
            return None;
        }
        let index = self.list.binary_search_by_key(&start, |span| span.start).ok()?;
        self.list.get(index)
    }
}
