//! [`Object`]: a tree of variables and child objects.

use std::sync::Arc;

use archive_core::{Error, ErrorKind, Result};

use crate::bases::BASE;
use crate::signature::ClassSignature;
use crate::{Storable, Variable};

/// The kind of members that an [`Object`] has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// Members with names. Each name occurs once.
    #[default]
    Object,
    /// Items without names, in order.
    List,
    /// One item without a name. The object only wraps it, so that a value that is not an object can
    /// be a file.
    Value,
}

/// A member of an [`Object`].
#[derive(Clone, PartialEq)]
pub enum Member {
    /// A value.
    Variable(Variable),
    /// An object.
    Child(Object),
}

/// An object of a class: variables and child objects, in order.
///
/// A variable belongs to the class that declares it, so members with one name in a class and in its
/// bases are distinct. Looking up variables and children takes linear time.
///
/// ```
/// use archive::bins::Object;
///
/// // class C : B, class B : A, each with a member `x`.
/// let mut object = Object::new("C");
/// object.export("A", "x", &1_u8)?;
/// object.export("B", "x", &2.5_f32)?;
/// object.export("C", "x", &"three".to_owned())?;
/// let bytes = object.to_bytes()?;
///
/// let object = Object::from_bytes(&bytes)?;
/// let mut x = 0.0_f32;
/// object.import("B", "x", &mut x)?;
/// assert_eq!(x, 2.5);
/// let error = object.import("A", "x", &mut x).unwrap_err();
/// assert_eq!(error.to_string(), "A::x: expected type `f32`, found `u8`");
/// # Ok::<(), archive::Error>(())
/// ```
#[must_use]
pub struct Object {
    pub(crate) class: Arc<str>,
    pub(crate) name: Arc<str>,
    pub(crate) form: Form,
    /// The signature of the class of the value from which this was converted; `None` after members
    /// were added by hand.
    pub(crate) class_signature: Option<ClassSignature>,
    pub(crate) members: Vec<Member>,
}

impl Object {
    /// Creates an object of that class, without members.
    pub fn new(class: impl Into<Arc<str>>) -> Self {
        Object::empty(class.into(), Arc::default(), Form::Object)
    }

    /// Creates a list of that class, such as `Vec<Triangle>`, without items.
    pub fn list(class: impl Into<Arc<str>>) -> Self {
        Object::empty(class.into(), Arc::default(), Form::List)
    }

    pub(crate) fn empty(class: Arc<str>, name: Arc<str>, form: Form) -> Self {
        Object { class, name, form, class_signature: None, members: Vec::new() }
    }

    /// Returns the object with another name. A [child](Object::add) gets its name from its
    /// parent; the outermost object may have any name, for example to distinguish the objects of a
    /// collection.
    pub fn named(mut self, name: impl Into<Arc<str>>) -> Self {
        self.name = name.into();
        self
    }

    /// Returns the object with another class, to which its own variables then belong: a list of
    /// units can be a `Squad` instead of a `Vec<Unit>`.
    ///
    /// ```
    /// use archive::bins::Object;
    ///
    /// let names = vec!["Ann".to_owned(), "Bob".to_owned()];
    /// let squad = Object::of(&names)?.with_class("Squad");
    /// assert_eq!(squad.class(), "Squad");
    /// assert_eq!(squad.to::<Vec<String>>()?, names);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// If the object already has a variable of that class with the same name as one of its own
    /// variables, packing and loading refuse the object.
    pub fn with_class(mut self, class: impl Into<Arc<str>>) -> Self {
        let class = class.into();
        for member in &mut self.members {
            if let Member::Variable(variable) = member
                && variable.class == self.class
            {
                variable.class = class.clone();
            }
        }
        self.class = class;
        self
    }

    /// Returns the class.
    pub fn class(&self) -> &str {
        &self.class
    }

    /// Returns the name; empty for an item of a list.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the kind of members that the object has.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns the members in order.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns the variables in order, without the [declarations of bases](Object::bases).
    pub fn variables(&self) -> impl DoubleEndedIterator<Item = &Variable> {
        self.all_variables().filter(|variable| !variable.is_base())
    }

    /// Returns pairs of a class and its base, in order: `("C", "B")` and `("B", "A")`.
    ///
    /// The variables of bases are stored in the same object. Without these pairs it would be
    /// unknown whether `A` is a base of `B` or a second base of `C`.
    pub fn bases(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> {
        let bases = self.all_variables().filter(|variable| variable.is_base());
        bases.map(|variable| (variable.class(), variable.name()))
    }

    fn all_variables(&self) -> impl DoubleEndedIterator<Item = &Variable> {
        self.members.iter().filter_map(|member| match member {
            Member::Variable(variable) => Some(variable),
            Member::Child(_) => None,
        })
    }

    /// Returns the child objects in order.
    pub fn children(&self) -> impl DoubleEndedIterator<Item = &Object> {
        self.members.iter().filter_map(|member| match member {
            Member::Child(child) => Some(child),
            Member::Variable(_) => None,
        })
    }

    /// Returns the variable that `class` declares under `name`.
    pub fn variable(&self, class: &str, name: &str) -> Option<&Variable> {
        self.variables().find(|variable| variable.name() == name && variable.class() == class)
    }

    /// Returns whether there is a variable or the declaration of a base with that class and name.
    fn has(&self, class: &str, name: &str) -> bool {
        self.all_variables().any(|variable| variable.name() == name && variable.class() == class)
    }

    /// Returns the child object with that name.
    pub fn child(&self, name: &str) -> Option<&Object> {
        self.children().find(|child| child.name() == name)
    }

    /// Stores `value` as the variable that `class` declares under `name`.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if there is one already; [`ErrorKind::Unsupported`] if this
    /// is a list.
    pub fn export<T: Storable>(
        &mut self,
        class: impl Into<Arc<str>>,
        name: impl Into<Arc<str>>,
        value: &T,
    ) -> Result {
        self.insert(Variable::new(&*T::type_name(), class, name, bytes_of(value)))
    }

    /// Declares that `class` has the base `base`. A type that knows its bases also loads objects
    /// without this declaration.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if the base is declared already; [`ErrorKind::Unsupported`]
    /// if this is a list.
    pub fn declare_base(
        &mut self,
        class: impl Into<Arc<str>>,
        base: impl Into<Arc<str>>,
    ) -> Result {
        self.must_be(Form::Object)?;
        let base = base.into();
        if self.bases().any(|(_, known)| *known == *base) {
            return Err(duplicate(&base));
        }
        self.append(Member::Variable(Variable::new(BASE, class, base, Vec::new())));
        Ok(())
    }

    /// Adds a variable to an object.
    pub fn insert(&mut self, variable: Variable) -> Result {
        self.must_be(Form::Object)?;
        let clash = variable.class == self.class && self.child(&variable.name).is_some();
        if clash || self.has(&variable.class, &variable.name) {
            return Err(duplicate(&variable.to_string()));
        }
        self.append(Member::Variable(variable));
        Ok(())
    }

    /// Adds a child object under that name. A child that only wraps a value ([`Form::Value`])
    /// becomes a variable of the object's own class.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if the name is in use; [`ErrorKind::Unsupported`] if this is
    /// a list.
    pub fn add(&mut self, name: impl Into<Arc<str>>, child: Object) -> Result {
        self.must_be(Form::Object)?;
        let name = name.into();
        if self.child(&name).is_some() || self.has(&self.class, &name) {
            return Err(duplicate(&name));
        }
        self.put(name, child);
        Ok(())
    }

    /// Adds an object to the end of a list. An object that only wraps a value becomes a variable.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if this is not a list.
    pub fn push(&mut self, item: Object) -> Result {
        self.must_be(Form::List)?;
        self.put(Arc::default(), item);
        Ok(())
    }

    /// Adds a value to the end of a list. For a list of numbers only, one variable of type `Vec` is
    /// better.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if this is not a list.
    pub fn push_value<T: Storable>(&mut self, value: &T) -> Result {
        self.must_be(Form::List)?;
        let (type_name, bytes) = (T::type_name(), bytes_of(value));
        let item = Variable::new(&*type_name, self.class.clone(), "", bytes);
        self.append(Member::Variable(item));
        Ok(())
    }

    /// Assigns the variable that `class` declares under `name` to `value`. The type and the size of
    /// the variable must be those of `T`; otherwise `value` is unchanged.
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`] if there is no such variable, and errors of [`Variable::get`].
    pub fn import<T: Storable>(&self, class: &str, name: &str, value: &mut T) -> Result {
        *value = self.get(class, name)?;
        Ok(())
    }

    /// Returns the value of the variable that `class` declares under `name`.
    pub fn get<T: Storable>(&self, class: &str, name: &str) -> Result<T> {
        match self.variable(class, name) {
            Some(variable) => variable.get(),
            None => Err(self.missing(class, name)),
        }
    }

    fn put(&mut self, name: Arc<str>, mut child: Object) {
        let held = if child.form == Form::Value { child.members.pop() } else { None };
        self.append(match held {
            Some(Member::Variable(value)) => {
                Member::Variable(Variable { class: self.class.clone(), name, ..value })
            }
            _ => Member::Child(child.named(name)),
        });
    }

    /// Adds a member by hand; the object is then no longer the value of a class.
    fn append(&mut self, member: Member) {
        self.class_signature = None;
        self.members.push(member);
    }

    fn must_be(&self, form: Form) -> Result {
        if self.form == form {
            return Ok(());
        }
        let message = match form {
            Form::Object => "the items of a list have no names: use `push`",
            _ => "the members of an object have names: use `export` and `add`",
        };
        Err(Error::new(ErrorKind::Unsupported, message))
    }

    #[cold]
    pub(crate) fn missing(&self, class: &str, name: &str) -> Error {
        const MAX_NAMES: usize = 8;
        let mut near = self.variables().filter(|variable| variable.name() == name).peekable();
        let mut message = format!("`{}` has no such variable", self.class);
        if near.peek().is_some() {
            let near: Vec<_> = near.take(MAX_NAMES).map(|near| format!("`{near}`")).collect();
            message += &format!("; variables of that name: {}", near.join(", "));
        }
        Error::new(ErrorKind::MissingMember, message).in_member(&format!("{class}::{name}"))
    }
}

fn bytes_of<T: Storable>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(T::SIZE.unwrap_or(0));
    value.store(&mut bytes);
    bytes
}

#[cold]
pub(crate) fn duplicate(name: &str) -> Error {
    Error::new(ErrorKind::DuplicateMember, format_args!("duplicate member `{name}`"))
}
