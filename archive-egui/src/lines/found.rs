//! The results of a search.

use super::Layout;
use crate::part::Part;
use crate::search::Search;
use crate::view::Node;

impl Layout<'_> {
    /// Adds the parts that a search found. Those that cannot be seen are not described.
    pub(crate) fn found(&mut self, search: &Search, tree: &mut Node) {
        if search.found.is_empty() {
            self.note("nothing is found".to_owned(), 0);
        }
        for path in &search.found {
            let node = tree.get(path);
            if self.sees(self.row) || node.is_some() {
                self.part(Part::at(self.value, path, self.options), node, 0);
            } else {
                self.top += f64::from(self.row);
            }
        }
        if search.is_cut {
            self.note("there may be more".to_owned(), 0);
        }
    }
}
