//! [`Node`]: the path to a part of an object. All objects have the same nodes, which are made once.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use archive::path::{Path, Step};

/// The most nodes that are kept. Keys of maps make nodes, too.
const MOST: usize = 4_096;

/// A path, and the paths to the parts below it.
pub(crate) struct Node {
    pub(crate) path: Path,
    parts: RefCell<Parts>,
    kept: Weak<Cell<usize>>,
}

/// The nodes of parts. Few names are found faster by comparing them.
#[derive(Default)]
struct Parts {
    first: Vec<(Box<[u8]>, Rc<Node>)>,
    more: HashMap<Box<[u8]>, Rc<Node>>,
}

impl Parts {
    const FIRST: usize = 16;

    #[inline]
    fn find(&self, name: &[u8]) -> Option<&Rc<Node>> {
        let first = self.first.iter().find(|(known, _)| **known == *name);
        match first {
            Some((_, node)) => Some(node),
            None if self.more.is_empty() => None,
            None => self.more.get(name),
        }
    }

    fn add(&mut self, name: &[u8], node: &Rc<Node>) {
        if self.first.len() < Self::FIRST {
            self.first.push((name.into(), node.clone()));
        } else {
            self.more.insert(name.into(), node.clone());
        }
    }
}

impl Node {
    pub(crate) fn root(kept: &Rc<Cell<usize>>) -> Rc<Node> {
        let (path, parts) = (Path::new(), RefCell::default());
        Rc::new(Node { path, parts, kept: Rc::downgrade(kept) })
    }

    /// Returns the node of the part with that name, which is UTF-8. Paths have another `$` before a key that begins with
    /// one.
    pub(crate) fn named(&self, name: &[u8]) -> Option<Rc<Node>> {
        if let [b'$', ..] = name {
            return Some(
                self.part(format!("${}", std::str::from_utf8(name).ok()?).as_str().into()),
            );
        }
        if let Some(known) = self.parts.borrow().find(name) {
            return Some(known.clone());
        }
        let node = self.part(std::str::from_utf8(name).ok()?.into());
        if let Some(kept) = self.kept.upgrade().filter(|kept| kept.get() < MOST) {
            kept.set(kept.get() + 1);
            self.parts.borrow_mut().add(name, &node);
        }
        Some(node)
    }

    /// Returns the node of a part.
    pub(crate) fn part(&self, step: Step) -> Rc<Node> {
        let mut path = self.path.clone();
        path.push(step);
        Rc::new(Node { path, parts: RefCell::default(), kept: self.kept.clone() })
    }
}
