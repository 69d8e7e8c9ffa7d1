//! For tools that visit values in memory: the steps that a tool implements. What it visits is
//! described in [`shape`](crate::shape).
//!
//! A tool implements [`Visitor`], the steps between which the members of a value run, and nothing of
//! [`Walk`] but the direction: [`Saves`], [`Loads`] or [`Either`]. It is then an
//! [`Archive`](crate::Archive), and runs over any value that can be saved. The example `tree` prints what it visits.
//!
//! ```
//! use archive::tool::{Saves, Scalar, Session, Visitor, Walk};
//! use archive::{Archive, Options, Result};
//!
//! /// Adds up the numbers in a value.
//! #[derive(Default)]
//! struct Sum {
//!     sum: f64,
//!     session: Session,
//!     options: Options<'static>,
//! }
//!
//! impl Visitor for Sum {
//!     fn parts(&self) -> (&Session, &Options<'_>) {
//!         (&self.session, &self.options)
//!     }
//!     fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
//!         (&mut self.session, &self.options)
//!     }
//!     fn scalar(&mut self, value: Scalar<'_>) -> Result {
//!         if let Scalar::F64(number) = value {
//!             self.sum += *number;
//!         }
//!         Ok(())
//!     }
//! }
//!
//! impl Walk for Sum {
//!     type Way = Saves;
//! }
//!
//! let mut sum = Sum::default();
//! sum.save("numbers", &vec![(1, 0.5), (2, 4.0)])?;
//! assert_eq!(sum.sum, 4.5);
//! # Ok::<(), archive::Error>(())
//! ```

#[doc(inline)]
pub use archive_core::{
    Begun, Body, BodyFacts, BorrowedMap, EachEntry, Either, Erased, Keyed, LoadAny, Loads, Members,
    OuterState, PayloadOf, PointerHead, PointerKind, SavedMembers, Saves, Scalar, Session,
    Variants, Visitor, Walk, Watch, Way, session,
};
