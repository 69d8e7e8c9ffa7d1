//! Reads data files and the files that they extend.

use std::collections::HashMap;

use archive_core::{Error, ErrorKind, Found, Options, Result, Value, reserved};

/// The member that names the file that a file extends.
const EXTENDS: &str = "$extends";

/// Reads a file and those that it extends, and returns the tree of one object.
pub(super) fn read(
    name: &str,
    read: &dyn Fn(&str) -> Result<Vec<u8>>,
    options: &Options<'_>,
) -> Result<Value> {
    // From the file itself to the one that does not extend another.
    let mut chain: Vec<(String, Value)> = Vec::new();
    let mut next = Some(name.to_owned());
    while let Some(name) = next {
        check(&name, &chain, options)?;
        let (tree, extends) = parse(&name, read, options).map_err(|error| error.in_file(&name))?;
        chain.push((name, tree));
        next = extends;
    }
    // A file may have only an id.
    let blank = Value::Object(vec![(reserved::VALUE.to_owned(), Value::Object(Vec::new()))]);
    Ok(chain.into_iter().rev().fold(blank, |base, (_, tree)| over(base, tree)))
}

/// Refuses a circle, and a chain that is longer than the depth limit.
fn check(name: &str, chain: &[(String, Value)], options: &Options<'_>) -> Result {
    let names = || {
        let names = chain.iter().map(|(name, _)| name.as_str()).chain([name]);
        names.collect::<Vec<_>>().join(" → ")
    };
    if chain.iter().any(|(other, _)| other == name) {
        let message = format!("files extend each other in a cycle: {}", names());
        return Err(Error::custom(message).in_file(name));
    }
    let limit = options.settings().limits().depth;
    if chain.len() >= limit {
        let message = format!("a file extends others through more than {limit} files");
        return Err(Error::new(ErrorKind::DepthLimit, message).in_file(name));
    }
    Ok(())
}

/// Returns the tree of a file, and the file that it extends.
fn parse(
    name: &str,
    read: &dyn Fn(&str) -> Result<Vec<u8>>,
    options: &Options<'_>,
) -> Result<(Value, Option<String>)> {
    let mut tree: Value = archive_json::from_slice_with(&read(name)?, options)?;
    let Some(members) = tree.as_object_mut() else {
        return Err(Error::wrong_type("an object with `$type` and `$value`", Found::from(&tree)));
    };
    if let Some((other, _)) = members.iter().find(|(member, _)| !KNOWN.contains(&member.as_str())) {
        return Err(Error::custom("put the members of the object into `$value`").in_member(other));
    }
    let extends = members.iter().position(|(member, _)| member == EXTENDS);
    let extends = extends.map(|index| members.remove(index).1);
    match extends {
        None => Ok((tree, None)),
        Some(Value::Str(extends)) => Ok((tree, Some(extends))),
        Some(other) => {
            Err(Error::wrong_type("the name of a file", Found::from(&other)).in_member(EXTENDS))
        }
    }
}

/// The members of a file.
const KNOWN: [&str; 3] = [EXTENDS, reserved::TYPE, reserved::VALUE];

/// Overrides a tree with another one: members of objects one by one, everything else as a whole.
fn over(base: Value, tree: Value) -> Value {
    let (mut members, changes) = match (base, tree) {
        (Value::Object(members), Value::Object(changes)) => (members, changes),
        (_, tree) => return tree,
    };
    let places: HashMap<String, usize> =
        members.iter().enumerate().map(|(index, (name, _))| (name.clone(), index)).collect();
    for (name, value) in changes {
        match places.get(&name) {
            Some(index) => members[*index].1 = over(std::mem::take(&mut members[*index].1), value),
            None => members.push((name, value)),
        }
    }
    Value::Object(members)
}
