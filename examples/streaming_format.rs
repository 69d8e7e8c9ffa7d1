//! A format of your own without a tree: each call writes or reads a line. The methods here are the
//! required ones. By default everything else is built from them: options, enums, maps, pointers,
//! bytes, versions, and numbers of every width. A format overrides the methods for which it has a
//! better form.
//!
//! A line is a scalar (`null`, `true`, `-7`, `0.5`, `"text"`), a name (`.hp`) before its value, or
//! one of `[`, `]`, `{` and `}`.

use archive::format::lookup::{Keys, Search, State, duplicate};
use archive::shape::{Class, Shape};
use archive::{error::Position, format::*, value::Number, *};
use std::{borrow::Cow, collections::BTreeMap, fmt::Display, rc::Rc};

/// The writing half. Calls come in a valid order, so it needs no state.
pub struct Write<'w> {
    out: Vec<u8>,
    sink: Option<Sink<'w>>,
}

impl Write<'_> {
    fn line(&mut self, line: impl Display) -> Result {
        self.out.extend_from_slice(format!("{line}\n").as_bytes());
        match &mut self.sink {
            Some(sink) if self.out.len() > 8 * 1024 => sink(&std::mem::take(&mut self.out)),
            _ => Ok(()),
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

impl Encoder for Write<'_> {
    fn null(&mut self) -> Result {
        self.line("null")
    }
    fn bool(&mut self, value: bool) -> Result {
        self.line(value)
    }
    fn i64(&mut self, value: i64) -> Result {
        self.line(value)
    }
    fn u64(&mut self, value: u64) -> Result {
        self.line(value)
    }
    fn f64(&mut self, value: f64) -> Result {
        self.line(format_args!("{value:?}"))
    }
    fn str(&mut self, value: &str) -> Result {
        self.line(format_args!("\"{}", escaped(value)))
    }
    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result {
        self.line('[')
    }
    fn end_seq(&mut self) -> Result {
        self.line(']')
    }
    fn begin_object(&mut self, _: &'static Class) -> Result {
        self.line('{')
    }
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        self.line(format_args!(".{}", escaped(name)))
    }
    fn end_object(&mut self) -> Result {
        self.line('}')
    }
}

/// The reading half: a cursor, and the objects around it.
pub struct Read<'r> {
    text: &'r str,
    /// The starts of the next line and of the previous one.
    at: usize,
    last: usize,
    open: Vec<Object<'r>>,
    /// Text without its escapes.
    unescaped: String,
}

/// An open object. The order in which the type requests members may not be that of the file.
struct Object<'r> {
    passed: Passed<'r>,
    search: Search,
    /// The place after the members that were passed, unless the cursor is there.
    next: Option<usize>,
    /// Whether a member was requested by its name.
    asked: bool,
}

/// The names that were skipped, and the positions of their values.
struct Passed<'r>(Vec<(Cow<'r, str>, usize, State)>);

/// The data that the library's [`Search`] needs.
impl Keys for Passed<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn state(&self, index: usize) -> State {
        self.0[index].2
    }
    fn is(&self, index: usize, name: &[u8]) -> bool {
        self.0[index].0.as_bytes() == name
    }
    fn name(&self, index: usize) -> Result<Cow<'_, [u8]>> {
        Ok(self.0[index].0.as_bytes().into())
    }
}

fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let parts = text.split("\\\\").map(|part| part.replace("\\n", "\n"));
    parts.collect::<Vec<_>>().join("\\").into()
}

impl<'r> Read<'r> {
    fn next_line(&self) -> &'r str {
        self.text[self.at..].split('\n').next().unwrap_or_default()
    }

    /// Moves past a line that `take` accepts.
    fn line<T>(&mut self, expected: &str, take: impl FnOnce(&'r str) -> Option<T>) -> Result<T> {
        let line = self.next_line();
        self.last = self.at;
        let Some(taken) = take(line) else {
            let error = match self.at == self.text.len() {
                true => Error::new(ErrorKind::UnexpectedEnd, "there are no more lines"),
                false => Error::wrong_type(expected, format_args!("{line:?}")),
            };
            return Err(error.at(self.position()));
        };
        self.at = self.text.len().min(self.at + line.len() + 1);
        Ok(taken)
    }

    /// Moves to the value of the member of that name, or of the next one that was not read yet.
    fn find(&mut self, name: Option<&str>) -> Result<Option<Cow<'r, str>>> {
        let mut object = self.open.pop().expect("members are requested of an open object");
        let found = self.find_in(&mut object, name);
        self.open.push(object);
        found
    }

    fn find_in(
        &mut self,
        object: &mut Object<'r>,
        name: Option<&str>,
    ) -> Result<Option<Cow<'r, str>>> {
        object.asked |= name.is_some();
        let state = if name.is_some() { State::Asked } else { State::Listed };
        let before = match name {
            Some(name) => object.search.find(&object.passed, name.as_bytes())?,
            None => object.search.next_unread(&object.passed),
        };
        let next = object.next.take().unwrap_or(self.at);
        if let Some(index) = before {
            object.next = Some(next);
            object.passed.0[index].2 = state;
            self.at = object.passed.0[index].1;
            return Ok(Some(object.passed.0[index].0.clone()));
        }
        self.at = next;
        while self.next_line() != "}" {
            let found = unescaped(self.line("a name", |line| line.strip_prefix('.'))?);
            let is_it = name.is_none_or(|name| name == found);
            let state = if is_it { state } else { State::Unread };
            object.passed.0.push((found.clone(), self.at, state));
            if is_it {
                return Ok(Some(found));
            }
            self.skip()?;
        }
        Ok(None)
    }

    fn line_at(&self, offset: usize) -> Position {
        Position::Line { line: self.text[..offset].split('\n').count(), column: 1 }
    }
}

impl Decoder for Read<'_> {
    // The position of an error.
    fn position(&self) -> Position {
        self.line_at(self.last)
    }
    fn position_of(&self, mark: Mark) -> Position {
        self.line_at(mark.offset as usize)
    }

    // Looking ahead, and scalars.
    fn peek(&mut self) -> Result<Kind> {
        Ok(match self.next_line() {
            "null" => Kind::Null,
            "true" | "false" => Kind::Bool,
            "[" => Kind::Seq,
            "{" => Kind::Object,
            line if line.starts_with('"') => Kind::Str,
            _ => Kind::Number,
        })
    }
    fn null(&mut self) -> Result {
        self.line("null", |line| (line == "null").then_some(()))
    }
    fn bool(&mut self) -> Result<bool> {
        self.line("bool", |line| line.parse().ok())
    }
    fn number(&mut self) -> Result<Number> {
        self.line("a number", |line| {
            let integer = line.parse().map(Number::Int).or(line.parse().map(Number::UInt));
            integer.or(line.parse().map(Number::F64)).ok()
        })
    }
    fn str(&mut self) -> Result<&str> {
        match unescaped(self.line("text", |line| line.strip_prefix('"'))?) {
            Cow::Borrowed(text) => Ok(text),
            Cow::Owned(text) => {
                self.unescaped = text;
                Ok(&self.unescaped)
            }
        }
    }

    // The items of a sequence, whose number is not known here.
    fn begin_seq(&mut self, _: &'static Shape) -> Result<usize> {
        self.line("a sequence", |line| (line == "[").then_some(0))
    }
    fn next_item(&mut self) -> Result<bool> {
        Ok(self.next_line() != "]")
    }
    fn end_seq(&mut self) -> Result {
        let ended = self.line("]", |line| (line == "]").then_some(()));
        ended.map_err(|error| Error::new(ErrorKind::WrongLength, error))
    }

    // The members of an object, by name or in the order of the file.
    fn begin_object(&mut self, _: &'static Class) -> Result {
        self.line("an object", |line| (line == "{").then_some(()))?;
        let (passed, search) = (Passed(Vec::new()), Search::new(0));
        self.open.push(Object { passed, search, next: None, asked: false });
        Ok(())
    }
    fn member(&mut self, name: &str) -> Result<bool> {
        Ok(self.find(Some(name))?.is_some())
    }
    fn next_key(&mut self) -> Result<Option<Cow<'_, str>>> {
        self.find(None)
    }
    fn end_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        while let Some(name) = self.find(None)? {
            unknown(&name)?;
            self.skip()?;
        }
        if let Some(Object { passed, asked: true, .. }) = self.open.pop()
            && let Some(second) = duplicate(&passed, 0)?
        {
            return Err(Error::twice(&passed.0[second].0).at(self.position()));
        }
        self.line("}", |line| (line == "}").then_some(()))
    }

    // Places to return to: pointers may come before the objects that they refer to.
    fn mark(&mut self) -> Mark {
        Mark { offset: self.at as u64, state: 0, depth: self.open.len() as u32 }
    }
    fn goto(&mut self, mark: Mark) {
        self.at = mark.offset as usize;
    }
    fn recover(&mut self, mark: Mark) {
        self.open.truncate(mark.depth as usize);
        self.goto(mark);
    }
}

/// The format.
pub struct InLines;

impl Backend for InLines {
    const NAME: &'static str = "lines"; // also the file name extension
    type Output = String; // the result of a save
    type Encoder<'w> = Write<'w>;
    type Decoder<'r> = Read<'r>;

    fn encoder<'w>(_: &Options<'_>, sink: Option<Sink<'w>>) -> Write<'w> {
        Write { out: Vec::new(), sink }
    }
    fn finish(encoder: Write<'_>) -> Result<Vec<u8>> {
        Ok(encoder.out) // what the sink has not got yet
    }
    fn decoder<'r>(input: &'r [u8], _: &Options<'_>) -> Result<Read<'r>> {
        let text = str::from_utf8(input).map_err(|error| Error::new(ErrorKind::Syntax, error))?;
        Ok(Read { text, at: 0, last: 0, open: Vec::new(), unescaped: String::new() })
    }
    fn end(decoder: Read<'_>) -> Result {
        if decoder.at == decoder.text.len() {
            return Ok(());
        }
        let error = Error::new(ErrorKind::TrailingData, "there are lines after the value");
        Err(error.at(decoder.line_at(decoder.at)))
    }
}

#[derive(Serialize)]
struct Party {
    place: Place,
    supplies: BTreeMap<String, u64>,
    leader: Rc<Unit>,
    units: Vec<Rc<Unit>>,
}

#[derive(Debug, PartialEq, Serialize)]
enum Place {
    Camp,
    Road { from: String, miles: f32 },
}

#[derive(Serialize)]
struct Unit {
    name: String,
    health: Option<i8>,
}

/// The party in a later version of the program: members have other names and another order, and one
/// is new.
#[derive(Serialize)]
struct Group {
    #[archive(alias = "units")]
    members: Vec<Rc<Unit>>,
    leader: Rc<Unit>,
    gold: u64,
    place: Place,
}

/// Saves and loads a world.
pub fn main() -> Result {
    let ann = Rc::new(Unit { name: "Ann\nthe \\ \"Owl\"".into(), health: Some(-3) });
    let bo = Rc::new(Unit { name: "Bo".into(), health: None });
    let party = Party {
        place: Place::Road { from: "Ford".into(), miles: 0.1 },
        supplies: [("rope".into(), 2), ("oil".into(), u64::MAX)].into(),
        leader: ann.clone(),
        units: vec![bo, ann],
    };
    let format = Format::of::<InLines>();
    let mut file = Vec::new();
    format.to_writer(&mut file, &party)?;
    print!("{}", String::from_utf8_lossy(&file));

    let loaded: Party = format.from_slice(&file)?;
    assert_eq!((&loaded.place, &loaded.supplies), (&party.place, &party.supplies));
    assert!(Rc::ptr_eq(&loaded.leader, &loaded.units[1]));
    assert_eq!(format.to_vec(&loaded)?, file);

    let group: Group = format.from_slice(&file)?;
    assert_eq!((&group.place, group.gold), (&party.place, 0));
    assert!(Rc::ptr_eq(&group.leader, &group.members[1]));
    assert_eq!(group.leader.name, party.leader.name);

    let error = format.from_slice::<Party>(&file[..file.len() - 4]).err();
    println!("{}", error.expect("the last lines are missing"));
    Ok(())
}
