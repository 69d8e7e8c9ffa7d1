//! [`Spans`]: where values end that a walk has passed already.

use std::ops::Range;

/// Where objects and sequences end, within one stretch of the input, and what is noted about each; for
/// formats that look for members by their names.
///
/// An object whose members stand in another order than they are asked for is walked over to its end,
/// through everything nested in it. When the nested objects are read in turn, and are out of order too,
/// the same input would be walked over once per level. So the first walk notes where everything of some
/// size ends, and later walks inside its reach jump: the walks of all levels together pass over each byte
/// only a few times.
///
/// ```
/// use archive::backend::spans::Spans;
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
    /// In the order in which they begin.
    list: Vec<Span<N>>,
    /// Indices into `list` of those whose end was not met yet.
    open: Vec<usize>,
    /// The stretch of which everything is known.
    covered: Range<usize>,
}

/// An object or a sequence that was passed.
#[derive(Clone, Copy, Debug)]
pub struct Span<N> {
    start: usize,
    /// Where it ends.
    pub end: usize,
    /// What was noted about it.
    pub note: N,
}

/// What is shorter is walked over again as fast as it is looked up.
const WORTH_NOTING: usize = 64;

impl<N: Copy + Default> Spans<N> {
    /// Whether the walks that begin here should be noted: nothing is known here yet. What is known of
    /// elsewhere is forgotten then.
    pub fn begin(&mut self, at: usize) -> bool {
        if self.covered.contains(&at) {
            return false;
        }
        self.list.clear();
        self.open.clear();
        self.covered = at..at;
        true
    }

    /// All that stands before this place is known now.
    pub fn finish(&mut self, at: usize) {
        self.covered.end = at;
    }

    /// An object or a sequence begins.
    #[inline]
    pub fn open(&mut self, at: usize) {
        self.open.push(self.list.len());
        self.list.push(Span { start: at, end: at, note: N::default() });
    }

    /// What is noted about that which was opened last.
    #[inline]
    pub fn note(&mut self) -> Option<&mut N> {
        self.list.get_mut(*self.open.last()?).map(|span| &mut span.note)
    }

    /// That which was opened last ends; what was noted about it.
    #[inline]
    pub fn close(&mut self, at: usize) -> Option<N> {
        let index = self.open.pop()?;
        let span = self.list.get_mut(index)?;
        span.end = at;
        let (len, note) = (at - span.start, span.note);
        // A short span holds only shorter ones, and those were dropped before: it is the last.
        if len < WORTH_NOTING {
            self.list.truncate(index);
        }
        Some(note)
    }

    /// What begins there, if that is known.
    pub fn find(&self, start: usize) -> Option<&Span<N>> {
        if !self.covered.contains(&start) {
            return None;
        }
        let index = self.list.binary_search_by_key(&start, |span| span.start).ok()?;
        self.list.get(index)
    }
}
