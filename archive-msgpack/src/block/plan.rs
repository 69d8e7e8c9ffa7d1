//! [`Plan`]: the numbers of a value, and the bytes before each of them.

use archive_core::Shape;
use archive_core::shape::{Class, Primitive};
use rmp::Marker;

use crate::header::{FrameKind, Header};

/// The encoding of the values of a type, if only the numbers in it differ.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// The size of a value in a block, in bytes.
    pub(crate) size: usize,
    /// The maximum number of objects and sequences that are open inside a value.
    pub(crate) depth: usize,
}

/// A number, and the bytes before it.
#[derive(Debug)]
pub(crate) struct Step {
    /// The bytes before the number, followed by zeros.
    pub(crate) front: [u8; Step::ROOM],
    pub(crate) len: usize,
    /// The first eight of these bytes as a word, the first one lowest, and a mask of the bytes that
    /// count.
    pub(crate) word: u64,
    pub(crate) mask: u64,
    pub(crate) number: Primitive,
}

impl Step {
    /// The maximum number of bytes before a number.
    pub(crate) const ROOM: usize = 32;

    fn new(front: &[u8], number: Primitive) -> Option<Self> {
        let mut room = [0; Self::ROOM];
        room.get_mut(..front.len())?.copy_from_slice(front);
        let [a, b, c, d, e, f, g, h, ..] = room;
        let word = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
        let mask = if front.len() < 8 { (1 << (8 * front.len())) - 1 } else { u64::MAX };
        Some(Step { front: room, len: front.len(), word, mask, number })
    }
}

impl Plan {
    /// The maximum number of steps. A plan is not worthwhile for longer values.
    const MAX_STEPS: usize = 128;

    /// Creates the plan of a shape that has a size.
    pub(crate) fn new(shape: &'static Shape) -> Option<Self> {
        let mut draft = Draft::default();
        draft.add(shape)?;
        draft.finish(shape.block_size()?.bytes)
    }

    /// Creates the plan of a class that has a size.
    pub(crate) fn of_class(class: &'static Class) -> Option<Self> {
        let mut draft = Draft::default();
        draft.add_class(class)?;
        draft.finish(class.block_size()?.bytes)
    }
}

/// A plan that is being made.
#[derive(Default)]
struct Draft {
    steps: Vec<Step>,
    front: Vec<u8>,
    open: usize,
    depth: usize,
}

impl Draft {
    fn finish(self, size: usize) -> Option<Plan> {
        // Nothing may come after the last number.
        let whole = self.front.is_empty() && size > 0 && !self.steps.is_empty();
        whole.then_some(Plan { steps: self.steps, size, depth: self.depth })
    }

    fn add(&mut self, shape: &'static Shape) -> Option<()> {
        match shape {
            Shape::Primitive(primitive, _) => self.add_number(*primitive),
            Shape::Class(class) => self.add_class(class),
            Shape::Array(item, len, _, _) => {
                self.open(FrameKind::Seq, *len)?;
                (0..*len).try_for_each(|_| self.add(item.get()))?;
                self.open -= 1;
                Some(())
            }
            Shape::Tuple(items, _, _) => {
                self.open(FrameKind::Seq, items.len())?;
                items.iter().try_for_each(|item| self.add(item.get()))?;
                self.open -= 1;
                Some(())
            }
            _ => None,
        }
    }

    fn add_number(&mut self, number: Primitive) -> Option<()> {
        match number {
            Primitive::F32 => self.front.push(Marker::F32.to_u8()),
            Primitive::F64 => self.front.push(Marker::F64.to_u8()),
            // Integers beyond 64 bits are text.
            Primitive::I128 | Primitive::U128 => return None,
            _ => {
                number.block_size()?;
            }
        }
        if self.steps.len() == Plan::MAX_STEPS {
            return None;
        }
        self.steps.push(Step::new(&self.front, number)?);
        self.front.clear();
        Some(())
    }

    /// Adds a class whose members are always stored, and nothing else is.
    fn add_class(&mut self, class: &'static Class) -> Option<()> {
        let members = class.members.filter(|_| class.version == 0)?;
        self.open(FrameKind::Object, members.len())?;
        for member in members {
            let name = member.name;
            if member.flatten || member.skip_if_default || name.starts_with('$') || name.len() > 31
            {
                return None;
            }
            self.front.push(0xa0 | name.len() as u8);
            self.front.extend_from_slice(name.as_bytes());
            self.add(member.shape.get())?;
        }
        self.open -= 1;
        Some(())
    }

    fn open(&mut self, kind: FrameKind, len: usize) -> Option<()> {
        self.front.extend_from_slice(Header::new(kind, len).ok()?.bytes());
        self.open += 1;
        self.depth = self.depth.max(self.open);
        // Containers that contain only another container could add headers without end.
        (self.front.len() <= Step::ROOM).then_some(())
    }
}
