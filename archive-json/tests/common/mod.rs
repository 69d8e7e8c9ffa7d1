//! What several tests need: fixtures, and `serde_json` trees through encoder and decoder.
#![allow(dead_code)] // each test uses some of it

use std::path::{Path, PathBuf};

use archive_core::shape::OBJECT;
use archive_core::{Decoder as _, Encoder as _, Kind, Number, Result, Shape};
use archive_json::{Decoder, Encoder};
use serde_json::{Map, Value};

/// The depth limit that is the default of the options.
pub(crate) const DEPTH: usize = 128;

/// A folder of shared test data, unless it is absent here.
pub(crate) fn fixtures(name: &str) -> Option<PathBuf> {
    let shared = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/fixtures/");
    let folder = Path::new(shared).join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there is no {}", folder.display());
    None
}

/// The path and the contents of every file in a folder.
pub(crate) fn files(folder: &Path) -> impl Iterator<Item = (String, Vec<u8>)> {
    std::fs::read_dir(folder).unwrap().map(|entry| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    })
}

/// Checks the syntax of a whole input.
pub(crate) fn check(input: &[u8]) -> Result {
    let mut json = Decoder::new(input, DEPTH);
    json.skip()?;
    json.end()
}

/// Reads a whole input into a tree.
pub(crate) fn read(input: &[u8]) -> Result<Value> {
    let mut json = Decoder::new(input, DEPTH);
    let value = read_value(&mut json)?;
    json.end()?;
    Ok(value)
}

fn read_value(json: &mut Decoder<'_>) -> Result<Value> {
    Ok(match json.peek()? {
        Kind::Null => json.null().map(|()| Value::Null)?,
        Kind::Bool => Value::Bool(json.bool()?),
        Kind::Str => Value::String(json.str()?.to_owned()),
        Kind::Number => match json.number()? {
            Number::F64(v) => v.into(),
            number => match number.to_integer::<i64>() {
                Ok(v) => v.into(),
                Err(_) => number.to_integer::<u64>()?.into(),
            },
        },
        Kind::Seq => {
            let mut items = Vec::new();
            json.begin_seq(&Shape::Any)?;
            while json.next_item()? {
                items.push(read_value(json)?);
            }
            json.end_seq()?;
            Value::Array(items)
        }
        _ => {
            let mut members = Map::new();
            json.begin_object(&OBJECT)?;
            while let Some(name) = json.next_key()? {
                let name = name.into_owned();
                members.insert(name, read_value(json)?);
            }
            json.end_object(&mut |_| unreachable!("all members were read"))?;
            Value::Object(members)
        }
    })
}

/// Writes a tree.
pub(crate) fn write(value: &Value, pretty: bool) -> String {
    let mut json = Encoder::new(pretty);
    write_value(value, &mut json).unwrap();
    json.into_string()
}

/// Writes a tree to an encoder.
pub(crate) fn write_value(value: &Value, json: &mut Encoder<'_>) -> Result {
    match value {
        Value::Null => json.null(),
        Value::Bool(v) => json.bool(*v),
        Value::String(v) => json.str(v),
        Value::Number(v) => match (v.as_i64(), v.as_u64(), v.as_f64()) {
            (Some(v), ..) => json.i64(v),
            (_, Some(v), _) => json.u64(v),
            (.., v) => json.f64(v.unwrap()),
        },
        Value::Array(items) => {
            json.begin_seq(&Shape::Any, items.len())?;
            for item in items {
                json.item()?;
                write_value(item, json)?;
            }
            json.end_seq()
        }
        Value::Object(members) => {
            json.begin_object(&OBJECT)?;
            for (name, value) in members {
                json.member(name, &Shape::Any)?;
                write_value(value, json)?;
            }
            json.end_object()
        }
    }
}
