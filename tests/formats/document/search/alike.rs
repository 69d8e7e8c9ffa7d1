//! Whether a file has the content of a document.

use std::collections::HashMap;

use archive::Value;
use archive::value::Number;

/// A tree in which ids count objects in the order of their owners, with the content of each at the
/// first reference that owns it. A weak reference to an object without an owner is null, as for a
/// program.
pub fn canonical(tree: &Value) -> Value {
    let mut objects = HashMap::new();
    collect(tree, &mut objects);
    let mut graph = Graph { objects, numbers: HashMap::new() };
    let tree = graph.strong(tree);
    graph.weak(&tree)
}

struct Graph<'v> {
    objects: HashMap<u64, &'v [(String, Value)]>,
    numbers: HashMap<u64, u64>,
}

fn member<'v>(members: &'v [(String, Value)], name: &str) -> Option<&'v Value> {
    members.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

fn id(members: &[(String, Value)], name: &str) -> Option<u64> {
    let is_pointer =
        members.first().is_some_and(|(name, _)| name.starts_with('$') && name != "$some");
    member(members, name)?.as_u64().filter(|id| *id != 0 && is_pointer)
}

fn collect<'v>(tree: &'v Value, objects: &mut HashMap<u64, &'v [(String, Value)]>) {
    match tree {
        Value::Array(items) => items.iter().for_each(|item| collect(item, objects)),
        Value::Object(members) => {
            if let (Some(id), Some(_)) = (id(members, "$id"), member(members, "$value")) {
                objects.insert(id, members);
            }
            members.iter().for_each(|(_, value)| collect(value, objects));
        }
        _ => {}
    }
}

impl Graph<'_> {
    fn strong(&mut self, tree: &Value) -> Value {
        match tree {
            Value::Array(items) => items.iter().map(|item| self.strong(item)).collect(),
            Value::Object(members) => match id(members, "$id") {
                Some(id) => {
                    let next = self.numbers.len() as u64 + 1;
                    let number = *self.numbers.entry(id).or_insert(next);
                    let mut all = vec![("$id".to_owned(), Value::from(number))];
                    if number == next
                        && let Some(object) = self.objects.get(&id).copied()
                    {
                        all.extend(
                            member(object, "$type").map(|name| ("$type".to_owned(), name.clone())),
                        );
                        let value = member(object, "$value").cloned().unwrap_or_default();
                        all.push(("$value".to_owned(), self.strong(&value)));
                    }
                    Value::Object(all)
                }
                None => self.members(members),
            },
            scalar => scalar.clone(),
        }
    }

    fn members(&mut self, members: &[(String, Value)]) -> Value {
        let mut members: Vec<_> = members.iter().collect();
        members.sort_by_key(|(name, _)| name.as_str());
        let member = |(name, value): &(String, Value)| (name.clone(), self.strong(value));
        Value::Object(members.into_iter().map(member).collect())
    }

    fn weak(&self, tree: &Value) -> Value {
        match tree {
            Value::Array(items) => items.iter().map(|item| self.weak(item)).collect(),
            Value::Object(members) => match id(members, "$weak") {
                Some(id) => match self.numbers.get(&id) {
                    Some(number) if self.objects.contains_key(&id) => {
                        Value::Object(vec![("$weak".to_owned(), Value::from(*number))])
                    }
                    _ => Value::Null,
                },
                None => {
                    let member = |(name, value): &(String, Value)| (name.clone(), self.weak(value));
                    Value::Object(members.iter().map(member).collect())
                }
            },
            scalar => scalar.clone(),
        }
    }
}

/// Sorts the maps and the sets of the program, which have no order of their own, and drops repeated
/// elements of sets.
pub fn sorted(mut tree: Value) -> Value {
    for name in ["small", "text", "pairs", "set"] {
        if let Some(Value::Object(members)) = tree.pointer(&format!("/maps/{name}")) {
            let pairs: Value =
                members.iter().map(|(name, of)| vec![name.as_str().into(), of.clone()]).collect();
            tree["maps"][name] = pairs;
        }
        if let Some(Value::Array(items)) = tree.pointer_mut(&format!("/maps/{name}")) {
            items.sort_by_cached_key(|item| spelled(item.item(0).unwrap_or(item)));
            if name == "set" {
                items.dedup_by_key(|item| spelled(item));
            }
        }
    }
    tree
}

/// Keys as text, in which numbers of all kinds are alike.
fn spelled(key: &Value) -> String {
    match key {
        Value::Array(items) => items.iter().map(spelled).collect(),
        key => key.as_i64().map_or_else(|| key.to_string(), |number| number.to_string()),
    }
}

/// Returns the differences between the document and the file. `rounds` allows floats that were
/// rounded.
pub fn difference(document: &Value, file: &Value, rounds: bool) -> Option<String> {
    let differ = || Some(format!(": {document} is not {file}"));
    match (document, file) {
        (Value::Number(one), Value::Number(other)) => {
            let alike = match other {
                Number::F32(float) => {
                    let exact = one.to_f64().unwrap() == f64::from(*float);
                    exact || rounds && one.to_f32().is_ok_and(|one| one == *float) || float.is_nan()
                }
                Number::F64(float) => {
                    let rounded = one.to_f32().is_ok_and(|one| f64::from(one) == *float);
                    one.to_f64().unwrap() == *float || rounds && rounded || float.is_nan()
                }
                Number::Int(other) => one.to_integer::<i128>().ok() == Some(*other),
                Number::UInt(other) => one.to_integer::<u128>().ok() == Some(*other),
            };
            if alike { None } else { differ() }
        }
        (Value::Object(members), Value::Str(variant)) => match &members[..] {
            [(name, Value::Null)] if name == variant => None,
            _ => differ(),
        },
        (Value::Object(one), Value::Object(other)) => {
            for (name, value) in other {
                match member(one, name) {
                    Some(one) => {
                        if let Some(found) = difference(one, value, rounds) {
                            return Some(format!(".{name}{found}"));
                        }
                    }
                    None if name == "$version" => {}
                    None => return differ(),
                }
            }
            let names = one.iter().all(|(name, _)| member(other, name).is_some());
            let some = matches!(&one[..], [(name, _)] if name == "$some");
            match names {
                true => None,
                false if some => difference(&one[0].1, file, rounds),
                false => differ(),
            }
        }
        (Value::Object(members), _) if matches!(&members[..], [(name, _)] if name == "$some") => {
            difference(&members[0].1, file, rounds)
        }
        (Value::Object(members), Value::Array(entries)) => {
            let pairs: Vec<Value> = members
                .iter()
                .map(|(name, value)| Value::Array(vec![name.as_str().into(), value.clone()]))
                .collect();
            difference(&pairs.into(), &entries.clone().into(), rounds)
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let found = one.iter().zip(other).enumerate();
            found.into_iter().find_map(|(index, (one, other))| {
                difference(one, other, rounds).map(|found| format!("[{index}]{found}"))
            })
        }
        _ if document == file => None,
        _ => differ(),
    }
}
