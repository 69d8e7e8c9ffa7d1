//! The class signature: a number that stands for the layout of an object.

use std::collections::HashSet;

use archive_core::__private::fnv1a;

use super::flat::{Content, Flat};
use super::object::Form;
use super::types::varies;

/// Stands for the size of variables that differ in size, and for what does not exist.
const NONE: u64 = u64::MAX;

/// The signature of a tree: the sum of the hashes of the distinct entries that describe its objects
/// and its variables. Neither the order of members nor how often they occur matters.
pub(super) fn signature(flat: &Flat<'_>) -> u64 {
    let hashes: Vec<u64> = flat.strings.iter().map(|text| fnv1a(text.as_bytes())).collect();
    let hash = |number: u32| hashes[number as usize];
    let mut entries = HashSet::new();
    let mut sum = 0_u64;
    // The classes of the objects that are open, and where they end.
    let mut open: Vec<(usize, u64)> = Vec::new();
    for (at, node) in flat.nodes.iter().enumerate() {
        while open.last().is_some_and(|(end, _)| *end <= at) {
            open.pop();
        }
        let owner = open.last().map_or(NONE, |(_, class)| *class);
        let entry = match node.content {
            Content::Object(form, _) => {
                open.push((node.end, hash(node.class)));
                let name = if at == 0 { NONE } else { hash(node.name) };
                [u64::from(form.code()), owner, hash(node.class), name, NONE, NONE]
            }
            Content::Variable(ty, bytes) => {
                let size = if varies(flat.text(ty)) { NONE } else { bytes.len() as u64 };
                [VARIABLE, owner, hash(node.class), hash(node.name), hash(ty), size]
            }
        };
        if entries.insert(entry) {
            sum = sum.wrapping_add(fnv1a(entry.map(u64::to_le_bytes).as_flattened()));
        }
    }
    sum
}

/// The first word of the entry of a variable; that of an object is its form.
const VARIABLE: u64 = 16;

impl Form {
    /// The number that stands for the form in a file.
    pub(super) fn code(self) -> u32 {
        match self {
            Form::Object => 0,
            Form::List => 1,
            Form::Value => 2,
        }
    }

    pub(super) fn of_code(code: u32) -> Option<Form> {
        [Form::Object, Form::List, Form::Value].into_iter().find(|form| form.code() == code)
    }
}
