//! Trait objects as members: `Box<dyn Command>`.
//!
//! A record can be cloned and sent to another thread, which a trait object cannot. So the slot has the tree of
//! the object. The object itself exists while it is loaded, saved or changed, which makes the bytes and the
//! errors those of a compiled member.
// Why: docs/decisions/pointers.md#a-made-type-has-trait-objects-as-trees

use archive_core::__private::Interface;
use archive_core::__private::made::BoxedSave;
use archive_core::{
    Archive, Blank, Erased, Error, ErrorKind, Options, Result, Save, Serialize, Value,
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
        return tree.save_value(ar);
    };
    let object = (functions.of_tree)(set(tree, name)?, &unchecked(ar.options()))?;
    object.save(&mut ar.erased())
}

pub(crate) fn load<A: Archive>(tree: &mut Value, name: &str, ar: &mut A) -> Result {
    let Some(functions) = find(ar, name)? else {
        return tree.value(ar);
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
fn shared(name: &str) -> Error {
    let message =
        format_args!("a `dyn {name}` in a made type cannot have shared pointers to objects");
    Error::new(ErrorKind::Unsupported, message)
}
