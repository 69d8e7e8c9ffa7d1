//! [`Plan`]: the numbers that a value consists of, and what stands in front of each.

use archive_core::Shape;
use archive_core::shape::{Class, Primitive};
use rmp::Marker;

use crate::header::{FrameKind, Header};

/// How values of a type stand in a file, if that is always the same but for the numbers.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// How many bytes a value takes in a block.
    pub(crate) size: usize,
    /// How many objects and sequences are open inside of it at a time.
    pub(crate) depth: usize,
}

/// A number, and what stands in front of it.
#[derive(Debug)]
pub(crate) struct Step {
    /// What stands in front of it, and zeros.
    pub(crate) front: [u8; Step::ROOM],
    pub(crate) len: usize,
    /// The first eight bytes of it, the first one lowest, and which of the eight they are.
    pub(crate) word: u64,
    pub(crate) mask: u64,
    pub(crate) number: Primitive,
}

impl Step {
    /// The most that stands in front of a number.
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
    /// What is longer is not worth it.
    const MOST: usize = 128;

    /// The plan of a shape that has a size.
    pub(crate) fn new(shape: &'static Shape) -> Option<Self> {
        let mut draft = Draft::default();
        draft.add(shape)?;
        draft.finish(shape.block_size()?.bytes)
    }

    /// The plan of a class that has a size.
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
        // Nothing may follow the last number.
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
            // Large ones are text.
            Primitive::I128 | Primitive::U128 => return None,
            _ => {
                number.block_size()?;
            }
        }
        if self.steps.len() == Plan::MOST {
            return None;
        }
        self.steps.push(Step::new(&self.front, number)?);
        self.front.clear();
        Some(())
    }

    /// A class whose members always stand there, and nothing else.
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
        // Each may hold nothing but another one.
        (self.front.len() <= Step::ROOM).then_some(())
    }
}
