//! Reading trees from formats that describe themselves.

use archive_core::reserved;
use archive_core::{Error, ErrorKind, Value};
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor};

use crate::shared::{Shared, Tree};

/// Returns whether a member with that name makes its object a pointer if it is the first one.
pub(crate) fn is_pointer_name(name: &str) -> bool {
    name.starts_with('$') && reserved::POINTER.contains(&name)
}

/// Returns whether a member with that name, if it is the first one, makes its object a pointer or a
/// wrapped option.
pub(crate) fn is_own_name(name: &str) -> bool {
    name.starts_with('$') && reserved::OWN.contains(&name)
}

/// Reads any value as a tree.
pub(crate) struct TreeSeed<'a, 's> {
    pub(crate) shared: &'a mut Shared<'s>,
    /// How many levels the value may nest.
    pub(crate) levels: usize,
    is_text: bool,
    /// Its role in a pointer; paths of errors do not contain pointers.
    role: Role,
    pub(crate) has_pointers: &'a mut bool,
}

/// The role of a value in the pointer around it.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Plain,
    /// The list of the deferred objects.
    Deferred,
    /// A deferred object; the paths of its errors begin at it.
    Waiting,
}

impl<'a, 's> TreeSeed<'a, 's> {
    /// Creates a seed that reads as many levels as a value of the program could have in the file,
    /// including levels that do not count for the value.
    pub(crate) fn new(shared: &'a mut Shared<'s>, has_pointers: &'a mut bool) -> Self {
        let levels = shared.options.settings().limits().depth.saturating_add(super::MORE_LEVELS);
        let is_text = shared.is_text;
        TreeSeed { shared, levels, is_text, role: Role::Plain, has_pointers }
    }

    fn again(&mut self) -> TreeSeed<'_, 's> {
        TreeSeed {
            shared: self.shared,
            levels: self.levels,
            is_text: self.is_text,
            role: Role::Plain,
            has_pointers: self.has_pointers,
        }
    }

    /// Adds a path to an error of the format in a part of the value.
    #[cold]
    fn inside<E: serde::de::Error>(&mut self, theirs: E, put: impl FnOnce(Error) -> Error) -> E {
        let ours = self.shared.refused(&theirs);
        // An error for too many levels has the path of the outermost value, as when the value is
        // skipped.
        let deep = ours.kind() == ErrorKind::DepthLimit;
        self.shared.stash_error(if deep { ours } else { put(ours) });
        theirs
    }

    fn is_text(&self) -> bool {
        self.is_text
    }

    fn deeper(&mut self) -> Result<(), String> {
        match self.levels.checked_sub(1) {
            Some(left) => {
                self.levels = left;
                Ok(())
            }
            None => {
                let limit = self.shared.options.settings().limits().depth;
                Err(self.shared.stash_error(Error::too_deep(limit)))
            }
        }
    }
}

/// Reads the items of a sequence as a tree.
pub(crate) fn gather_seq<'de, A: SeqAccess<'de>>(
    seq: A,
    shared: &mut Shared<'_>,
) -> Result<Tree, Error> {
    let before = shared.session.held();
    let mut has_pointers = false;
    let value = TreeSeed::new(shared, &mut has_pointers).visit_seq(seq);
    let value = value.map_err(|error| shared.refused(error))?;
    Ok(Tree { value, has_pointers, held: shared.session.held() - before })
}

/// Reads a map as a tree. Its first key has been read, unless it is empty.
pub(crate) fn gather_map<'de, A: MapAccess<'de>>(
    first: Option<Value>,
    map: A,
    shared: &mut Shared<'_>,
) -> Result<Tree, Error> {
    let before = shared.session.held();
    let mut has_pointers = false;
    let value = TreeSeed::new(shared, &mut has_pointers).rest_of_map(first, map);
    let value = value.map_err(|error| shared.refused(error))?;
    Ok(Tree { value, has_pointers, held: shared.session.held() - before })
}

impl<'de> DeserializeSeed<'de> for TreeSeed<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        let is_text = from.is_human_readable();
        self.shared.is_text = is_text;
        if self.shared.manner.untagged {
            let tree = super::read_untagged(from)?;
            if !nests_within(&tree.value, self.levels) {
                let limit = self.shared.options.settings().limits().depth;
                let message = self.shared.stash_error(Error::too_deep(limit));
                return Err(serde::de::Error::custom(message));
            }
            *self.has_pointers |= tree.has_pointers;
            return Ok(tree.value);
        }
        from.deserialize_any(TreeSeed { is_text, ..self })
    }
}

impl<'de> Visitor<'de> for TreeSeed<'_, '_> {
    type Value = Value;

    visit_scalars!();

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<Value, A::Error> {
        self.deeper().map_err(serde::de::Error::custom)?;
        let waiting = self.role == Role::Deferred;
        let mut items = Vec::new();
        loop {
            let role = if waiting { Role::Waiting } else { Role::Plain };
            match seq.next_element_seed(TreeSeed { role, ..self.again() }) {
                Ok(Some(item)) => self.shared.keep(&mut items, item.own_size(), item)?,
                Ok(None) => {
                    self.shared.session.hold_no_more(&mut items);
                    return Ok(Value::Array(items));
                }
                Err(theirs) if waiting => return Err(theirs),
                Err(theirs) => return Err(self.inside(theirs, |error| error.in_item(items.len()))),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Value, A::Error> {
        let first = map.next_key_seed(self.again())?;
        self.rest_of_map(first, map)
    }

    fn visit_enum<A: EnumAccess<'de>>(mut self, data: A) -> Result<Value, A::Error> {
        use serde::de::VariantAccess;
        self.deeper().map_err(serde::de::Error::custom)?;
        let (name, payload) = data.variant_seed(self.again())?;
        let Value::Str(name) = name else {
            return Err(serde::de::Error::custom("a variant without a name"));
        };
        let payload = payload.newtype_variant_seed(self.again())?;
        let (mut members, size) = (Vec::new(), name.capacity() + payload.own_size());
        self.shared.keep(&mut members, size, (name, payload))?;
        self.shared.session.hold_no_more(&mut members);
        Ok(Value::Object(members))
    }
}

impl TreeSeed<'_, '_> {
    fn rest_of_map<'de, A: MapAccess<'de>>(
        mut self,
        first: Option<Value>,
        mut map: A,
    ) -> Result<Value, A::Error> {
        self.deeper().map_err(serde::de::Error::custom)?;
        let is_pointer = matches!(&first, Some(Value::Str(name)) if is_pointer_name(name));
        *self.has_pointers |= is_pointer;
        let mut entries = Vec::new();
        let mut next = first;
        while let Some(key) = next {
            let is_list = is_pointer && key.as_str() == Some(reserved::DEFERRED);
            let role = if is_list { Role::Deferred } else { Role::Plain };
            match map.next_value_seed(TreeSeed { role, ..self.again() }) {
                Ok(value) => {
                    let size = key.own_size() + value.own_size();
                    self.shared.keep(&mut entries, size, (key, value))?;
                }
                Err(theirs) => {
                    let waiting = self.role == Role::Waiting;
                    let put = |error| in_entry(error, &key, (is_pointer, waiting), &entries);
                    return Err(self.inside(theirs, put));
                }
            }
            next = map.next_key_seed(self.again())?;
        }
        if entries.iter().any(|(key, _)| !matches!(key, Value::Str(_))) {
            // Each pair is a list of its own.
            let pairs = entries.len() * size_of::<[Value; 3]>();
            let held = self.shared.session.hold(pairs);
            held.map_err(|ours| serde::de::Error::custom(self.shared.stash_error(ours)))?;
        }
        self.shared.session.hold_no_more(&mut entries);
        Ok(object_or_pairs(entries))
    }
}

/// Returns whether a tree has no more than `levels` levels.
pub(crate) fn nests_within(value: &Value, levels: usize) -> bool {
    let left = match value {
        Value::Array(_) | Value::Object(_) => match levels.checked_sub(1) {
            Some(left) => left,
            None => return false,
        },
        _ => return true,
    };
    match value {
        Value::Array(items) => items.iter().all(|item| nests_within(item, left)),
        Value::Object(members) => members.iter().all(|(_, member)| nests_within(member, left)),
        _ => true,
    }
}

/// Adds the path of an entry to an error. `before` are the entries before it. Pointers do not
/// appear in paths.
fn in_entry(
    error: Error,
    key: &Value,
    (is_pointer, waiting): (bool, bool),
    before: &[(Value, Value)],
) -> Error {
    match key {
        Value::Str(name) if is_pointer && is_pointer_name(name) => {
            let id = before.iter().find(|(key, _)| key.as_str() == Some(reserved::ID));
            match id.and_then(|(_, id)| id.as_u64()) {
                Some(id) if waiting && name == reserved::VALUE => error.in_object(id),
                _ => error,
            }
        }
        Value::Str(name) if name == reserved::SOME && before.is_empty() => error,
        Value::Str(name) => error.in_member(name),
        _ => error.in_item(1).in_item(before.len()),
    }
}

/// Converts the entries of a map: to an object if all keys are text, otherwise to a sequence of
/// pairs.
pub(crate) fn object_or_pairs(entries: Vec<(Value, Value)>) -> Value {
    if entries.iter().any(|(key, _)| !matches!(key, Value::Str(_))) {
        let pair = |(key, value)| Value::Array(vec![key, value]);
        return Value::Array(entries.into_iter().map(pair).collect());
    }
    let member = |(key, value)| match key {
        Value::Str(name) => (name, value),
        _ => (String::new(), value),
    };
    Value::Object(entries.into_iter().map(member).collect())
}
