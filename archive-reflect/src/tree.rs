//! Trees of values whose type is erased.

use archive_core::backend::{Root, Visited};
use archive_core::session::{Links, Unsaved};
use archive_core::{
    Loading, Options, Result, Saving, Serialize, Session, Value, ValueDecoder, ValueEncoder,
};

use crate::look::Visit;

/// Saves a value into a tree.
pub(crate) fn save(visit: Visit<'_>, options: &Options<'_>) -> Result<Value> {
    save_with(visit, Links::default(), options).map(|saved| saved.tree)
}

/// A tree, and the weak pointers in it.
pub(crate) struct WithWeak {
    pub(crate) tree: Value,
    /// The weak pointers in the value, by their ids in the tree.
    pub(crate) weak: Links,
    /// Whether all references come from a [`Value`], and have the same ids as in it.
    pub(crate) same_ids: bool,
}

/// As [`save`], with the weak pointers.
pub(crate) fn save_with_weak(visit: Visit<'_>, options: &Options<'_>) -> Result<WithWeak> {
    save_with(visit, Links::collecting(), options)
}

fn save_with(visit: Visit<'_>, links: Links, options: &Options<'_>) -> Result<WithWeak> {
    let mut session = Session::new();
    session.trees.links = links;
    let mut tree = save_in(&mut session, &mut *visit, options);
    // Without other ids, those of trees are kept.
    let same_ids = session.saved.has_no_objects();
    if same_ids && session.saved.has_tree_ids() {
        session = Session::new();
        session.trees.same_ids = true;
        tree = save_in(&mut session, visit, options);
    }
    Ok(WithWeak { tree: tree?, weak: session.trees.links, same_ids })
}

fn save_in(session: &mut Session, visit: Visit<'_>, options: &Options<'_>) -> Result<Value> {
    let mut encoder = ValueEncoder::new();
    Saving::new(&mut encoder, session, options).root(&mut Root(String::SHAPE, visit))?;
    encoder.finish()
}

/// Loads a tree over a blank value.
pub(crate) fn load(visit: Visit<'_>, tree: &Value, options: &Options<'_>) -> Result {
    let (mut decoder, mut session) = (ValueDecoder::new(tree), Session::new());
    let mut root = Visited::<false>(visit);
    Loading::<ValueDecoder<'_>>::new(&mut decoder, &mut session, options)
        .root(String::SHAPE, &mut root)
}

/// A tree that refers to the shared objects of the program.
pub(crate) struct Live<'t> {
    pub(crate) tree: &'t Value,
    pub(crate) links: &'t Links,
    /// Copies of the fields that are not saved.
    pub(crate) unsaved: &'t Unsaved,
    /// Whether the ids in parts that are trees themselves are kept.
    pub(crate) same_ids: bool,
}

/// As [`save`], with the shared objects of the program, and with copies of the fields that are not
/// saved if `unsaved` takes them.
pub(crate) fn save_live(
    visit: Visit<'_>,
    unsaved: &Unsaved,
    options: &Options<'_>,
) -> Result<(Value, Links)> {
    let (mut encoder, mut session) = (ValueEncoder::new().live(), Session::new());
    (session.trees.unsaved, session.trees.same_ids) = (unsaved.clone(), true);
    let mut root = Root(String::SHAPE, visit);
    Saving::new(&mut encoder, &mut session, options).root(&mut root)?;
    Ok((encoder.finish()?, session.trees.links))
}

/// Loads a tree over a value in place.
pub(crate) fn load_live(visit: Visit<'_>, live: &Live<'_>, options: &Options<'_>) -> Result {
    let (mut decoder, mut session) = (ValueDecoder::new(live.tree).live(), Session::new());
    (session.trees.links, session.trees.unsaved) = (live.links.clone(), live.unsaved.clone());
    session.trees.same_ids = live.same_ids;
    let mut root = Visited::<false>(visit);
    Loading::<ValueDecoder<'_>>::new(&mut decoder, &mut session, options)
        .root(String::SHAPE, &mut root)
}
