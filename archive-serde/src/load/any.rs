//! Values of any type.

use archive_core::{LoadAny, Result, Walk};

use super::visit::Wanted;
use crate::shared::{Shared, Tree};

/// A target that accepts any value.
pub(crate) struct AnyValue<'b, B>(pub(crate) &'b mut B);

impl<B: LoadAny> Wanted for AnyValue<'_, B> {
    type Out = ();

    fn tree(self, tree: Tree, shared: &mut Shared<'_>) -> Result {
        shared.load_tree(tree, |ar| ar.load_any(self.0))
    }
}
