//! Chains of unknown objects, far deeper than the stack allows.

use std::cell::RefCell;
use std::rc::Rc;

use archive::{Serialize, binary, json};

use super::formats;
use super::game_and_mod::*;
use crate::common::{Format, each_once, text};

/// A mod's spells. Each one has a pointer to the next.
fn spells(len: u32) -> Rc<RefCell<dyn Command>> {
    let mut first: Rc<RefCell<dyn Command>> = Rc::new(RefCell::new(MoveTo { x: 1 }));
    for power in (0..len).rev() {
        let then = vec![first];
        first = Rc::new(RefCell::new(Link { power, then, rune: None }));
    }
    first
}

/// A mod's runes. Only the first spell refers to them.
fn runes(len: u32) -> Rc<RefCell<dyn Command>> {
    let mut first = None;
    for level in (0..len).rev() {
        first = Some(Rc::new(RefCell::new(Rune { level, next: first, ..Rune::default() })));
    }
    Rc::new(RefCell::new(Link { power: 0, then: Vec::new(), rune: first }))
}

#[derive(Default, Serialize)]
struct Link {
    power: u32,
    then: Vec<Rc<RefCell<dyn Command>>>,
    rune: Option<Rc<RefCell<Rune>>>,
}

impl Command for Link {
    fn power(&self) -> u32 {
        self.power
    }
}

fn modded_with_links() -> archive::Options<'static> {
    let mut registry = registry(true);
    archive::register!(registry, dyn Command { Link }).unwrap();
    archive::Options::new().registry(&registry)
}

/// The length of a chain, which is taken apart on the way.
fn length(first: Rc<RefCell<dyn Command>>) -> u32 {
    let (mut len, mut runes) = (0, 0);
    let mut next = Some(first);
    let mut rune = None;
    while let Some(command) = next.take() {
        let mut command = command.borrow_mut();
        if let Some(link) = (&mut *command as &mut dyn std::any::Any).downcast_mut::<Link>() {
            assert_eq!(link.power, len);
            next = link.then.pop();
            rune = rune.or(link.rune.take());
            len += 1;
        }
    }
    while let Some(here) = rune.take() {
        assert_eq!(here.borrow().level, runes);
        rune = here.borrow_mut().next.take();
        runes += 1;
    }
    len.max(runes)
}

fn survives(first: Rc<RefCell<dyn Command>>, len: u32, formats: Vec<Format>) {
    let (modded, plain) = (modded_with_links(), plain());
    for format in formats {
        let bytes = format.to_vec_with(&first, &modded).unwrap();
        let kept: Rc<RefCell<dyn Command>> = format.from_slice_with(&bytes, &plain).unwrap();
        let saved = format.to_vec_with(&kept, &plain).unwrap();
        let again: Rc<RefCell<dyn Command>> = format.from_slice_with(&saved, &plain).unwrap();
        assert!(saved == format.to_vec_with(&again, &plain).unwrap(), "{format}");
        let back: Rc<RefCell<dyn Command>> = format.from_slice_with(&saved, &modded).unwrap();
        assert_eq!(length(back), len, "{format}");
    }
    assert_eq!(length(first), len);
}

#[test]
fn in_every_format() {
    survives(spells(2000), 2000, formats());
    survives(runes(2000), 2000, formats());
}

#[test]
fn chains_longer_than_any_stack() {
    let first = || vec![each_once()[0]];
    survives(spells(30_000), 30_000, first());
    survives(runes(30_000), 30_000, first());
}

/// In text nothing changes, not even the objects that are deferred to the end of the outermost
/// pointer.
#[test]
fn text_of_chains_is_written_back_as_it_was() {
    for first in [spells(100), runes(100)] {
        let bytes = json::to_vec_with(&first, &modded_with_links()).unwrap();
        let kept: Rc<RefCell<dyn Command>> = json::from_slice_with(&bytes, &plain()).unwrap();
        assert_eq!(text(&json::to_vec_with(&kept, &plain()).unwrap()), text(&bytes));
        let other = binary::to_vec_with(&kept, &plain()).unwrap();
        let kept: Rc<RefCell<dyn Command>> = binary::from_slice_with(&other, &plain()).unwrap();
        assert_eq!(text(&json::to_vec_with(&kept, &plain()).unwrap()), text(&bytes));
    }
}
