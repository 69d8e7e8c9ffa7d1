//! A format of your own over a tree: it prints and parses a [`Value`]. The library turns every type
//! into a `Value` and back, with its pointers, versions and limits. See the example
//! `streaming_format` for a format without a tree.

use archive::{format::*, *};
use std::{collections::BTreeMap, rc::Rc, str::Lines};

/// A list or an object is its length and its parts; anything else is a line of JSON.
fn print(value: &Value) -> String {
    let (word, parts): (_, Vec<_>) = match value {
        Value::Array(items) => ("list", items.iter().map(print).collect()),
        Value::Object(members) => ("object", members.iter().map(member).collect()),
        scalar => return format!("{scalar}\n"),
    };
    format!("{word} {}\n{}", parts.len(), parts.concat())
}

fn member((name, value): &(String, Value)) -> String {
    format!("{}\n{}", Value::from(&**name), print(value))
}

fn scalar<T: Element>(line: &str) -> Result<T> {
    json::from_str(line).map_err(|error| Error::new(error.kind(), format!("{error}, in {line:?}")))
}

/// Parses a value of fewer than `depth` levels, so that no input exhausts the stack.
fn parse(lines: &mut Lines<'_>, depth: usize) -> Result<Value> {
    let depth =
        depth.checked_sub(1).ok_or(Error::new(ErrorKind::DepthLimit, "nested too deeply"))?;
    let line = lines.next().unwrap_or_default();
    if let Some(len) = line.strip_prefix("list ") {
        let items = (0..scalar::<u64>(len)?).map(|_| parse(lines, depth));
        items.collect::<Result<_>>().map(Value::Array)
    } else if let Some(len) = line.strip_prefix("object ") {
        let member = |_| Ok((scalar(lines.next().unwrap_or_default())?, parse(lines, depth)?));
        (0..scalar::<u64>(len)?).map(member).collect::<Result<_>>().map(Value::Object)
    } else {
        scalar(line)
    }
}

/// The format.
pub struct Own;

impl Backend for Own {
    const NAME: &'static str = "own"; // for `Format`, and the file name extension
    type Output = String; // what a save returns
    type Encoder<'w> = ValueEncoder; // builds a tree
    type Decoder<'r> = ValueDecoder<'static>; // reads a tree

    /// Begins a save. A format that writes to the sink piece by piece does not need all the memory.
    fn encoder(_: &Options<'_>, _: Option<Sink<'_>>) -> ValueEncoder {
        ValueEncoder::new()
    }
    /// Ends a save.
    fn finish(encoder: ValueEncoder) -> Result<Vec<u8>> {
        Ok(print(&encoder.finish()?).into_bytes())
    }
    /// Begins a load.
    fn decoder(input: &[u8], options: &Options<'_>) -> Result<ValueDecoder<'static>> {
        let text = str::from_utf8(input).map_err(|error| Error::new(ErrorKind::Syntax, error))?;
        let mut lines = text.lines();
        let value = parse(&mut lines, options.settings().limits().nesting() + 2)?;
        let end = lines.next().map(|line| Err(Error::new(ErrorKind::TrailingData, line)));
        end.unwrap_or(Ok(ValueDecoder::owned(value)))
    }
    /// Ends a load: the decoder has already checked that nothing follows.
    fn end(_: ValueDecoder<'static>) -> Result {
        Ok(())
    }
}

#[derive(Serialize)]
struct World {
    prices: BTreeMap<String, f64>,
    leader: Rc<String>,
    squad: Vec<Rc<String>>,
}

/// Saves and loads a world.
pub fn main() -> Result {
    let ann = Rc::new("Ann \"the\nOwl\"".to_string());
    let prices = [("rope".into(), 1.25), ("oil".into(), f64::INFINITY)].into();
    let world = World { prices, squad: vec![ann.clone()], leader: ann };
    let format = Format::of::<Own>();
    let bytes = format.to_vec(&world)?;
    print!("{}", String::from_utf8_lossy(&bytes));
    let loaded: World = format.from_slice(&bytes)?;
    assert_eq!(format.to_vec(&loaded)?, bytes);
    assert!(Rc::ptr_eq(&loaded.leader, &loaded.squad[0]));
    Ok(())
}
