use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex};

use archive::Serialize;

trait Command {
    fn tick(&self);
}

#[derive(Serialize)]
struct Owned {
    command: Box<dyn Command>,
}

#[derive(Serialize)]
struct Bare {
    command: Rc<dyn Command>,
}

#[derive(Serialize)]
struct InCell {
    command: Rc<RefCell<dyn Command>>,
}

#[derive(Serialize)]
struct Threads {
    command: Arc<Mutex<dyn Command + Send>>,
}

#[derive(Serialize)]
struct Pointed {
    command: Weak<RefCell<dyn Command>>,
}

#[derive(Serialize)]
struct Listed {
    commands: Vec<Box<dyn Command>>,
}

#[derive(Serialize)]
struct Optional {
    command: Option<Box<dyn Command>>,
}

#[derive(Serialize)]
struct Newtype(Box<dyn Command>);

#[derive(Serialize)]
struct Tuple(u8, [Box<dyn Command>; 2]);

#[derive(Serialize)]
enum Order {
    Stop,
    One(Box<dyn Command>),
    Two(Box<dyn Command>, u8),
    Named { key: u8, command: Rc<dyn Command> },
}

/// A field that is not saved needs nothing.
#[derive(Serialize)]
struct Skipped {
    #[archive(skip)]
    command: Option<Box<dyn Command>>,
}

fn main() {}
