//! Trait objects as members: `Box<dyn Command>`.
//!
//! A record can be cloned and sent to another thread, which a trait object cannot. So the slot has the tree of
//! the object. The object itself exists while it is loaded, saved or changed, which makes the bytes and the
//! errors those of a compiled member.
// Why: docs/decisions/pointers.md#a-made-type-has-trait-objects-as-trees

use archive_core::__private::Interface;
use archive_core::__private::made::BoxedSave;
use archive_core::pointer::{LoadPointer, Step};
use archive_core::{
    Archive, Blank, Body, Erased, Error, ErrorKind, LoadedHead, Mark, Options, PointerHead,
    PointerKind, Result, Save, Serialize, Session, Shape, Value,
};

use crate::saved::route;

/// An object of a trait that the program has registered.
trait Object {
    fn save(&self, ar: &mut Erased<'_>) -> Result;
    /// Changes the object along a path.
    fn change(&mut self, ar: &mut Erased<'_>) -> Result;
    fn tree(&self, options: &Options<'_>) -> Result<Value>;
}

impl<D: Interface + BoxedSave + ?Sized> Object for Box<D> {
    fn save(&self, ar: &mut Erased<'_>) -> Result {
        self.save_value(ar)
    }
    fn change(&mut self, ar: &mut Erased<'_>) -> Result {
        self.value(ar)
    }
    fn tree(&self, options: &Options<'_>) -> Result<Value> {
        Value::of_with(self, options)
    }
}

/// What the registry knows of a trait.
pub(crate) struct Functions {
    load: fn(&mut Erased<'_>) -> Result<Box<dyn Object>>,
    of_tree: fn(&Value, &Options<'_>) -> Result<Box<dyn Object>>,
}

/// Returns the functions of a trait object type.
pub(crate) fn functions<D: Interface + BoxedSave + ?Sized>() -> &'static Functions {
    struct Of<D: ?Sized>(std::marker::PhantomData<D>);
    impl<D: Interface + BoxedSave + ?Sized> Of<D> {
        const FUNCTIONS: &'static Functions = &Functions {
            load: |ar| Ok(Box::new(Box::<D>::load_new(ar)?)),
            of_tree: |tree, options| Ok(Box::new(tree.to_with::<Box<D>>(options)?)),
        };
    }
    Of::<D>::FUNCTIONS
}

/// In the context of archives that load and save the trees themselves: they were checked when they were
/// made, or are checked later.
struct AsTrees;

/// Returns options with which trait objects are loaded without a registry, and not checked.
pub(crate) fn unchecked<'o>(options: &Options<'o>) -> Options<'o> {
    options.clone().provide(AsTrees)
}

/// Returns the functions of the trait; `None` if the archive has trees for trait objects.
fn find<A: Archive>(ar: &A, name: &str) -> Result<Option<&'static Functions>> {
    let options = ar.options();
    if options.context::<AsTrees>().is_some() {
        return Ok(None);
    }
    let registry = options.settings().registry();
    match registry.and_then(|registry| registry.interface(name)) {
        Some(functions) => Ok(Some(functions)),
        None if options.settings().keep_unknown() => Ok(None),
        None => Err(unregistered(name)),
    }
}

pub(crate) fn save<A: Archive>(tree: &Value, name: &str, ar: &mut A) -> Result {
    let Some(functions) = find(ar, name)? else {
        return save_tree(tree, name, ar);
    };
    let object = (functions.of_tree)(set(tree, name)?, &unchecked(ar.options()))?;
    object.save(&mut ar.erased())
}

pub(crate) fn load<A: Archive>(tree: &mut Value, name: &str, ar: &mut A) -> Result {
    let Some(functions) = find(ar, name)? else {
        return load_tree(tree, name, ar);
    };
    let object = if route(ar).is_some() {
        let mut object = (functions.of_tree)(set(tree, name)?, &unchecked(ar.options()))?;
        object.change(&mut ar.erased())?;
        object
    } else {
        (functions.load)(&mut ar.erased())?
    };
    let loaded = object.tree(&unchecked(ar.options()))?;
    if shares(&loaded) {
        return Err(shared(name));
    }
    *tree = loaded;
    Ok(())
}

fn save_tree<A: Archive>(tree: &Value, name: &str, ar: &mut A) -> Result {
    if tree.is_null() && ar.options().context::<AsTrees>().is_some() {
        return tree.save_value(ar);
    }
    let Some((Value::Str(id), content)) = tree.get("$type").zip(tree.get("$value")) else {
        return Err(set(tree, name).err().unwrap_or_else(|| not_an_object(name)));
    };
    let kind = PointerKind::Owned;
    let head = PointerHead { kind, id: 0, type_name: Some(id), shape: &Shape::Any };
    ar.save_pointer(&head, &mut Content(content))
}

/// What is in an object.
struct Content<'t>(&'t Value);

impl Body for Content<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.save_value(ar)
    }
}

fn load_tree<A: Archive>(tree: &mut Value, name: &str, ar: &mut A) -> Result {
    if route(ar).is_some() {
        // A path goes through the object as if it were its content.
        let Value::Object(members) = tree else { return set(tree, name).map(drop) };
        let content = members.iter_mut().find(|(name, _)| name == "$value");
        return content.map_or(Ok(()), |(_, content)| content.value(ar));
    }
    let is_tree = ar.options().context::<AsTrees>().is_some();
    let mut loaded = Tree { name, is_tree, id: None, content: Value::Null };
    ar.load_pointer(&mut loaded)?;
    *tree = loaded.id.map_or(Value::Null, |id| {
        Value::Object(vec![("$type".to_owned(), id.into()), ("$value".to_owned(), loaded.content)])
    });
    Ok(())
}

/// The tree of an object to be loaded.
struct Tree<'n> {
    name: &'n str,
    /// Whether there may be no object, as in trees.
    is_tree: bool,
    id: Option<String>,
    content: Value,
}

impl LoadPointer for Tree<'_> {
    const DYN: bool = true;

    fn shape(&self) -> &'static Shape {
        &Shape::Dyn
    }
    fn begin(
        &mut self,
        head: &LoadedHead<'_>,
        _: Mark,
        _: &mut Session,
        _: &Options<'_>,
    ) -> Result<Step> {
        match &head.type_name {
            Some(id) if head.kind.has_pointee() => {
                self.id = Some(id.to_string());
                Ok(Step::Load)
            }
            _ if head.kind == PointerKind::Null && self.is_tree => Ok(Step::Done),
            _ => Err(not_an_object(self.name)),
        }
    }
    fn load<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.content.value(ar)
    }
    fn prepare(&mut self, _: &LoadedHead<'_>, _: &mut Session, _: &Options<'_>) -> Result<bool> {
        Ok(false)
    }
    fn missing(&mut self, _: u64, _: &mut Session, _: &Options<'_>) -> Result {
        Err(not_an_object(self.name))
    }
}

/// Returns the tree, if an object was set.
fn set<'t>(tree: &'t Value, name: &str) -> Result<&'t Value> {
    match tree {
        Value::Null => Err(Error::custom(format_args!(
            "there is no `dyn {name}` yet: set it, or give the member a default"
        ))),
        tree => Ok(tree),
    }
}

/// Returns whether objects in the tree are shared. Their copies would be others than those outside.
fn shares(tree: &Value) -> bool {
    let mut open = vec![tree];
    while let Some(tree) = open.pop() {
        match tree {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                if members.iter().any(|(name, _)| name == "$id" || name == "$weak") {
                    return true;
                }
                open.extend(members.iter().map(|(_, member)| member));
            }
            _ => {}
        }
    }
    false
}

#[cold]
fn unregistered(name: &str) -> Error {
    let message = format_args!(
        "the trait `{name}` is not in the registry: `registry.schema::<dyn {name}>` adds it"
    );
    Error::new(ErrorKind::UnknownType, message)
}

#[cold]
fn not_an_object(name: &str) -> Error {
    let message = format_args!("expected `dyn {name}` with `$type` and `$value`");
    Error::new(ErrorKind::WrongType, message)
}

#[cold]
fn shared(name: &str) -> Error {
    let message =
        format_args!("a `dyn {name}` in a made type cannot have shared pointers to objects");
    Error::new(ErrorKind::Unsupported, message)
}
