//! The law: the result of an old file in a new program, computed without the library. It visits the
//! new types member by member, by the rules of the design.

use std::collections::{HashMap, HashSet};

use archive::ErrorKind;
use archive::report::NoteKind;

use super::data::{Data, Graph};
use super::file::{File, Reference};
use super::style::Style;
use super::types::{Schema, Type};

/// Why a value is not loaded.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// With that error, at that path.
    Fail(ErrorKind, String),
    /// Formats may differ here.
    Odd,
}

/// A type mismatch here.
pub fn wrong() -> Fate {
    Fate::Fail(ErrorKind::WrongType, String::new())
}

/// A note of a load: the path of the first, the kind, and the number.
pub type Note = (String, NoteKind, u64);

/// The class and the member that a note is about.
pub type Owner = (usize, String);

/// A load that the law allows.
#[derive(Debug)]
pub struct Outcome {
    pub graph: Graph,
    pub notes: Vec<Note>,
    pub errors: Vec<(ErrorKind, String)>,
}

/// How to load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    Plain,
    Strict,
    KeepGoing,
}

/// Loads a file over a value. With `one_class`, the root and all shared objects are of one class to
/// the library.
pub fn load(
    file: &File<'_>,
    schema: &Schema,
    existing: Option<&Graph>,
    style: Style,
    mode: Mode,
    one_class: bool,
) -> Result<Outcome, Fate> {
    let mut law = Law {
        file,
        schema,
        style,
        mode,
        one_class,
        is_object: one_class,
        path: Vec::new(),
        members: Vec::new(),
        notes: Vec::new(),
        errors: Vec::new(),
        heap: existing.map_or(Vec::new(), |graph| graph.heap.clone()),
        table: HashMap::new(),
        pending: Vec::new(),
        met: HashSet::new(),
    };
    let mut root = match existing {
        Some(graph) => graph.root.clone(),
        None => law.blank(&Type::Object(0)),
    };
    law.object(0, 0, &file.root, &mut root)?;
    law.waiting()?;
    let graph = Graph { root, heap: law.heap }.canonical();
    Ok(Outcome { graph, notes: joined(law.notes), errors: law.errors })
}

/// Notes of one kind about one member of one class are one note.
fn joined(notes: Vec<(Owner, Note)>) -> Vec<Note> {
    let mut joined: Vec<(Owner, Note)> = Vec::new();
    for (owner, note) in notes {
        match joined.iter_mut().find(|(other, first)| *other == owner && first.1 == note.1) {
            Some((_, first)) => first.2 += 1,
            None => joined.push((owner, note)),
        }
    }
    joined.into_iter().map(|(_, note)| note).collect()
}

pub struct Law<'a> {
    pub file: &'a File<'a>,
    pub schema: &'a Schema,
    pub style: Style,
    pub mode: Mode,
    one_class: bool,
    /// Whether the next object is the root or a shared one.
    pub is_object: bool,
    pub path: Vec<Segment>,
    /// The members being loaded, from the outside in.
    pub members: Vec<Owner>,
    pub notes: Vec<(Owner, Note)>,
    pub errors: Vec<(ErrorKind, String)>,
    pub heap: Vec<(usize, Data<usize>)>,
    /// Where objects of the file are in the heap.
    pub table: HashMap<usize, usize>,
    /// Objects that were referred to, and whose stored place was not reached.
    pub pending: Vec<usize>,
    /// Objects whose stored place was reached.
    pub met: HashSet<usize>,
}

#[derive(Clone, Debug)]
pub enum Segment {
    Member(String),
    Item(usize),
}

pub type Done = Result<(), Fate>;

impl Law<'_> {
    pub fn here(&self) -> String {
        let mut path = String::new();
        for segment in &self.path {
            match segment {
                Segment::Member(name) if path.is_empty() => path.push_str(name),
                Segment::Member(name) => path.extend([".", name]),
                Segment::Item(index) => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }

    /// Notes something about a member of a class, or about a variant.
    pub fn note_member(&mut self, class: Option<usize>, name: &str, kind: NoteKind) {
        self.path.push(Segment::Member(name.to_owned()));
        match class {
            Some(class) => self.notes.push(((class, name.to_owned()), (self.here(), kind, 1))),
            None => self.note(kind),
        }
        self.path.pop();
    }

    /// Notes something about a value in a member.
    pub fn note(&mut self, kind: NoteKind) {
        let owner = self.members.last().expect("the root is an object").clone();
        self.notes.push((owner, (self.here(), kind, 1)));
    }

    /// Loads a member of a class.
    pub fn member(&mut self, owner: Owner, load: impl FnOnce(&mut Self) -> Done) -> Done {
        let segment = Segment::Member(owner.1.clone());
        self.members.push(owner);
        let done = self.place(segment, load);
        self.members.pop();
        done
    }

    /// A place with a name: errors end here if the load continues after them.
    pub fn place(&mut self, segment: Segment, load: impl FnOnce(&mut Self) -> Done) -> Done {
        self.path.push(segment);
        let mut done = load(self);
        if let Err(Fate::Fail(kind, path)) = &mut done {
            if path.is_empty() {
                *path = self.here();
            }
            if self.mode == Mode::KeepGoing {
                self.errors.push((*kind, std::mem::take(path)));
                done = Ok(());
            }
        }
        self.path.pop();
        done
    }

    pub fn blank(&mut self, ty: &Type) -> Data<usize> {
        let (schema, heap) = (self.schema, &mut self.heap);
        Data::blank(ty, schema, &mut |class| blank_object(class, schema, heap))
    }

    /// A value that was not there before.
    pub fn fresh(
        &mut self,
        new: &Type,
        old: &Type,
        data: &Data<Reference>,
    ) -> Result<Data<usize>, Fate> {
        let mut value = self.blank(new);
        self.value(new, old, data, &mut value)?;
        Ok(value)
    }

    /// The object of a class that a pointer in the file, or a plain value, is loaded as.
    pub fn pointer(
        &mut self,
        class: usize,
        old: &Type,
        data: &Data<Reference>,
    ) -> Result<usize, Fate> {
        let Data::Pointer(reference) = data else {
            let at = blank_object(class, self.schema, &mut self.heap);
            self.fill(at, old, data)?;
            return Ok(at);
        };
        let known = self.table.get(&reference.id).copied();
        let at = match known {
            Some(at) => at,
            None => blank_object(class, self.schema, &mut self.heap),
        };
        self.table.insert(reference.id, at);
        match &reference.object {
            // A deferred object was loaded before, and is skipped here.
            Some(object) if self.met.insert(reference.id) => {
                self.fill(at, &Type::Object(reference.class), object)?;
            }
            None if known.is_none() => self.pending.push(reference.id),
            _ => {}
        }
        Ok(at)
    }

    /// Loads the content of an object.
    fn fill(&mut self, at: usize, old: &Type, data: &Data<Reference>) -> Done {
        let (class, mut members) = self.heap[at].clone();
        self.is_object = self.one_class;
        let done = self.value(&Type::Object(class), old, data, &mut members);
        self.heap[at].1 = members;
        done
    }

    /// Loads the objects that were not reached, because they are in members that the types
    /// lack.
    fn waiting(&mut self) -> Done {
        while !self.pending.is_empty() {
            for id in std::mem::take(&mut self.pending) {
                // It may have been visited, also in another one.
                if !self.met.insert(id) {
                    continue;
                }
                let (class, object) = &self.file.objects[&id];
                let at = self.table[&id];
                let segment = Segment::Member(format!("${id}"));
                self.place(segment, |law| law.fill(at, &Type::Object(*class), object))?;
            }
        }
        Ok(())
    }
}

pub fn blank_object(class: usize, schema: &Schema, heap: &mut Vec<(usize, Data<usize>)>) -> usize {
    let members =
        Data::blank_members(class, schema, &mut |class| blank_object(class, schema, heap));
    heap.push((class, Data::Object(members)));
    heap.len() - 1
}
