//! Reading a tree from bytes.
//!
//! Bytes that [`pack`](crate::pack::pack) would not have written are refused, so a tree that was
//! read is written as the same bytes. Records refer to others by ranges, which must follow one
//! another. So every object except the first is the child of exactly one object before it, every
//! variable belongs to one object, and no two variables share data.

mod strings;

use archive_core::{Error, ErrorKind, Result};

use crate::flat::{Content, Flat, Node};
use crate::header::{HEADER, Header, OBJECT, VARIABLE, offset, syntax, word};
use crate::object::Form;
use crate::signature::of_tree;
use strings::{Strings, read_strings};

/// Reads the one tree that `input` holds.
///
/// # Errors
/// [`ErrorKind::UnexpectedEnd`] if the input is cut short, [`ErrorKind::TrailingData`] if data
/// follows the tree, [`ErrorKind::DepthLimit`], and [`ErrorKind::Syntax`] for everything else.
pub(crate) fn unpack(input: &[u8], deepest: usize) -> Result<Flat<'_>> {
    let reader = open(input, deepest)?;
    let nodes = reader.nodes()?;
    let Reader { header, strings, .. } = reader;
    let class_signature = header.class_signature();
    let flat = Flat { strings: strings.list, nodes, class_signature, placed: true };
    flat.check()?;
    if !header.of_class && of_tree(&flat) != header.signature {
        return Err(wrong_signature());
    }
    Ok(flat)
}

/// Checks everything but the members of objects and the signature.
pub(crate) fn open(input: &[u8], deepest: usize) -> Result<Reader<'_>> {
    let header = Header::read(input)?;
    let size = header.size as usize;
    if input.len() < size {
        let message = format_args!("the object takes {size} bytes, the input has {}", input.len());
        return Err(Error::new(ErrorKind::UnexpectedEnd, message).at(offset(input.len())));
    }
    if input.len() > size {
        let message = "trailing data after the object";
        return Err(Error::new(ErrorKind::TrailingData, message).at(offset(size)));
    }
    if crc32fast::hash(&input[HEADER..]) != header.body_checksum {
        return Err(syntax("the object is damaged: its checksum is wrong", 48));
    }
    let strings = read_strings(input, &header)?;
    let mut reader = Reader { input, header, strings, deepest };
    reader.check_objects()?;
    reader.check_variables()?;
    reader.strings.all_used(&header)?;
    Ok(reader)
}

#[cold]
pub(crate) fn wrong_signature() -> Error {
    syntax("the signature does not match the object", 40)
}

/// The records of an object, which were checked.
pub(crate) struct Reader<'a> {
    pub(crate) input: &'a [u8],
    pub(crate) header: Header,
    strings: Strings<'a>,
    pub(crate) deepest: usize,
}

/// A record of the object bin.
pub(crate) struct Object {
    pub(crate) at: usize,
    pub(crate) class: u32,
    pub(crate) name: u32,
    pub(crate) form: Form,
    pub(crate) place: u32,
    pub(crate) first_variable: u32,
    pub(crate) variables: u32,
    pub(crate) first_child: u32,
    pub(crate) children: u32,
}

/// A record of the variable bin.
pub(crate) struct Variable {
    pub(crate) ty: u32,
    pub(crate) class: u32,
    pub(crate) name: u32,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A member of an object.
pub(crate) enum Next {
    Variable(Variable),
    /// The index of an object.
    Child(u32),
}

/// An object whose members are being read.
pub(crate) struct Open {
    pub(crate) node: usize,
    pub(crate) record: Object,
    pub(crate) variables: u32,
    pub(crate) children: u32,
}

impl<'a> Reader<'a> {
    /// Returns the strings by their numbers.
    pub(crate) fn strings(&self) -> &[&'a str] {
        &self.strings.list
    }

    /// Returns the nodes of the tree in order.
    fn nodes(&self) -> Result<Vec<Node<'a>>> {
        let (objects, variables) = (self.header.objects as usize, self.header.variables as usize);
        let mut nodes = Vec::with_capacity(objects + variables);
        let mut open: Vec<Open> = Vec::new();
        let mut enter = Some(0_u32);
        loop {
            if let Some(object) = enter.take() {
                if open.len() >= self.deepest {
                    return Err(self.too_deep(object, &open));
                }
                let record = self.object(object);
                let Object { at, class, name, form, variables, children, .. } = record;
                open.push(Open { node: nodes.len(), record, variables: 0, children: 0 });
                let content = Content::Object(form, variables as usize + children as usize);
                nodes.push(Node { class, name, content, end: 0, at, packed: nodes.len() });
            }
            let Some(inner) = open.last_mut() else { return Ok(nodes) };
            match self.next(inner) {
                Some(Next::Child(child)) => enter = Some(child),
                Some(Next::Variable(Variable { ty, class, name, start, end })) => {
                    let content = Content::Variable(ty, &self.input[start..end]);
                    let (end, packed) = (nodes.len() + 1, nodes.len());
                    nodes.push(Node { class, name, content, end, at: start, packed });
                }
                None => {
                    nodes[inner.node].end = nodes.len();
                    open.pop();
                }
            }
        }
    }

    /// Returns the next member of an object.
    pub(crate) fn next(&self, open: &mut Open) -> Option<Next> {
        let object = &open.record;
        let child = object.first_child + open.children;
        if open.children < object.children && self.object(child).place <= open.variables {
            open.children += 1;
            return Some(Next::Child(child));
        }
        (open.variables < object.variables).then(|| {
            open.variables += 1;
            Next::Variable(self.variable(object.first_variable + open.variables - 1))
        })
    }

    /// Creates the error for an object that nests too deep.
    #[cold]
    pub(crate) fn too_deep(&self, object: u32, open: &[Open]) -> Error {
        let object = self.object(object);
        let error = Error::too_nested(self.deepest).at(offset(object.at));
        self.in_path(error, object.name, open)
    }

    /// Adds the path of the last member of the innermost object, of that name, to an error.
    #[cold]
    pub(crate) fn in_path(&self, mut error: Error, mut name: u32, open: &[Open]) -> Error {
        for outer in open.iter().rev() {
            error = match outer.record.form {
                Form::List => error.in_item((outer.variables + outer.children) as usize - 1),
                Form::Object => error.in_member(self.strings.list[name as usize]),
                Form::Value => error,
            };
            name = outer.record.name;
        }
        error
    }

    /// Returns the record of an object. Keeping all records of a large file would take more memory
    /// than the file.
    pub(crate) fn object(&self, index: u32) -> Object {
        let at = HEADER + index as usize * OBJECT;
        let field = |i: usize| word(self.input, at + 4 * i);
        Object {
            at,
            class: field(0),
            name: field(1),
            // The code was checked.
            form: Form::of_code(field(2)).unwrap_or_default(),
            place: field(3),
            first_variable: field(4),
            variables: field(5),
            first_child: field(6),
            children: field(7),
        }
    }

    /// Returns the record of a variable.
    pub(crate) fn variable(&self, index: u32) -> Variable {
        let at = self.header.variable_bin as usize + index as usize * VARIABLE;
        let field = |i: usize| word(self.input, at + 4 * i);
        let start = self.header.data_bin as usize + field(3) as usize;
        let end = start + field(4) as usize;
        Variable { ty: field(0), class: field(1), name: field(2), start, end }
    }

    fn check_objects(&mut self) -> Result {
        let count = self.header.objects;
        let (mut next_variable, mut next_child) = (0_u32, 1_u32);
        for index in 0..count {
            let object = self.object(index);
            let at = object.at;
            if index >= next_child {
                return Err(syntax("an object has no parent before it", at));
            }
            let form = word(self.input, at + 8);
            if Form::of_code(form).is_none() {
                let message = format_args!("unknown form {form} of an object");
                return Err(syntax(message, at + 8));
            }
            self.strings.number(object.class, at)?;
            self.strings.number(object.name, at + 4)?;
            let range = |first: u32, next: u32, count: u32, most: u32| {
                let end = next.checked_add(count).filter(|end| *end <= most);
                end.filter(|_| first == next)
            };
            let (first, count) = (object.first_variable, object.variables);
            next_variable =
                range(first, next_variable, count, self.header.variables).ok_or_else(|| {
                    syntax(
                        "the variables of an object do not follow those of the previous object",
                        at + 16,
                    )
                })?;
            next_child =
                range(object.first_child, next_child, object.children, self.header.objects)
                    .ok_or_else(|| {
                        syntax(
                            "the children of an object do not follow those of the previous object",
                            at + 24,
                        )
                    })?;
        }
        if next_variable != self.header.variables {
            return Err(syntax(
                "a variable belongs to no object",
                self.header.variable_bin as usize,
            ));
        }
        self.check_places()
    }

    fn check_variables(&mut self) -> Result {
        let bin = self.header.data_bin as usize;
        let room = self.header.string_bin as usize - bin;
        let mut next = 0;
        for index in 0..self.header.variables as usize {
            let at = self.header.variable_bin as usize + index * VARIABLE;
            let field = |i: usize| word(self.input, at + 4 * i);
            self.strings.number(field(0), at)?;
            self.strings.number(field(1), at + 4)?;
            self.strings.number(field(2), at + 8)?;
            let (start, size) = (field(3) as usize, field(4) as usize);
            if start != next || size > room - next {
                let message =
                    "the data of a variable does not follow that of the previous variable";
                return Err(syntax(message, at + 12));
            }
            next += size;
        }
        if next != room {
            return Err(syntax("there is data that belongs to no variable", bin + next));
        }
        Ok(())
    }

    /// Checks that the places of children are within their parent and do not decrease.
    fn check_places(&self) -> Result {
        let wrong = |object: &Object| syntax("a child is outside of its parent", object.at + 12);
        let root = self.object(0);
        if root.place != 0 {
            return Err(wrong(&root));
        }
        for parent in 0..self.header.objects {
            let parent = self.object(parent);
            let mut least = 0;
            for child in parent.first_child..parent.first_child + parent.children {
                let child = self.object(child);
                if child.place < least || child.place > parent.variables {
                    return Err(wrong(&child));
                }
                least = child.place;
            }
        }
        Ok(())
    }
}
