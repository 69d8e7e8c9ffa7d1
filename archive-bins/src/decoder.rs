//! [`Decoder`]: reads values from an object.

mod bases;
mod hand_on;
mod nodes;
mod plain;

use std::collections::HashSet;

use archive_core::nodes::{NodeDecoder, OverNodes};
use archive_core::shape::Shape;
use archive_core::{Error, ErrorKind, Options, Result};

use crate::bases::with_bases;
use crate::flat::{Content, Flat};
use crate::object::{Form, Object};
use crate::types::{Type, parse};
use crate::unpack::unpack;
pub use hand_on::hand_on;

/// Reads an [`Object`], packed or not. Does not recurse.
#[derive(Debug)]
pub struct Decoder<'a>(NodeDecoder<Tree<'a>>);

/// The nodes of an object.
#[derive(Debug)]
pub struct Tree<'a> {
    flat: Flat<'a>,
    types: Vec<Type>,
    /// For each string in `flat`: its type if it is the name of a known type, otherwise
    /// [`NO_TYPE`].
    type_of: Vec<u32>,
    /// The bases for which the file does not declare the class that has them. A base of a base is
    /// looked up among them, at any depth.
    undeclared: HashSet<usize>,
    /// The type of the root.
    root_shape: Option<&'static Shape>,
    /// How many more bytes of names may be returned. Each name is stored once in a file, but a
    /// caller may copy it each time.
    names: u64,
    /// The length of the file, if the object comes from a file.
    input: Option<usize>,
}

/// How many bytes of names are returned for each byte of a file, and how many in addition.
const NAMES_PER_BYTE: u64 = 32;
const NAMES_BASE: u64 = 1 << 16;

const NO_TYPE: u32 = u32::MAX;
/// The type of the items of `bytes`.
const BYTE: u32 = 0;

/// The position of a value: a node, or an item inside the bytes of a variable.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    node: usize,
    /// The type of the item, and its offset in the variable.
    item: Option<(u32, usize)>,
}

/// A value.
enum Slot<'a, 't> {
    Object(Form),
    /// A value of a known type.
    Value(&'t Type, &'a [u8]),
    /// A value of an unknown type: the name of the type, and its bytes.
    Other(&'a str, &'a [u8]),
}

impl<'a> Decoder<'a> {
    /// Creates a decoder of a packed object.
    pub fn new(input: &'a [u8], options: &Options<'_>) -> Result<Self> {
        let deepest = options.settings().limits().nesting();
        let mut tree = Tree::over(unpack(input, deepest)?, deepest)?;
        tree.input = Some(input.len());
        tree.names = NAMES_PER_BYTE * input.len() as u64 + NAMES_BASE;
        Ok(Decoder::at_root(tree))
    }

    /// Creates a decoder of an object.
    ///
    /// # Errors
    /// [`ErrorKind::DepthLimit`], [`ErrorKind::DuplicateMember`], [`ErrorKind::SizeLimit`] for a
    /// variable of 4 GiB, or [`ErrorKind::Syntax`] if the size of a variable does not match its
    /// type.
    pub fn of(object: &'a Object, options: &Options<'_>) -> Result<Self> {
        let deepest = options.settings().limits().nesting();
        Ok(Decoder::at_root(Tree::over(Flat::of(object, deepest)?, deepest)?))
    }

    fn at_root(tree: Tree<'a>) -> Self {
        let is_value = matches!(tree.flat.nodes[0].content, Content::Object(Form::Value, _));
        let root = Place { node: usize::from(is_value), item: None };
        // The depth was checked.
        Decoder(NodeDecoder::new(tree, root, usize::MAX))
    }
}

impl<'a> OverNodes for Decoder<'a> {
    type Tree = Tree<'a>;

    fn nodes(&self) -> &NodeDecoder<Tree<'a>> {
        &self.0
    }
    fn nodes_mut(&mut self) -> &mut NodeDecoder<Tree<'a>> {
        &mut self.0
    }
}

impl<'a> Tree<'a> {
    fn new(flat: Flat<'a>, types: Vec<Type>, type_of: Vec<u32>) -> Self {
        let undeclared = HashSet::new();
        Tree { flat, types, type_of, undeclared, root_shape: None, names: u64::MAX, input: None }
    }

    fn over(flat: Flat<'a>, deepest: usize) -> Result<Self> {
        let (flat, undeclared) = with_bases(flat)?;
        let mut types = vec![Type::BYTE];
        let mut type_of = vec![None; flat.strings.len()];
        let is_value = matches!(flat.nodes[0].content, Content::Object(Form::Value, _));
        let mut open: Vec<usize> = Vec::new();
        for (index, node) in flat.nodes.iter().enumerate() {
            while open.pop_if(|outer| flat.nodes[*outer].end <= index).is_some() {}
            // An object that only wraps a value does not count as a level of nesting.
            let around = open.len() - usize::from(is_value && !open.is_empty());
            let too_deep = || flat.in_path(Error::too_nested(deepest), index, &open);
            let Content::Variable(name, bytes) = node.content else {
                if around >= deepest && !(is_value && index == 0) {
                    return Err(too_deep().at(flat.position(node.at)));
                }
                open.push(index);
                continue;
            };
            let known = type_of[name as usize]
                .get_or_insert_with(|| parse(flat.text(name), &mut types).unwrap_or(NO_TYPE));
            if u32::try_from(bytes.len()).is_err() {
                let message = "a variable must be smaller than 4 GiB";
                return Err(Error::new(ErrorKind::SizeLimit, message));
            }
            let Some(ty) = types.get(*known as usize) else { continue };
            check_size(ty, bytes.len(), &types, flat.text(name), around, deepest).map_err(
                |error| {
                    match error.kind() {
                        ErrorKind::DepthLimit => flat.in_path(error, index, &open),
                        _ => error,
                    }
                    .at(flat.position(node.at))
                },
            )?;
        }
        let type_of = type_of.into_iter().map(|known| known.unwrap_or(NO_TYPE)).collect();
        Ok(Tree { undeclared, ..Tree::new(flat, types, type_of) })
    }

    fn slot(&self, place: Place) -> Slot<'a, '_> {
        let (name, bytes) = match self.flat.nodes[place.node].content {
            Content::Object(form, _) => return Slot::Object(form),
            Content::Variable(name, bytes) => (name, bytes),
        };
        match place.item {
            Some((ty, at)) => {
                let ty = &self.types[ty as usize];
                Slot::Value(ty, &bytes[at..at + ty.size])
            }
            None => match self.types.get(self.type_of[name as usize] as usize) {
                Some(ty) => Slot::Value(ty, bytes),
                None => Slot::Other(self.flat.text(name), bytes),
            },
        }
    }
}

/// Checks the size of a variable. `open` are the objects around it.
fn check_size(
    ty: &Type,
    size: usize,
    types: &[Type],
    name: &str,
    around: usize,
    deepest: usize,
) -> Result {
    let levels = ty.levels(size);
    if levels > 0 && around + levels > deepest {
        return Err(Error::too_nested(deepest));
    }
    if !ty.fits(size, types) {
        let message = format_args!("no value of type `{name}` takes {size} bytes");
        return Err(Error::new(ErrorKind::Syntax, message));
    }
    Ok(())
}
