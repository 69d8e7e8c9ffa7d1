//! Variables of other classes, as `Serialize` sees them.
//!
//! A store object keeps the variables of a class and of its bases side by side, told apart by their
//! classes. For a type with `Serialize` a base is a member under the name of its class, and so that is
//! what they are read as: in an object of class `C` the variable `A::x` is the member `x` of `A`.

use archive_core::Result;
use indexmap::IndexMap;

use super::flat::{Content, Flat, Node};
use super::object::Form;

/// What is to be laid out next.
enum Task {
    Member(usize),
    /// The variables that a class declares.
    Base(u32, Vec<usize>),
    /// The end of the object that was laid out there.
    Close(usize),
}

/// The tree with the variables of every other class in an object of that class.
pub(super) fn with_bases(flat: Flat<'_>) -> Result<Flat<'_>> {
    if !has_bases(&flat) {
        return Ok(flat);
    }
    let mut nodes: Vec<Node<'_>> = Vec::with_capacity(flat.nodes.len());
    let mut tasks = vec![Task::Member(0)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Close(at) => nodes[at].end = nodes.len(),
            Task::Member(at) => {
                let mut node = flat.nodes[at].clone();
                node.end = nodes.len() + 1;
                if let Content::Object(form, len) = &mut node.content {
                    tasks.push(Task::Close(nodes.len()));
                    let members = tasks_of(&flat, at, *form);
                    *len = members.len();
                    tasks.extend(members.into_iter().rev());
                }
                nodes.push(node);
            }
            Task::Base(class, variables) => {
                let end = nodes.len() + 1 + variables.len();
                let content = Content::Object(Form::Object, variables.len());
                let at = flat.nodes[variables[0]].at;
                nodes.push(Node { class, name: class, content, end, at });
                for variable in variables {
                    let end = nodes.len() + 1;
                    nodes.push(Node { end, ..flat.nodes[variable].clone() });
                }
            }
        }
    }
    let flat = Flat { nodes, ..flat };
    flat.check()?;
    Ok(flat)
}

/// Whether the variable is one of another class than its object.
fn is_base(flat: &Flat<'_>, object: usize, member: usize) -> bool {
    let (object, member) = (&flat.nodes[object], &flat.nodes[member]);
    matches!(member.content, Content::Variable(..)) && member.class != object.class
}

fn has_bases(flat: &Flat<'_>) -> bool {
    let objects = flat.nodes.iter().enumerate();
    let mut objects = objects.filter(|(_, node)| matches!(node.content, Content::Object(..)));
    objects.any(|(object, _)| flat.members(object).any(|member| is_base(flat, object, member)))
}

/// The members of an object, and of each base where its first variable stands.
fn tasks_of(flat: &Flat<'_>, object: usize, form: Form) -> Vec<Task> {
    let mut tasks = Vec::new();
    let mut bases: IndexMap<u32, (usize, Vec<usize>)> = IndexMap::new();
    for member in flat.members(object) {
        if form == Form::Object && is_base(flat, object, member) {
            let base = bases.entry(flat.nodes[member].class).or_insert_with(|| {
                tasks.push(Task::Member(member)); // a place for the base
                (tasks.len() - 1, Vec::new())
            });
            base.1.push(member);
        } else {
            tasks.push(Task::Member(member));
        }
    }
    for (class, (place, variables)) in bases {
        tasks[place] = Task::Base(class, variables);
    }
    tasks
}
