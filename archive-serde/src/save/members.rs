//! [`Members`]: an object being saved.

use archive_core::bridge;
use archive_core::reserved;
use archive_core::{Body, Class, Error, ErrorKind, Member, Result, Shape, Visitor, Walk};
use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, Serializer,
};

use super::count::ObjectForm;
use super::{Nested, refused};
use crate::archives::{parts, way};
use crate::shared::Shared;
use crate::tree::flat;

/// The serde form of an object.
enum Form<S: Serializer> {
    Struct(S::SerializeStruct),
    Map(S::SerializeMap),
    Places(S::SerializeTuple),
    List(S::SerializeSeq),
}

/// An object being saved.
pub(crate) struct Members<'a, 's, S: Serializer> {
    form: Form<S>,
    class: &'static Class,
    shared: &'a mut Shared<'s>,
    /// The error of the serializer.
    theirs: &'a mut Option<S::Error>,
}

impl<'a, 's, S: Serializer> Members<'a, 's, S> {
    pub(crate) fn open(
        to: S,
        (layout, name): (ObjectForm, &'static str),
        class: &'static Class,
        version: u32,
        (shared, theirs): (&'a mut Shared<'s>, &'a mut Option<S::Error>),
    ) -> Result<Self> {
        let versioned = usize::from(version != 0);
        // For members by position, the version has a position if the type has versions.
        let placed = usize::from(class.version != 0);
        let form = match layout {
            ObjectForm::Struct(len) => to.serialize_struct(name, len).map(Form::Struct),
            ObjectForm::Map(len) => to.serialize_map(Some(len + versioned)).map(Form::Map),
            ObjectForm::Places(len) => to.serialize_tuple(len + placed).map(Form::Places),
            ObjectForm::List(len) => to.serialize_seq(Some(len + placed)).map(Form::List),
        };
        let form = form.map_err(|error| refused(shared, error, theirs))?;
        let mut members = Members { form, class, shared, theirs };
        let is_placed = matches!(members.form, Form::Places(_) | Form::List(_));
        if if is_placed { placed != 0 } else { versioned != 0 } {
            members
                .put(reserved::VERSION, &version)
                .map_err(|error| refused(members.shared, error, members.theirs))?;
        }
        Ok(members)
    }

    pub(crate) fn end(self) -> Result<S::Ok> {
        let ok = match self.form {
            Form::Struct(form) => form.end(),
            Form::Map(form) => form.end(),
            Form::Places(form) => form.end(),
            Form::List(form) => form.end(),
        };
        ok.map_err(|error| refused(self.shared, error, self.theirs))
    }

    fn put<T: Serialize>(&mut self, name: &str, value: &T) -> Result<(), S::Error> {
        put(&mut self.form, name, None, value)
    }

    #[inline]
    fn save<B: Body>(
        &mut self,
        name: &str,
        own: Option<&'static str>,
        shape: &'static Shape,
        body: &mut B,
    ) -> Result {
        // The names of a struct's members must be `&'static str`.
        let own = match (&self.form, own) {
            (Form::Struct(_), None) => Some(self.own_name(name)?),
            _ => own,
        };
        let value = Nested::new(body, shape, self.shared);
        let done = put(&mut self.form, name, own, &value);
        self.outcome(done, name)
    }

    #[inline]
    fn outcome(&mut self, done: Result<(), S::Error>, name: &str) -> Result {
        match done {
            Ok(()) => {
                self.shared.forget();
                Ok(())
            }
            Err(error) => Err(refused(self.shared, error, self.theirs).in_member(name)),
        }
    }

    fn own_name(&self, name: &str) -> Result<&'static str> {
        let members = self.class.members.and_then(flat).unwrap_or_default();
        let own = members.iter().find(|member| member.name == name);
        own.map(|member| member.name).ok_or_else(|| {
            let message = "internal error: a derived type has a member that its shape lacks";
            Error::new(ErrorKind::Unsupported, message).in_member(name)
        })
    }
}

#[inline]
fn put<S: Serializer, T: Serialize>(
    form: &mut Form<S>,
    name: &str,
    own: Option<&'static str>,
    value: &T,
) -> Result<(), S::Error> {
    match form {
        Form::Struct(form) => form.serialize_field(own.unwrap_or_default(), value),
        Form::Map(form) => form.serialize_entry(name, value),
        Form::Places(form) => form.serialize_element(value),
        Form::List(form) => form.serialize_element(value),
    }
}

impl<S: Serializer> Visitor for Members<'_, '_, S> {
    parts!(saving, no scalars);
    fn fixed_members(&self) -> bool {
        !self.shared.manner.describes
    }
    fn fixed_shape(&self) -> bool {
        !self.shared.manner.describes
    }
}

impl<S: Serializer> Walk for Members<'_, '_, S> {
    way!(saving);
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        bridge::check_name(name)?;
        self.save(name, None, shape, body)
    }
    #[inline]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        bridge::check_name(info.name)?;
        // Formats that describe themselves do not use the shape.
        let shape = if self.shared.manner.describes { &Shape::Dyn } else { info.shape.get() };
        self.save(info.name, Some(info.name), shape, body)
    }
    fn save_key<B: Body>(&mut self, name: &str, body: &mut B) -> Result {
        let Shared { session, options, .. } = &mut *self.shared;
        session.count(options).map_err(|error| error.in_member(name))?;
        if self.shared.manner.describes {
            return self.save(name, None, &Shape::Any, body);
        }
        let done = {
            let value = Nested::new(body, &Shape::Any, self.shared);
            put(&mut self.form, name, None, &(name, value))
        };
        self.outcome(done, name)
    }
}
