//! [`Items`] and [`Entries`]: sequences and maps being saved.

use archive_core::{Body, Result, Shape, Step, Visitor, Walk, bridge};
use serde::ser::{SerializeMap, SerializeSeq, SerializeTuple, Serializer};

use super::entry::{put_entry, put_value};
use super::{Nested, refused};
use crate::archives::{parts, way};
use crate::shared::{Shared, item_shape};

enum Form<S: Serializer> {
    Seq(S::SerializeSeq),
    Tuple(S::SerializeTuple),
}

/// A sequence being saved.
pub(crate) struct Items<'a, 's, S: Serializer> {
    form: Form<S>,
    shape: &'static Shape,
    /// Whether each item is counted when it is saved, because their number was unknown.
    uncounted: bool,
    shared: &'a mut Shared<'s>,
    /// The error of the serializer.
    theirs: &'a mut Option<S::Error>,
}

impl<'a, 's, S: Serializer> Items<'a, 's, S> {
    pub(crate) fn open(
        to: S,
        shape: &'static Shape,
        len: Option<usize>,
        (shared, theirs): (&'a mut Shared<'s>, &'a mut Option<S::Error>),
    ) -> Result<Self> {
        let form = match (shape, len) {
            // In some formats an empty tuple is the same as null.
            (Shape::Array(..) | Shape::Tuple(..), Some(len))
                if len > 0 || !shared.manner.describes =>
            {
                to.serialize_tuple(len).map(Form::Tuple)
            }
            _ => to.serialize_seq(len).map(Form::Seq),
        };
        let form = form.map_err(|error| refused(shared, error, theirs))?;
        Ok(Items { form, shape, uncounted: len.is_none(), shared, theirs })
    }

    pub(crate) fn end(self) -> Result<S::Ok> {
        let ok = match self.form {
            Form::Seq(form) => form.end(),
            Form::Tuple(form) => form.end(),
        };
        ok.map_err(|error| refused(self.shared, error, self.theirs))
    }
}

impl<S: Serializer> Visitor for Items<'_, '_, S> {
    parts!(saving, no scalars);
    fn fixed_shape(&self) -> bool {
        !self.shared.manner.describes
    }
}

impl<S: Serializer> Walk for Items<'_, '_, S> {
    way!(saving);
    #[inline]
    fn run_elsewhere<B: Body>(&mut self, step: Step, body: &mut B) -> Result<bool> {
        let Step::Item(index) = step else { return Err(bridge::misuse()) };
        let shape = match self.shape {
            // The items of a map are its entries.
            Shape::Map(..) => &Shape::Dyn,
            shape if self.shared.manner.describes => shape,
            shape => item_shape(shape, index),
        };
        if self.uncounted {
            self.shared.count_item(self.shape).map_err(|error| error.in_item(index))?;
        }
        let value = Nested::new(body, shape, self.shared);
        let done = match &mut self.form {
            Form::Seq(form) => form.serialize_element(&value),
            Form::Tuple(form) => form.serialize_element(&value),
        };
        match done {
            Ok(()) => Ok(true),
            Err(error) => Err(refused(self.shared, error, self.theirs).in_item(index)),
        }
    }
}

/// A map that is saved as a serde map.
pub(crate) struct Entries<'a, 's, S: Serializer> {
    form: S::SerializeMap,
    shape: &'static Shape,
    /// Whether it is an object whose names are the keys.
    named: bool,
    shared: &'a mut Shared<'s>,
    /// The error of the serializer.
    theirs: &'a mut Option<S::Error>,
}

impl<'a, 's, S: Serializer> Entries<'a, 's, S> {
    pub(crate) fn open(
        to: S,
        (shape, named): (&'static Shape, bool),
        len: Option<usize>,
        (shared, theirs): (&'a mut Shared<'s>, &'a mut Option<S::Error>),
    ) -> Result<Self> {
        let form = to.serialize_map(len).map_err(|error| refused(shared, error, theirs))?;
        Ok(Entries { form, shape, named, shared, theirs })
    }

    /// Saves an entry as the member with the name of the key.
    fn save_named<K: Body, V: Body>(&mut self, index: usize, key: &mut K, value: &mut V) -> Result {
        let Shared { session, options, .. } = &mut *self.shared;
        let name = bridge::name_of_key(key, session, options);
        let name = name.map_err(|error| error.in_item(index))?;
        let entered = session.count(options).and_then(|()| session.enter_entry(options));
        entered.map_err(|error| error.in_member(&name))?;
        let value = Nested::new(value, &Shape::Any, self.shared);
        match put_entry(&mut self.form, &name, &value) {
            Ok(()) => {
                self.shared.session.leave();
                Ok(())
            }
            Err(error) => Err(refused(self.shared, error, self.theirs).in_member(&name)),
        }
    }

    pub(crate) fn end(self) -> Result<S::Ok> {
        self.form.end().map_err(|error| refused(self.shared, error, self.theirs))
    }
}

impl<S: Serializer> Visitor for Entries<'_, '_, S> {
    parts!(saving, no scalars);
}

impl<S: Serializer> Walk for Entries<'_, '_, S> {
    way!(saving);
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        if self.named {
            return self.save_named(index, key, value).map(|()| true);
        }
        let describes = self.shared.manner.describes;
        let Shared { session, options, .. } = &mut *self.shared;
        let entered = session.count(options).and_then(|()| session.enter_entry(options));
        entered.map_err(|error| error.in_item(index))?;
        let key_shape = item_shape(self.shape, 0);
        let key = if describes {
            self.form.serialize_key(&Nested::key(key, key_shape, self.shared))
        } else {
            self.form.serialize_key(&Nested::new(key, key_shape, self.shared))
        };
        if let Err(error) = key {
            return Err(refused(self.shared, error, self.theirs).in_item(0).in_item(index));
        }
        let shape = item_shape(self.shape, 1);
        match put_value(&mut self.form, &Nested::new(value, shape, self.shared)) {
            Ok(()) => {
                self.shared.session.leave();
                Ok(true)
            }
            Err(error) => Err(refused(self.shared, error, self.theirs).in_item(1).in_item(index)),
        }
    }
}
