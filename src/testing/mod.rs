//! Assertions for the tests of programs whose files must last (feature `testing`):
//! [`assert_layout!`] fails if files would change, [`assert_covers!`] fails if a function forgot a
//! field, [`assert_resumes!`] fails if a loaded game continues differently from the saved one.
//!
//! ```toml
//! [dev-dependencies]
//! archive = { version = "0.1", features = ["testing"] }
//! ```
//!
//! ```
//! use archive::{Archive, Result, Serialize, testing::{assert_covers, assert_layout}};
//!
//! #[derive(Debug, Default)]
//! struct Health { left: i32, most: i32 }
//!
//! impl Serialize for Health {
//!     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
//!         ar.serialize("left", &mut self.left)?;
//!         ar.serialize("most", &mut self.most)
//!     }
//! }
//! archive::blank!(Health);
//!
//! # /*
//! #[test]
//! # */
//! fn files_last() {
//!     assert_layout!(Health, "tests/layouts/Health.txt");
//!     assert_covers!(Health);
//! }
//! # files_last();
//! ```

mod covers;
mod layout;
mod resumes;

#[doc(inline)]
pub use crate::__assert_covers as assert_covers;
#[doc(inline)]
pub use crate::__assert_layout as assert_layout;
#[doc(inline)]
pub use crate::__assert_resumes as assert_resumes;

/// The functions that the macros call.
#[doc(hidden)]
pub mod __private {
    pub use super::covers::{covers, of_type, of_value};
    pub use super::layout::{Layouts, Target, finish};
    pub use super::resumes::resumes;
}
