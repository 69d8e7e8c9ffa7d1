//! `Duration`: an object of whole seconds and nanoseconds, as serde writes it.

use std::time::Duration;

use crate::archive::Archive;
use crate::blank::Blank;
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;
use crate::shape::{Class, Member, Shape, shape_of};
use crate::{Save, Serialize};

const MEMBERS: &[Member] = &[
    Member {
        name: "secs",
        aliases: &[],
        shape: shape_of::<u64>,
        flatten: false,
        placeholder: false,
    },
    Member {
        name: "nanos",
        aliases: &[],
        shape: shape_of::<u32>,
        flatten: false,
        placeholder: false,
    },
];

impl Serialize for Duration {
    const NAME: &'static str = "Duration";
    const SHAPE: &'static Shape = &Shape::Class(&Class {
        name: "Duration",
        type_name: std::any::type_name::<Duration>,
        version: 0,
        members: Some(MEMBERS),
    });

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (mut secs, mut nanos) = (self.as_secs(), self.subsec_nanos());
        ar.member(&MEMBERS[0], &mut secs)?;
        ar.member(&MEMBERS[1], &mut nanos)?;
        if nanos >= 1_000_000_000 {
            let message = format_args!("{nanos} nanoseconds do not fit a second");
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        *self = Duration::new(secs, nanos);
        Ok(())
    }
}

impl Save for Duration {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        { *self }.serialize(ar)
    }
}

impl Blank for Duration {
    fn blank(_: &Options<'_>) -> Self {
        Duration::ZERO
    }
}
