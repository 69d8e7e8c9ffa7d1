//! A format of one's own, an outline: all there is to write is how a `Value` is printed and parsed,
//! and every type that implements `Serialize` can be saved in it.

use archive::{backend::*, *};
use std::{cell::RefCell, collections::HashMap, iter::Peekable, rc::Rc, rc::Weak, str::Lines};

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescaped(text: &str) -> String {
    let part = |part: &str| part.replace("\\n", "\n").replace("\\r", "\r").replace("\\s", " ");
    text.split("\\\\").map(part).collect::<Vec<_>>().join("\\")
}

/// The text after the name of a value, and the lines below it, which begin with `margin`.
fn print(value: &Value, margin: &str) -> String {
    let inner = format!("{margin}  ");
    let item = |text: String, item: &Value| text + margin + "-" + &print(item, &inner);
    let byte = |text: String, byte: &u8| format!("{text}{margin}- {byte}");
    match value {
        Value::Null => " null".into(),
        Value::Bool(value) => format!(" {value}"),
        Value::Number(number) => format!(" {number}"),
        Value::Str(text) => format!(" \"{}\"", escaped(text)),
        Value::Bytes(bytes) => bytes.iter().fold(" list".into(), byte),
        Value::Array(items) => items.iter().fold(" list".into(), item),
        Value::Object(members) => members.iter().fold(String::new(), |text, (name, value)| {
            text + margin + &escaped(name).replace(' ', "\\s") + ":" + &print(value, &inner)
        }),
    }
}

struct Parser<'t> {
    lines: Peekable<Lines<'t>>,
    line: usize,
    limit: usize,
}

impl Parser<'_> {
    fn error<T>(&self, kind: ErrorKind, message: &str) -> Result<T> {
        Err(Error::new(kind, message).at(Position::Line { line: self.line, column: 1 }))
    }

    /// The value with that text after its name, and with lines below it at that depth.
    fn value(&mut self, text: &str, depth: usize) -> Result<Value> {
        let integer = || text.parse().map(Number::Int).or(text.parse().map(Number::UInt));
        let number = || integer().or(text.parse().map(Number::F64)).ok();
        let quoted = || text.strip_prefix('"')?.strip_suffix('"');
        match (text, quoted(), number()) {
            _ if depth > self.limit + 1 => self.error(ErrorKind::DepthLimit, "nested too deep"),
            ("", ..) => Ok(Value::Object(self.below(depth)?)),
            ("list", ..) => Ok(Value::Array(self.below(depth)?.into_iter().map(|m| m.1).collect())),
            ("null", ..) => Ok(Value::Null),
            ("true" | "false", ..) => Ok(Value::Bool(text == "true")),
            (_, Some(text), _) => Ok(Value::Str(unescaped(text))),
            (_, _, Some(number)) => Ok(Value::Number(number)),
            _ => self.error(ErrorKind::Syntax, "this is no value"),
        }
    }

    fn below(&mut self, depth: usize) -> Result<Vec<(String, Value)>> {
        let mut members = Vec::new();
        let stands_below = |line: &&str| line.find(|c| c != ' ') == Some(2 * depth);
        while let Some(line) = self.lines.next_if(stands_below) {
            self.line += 1;
            let (name, text) = line[2 * depth..].split_once(' ').unwrap_or((line.trim_start(), ""));
            let name = unescaped(name.strip_suffix(':').unwrap_or(name));
            members.push((name, self.value(text, depth + 1)?));
        }
        Ok(members)
    }
}

fn parse(text: &str, limit: usize) -> Result<Value> {
    let mut parser = Parser { lines: text.lines().peekable(), line: 0, limit };
    match <[_; 2]>::try_from(parser.below(0)?) {
        Ok([(_, value), (end, _)]) if end == "end" && parser.lines.next().is_none() => Ok(value),
        _ => parser.error(ErrorKind::Syntax, "what follows this line does not belong there"),
    }
}

struct Own;

impl Backend for Own {
    const NAME: &'static str = "own";
    const EXTENSIONS: &'static [&'static str] = &["own"];
    type Output = String;
    type Encoder<'w> = ValueEncoder;
    type Decoder<'r> = ValueDecoder<'static>;

    fn detect(start: &[u8]) -> bool {
        start.starts_with(b"own")
    }
    fn encoder(_: &Options<'_>, _: Option<Sink<'_>>) -> ValueEncoder {
        ValueEncoder::new()
    }
    fn finish(encoder: ValueEncoder) -> Result<Vec<u8>> {
        Ok(format!("own{}\nend\n", print(&encoder.finish()?, "\n  ")).into_bytes())
    }
    fn output(bytes: Vec<u8>) -> Result<String> {
        String::from_utf8(bytes).map_err(|error| Error::new(ErrorKind::Syntax, error))
    }
    fn decoder(input: &[u8], options: &Options<'_>) -> Result<ValueDecoder<'static>> {
        let text = str::from_utf8(input).map_err(|error| Error::new(ErrorKind::Syntax, error))?;
        Ok(ValueDecoder::owned(parse(text, options.get_limits().nesting())?))
    }
    fn end(_: ValueDecoder<'static>) -> Result {
        Ok(())
    }
}

#[derive(Serialize)]
struct World {
    weather: Option<Weather>,
    prices: HashMap<String, f64>,
    units: Vec<Rc<RefCell<Unit>>>,
}

#[derive(Serialize)]
enum Weather {
    Calm,
    Storm(f64),
}

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    leader: Weak<RefCell<Unit>>,
    squad: Vec<Rc<RefCell<Unit>>>,
}

fn main() -> Result {
    let scout = Rc::new(RefCell::new(Unit { name: "Bo\n\"Owl\"".into(), ..Unit::default() }));
    let leader = Rc::new(RefCell::new(Unit { name: "Ann".into(), ..Unit::default() }));
    scout.borrow_mut().leader = Rc::downgrade(&leader);
    leader.borrow_mut().squad.push(scout.clone());
    let prices = [("rope".into(), 1.25), ("lamp oil".into(), f64::INFINITY)].into();
    let world = World { weather: Some(Weather::Storm(21.5)), prices, units: vec![leader, scout] };
    let format = Format::of::<Own>();
    let bytes = format.to_vec(&world)?;
    print!("{}", String::from_utf8_lossy(&bytes));
    let loaded: World = format.from_slice(&bytes)?;
    assert_eq!(format.to_vec(&loaded)?, bytes);
    let (leader, scout) = (&loaded.units[0], &loaded.units[1]);
    assert!(Rc::ptr_eq(&leader.borrow().squad[0], scout));
    assert!(scout.borrow().leader.ptr_eq(&Rc::downgrade(leader)));
    Ok(())
}
