//! Random changes of a tree.

use archive::Value;

use super::choices::Tape;

/// The path to a part of a tree, by indices.
pub type Way = Vec<usize>;

pub fn ways(tree: &Value) -> Vec<Way> {
    let (mut all, mut open) = (Vec::new(), vec![(tree, Vec::new())]);
    while let Some((value, way)) = open.pop() {
        let parts: Vec<&Value> = match value {
            Value::Array(items) => items.iter().collect(),
            Value::Object(members) => members.iter().map(|(_, value)| value).collect(),
            _ => Vec::new(),
        };
        for (index, part) in parts.into_iter().enumerate() {
            let mut inner: Way = way.clone();
            inner.push(index);
            open.push((part, inner));
        }
        all.push(way);
    }
    all
}

fn at<'v>(tree: &'v mut Value, way: &[usize]) -> &'v mut Value {
    way.iter().fold(tree, |value, index| match value {
        Value::Array(items) => &mut items[*index],
        Value::Object(members) => &mut members[*index].1,
        _ => unreachable!("the way leads through parts"),
    })
}

/// Whether the part determines what the function of its object does. A value that it then refuses
/// is not in the file.
fn leads(tree: &mut Value, way: &[usize]) -> bool {
    let Some((last, outer)) = way.split_last() else { return false };
    let name = match at(tree, outer) {
        Value::Object(members) => members[*last].0.clone(),
        _ => return false,
    };
    name == "kind" || name == "hp"
}

fn scalar(tape: &mut Tape) -> Value {
    let numbers =
        [0, 1, -1, 2, 3, 4, 5, 6, 7, 42, 255, 256, 300, -129, 70_000, i128::MAX, i128::MIN];
    match tape.below(9) {
        0 => Value::Null,
        1 => Value::Bool(true),
        2..=4 => Value::from(numbers[tape.below(numbers.len())]),
        5 => Value::from([0.5, -0.0, 1e300, f64::NAN, f64::INFINITY, 3.0][tape.below(6)]),
        6 => Value::from(["", "a", "Wait", "Stone", "text that is longer"][tape.below(5)]),
        7 => Value::Bytes(vec![1, 2, 3]),
        _ => [Value::Array(Vec::new()), Value::Object(Vec::new())][tape.below(2)].clone(),
    }
}

/// Gives new ids to the objects in a copy, as a tool does that adds objects.
fn renumber(tree: &mut Value, offset: i128) {
    match tree {
        Value::Array(items) => items.iter_mut().for_each(|item| renumber(item, offset)),
        Value::Object(members) => {
            let is_stored = members.iter().any(|(name, _)| name == "$value");
            for (name, value) in members {
                match (name.as_str(), value.as_i64()) {
                    ("$id", Some(id)) if is_stored => *value = Value::from(i128::from(id) + offset),
                    _ => renumber(value, offset),
                }
            }
        }
        _ => {}
    }
}

/// Changes the tree. Returns whether a part was copied from elsewhere, so that numbers may be
/// rounded.
pub fn edit(tree: &mut Value, tape: &mut Tape) -> bool {
    let ways = ways(tree);
    let way = ways[tape.below(ways.len())].clone();
    let other = ways[tape.below(ways.len())].clone();
    if leads(tree, &way) || leads(tree, &other) {
        return false;
    }
    let from = at(tree, &other).clone();
    let what = tape.below(16);
    if let (0..=3, Value::Array(items)) = (what, at(tree, &way)) {
        let (one, two) = (tape.below(items.len()), tape.below(items.len()));
        match what {
            _ if items.is_empty() => {
                items.push(from);
                return true;
            }
            0 => {
                let copy = items[one].clone();
                items.insert(two, copy);
            }
            1 => {
                items.remove(one);
            }
            2 => items.swap(one, two),
            _ => {
                let mut copy = items[one].clone();
                renumber(&mut copy, 1000 + i128::from(tape.byte()));
                items.insert(two, copy);
            }
        }
        return what == 3;
    }
    if let (4..=7, Value::Object(members)) = (what, at(tree, &way))
        && !members.is_empty()
    {
        let one = tape.below(members.len());
        if members[one].0 == "kind" || members[one].0 == "hp" {
            return false;
        }
        let is_pointer = members.iter().position(|(name, _)| name.starts_with('$'));
        match (what, is_pointer) {
            (4, Some(own)) => {
                members.remove(own);
            }
            (4, None) => {
                members.remove(one);
            }
            (5, Some(own)) => members[own].1 = scalar(tape),
            (5, None) => members.swap(0, one),
            (6, Some(own)) => members[own].1 = Value::from(1 + tape.below(12) as i128),
            (6, None) => {
                members[one].0 = ["id", "$id", "$$x", "x", "new"][tape.below(5)].to_owned()
            }
            _ => {
                let copy = members[one].clone();
                members.push(copy);
            }
        }
        return false;
    }
    let kind = std::mem::discriminant(&from);
    match what {
        8..=10 => *at(tree, &way) = scalar(tape),
        11 => *at(tree, &way) = Value::Null,
        12 | 13 if kind == std::mem::discriminant(at(tree, &way)) => *at(tree, &way) = from,
        14 => {
            let mut copy = from;
            renumber(&mut copy, 2000 + i128::from(tape.byte()));
            *at(tree, &way) = copy;
        }
        15 if !other.starts_with(&way) && !way.starts_with(&other) => {
            let was = std::mem::replace(at(tree, &way), from);
            *at(tree, &other) = was;
        }
        _ => {
            if let Value::Number(_) = at(tree, &way) {
                let was = at(tree, &way).as_i64().unwrap_or(0);
                *at(tree, &way) =
                    Value::from(i128::from(was) + 1 - 2 * i128::from(tape.byte() % 2));
            }
            return false;
        }
    }
    true
}
