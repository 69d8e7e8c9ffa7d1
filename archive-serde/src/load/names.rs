//! [`Names`]: the names of members that have been read.

use std::collections::HashSet;

/// So many names are compared one by one.
const SEARCHED: usize = 16;

/// The names of members that have been read, to find one that stands twice.
#[derive(Default)]
pub(crate) struct Names {
    list: Vec<String>,
    many: HashSet<String>,
}

impl Names {
    pub(crate) fn note(&mut self, name: Option<String>) {
        let Some(name) = name else { return };
        if self.list.len() < SEARCHED {
            self.list.push(name);
        } else {
            self.many.insert(name);
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.list.iter().any(|known| known == name) || self.many.contains(name)
    }
}
