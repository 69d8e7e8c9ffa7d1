//! Converting a flat tree to an [`Object`].

use std::sync::Arc;

use crate::Variable;
use crate::flat::{Content, Flat, Node};
use crate::object::{Form, Member, Object};

/// Returns the object. Equal strings share their memory, as in the file.
pub(crate) fn build(flat: &Flat<'_>) -> Object {
    let strings: Vec<Arc<str>> = flat.strings.iter().map(|text| Arc::from(*text)).collect();
    let text = |number: u32| strings[number as usize].clone();
    let head = |node: &Node<'_>| match node.content {
        Content::Object(form, members) => {
            let members = Vec::with_capacity(members);
            let (class, name) = (text(node.class), text(node.name));
            Object { class, name, form, class_signature: None, members }
        }
        Content::Variable(..) => Object::empty(text(node.class), text(node.name), Form::Object),
    };
    let mut done = head(&flat.nodes[0]);
    done.class_signature = flat.class_signature;
    // The open objects, and where the one inside each of them ends.
    let mut open: Vec<(Object, usize)> = Vec::new();
    for (at, node) in flat.nodes.iter().enumerate().skip(1) {
        close(&mut open, &mut done, at);
        match node.content {
            Content::Object(..) => {
                open.push((std::mem::replace(&mut done, head(node)), node.end));
            }
            Content::Variable(ty, bytes) => done.members.push(Member::Variable(Variable {
                type_name: text(ty),
                class: text(node.class),
                name: text(node.name),
                bytes: bytes.to_vec(),
            })),
        }
    }
    close(&mut open, &mut done, flat.nodes.len());
    done
}

/// Moves objects that end at `at` into their parents.
fn close(open: &mut Vec<(Object, usize)>, done: &mut Object, at: usize) {
    while let Some((parent, _)) = open.pop_if(|(_, end)| *end <= at) {
        let child = std::mem::replace(done, parent);
        done.members.push(Member::Child(child));
    }
}
