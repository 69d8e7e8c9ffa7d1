//! [`hand_on`]: copies a packed object to an encoder as it is read, without a tree in memory.

use archive_core::decoder::Kind;
use archive_core::shape::OBJECT;
use archive_core::shape::Shape;
use archive_core::{Decoder as _, Encoder, ErrorKind, Options, Result};

use super::{Content, Decoder, Flat, Form, NO_TYPE, Place, Tree, Type, check_size, parse};
use crate::bases::BASE;
use crate::flat::Node;
use crate::object::duplicate;
use crate::signature::{Entries, hash};
use crate::unpack::{self, Next, Open, Reader, Variable};

/// Copies a packed object to an encoder, in the form in which a [`Value`](archive_core::Value) is
/// saved. A [`Decoder`] keeps a list of all variables, which takes twice the memory of the file.
/// This function only keeps the path to the current variable, so the encoder gets the values before
/// an error.
///
/// Returns `false`, and copies nothing, if the object has variables of base classes.
///
/// ```
/// use archive::format::{Backend, Encoder};
/// use archive::shape::Shape;
/// use archive::bins;
/// use archive::json::Json;
/// use archive::Options;
///
/// #[derive(Default, archive::Serialize)]
/// struct Unit { name: String, hp: u16 }
///
/// let file = bins::to_vec(&vec![Unit { name: "Ann".into(), hp: 7 }])?;
/// let mut to = Json::encoder(&Options::new(), None);
/// to.begin_root(&Shape::Any)?;
/// assert!(bins::hand_on(&file, &Options::new(), &mut to)?);
/// to.end_root()?;
/// assert_eq!(Json::finish(to)?, br#"[{"name":"Ann","hp":7}]"#);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// Errors of loading the object, and of the encoder.
pub fn hand_on<E: Encoder + ?Sized>(
    input: &[u8],
    options: &Options<'_>,
    to: &mut E,
) -> Result<bool> {
    let reader = unpack::open(input, options.settings().limits().nesting())?;
    let Some(types) = Types::of(&reader) else { return Ok(false) };
    let hashes = reader.strings().iter().map(|text| hash(text)).collect();
    let mut walk = Walk {
        value: types.decoder(&reader),
        reader: &reader,
        open: Vec::new(),
        entries: Entries::default(),
        hashes,
        names: Vec::new(),
        to,
    };
    walk.run()?;
    if !reader.header.of_class && walk.entries.signature() != reader.header.signature {
        return Err(unpack::wrong_signature());
    }
    Ok(true)
}

/// The types of the variables.
struct Types {
    types: Vec<Type>,
    /// For each string: its type, if it is the name of a known type of a variable.
    type_of: Vec<u32>,
}

impl Types {
    /// Returns the types; `None` if a variable belongs to a base or declares one.
    fn of(reader: &Reader<'_>) -> Option<Self> {
        let strings = reader.strings();
        let (mut types, mut type_of) = (vec![Type::BYTE], vec![None; strings.len()]);
        for index in 0..reader.header.objects {
            let object = reader.object(index);
            for at in object.first_variable..object.first_variable + object.variables {
                let Variable { ty, class, .. } = reader.variable(at);
                let name = strings[ty as usize];
                if name == BASE || (object.form == Form::Object && class != object.class) {
                    return None;
                }
                let parsed = || parse(name, &mut types).unwrap_or(NO_TYPE);
                type_of[ty as usize].get_or_insert_with(parsed);
            }
        }
        let type_of = type_of.into_iter().map(|known| known.unwrap_or(NO_TYPE)).collect();
        Some(Types { types, type_of })
    }

    /// Returns a decoder of one variable at a time: the only node of its tree.
    fn decoder<'a>(self, reader: &Reader<'a>) -> Decoder<'a> {
        let content = Content::Object(Form::Object, 0);
        let node = Node { class: 0, name: 0, content, end: 1, at: 0, packed: 0 };
        let flat = Flat {
            strings: reader.strings().to_vec(),
            nodes: vec![node],
            class_signature: None,
            placed: true,
        };
        let tree =
            Tree { input: Some(reader.input.len()), ..Tree::new(flat, self.types, self.type_of) };
        Decoder::at_root(tree)
    }
}

struct Walk<'r, 'a, 'e, E: ?Sized> {
    reader: &'r Reader<'a>,
    /// The decoder of the current variable.
    value: Decoder<'a>,
    open: Vec<Open>,
    entries: Entries,
    hashes: Vec<u64>,
    /// The names of the members of an object, to find duplicates.
    names: Vec<u32>,
    to: &'e mut E,
}

impl<'a, E: Encoder + ?Sized> Walk<'_, 'a, '_, E> {
    fn run(&mut self) -> Result {
        self.enter(0)?;
        while let Some(inner) = self.open.last_mut() {
            match self.reader.next(inner) {
                Some(Next::Child(child)) => self.enter(child)?,
                Some(Next::Variable(variable)) => {
                    let name = variable.name;
                    self.variable(variable)
                        .map_err(|error| self.reader.in_path(error, name, &self.open))?;
                }
                None => {
                    match inner.record.form {
                        Form::Object => self.to.end_object()?,
                        Form::List => self.to.end_seq()?,
                        Form::Value => {}
                    }
                    self.open.pop();
                }
            }
        }
        Ok(())
    }

    /// Announces a member of the innermost object.
    fn announce(&mut self, name: u32) -> Result {
        match self.open.last().map(|open| open.record.form) {
            Some(Form::Object) => self.to.member(self.reader.strings()[name as usize], &Shape::Any),
            Some(Form::List) => self.to.item(),
            Some(Form::Value) | None => Ok(()),
        }
    }

    fn enter(&mut self, index: u32) -> Result {
        let record = self.reader.object(index);
        let class = self.hashes[record.class as usize];
        self.place(record.class, record.name, Content::Object(record.form, 0), record.at);
        let outer = self.open.last().map(|open| (open.record.form, open.record.class));
        match outer {
            Some(_) if record.form == Form::Value => {
                return Err(self.refuse("contains a value but is not the outermost object"));
            }
            Some((Form::List, _)) if !self.value.0.tree.flat.text(record.name).is_empty() => {
                return Err(self.refuse("is an item but has a name"));
            }
            _ => {}
        }
        if record.form == Form::Value && (record.variables, record.children) != (1, 0) {
            return Err(self.refuse("must have exactly one member, its value"));
        }
        if self.open.len() >= self.reader.deepest {
            return Err(self.reader.too_deep(index, &self.open));
        }
        let owner = outer.map(|(_, class)| self.hashes[class as usize]);
        let name = outer.map(|_| self.hashes[record.name as usize]);
        self.entries.object(record.form, owner, class, name);
        self.announce(record.name)?;
        match record.form {
            Form::Object => {
                let children = record.first_child..record.first_child + record.children;
                let variables = record.first_variable..record.first_variable + record.variables;
                self.names.clear();
                self.names.extend(children.map(|child| self.reader.object(child).name));
                self.names.extend(variables.map(|at| self.reader.variable(at).name));
                self.names.sort_unstable();
                if let Some(two) = self.names.windows(2).find(|two| two[0] == two[1]) {
                    let name = self.value.0.tree.flat.qualified(record.class, two[0]);
                    return Err(duplicate(&name).at(self.value.position()));
                }
                self.to.begin_object(&OBJECT)?;
            }
            Form::List => {
                let len = record.variables as usize + record.children as usize;
                self.to.begin_seq(&Shape::Any, len)?;
            }
            Form::Value => {}
        }
        self.open.push(Open { node: 0, record, variables: 0, children: 0 });
        Ok(())
    }

    /// Makes a node the current one, for the decoder and for errors.
    fn place(&mut self, class: u32, name: u32, content: Content<'a>, at: usize) {
        self.value.0.tree.flat.nodes[0] = Node { class, name, content, end: 1, at, packed: 0 };
        self.value.0.at = Place { node: 0, item: None };
    }

    #[cold]
    fn refuse(&self, what: &str) -> archive_core::Error {
        self.value.0.tree.flat.refuse(0, what)
    }

    fn variable(&mut self, variable: Variable) -> Result {
        let Variable { ty, class, name, start, end } = variable;
        let bytes = &self.reader.input[start..end];
        self.place(class, name, Content::Variable(ty, bytes), start);
        let Some(Open { record: owner, .. }) = self.open.last() else { return Ok(()) };
        if owner.form != Form::Object {
            if !self.value.0.tree.flat.text(name).is_empty() {
                return Err(self.refuse("is an item but has a name"));
            }
            if class != owner.class {
                return Err(self.refuse("is an item but has another class"));
            }
        }
        let hash = |number: u32| self.hashes[number as usize];
        let (owner, type_name) = (hash(owner.class), self.value.0.tree.flat.text(ty));
        let len = bytes.len();
        self.entries.variable(Some(owner), hash(class), hash(name), hash(ty), type_name, len);
        if let Some(known) =
            self.value.0.tree.types.get(self.value.0.tree.type_of[ty as usize] as usize)
        {
            // An object that only wraps a value does not count as a level.
            let is_value = self.open[0].record.form == Form::Value;
            let around = self.open.len() - usize::from(is_value);
            let types = &self.value.0.tree.types;
            check_size(known, len, types, type_name, around, self.reader.deepest)
                .map_err(|error| error.at(self.value.position()))?;
        }
        self.announce(name)?;
        put(&mut self.value, self.to)
    }
}

/// Writes the value of a variable, or of an item in it. The types of variables bound how deep it nests.
fn put<E: Encoder + ?Sized>(from: &mut Decoder<'_>, to: &mut E) -> Result {
    match from.peek()? {
        Kind::Null => {
            from.null()?;
            to.null()
        }
        Kind::Bool => to.bool(from.bool()?),
        Kind::Number => to.number(from.number()?),
        Kind::Str => to.str(from.str()?),
        Kind::Bytes => {
            let mut bytes = Vec::new();
            from.bytes(&mut bytes)?;
            to.bytes(&bytes)
        }
        Kind::Seq => {
            let len = from.begin_seq(&Shape::Any)?;
            to.begin_seq(&Shape::Any, len)?;
            let mut index = 0;
            while from.next_item()? {
                to.item()?;
                put(from, to).map_err(|error| error.in_item(index))?;
                index += 1;
            }
            from.end_seq()?;
            to.end_seq()
        }
        // An object or a pointer.
        _ => Err(archive_core::Error::new(ErrorKind::Unsupported, "a variable that is an object")),
    }
}
