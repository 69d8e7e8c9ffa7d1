//! Mutations of the tree of a file.

use archive::Value;
use archive::format::Backend;
use archive::value::Number;

/// Names of the model, and heads of pointers.
const NAMES: &[&str] = &[
    "$id",
    "$type",
    "$value",
    "$weak",
    "$later",
    "$deferred",
    "$some",
    "$version",
    "graph",
    "plain",
    "nodes",
    "things",
    "leaves",
    "weak",
    "strong",
    "weak_first",
    "slots",
    "boxes",
    "bare",
    "bare_typed",
    "thing",
    "leaf",
    "pair",
    "owner",
    "next",
    "back",
    "other",
    "inner",
    "Plate",
    "holder",
    "Stance",
    "Guard",
    "Attacking",
    "Inside",
    "text",
    "NaN",
    "",
];

/// Loads a file as a tree, changes it in a few places and saves it. `None` if it does not load, or
/// can no longer be saved.
pub fn tree<F: Backend>(file: &[u8], seed: u32) -> Option<Vec<u8>> {
    let mut value: Value = F::from_slice(file).ok()?;
    let mut dice = Dice(u64::from(seed) * 2 + 1);
    for _ in 0..=dice.below(3) {
        let count = count(&value);
        if count > 3000 {
            return None;
        }
        let from = node(&mut value, &mut dice.below(count))?.clone();
        let at = node(&mut value, &mut dice.below(count))?;
        change(at, from, &mut dice);
    }
    F::to_vec(&value).ok()
}

fn change(at: &mut Value, from: Value, dice: &mut Dice) {
    let old = std::mem::take(at);
    let name = NAMES[dice.below(NAMES.len())];
    let id = Value::from(dice.below(6) as u32);
    *at = match (dice.below(14), old) {
        (0, _) => from,
        (1, _) => scalar(dice),
        (2, old) => Value::Array(vec![old]),
        (3, old) => object([("$id", id), ("$value", old)]),
        (4, _) => object([("$id", id)]),
        (5, _) => object([("$weak", id)]),
        (6, old) => {
            let name = ["Plate", "holder", "Stance"][dice.below(3)];
            object([("$id", id), ("$type", name.into()), ("$value", old)])
        }
        (7, old) => object([(name, old)]),
        (_, Value::Array(mut items)) => {
            let i = dice.below(items.len() + 1);
            match dice.below(4) {
                0 => items.insert(i, from),
                1 if i < items.len() => drop(items.remove(i)),
                2 => items.truncate(i),
                _ => {
                    let middle = i.min(items.len());
                    items.rotate_left(middle);
                }
            }
            Value::Array(items)
        }
        (_, Value::Object(mut members)) => {
            let i = dice.below(members.len() + 1);
            match dice.below(4) {
                0 if members.iter().all(|(other, _)| other != name) => {
                    members.insert(i, (name.to_owned(), from));
                }
                1 if i < members.len() => drop(members.remove(i)),
                2 if i < members.len() && members.iter().all(|(other, _)| other != name) => {
                    members[i].0 = name.to_owned();
                }
                _ => {
                    let middle = i.min(members.len());
                    members.rotate_left(middle);
                }
            }
            Value::Object(members)
        }
        (8, _) => from,
        _ => scalar(dice),
    };
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.map(|(name, value)| (name.to_owned(), value)).into())
}

fn scalar(dice: &mut Dice) -> Value {
    match dice.below(8) {
        0 => Value::Null,
        1 => Value::from(dice.below(2) == 1),
        2 => Value::from([0.5, -0.0, 1e300, f64::NAN, f64::INFINITY, 16777217.0][dice.below(6)]),
        3 => Value::from(NAMES[dice.below(NAMES.len())]),
        4 => Value::Number(Number::UInt(u128::MAX)),
        5 => Value::Number(Number::Int([1 << 63, i128::MIN, 1 << 64, -(1 << 31)][dice.below(4)])),
        _ => Value::from(dice.below(10) as i32 - 2),
    }
}

fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
        Value::Object(members) => 1 + members.iter().map(|(_, value)| count(value)).sum::<usize>(),
        _ => 1,
    }
}

/// The node of that number.
fn node<'a>(value: &'a mut Value, number: &mut usize) -> Option<&'a mut Value> {
    if *number == 0 {
        return Some(value);
    }
    *number -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| node(item, number)),
        Value::Object(members) => members.iter_mut().find_map(|(_, value)| node(value, number)),
        _ => None,
    }
}

/// Pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % end
    }
}
