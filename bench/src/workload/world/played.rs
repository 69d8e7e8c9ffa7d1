//! The world that the game left.

use std::hint::black_box;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use archive::binary;
use skirmish::options;

use super::pointers;
use crate::entry::{Entry, Operation};
use crate::peer::Group;
use crate::peer::ours::PLAYED;

/// The world that the game left, on a thread of its own, so that the fragmented memory does not
/// affect the other loads.
pub struct World {
    save: Sender<()>,
    saved: Receiver<()>,
}

impl World {
    /// Plays, and gives the file of the world, too.
    pub fn generate() -> (Vec<u8>, World) {
        let (save, asked) = channel();
        let (done, saved) = channel();
        let (give, file) = channel();
        thread::spawn(move || {
            let world = super::generate();
            let file = binary::to_vec_with(&world, &options()).expect("it can be saved");
            give.send(file).expect("somebody waits for it");
            let world = pointers::World::of(world);
            let mut buffer = Vec::new();
            while asked.recv().is_ok() {
                binary::save_into(&mut buffer, black_box(&world), &options())
                    .expect("it can be saved");
                black_box(&buffer);
                if done.send(()).is_err() {
                    return;
                }
            }
        });
        (file.recv().expect("the game ends"), World { save, saved })
    }

    /// Saves it.
    pub fn entry(self) -> Entry {
        Entry::new(PLAYED, Group::Variant).with(Operation::Save, move || {
            self.save.send(()).expect("the world is there");
            self.saved.recv().expect("it can be saved");
        })
    }
}
