//! [`Node`]: which parts are open, and how tall their rows are.

use std::collections::{BTreeMap, HashMap};

use archive::path::Step;
use archive::reflect::{Change, Edit};

/// What the inspector remembers of a part: of most parts nothing, so there is a node only for a part that is open, is
/// taller than others, or contains such a part.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) is_open: bool,
    /// The height of the row, if it is not the usual one.
    pub(crate) height: Option<f32>,
    pub(crate) parts: BTreeMap<Step, Node>,
    /// The groups of members that are closed.
    pub(crate) closed_groups: Vec<&'static str>,
    /// The keys of a map, or the number of elements of a set, when it was read last.
    pub(crate) keys: Option<Keys>,
}

/// The keys of a map in their order.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    pub(crate) steps: Vec<Step>,
    pub(crate) places: HashMap<Step, usize>,
}

impl Keys {
    pub(crate) fn new(steps: Vec<Step>) -> Self {
        let places = steps.iter().cloned().zip(0..).collect();
        Keys { steps, places }
    }
}

impl Node {
    /// Returns the node of a part, if there is one.
    pub(crate) fn get(&mut self, path: &[Step]) -> Option<&mut Node> {
        path.iter().try_fold(self, |node, step| node.parts.get_mut(step))
    }

    /// Returns the node of a part.
    pub(crate) fn make(&mut self, path: &[Step]) -> &mut Node {
        path.iter().fold(self, |node, step| node.parts.entry(step.clone()).or_default())
    }

    /// Opens all parts on a path, without the last one.
    pub(crate) fn open_to(&mut self, path: &[Step]) {
        let mut node = self;
        for step in path {
            node.is_open = true;
            node = node.parts.entry(step.clone()).or_default();
        }
    }

    /// Moves what is known of items with the items that an edit moved, and forgets what may be wrong.
    pub(crate) fn follow(&mut self, edit: &Edit) {
        for change in edit.changes() {
            let Some((list, last)) = change.path().split_last() else {
                self.forget_keys();
                continue;
            };
            let Some(node) = self.get(&list) else { continue };
            node.forget_keys();
            match (change, last) {
                (Change::Insert(..), Step::Index(at)) => {
                    node.renumber(|index| Some(index + usize::from(index >= *at)));
                }
                (Change::Remove(_), Step::Index(at)) => {
                    node.renumber(|index| (index != *at).then(|| index - usize::from(index > *at)))
                }
                (Change::Move(_, to), Step::Index(from)) => {
                    node.renumber(|index| Some(moved(index, *from, *to)));
                }
                (Change::Rename(_, key), Step::Name(_)) => {
                    if let Some(part) = node.parts.remove(last) {
                        node.parts.insert(key.as_str().into(), part);
                    }
                }
                _ => {
                    if let Some(part) = node.parts.get_mut(last) {
                        part.forget_keys();
                    }
                }
            }
        }
    }

    fn forget_keys(&mut self) {
        self.keys = None;
    }

    fn renumber(&mut self, new: impl Fn(usize) -> Option<usize>) {
        let parts = std::mem::take(&mut self.parts).into_iter();
        self.parts = parts
            .filter_map(|(step, node)| match step {
                Step::Index(index) => Some((Step::Index(new(index)?), node)),
                step => Some((step, node)),
            })
            .collect();
    }
}

/// Returns the new index of an item after another one moved.
fn moved(index: usize, from: usize, to: usize) -> usize {
    match index {
        _ if index == from => to,
        _ if from < index && index <= to => index - 1,
        _ if to <= index && index < from => index + 1,
        _ => index,
    }
}

#[cfg(test)]
mod tests {
    use archive::path::Path;

    use super::*;

    fn open(indices: &[usize]) -> Node {
        let mut root = Node::default();
        for index in indices {
            root.make(&[Step::from("list"), Step::Index(*index)]).is_open = true;
        }
        root
    }

    fn opened(root: &mut Node) -> Vec<Step> {
        root.get(&["list".into()]).unwrap().parts.keys().cloned().collect()
    }

    #[test]
    fn open_items_stay_open_when_others_come_and_go() {
        let at = |text| Path::parse(text).unwrap();
        let mut root = open(&[1, 3, 6]);
        root.follow(&Edit::new().remove(at("list[3]")));
        assert_eq!(opened(&mut root), [Step::Index(1), Step::Index(5)]);
        root.follow(&Edit::new().insert(at("list[1]"), 7));
        assert_eq!(opened(&mut root), [Step::Index(2), Step::Index(6)]);
        root.follow(&Edit::new().move_to(at("list[6]"), 0));
        assert_eq!(opened(&mut root), [Step::Index(0), Step::Index(3)]);
        root.follow(&Edit::new().move_to(at("list[0]"), 3));
        assert_eq!(opened(&mut root), [Step::Index(2), Step::Index(3)]);
    }
}
