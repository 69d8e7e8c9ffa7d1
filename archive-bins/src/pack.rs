//! Writing a tree as bytes: header, object bin, variable bin, data bin, string bin.
// Why: docs/decisions/blob-and-bins.md#an-object-of-bins-has-one-packed-form

use archive_core::Result;
use byteorder::{ByteOrder, LittleEndian};

use crate::flat::{Content, Flat, Node};
use crate::header::{HEADER, Header, OBJECT, VARIABLE};
use crate::signature::of_tree;

/// Packs a tree.
///
/// # Errors
/// [`ErrorKind::SizeLimit`](archive_core::ErrorKind::SizeLimit) at 4 GiB.
pub(crate) fn pack(flat: &Flat<'_>) -> Result<Vec<u8>> {
    let order = Order::of(flat);
    let data = order.variables.iter().map(|at| data_of(&flat.nodes[*at]).len() as u64).sum();
    let strings = Strings::of(flat, &order);
    let string_bytes = strings.order.iter().map(|text| flat.text(*text).len() as u64 + 4).sum();
    let counts = (order.objects.len(), order.variables.len(), strings.order.len());
    let mut header = Header::plan(counts.0, counts.1, data, counts.2, string_bytes)?;

    let mut out = Vec::with_capacity(header.size as usize);
    out.resize(HEADER, 0);
    let (mut next_variable, mut next_child) = (0, 1);
    for object in &order.objects {
        let node = &flat.nodes[object.node];
        let Content::Object(form, _) = node.content else { continue };
        put(&mut out, [strings.new[node.class as usize], strings.new[node.name as usize]]);
        put(&mut out, [form.code(), object.place]);
        put(&mut out, [next_variable, object.variables, next_child, object.children]);
        next_variable += object.variables;
        next_child += object.children;
    }
    let mut next_byte = 0;
    for at in &order.variables {
        let node = &flat.nodes[*at];
        let Content::Variable(ty, data) = node.content else { continue };
        let number = |string: u32| strings.new[string as usize];
        put(&mut out, [number(ty), number(node.class), number(node.name)]);
        put(&mut out, [next_byte, data.len() as u32]);
        next_byte += data.len() as u32;
    }
    order.variables.iter().for_each(|at| out.extend_from_slice(data_of(&flat.nodes[*at])));
    for text in &strings.order {
        put(&mut out, [flat.text(*text).len() as u32]);
        out.extend_from_slice(flat.text(*text).as_bytes());
    }

    header.of_class = flat.class_signature.is_some();
    header.is_compared = flat.class_signature.is_some_and(|signature| signature.whole);
    header.signature =
        flat.class_signature.map_or_else(|| of_tree(flat), |signature| signature.number);
    header.body_checksum = crc32fast::hash(&out[HEADER..]);
    out[..HEADER].copy_from_slice(&header.bytes());
    debug_assert_eq!(out.len(), header.size as usize);
    debug_assert_eq!((OBJECT, VARIABLE), (8 * 4, 5 * 4));
    Ok(out)
}

fn put<const N: usize>(out: &mut Vec<u8>, words: [u32; N]) {
    let at = out.len();
    out.resize(at + 4 * N, 0);
    LittleEndian::write_u32_into(&words, &mut out[at..]);
}

fn data_of<'a>(node: &Node<'a>) -> &'a [u8] {
    match node.content {
        Content::Variable(_, bytes) => bytes,
        Content::Object(..) => &[],
    }
}

/// The order of the records: level by level, so that the children of an object are adjacent, and so
/// are its variables.
struct Order {
    objects: Vec<Object>,
    variables: Vec<usize>,
}

struct Object {
    node: usize,
    /// The number of variables of its parent before it.
    place: u32,
    variables: u32,
    children: u32,
}

impl Order {
    fn of(flat: &Flat<'_>) -> Self {
        let root = Object { node: 0, place: 0, variables: 0, children: 0 };
        let mut order = Order { objects: vec![root], variables: Vec::new() };
        let mut done = 0;
        while done < order.objects.len() {
            let (mut variables, mut children) = (0, 0);
            for member in flat.members(order.objects[done].node) {
                match flat.nodes[member].content {
                    Content::Variable(..) => {
                        order.variables.push(member);
                        variables += 1;
                    }
                    Content::Object(..) => {
                        let child =
                            Object { node: member, place: variables, variables: 0, children: 0 };
                        order.objects.push(child);
                        children += 1;
                    }
                }
            }
            let object = &mut order.objects[done];
            (object.variables, object.children) = (variables, children);
            done += 1;
        }
        order
    }
}

/// The strings in the order in which the records use them.
struct Strings {
    order: Vec<u32>,
    /// The new numbers by the old ones.
    new: Vec<u32>,
}

impl Strings {
    fn of(flat: &Flat<'_>, order: &Order) -> Self {
        let mut strings = Strings { order: Vec::new(), new: vec![u32::MAX; flat.strings.len()] };
        for object in &order.objects {
            let node = &flat.nodes[object.node];
            strings.meet(node.class);
            strings.meet(node.name);
        }
        for at in &order.variables {
            let node = &flat.nodes[*at];
            if let Content::Variable(ty, _) = node.content {
                strings.meet(ty);
            }
            strings.meet(node.class);
            strings.meet(node.name);
        }
        strings
    }

    fn meet(&mut self, string: u32) {
        let new = &mut self.new[string as usize];
        if *new == u32::MAX {
            *new = self.order.len() as u32;
            self.order.push(string);
        }
    }
}
