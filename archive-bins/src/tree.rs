//! Operations on trees without recursion: dropping, cloning, comparing and formatting.

use std::fmt;

use crate::object::{Form, Member, Object};

/// A step of a walk over a tree.
enum Step<'a> {
    Open(&'a Object),
    Variable(&'a crate::Variable),
    Close,
}

/// A walk over a tree in order.
struct Walk<'a> {
    root: Option<&'a Object>,
    open: Vec<std::slice::Iter<'a, Member>>,
}

impl<'a> Walk<'a> {
    fn new(root: &'a Object) -> Self {
        Walk { root: Some(root), open: Vec::new() }
    }

    fn enter(&mut self, object: &'a Object) -> Step<'a> {
        self.open.push(object.members.iter());
        Step::Open(object)
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        if let Some(root) = self.root.take() {
            return Some(self.enter(root));
        }
        Some(match self.open.last_mut()?.next() {
            Some(Member::Variable(variable)) => Step::Variable(variable),
            Some(Member::Child(child)) => self.enter(child),
            None => {
                self.open.pop();
                Step::Close
            }
        })
    }
}

impl Object {
    /// Returns the object without its members.
    fn head(&self) -> Object {
        let members = Vec::with_capacity(self.members.len());
        Object {
            class: self.class.clone(),
            name: self.name.clone(),
            form: self.form,
            class_signature: self.class_signature,
            members,
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let mut rest = std::mem::take(&mut self.members);
        while let Some(member) = rest.pop() {
            if let Member::Child(mut child) = member {
                rest.append(&mut child.members);
            }
        }
    }
}

impl Clone for Object {
    fn clone(&self) -> Self {
        let mut open = Vec::new();
        let mut done = self.head();
        for step in Walk::new(self).skip(1) {
            match step {
                Step::Open(object) => open.push(std::mem::replace(&mut done, object.head())),
                Step::Variable(variable) => done.members.push(Member::Variable(variable.clone())),
                Step::Close => {
                    if let Some(parent) = open.pop() {
                        let child = std::mem::replace(&mut done, parent);
                        done.members.push(Member::Child(child));
                    }
                }
            }
        }
        done
    }
}

/// Compares the trees without their signatures, because one tree may be made by hand and the other
/// converted from a value.
impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        Walk::new(self).eq_by_step(Walk::new(other))
    }
}

impl Walk<'_> {
    fn eq_by_step(mut self, mut other: Walk<'_>) -> bool {
        loop {
            let same = match (self.next(), other.next()) {
                (None, None) => return true,
                (Some(Step::Open(a)), Some(Step::Open(b))) => {
                    (&a.class, &a.name, a.form) == (&b.class, &b.name, b.form)
                }
                (Some(Step::Variable(a)), Some(Step::Variable(b))) => a == b,
                (Some(Step::Close), Some(Step::Close)) => true,
                _ => false,
            };
            if !same {
                return false;
            }
        }
    }
}

impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Member::Variable(variable) => variable.fmt(f),
            Member::Child(child) => child.fmt(f),
        }
    }
}

/// Formats one line per member, indented by its depth.
impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DEEPEST: usize = 32;
        let mut depth: usize = 0;
        for step in Walk::new(self) {
            let indent = 2 * depth.min(DEEPEST);
            match step {
                Step::Open(object) => {
                    let open = match object.form {
                        Form::Object => "{",
                        Form::List => "{ // list",
                        Form::Value => "{ // value",
                    };
                    let colon = if object.name.is_empty() { "" } else { ": " };
                    writeln!(f, "{:indent$}{}{colon}{} {open}", "", object.name, object.class)?;
                    depth += 1;
                }
                Step::Variable(variable) => writeln!(f, "{:indent$}{variable:?}", "")?,
                Step::Close => {
                    depth -= 1;
                    let indent = 2 * depth.min(DEEPEST);
                    write!(f, "{:indent$}}}", "")?;
                    if depth > 0 {
                        writeln!(f)?;
                    }
                }
            }
        }
        Ok(())
    }
}
