//! A format of one's own: an outline, one value per line, indented by what it belongs to.
//!
//! It is an `Encoder`, a `Decoder` and a `Backend`; no other file knows it, and every type that
//! implements `Serialize` can be saved in it. Options, enums, maps and pointers need no code here:
//! the traits say them with lists and objects, unless a format has better.
//!
//! ```text
//! cargo run --example own_format
//! ```

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Display;
use std::io::{self, Write};
use std::rc::{Rc, Weak};
use std::str;

use archive::backend::Sink;
use archive::{
    Backend, Class, Error, ErrorKind, Format, Kind, Mark, Number, Options, Position, Result,
    Serialize, Shape,
};

/// Writes an outline.
struct Encoder<'w> {
    text: String,
    depth: usize,
    sink: Option<Sink<'w>>,
}

impl Encoder<'_> {
    /// The value of the current line.
    fn value(&mut self, value: impl Display) -> Result {
        self.text += &format!(" {value}");
        Ok(())
    }

    /// A new line.
    fn line(&mut self, name: &str) -> Result {
        self.text += &format!("\n{:1$}{name}", "", 2 * self.depth);
        Ok(())
    }
}

impl archive::Encoder for Encoder<'_> {
    fn as_dyn(&mut self) -> &mut dyn archive::Encoder {
        self
    }
    fn null(&mut self) -> Result {
        self.value("null")
    }
    fn bool(&mut self, value: bool) -> Result {
        self.value(value)
    }
    fn i64(&mut self, value: i64) -> Result {
        self.value(value)
    }
    fn u64(&mut self, value: u64) -> Result {
        self.value(value)
    }
    fn f64(&mut self, value: f64) -> Result {
        self.value(format_args!("{value:?}"))
    }
    fn str(&mut self, value: &str) -> Result {
        let escaped = value.replace('\\', "\\\\").replace('\n', "\\n");
        self.value(format_args!("\"{escaped}\""))
    }
    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result {
        self.depth += 1;
        self.value("list")
    }
    fn item(&mut self) -> Result {
        self.line("-")
    }
    fn end_seq(&mut self) -> Result {
        self.depth -= 1;
        Ok(())
    }
    fn begin_object(&mut self, _: &'static Class) -> Result {
        self.depth += 1;
        Ok(())
    }
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(self.unsupported("member names with white space").in_member(name));
        }
        self.line(name)
    }
    fn end_object(&mut self) -> Result {
        self.depth -= 1;
        Ok(())
    }
}

/// One line, and with it one value.
struct Line<'r> {
    depth: usize,
    name: &'r str,
    value: &'r str,
}

/// Reads an outline.
struct Decoder<'r> {
    lines: Vec<Line<'r>>,
    /// The line of the value at the cursor.
    at: usize,
    /// The unread lines of every open sequence and object.
    open: Vec<VecDeque<usize>>,
    text: String,
}

impl<'r> Decoder<'r> {
    /// Splits the input into lines, whose nesting must be sound.
    fn new(input: &'r [u8]) -> Result<Self> {
        let text = str::from_utf8(input).map_err(|error| Error::new(ErrorKind::Syntax, error))?;
        let Some(text) = text.strip_suffix("\nend\n") else {
            return Err(Error::new(ErrorKind::UnexpectedEnd, "the last line is not `end`"));
        };
        let mut lines: Vec<Line<'r>> = Vec::new();
        for line in text.split('\n') {
            let entry = line.trim_start_matches(' ');
            let indent = line.len() - entry.len();
            let depth = indent / 2;
            let (name, value) = entry.split_once(' ').unwrap_or((entry, ""));
            let most = lines.last().map_or(0, |last| match last.value {
                "" | "list" => last.depth + 1,
                _ => last.depth,
            });
            let is_root = lines.is_empty() && name == "outline";
            if indent % 2 != 0 || depth > most || (depth == 0) != is_root {
                let error = Error::new(ErrorKind::Syntax, "this line belongs to nothing");
                return Err(error.at(Position::Line { line: lines.len() + 1, column: 1 }));
            }
            lines.push(Line { depth, name, value });
        }
        Ok(Decoder { lines, at: 0, open: Vec::new(), text: String::new() })
    }

    /// The lines one level below a line.
    fn below(&self, line: usize) -> impl Iterator<Item = usize> {
        let depth = self.lines[line].depth + 1;
        let inside =
            (line + 1..self.lines.len()).take_while(move |i| self.lines[*i].depth >= depth);
        inside.filter(move |i| self.lines[*i].depth == depth)
    }

    /// The value at the cursor.
    fn value(&self) -> &'r str {
        self.lines[self.at].value
    }

    /// The value at the cursor, if `read` can make something of it.
    fn read<T>(&self, expected: &str, read: impl Fn(&'r str) -> Option<T>) -> Result<T> {
        let wrong = || Error::wrong_type(expected, self.value()).at(self.here(self.at));
        read(self.value()).ok_or_else(wrong)
    }

    /// Opens the sequence or object at the cursor.
    fn begin(&mut self, expected: &str, value: &str) -> Result<usize> {
        self.read(expected, |found| (found == value).then_some(()))?;
        self.open.push(self.below(self.at).collect());
        Ok(self.open.last().map_or(0, VecDeque::len))
    }

    fn here(&self, line: usize) -> Position {
        Position::Line { line: line + 1, column: 2 * self.lines[line].depth + 1 }
    }
}

impl archive::Decoder for Decoder<'_> {
    fn as_dyn(&mut self) -> &mut dyn archive::Decoder {
        self
    }
    fn position(&self) -> Position {
        self.here(self.at)
    }
    fn position_of(&self, mark: Mark) -> Position {
        self.here(mark.offset as usize)
    }
    fn peek(&mut self) -> Result<Kind> {
        Ok(match self.value() {
            "" => Kind::Object,
            "list" => Kind::Seq,
            "null" => Kind::Null,
            "true" | "false" => Kind::Bool,
            text if text.starts_with('"') => Kind::Str,
            _ => Kind::Number,
        })
    }
    fn skip(&mut self) -> Result {
        Ok(())
    }
    fn null(&mut self) -> Result {
        self.read("null", |value| (value == "null").then_some(()))
    }
    fn bool(&mut self) -> Result<bool> {
        self.read("true or false", |value| value.parse().ok())
    }
    fn number(&mut self) -> Result<Number> {
        self.read("a number", |value| match value.parse() {
            Ok(integer) => Some(Number::Int(integer)),
            Err(_) => value.parse().ok().map(Number::F64),
        })
    }
    fn str(&mut self) -> Result<&str> {
        let quoted = self.read("text", |value| value.strip_prefix('"')?.strip_suffix('"'))?;
        let parts: Vec<String> =
            quoted.split("\\\\").map(|part| part.replace("\\n", "\n")).collect();
        self.text = parts.join("\\");
        Ok(&self.text)
    }
    fn begin_seq(&mut self, _: &'static Shape) -> Result<usize> {
        self.begin("a list", "list")
    }
    fn next_item(&mut self) -> Result<bool> {
        let next = self.open.last_mut().and_then(VecDeque::pop_front);
        self.at = next.unwrap_or(self.at);
        Ok(next.is_some())
    }
    fn end_seq(&mut self) -> Result {
        self.open.pop();
        Ok(())
    }
    fn begin_object(&mut self, _: &'static Class) -> Result {
        self.begin("an object", "")?;
        let mut names = HashSet::new();
        match self.below(self.at).find(|line| !names.insert(self.lines[*line].name)) {
            Some(twice) => {
                let error = Error::new(ErrorKind::DuplicateMember, "this member stands twice");
                Err(error.in_member(self.lines[twice].name).at(self.here(twice)))
            }
            None => Ok(()),
        }
    }
    fn member(&mut self, name: &str) -> Result<bool> {
        let Some(unread) = self.open.last_mut() else {
            return Ok(false);
        };
        let found = unread.iter().position(|line| self.lines[*line].name == name);
        let line = found.and_then(|index| unread.remove(index));
        self.at = line.unwrap_or(self.at);
        Ok(line.is_some())
    }
    fn next_key(&mut self) -> Result<Option<Cow<'_, str>>> {
        Ok(self.next_item()?.then(|| Cow::Borrowed(self.lines[self.at].name)))
    }
    fn end_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        let unread = self.open.pop().unwrap_or_default();
        unread.into_iter().try_for_each(|line| unknown(self.lines[line].name))
    }
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
    fn find_bodies(&mut self, found: &mut dyn FnMut(u64, Mark)) -> Result {
        for (offset, line) in self.lines.iter().enumerate() {
            let member = |name| self.below(offset).find(|inner| self.lines[*inner].name == name);
            if let (Some(id), Some(_)) = (member("$id"), member("$value"))
                && let Ok(id) = self.lines[id].value.parse()
            {
                found(id, Mark { offset: offset as u64, state: 0, depth: line.depth as u32 });
            }
        }
        Ok(())
    }
}

/// The format.
struct Outline;

impl Backend for Outline {
    const NAME: &'static str = "outline";
    const EXTENSIONS: &'static [&'static str] = &["outline"];
    type Output = String;
    type Encoder<'w> = Encoder<'w>;
    type Decoder<'r> = Decoder<'r>;

    fn detect(start: &[u8]) -> bool {
        start.starts_with(b"outline")
    }
    fn encoder<'w>(_: &Options<'_>, sink: Option<Sink<'w>>) -> Encoder<'w> {
        Encoder { text: "outline".to_owned(), depth: 0, sink }
    }
    fn finish(mut encoder: Encoder<'_>) -> Result<Vec<u8>> {
        encoder.text += "\nend\n";
        if let Some(sink) = encoder.sink {
            sink(encoder.text.as_bytes())?;
            encoder.text.clear();
        }
        Ok(encoder.text.into_bytes())
    }
    fn output(bytes: Vec<u8>) -> Result<String> {
        String::from_utf8(bytes).map_err(|error| Error::new(ErrorKind::Syntax, error))
    }
    fn decoder<'r>(input: &'r [u8], _: &Options<'_>) -> Result<Decoder<'r>> {
        Decoder::new(input)
    }
    fn end(_: Decoder<'_>) -> Result {
        Ok(()) // `new` has seen to it
    }
}

#[derive(Debug, Default, PartialEq, Serialize)]
struct World {
    name: String,
    size: Size,
    weather: Weather,
    music: Option<String>,
    prices: HashMap<String, f64>,
    units: Vec<Rc<RefCell<Unit>>>,
    selected: Option<Rc<RefCell<Unit>>>,
}

#[derive(Debug, Default, PartialEq, Serialize)]
struct Size {
    width: u32,
    height: u32,
}

#[derive(Debug, Default, PartialEq, Serialize)]
enum Weather {
    #[default]
    Calm,
    Storm {
        wind: f64,
        gusts: [f64; 2],
    },
}

#[derive(Debug, Default, Serialize)]
struct Unit {
    name: String,
    leader: Weak<RefCell<Unit>>,
    squad: Vec<Rc<RefCell<Unit>>>,
}

/// Leaders are compared by `main`: this would walk in circles.
impl PartialEq for Unit {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.squad) == (&other.name, &other.squad)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scout = Rc::new(RefCell::new(Unit { name: "Bo \"Owl\"".into(), ..Unit::default() }));
    let leader = Rc::new(RefCell::new(Unit { name: "Ann".into(), ..Unit::default() }));
    scout.borrow_mut().leader = Rc::downgrade(&leader);
    leader.borrow_mut().squad.push(scout.clone());
    let world = World {
        name: "Skerry\nLighthouse".into(),
        size: Size { width: 64, height: 32 },
        weather: Weather::Storm { wind: 21.5, gusts: [30.0, f64::INFINITY] },
        music: None,
        prices: HashMap::from([("rope".into(), 1.25), ("lamp oil".into(), 3.0)]),
        units: vec![leader, scout.clone()],
        selected: Some(scout),
    };

    let format = Format::of::<Outline>();
    let bytes = format.to_vec(&world)?;
    io::stdout().write_all(&bytes)?;

    let loaded: World = format.from_slice(&bytes)?;
    assert_eq!(loaded, world);
    let [leader, scout] = &loaded.units[..] else {
        return Err("two units were saved".into());
    };
    assert!(Rc::ptr_eq(&leader.borrow().squad[0], scout));
    assert!(scout.borrow().leader.upgrade().is_some_and(|found| Rc::ptr_eq(&found, leader)));
    assert!(loaded.selected.is_some_and(|selected| Rc::ptr_eq(&selected, scout)));
    Ok(())
}
