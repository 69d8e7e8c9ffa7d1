//! [`Bins`]: the format as a whole, its entry points, and conversions between values and
//! [`Object`]s.
// Why: docs/decisions/blob-and-bins.md#bins-is-not-a-built-in-format

use std::sync::Arc;

use archive_core::backend::Sink;
use archive_core::bridge::{New, over};
use archive_core::{
    Backend, Body, Element, Error, Loading, Options, Result, Saving, Serialize, Session, Shape,
    Source,
};

use crate::flat::Flat;
use crate::header::MAGIC;
use crate::object::{Form, Member, Object};
use crate::pack::pack;
use crate::{Decoder, Encoder, Variable};

/// Bins files as a [`Backend`]: a file is one packed [`Object`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Bins;

impl Backend for Bins {
    const NAME: &'static str = "bins";
    const EXTENSIONS: &'static [&'static str] = &["bins"];
    const STATIC: bool = false;

    type Output = Vec<u8>;
    type Encoder<'w> = Encoder;
    type Decoder<'r> = Decoder<'r>;

    /// Detects the magic number of a packed object.
    fn detect(start: &[u8]) -> bool {
        start.starts_with(&MAGIC)
    }

    /// Passes nothing to the sink before the end, because the header contains the lengths of the
    /// bins.
    fn encoder<'w>(options: &Options<'_>, _: Option<Sink<'w>>) -> Encoder {
        Encoder::with(options)
    }

    fn finish(encoder: Encoder) -> Result<Vec<u8>> {
        pack(&Flat::of(&encoder.finish()?, usize::MAX)?)
    }

    fn decoder<'r>(input: &'r [u8], options: &Options<'_>) -> Result<Decoder<'r>> {
        Decoder::new(input, options)
    }

    /// Checks nothing: data after the object was already refused by the constructor.
    fn end(_: Decoder<'_>) -> Result {
        Ok(())
    }

    fn save_root<S: Source>(encoder: &mut Encoder, value: S, options: &Options<'_>) -> Result {
        Saving::new(encoder, &mut Session::new(), options).root_erased(&mut { value })
    }

    fn load_root<B: Body>(
        decoder: &mut Decoder<'_>,
        shape: &'static Shape,
        body: &mut B,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        Loading::new(decoder, session, options).root_erased(shape, body)
    }
}

archive_core::entry_points!(Bins);

impl Object {
    /// Converts a value to an object: `&value` of a type with `Save`, or `&mut value` of any type
    /// with `Serialize`.
    pub fn of<S: Source>(value: S) -> Result<Self> {
        Object::of_with(value, &Options::new())
    }

    /// As [`of`](Object::of), with options.
    pub fn of_with<S: Source>(mut value: S, options: &Options<'_>) -> Result<Self> {
        let mut encoder = Encoder::with(options);
        Saving::new(&mut encoder, &mut Session::new(), options).root(&mut value)?;
        encoder.finish()
    }

    /// Converts the object to a value of a type with `Serialize`.
    pub fn to<T: Element>(&self) -> Result<T> {
        self.to_with(&Options::new())
    }

    /// As [`to`](Object::to), with options.
    pub fn to_with<T: Element>(&self, options: &Options<'_>) -> Result<T> {
        let mut new = New(None);
        self.decode(T::SHAPE, &mut new, options)?;
        new.0.ok_or_else(|| Error::custom("no value was loaded"))
    }

    /// Loads the object into a value of a type with `Serialize`. Members that the object lacks keep
    /// their values.
    ///
    /// # Errors
    /// Errors of the value. After an error, `value` is in the state that
    /// [`load_into`](crate::load_into) leaves.
    pub fn load_into<T: Serialize + ?Sized>(&self, value: &mut T) -> Result {
        self.load_into_with(value, &Options::new())
    }

    /// As [`load_into`](Object::load_into), with options.
    pub fn load_into_with<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        options: &Options<'_>,
    ) -> Result {
        over(value, options, |mut value| self.decode(T::SHAPE, &mut value, options))
    }

    /// Adds a value as the member with that name: `&value` of a type with `Save`, or `&mut value`
    /// of any type with `Serialize`. Numbers, text and other plain data become a variable of the
    /// object's own class, other values a child object.
    ///
    /// ```
    /// use archive::bins::Object;
    ///
    /// let mut game = Object::new("Game");
    /// game.save("names", &vec!["Ann".to_owned(), "Bob".to_owned()])?;
    /// game.save("scores", &vec![7_u32, 9])?;
    /// assert_eq!(game.get::<Vec<u32>>("Game", "scores")?, [7, 9]);
    /// let mut names: Vec<String> = Vec::new();
    /// game.load("names", &mut names)?;
    /// assert_eq!(names, ["Ann", "Bob"]);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the value and of [`add`](Object::add).
    pub fn save<S: Source>(&mut self, name: &str, value: S) -> Result {
        self.add(name, Object::of(value).map_err(|error| error.in_member(name))?)
    }

    /// Loads the member with that name into a value of a type with `Serialize`. The member is a
    /// child object or a variable of the object's own class.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`](archive_core::ErrorKind::MissingMember) if there is no such
    /// member, and errors of the value.
    pub fn load<T: Serialize + ?Sized>(&self, name: &str, value: &mut T) -> Result {
        let loaded = match (self.child(name), self.variable(&self.class, name)) {
            (Some(child), _) => child.load_into(value),
            (None, Some(variable)) => {
                let held = Variable { name: Arc::default(), ..variable.clone() };
                let mut holder = Object::empty(self.class.clone(), Arc::default(), Form::Value);
                holder.members.push(Member::Variable(held));
                holder.load_into(value)
            }
            (None, None) => return Err(self.missing(&self.class, name)),
        };
        loaded.map_err(|error| error.in_member(name))
    }

    fn decode<B: Body>(
        &self,
        shape: &'static Shape,
        body: &mut B,
        options: &Options<'_>,
    ) -> Result {
        let mut decoder = Decoder::of(self, options)?;
        Loading::new(&mut decoder, &mut Session::new(), options).root(shape, body)
    }
}
