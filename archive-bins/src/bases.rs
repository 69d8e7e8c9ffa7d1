//! Variables of base classes, in the form that `Serialize` expects.
//!
//! An object holds the variables of a class and of its bases side by side, distinguished by
//! their classes. For a type with `Serialize`, a base is a member with the name of the base class.
//! This module converts the first form to the second: in an object of class `C`, the variable
//! `A::x` becomes the member `x` of a member `A`, and the child `A::list` its member `list`.
//! Variables of type [`BASE`] declare which class has which base.

use std::collections::{HashMap, HashSet};

use archive_core::Result;

use crate::flat::{Content, Flat, Node};
use crate::object::{Form, duplicate};

/// The type of a variable without bytes, which declares that its class has a base with the
/// variable's name.
pub(crate) const BASE: &str = "$base";

/// A base in an object.
struct Group {
    class: u32,
    items: Vec<Item>,
    at: usize,
    /// Whether a variable declares which class it is a base of; otherwise it is a member of the
    /// object.
    declared: bool,
    placed: bool,
}

#[derive(Clone, Copy)]
enum Item {
    /// A member, and its name in the object.
    Member(usize, u32),
    Group(usize),
}

/// The next step of the layout.
enum Task {
    Item(Item),
    /// The end of the object at that index.
    Close(usize),
}

/// Returns the tree with the members of each base moved to an object of their own. Also returns the
/// indices of the bases that no variable declares; they may belong to any base of the object.
pub(crate) fn with_bases(flat: Flat<'_>) -> Result<(Flat<'_>, HashSet<usize>)> {
    if !has_bases(&flat) {
        return Ok((flat, HashSet::new()));
    }
    let mut bases = Bases::new(&flat);
    let mut nodes: Vec<Node<'_>> = Vec::with_capacity(flat.nodes.len());
    let mut undeclared = HashSet::new();
    let mut tasks = vec![Task::Item(Item::Member(0, flat.nodes[0].name))];
    let mut emitted = 0;
    while let Some(task) = tasks.pop() {
        let (mut node, items) = match task {
            Task::Close(at) => {
                nodes[at].end = nodes.len();
                continue;
            }
            Task::Item(Item::Member(at, name)) => {
                let node = Node { name, ..flat.nodes[at].clone() };
                let items = match node.content {
                    Content::Object(form, _) => Some((form, bases.items_of(at, form)?)),
                    Content::Variable(..) => None,
                };
                (node, items)
            }
            Task::Item(Item::Group(index)) => {
                emitted += 1;
                let group = &mut bases.groups[index];
                if !group.declared {
                    undeclared.insert(nodes.len());
                }
                let (class, at) = (group.class, group.at);
                let content = Content::Object(Form::Object, 0);
                let items = (Form::Object, std::mem::take(&mut group.items));
                (Node { class, name: class, content, end: 0, at, packed: usize::MAX }, Some(items))
            }
        };
        node.end = nodes.len() + 1;
        if let Some((form, items)) = items {
            node.content = Content::Object(form, items.len());
            tasks.push(Task::Close(nodes.len()));
            tasks.extend(items.into_iter().rev().map(Task::Item));
        }
        nodes.push(node);
    }
    if emitted != bases.groups.len() {
        return Err(flat.refuse(0, "has bases that contain each other"));
    }
    let flat = Flat { nodes, strings: bases.strings, ..flat };
    flat.check()?;
    Ok((flat, undeclared))
}

/// Returns whether the variable has another class than its object, or declares a base.
fn is_base(flat: &Flat<'_>, object: usize, member: usize) -> bool {
    let (object, member) = (&flat.nodes[object], &flat.nodes[member]);
    match member.content {
        Content::Variable(ty, _) => member.class != object.class || flat.text(ty) == BASE,
        Content::Object(..) => false,
    }
}

fn has_bases(flat: &Flat<'_>) -> bool {
    let objects = flat.nodes.iter().enumerate();
    let mut objects = objects.filter(|(_, node)| matches!(node.content, Content::Object(..)));
    objects.any(|(object, _)| flat.members(object).any(|member| is_base(flat, object, member)))
}

/// Splits the name of a child of a base, such as `A::list`, into class and name.
pub(crate) fn qualified(name: &str) -> Option<(&str, &str)> {
    name.split_once("::")
}

/// The bases of all objects.
struct Bases<'f, 'a> {
    flat: &'f Flat<'a>,
    groups: Vec<Group>,
    /// The strings of the tree, and the second parts of the names of children.
    strings: Vec<&'a str>,
    numbers: HashMap<&'a str, u32>,
    /// The parts of the names of children.
    split: HashMap<u32, Option<(u32, u32)>>,
}

impl<'f, 'a> Bases<'f, 'a> {
    fn new(flat: &'f Flat<'a>) -> Self {
        let strings = flat.strings.clone();
        let numbers = strings.iter().zip(0..).map(|(text, number)| (*text, number)).collect();
        Bases { flat, groups: Vec::new(), strings, numbers, split: HashMap::new() }
    }

    /// Returns the members of an object, and its bases.
    fn items_of(&mut self, object: usize, form: Form) -> Result<Vec<Item>> {
        let flat = self.flat;
        let name = |member: usize| flat.nodes[member].name;
        if form != Form::Object {
            return Ok(flat.members(object).map(|at| Item::Member(at, name(at))).collect());
        }
        let own = flat.nodes[object].class;
        let mut groups: HashMap<u32, usize> = HashMap::new();
        for member in flat.members(object).filter(|member| is_base(flat, object, *member)) {
            let Node { class, name, content, at, .. } = flat.nodes[member];
            if class != own {
                self.group(&mut groups, class, at);
            }
            let Content::Variable(ty, bytes) = content else { continue };
            if flat.text(ty) != BASE {
                continue;
            }
            if !bytes.is_empty() || name == own {
                return Err(flat.refuse(member, "declares no base"));
            }
            let group = self.group(&mut groups, name, at);
            if std::mem::replace(&mut self.groups[group].declared, true) {
                return Err(duplicate(flat.text(name)).at(flat.position(at)));
            }
        }
        let mut items = Vec::new();
        for member in flat.members(object) {
            let Node { class, name, content, .. } = flat.nodes[member];
            let (class, item) = match content {
                Content::Variable(ty, _) if flat.text(ty) == BASE => {
                    (class, Item::Group(groups[&name]))
                }
                Content::Variable(..) => (class, Item::Member(member, name)),
                Content::Object(..) if groups.is_empty() => (own, Item::Member(member, name)),
                Content::Object(..) => match self.split(name) {
                    Some((class, name)) if groups.contains_key(&class) => {
                        (class, Item::Member(member, name))
                    }
                    _ => (own, Item::Member(member, name)),
                },
            };
            let Some(index) = groups.get(&class).copied() else {
                items.push(item);
                continue;
            };
            let group = &mut self.groups[index];
            group.items.push(item);
            if !group.declared && !std::mem::replace(&mut group.placed, true) {
                items.push(Item::Group(index));
            }
        }
        Ok(items)
    }

    fn group(&mut self, groups: &mut HashMap<u32, usize>, class: u32, at: usize) -> usize {
        *groups.entry(class).or_insert_with(|| {
            let (declared, placed) = (false, false);
            self.groups.push(Group { class, items: Vec::new(), at, declared, placed });
            self.groups.len() - 1
        })
    }

    /// Returns the numbers of the class and of the name in the name of a child. Splits each name
    /// once.
    fn split(&mut self, name: u32) -> Option<(u32, u32)> {
        if let Some(known) = self.split.get(&name) {
            return *known;
        }
        let parts = qualified(self.flat.text(name)).and_then(|(class, name)| {
            let class = *self.numbers.get(class)?;
            let next = self.strings.len() as u32;
            let name_number = *self.numbers.entry(name).or_insert(next);
            if name_number == next {
                self.strings.push(name);
            }
            Some((class, name_number))
        });
        self.split.insert(name, parts);
        parts
    }
}
