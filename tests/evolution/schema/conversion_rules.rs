//! The rules of the law: the result of each old type as each new type.

use std::collections::BTreeMap;

use archive::ErrorKind;
use archive::report::NoteKind;

use super::data::Data;
use super::file::Reference;
use super::law::{Done, Fate, Law, Mode, Segment, blank_object, wrong};
use super::number_conversions;
use super::types::Type;

impl Law<'_> {
    pub fn value(
        &mut self,
        new: &Type,
        old: &Type,
        data: &Data<Reference>,
        out: &mut Data<usize>,
    ) -> Done {
        match (new, old, data) {
            (Type::Option(new), Type::Option(old), Data::Option(value)) => {
                *out = match value {
                    None => Data::Option(None),
                    Some(value) => Data::Option(Some(Box::new(self.fresh(new, old, value)?))),
                };
            }
            // A value that became optional is `Some`.
            (Type::Option(new), ..) => {
                *out = Data::Option(Some(Box::new(self.fresh(new, old, data)?)));
            }
            (_, Type::Option(_), Data::Option(None)) => return Err(wrong()),
            (_, Type::Option(old), Data::Option(Some(value))) => {
                return self.value(new, old, value, out);
            }
            (Type::Pointer(class), ..) => *out = Data::Pointer(self.pointer(*class, old, data)?),
            (Type::Enum(new), Type::Enum(old), Data::Variant(index, payload)) => {
                let variant = &self.file.schema.choices[*old].variants[*index];
                let payload = variant.payload.as_ref().zip(payload.as_deref());
                return self.variant(*new, &variant.name, payload, out);
            }
            (Type::Enum(new), Type::Text, Data::Text(name)) => {
                return self.variant(*new, name, None, out);
            }
            (Type::Enum(new), Type::Char, Data::Char(name)) => {
                return self.variant(*new, &name.to_string(), None, out);
            }
            (Type::Enum(_), old, _) if old.is_scalar() => return Err(wrong()),
            (Type::Enum(_), Type::List(_) | Type::Array(..), _) => return Err(wrong()),
            (_, Type::Enum(old), Data::Variant(index, payload)) => match (new, payload) {
                // A variant without data is its name.
                (_, None) => {
                    let name = self.file.schema.choices[*old].variants[*index].name.clone();
                    return self.value(new, &Type::Text, &Data::Text(name), out);
                }
                (Type::Object(_) | Type::Map(_), Some(_)) => return Err(Fate::Odd),
                _ => return Err(wrong()),
            },
            (Type::Object(new), Type::Object(old), Data::Object(_)) => {
                return self.object(*new, *old, data, out);
            }
            (Type::List(new), Type::List(old) | Type::Array(old, _), Data::List(items)) => {
                return self.list(new, old, items, out);
            }
            (Type::Array(new, len), Type::List(old) | Type::Array(old, _), Data::List(items)) => {
                return self.array((new, *len), old, items, out);
            }
            (Type::Map(new), Type::Map(old), Data::Map(entries)) => {
                let mut loaded = BTreeMap::new();
                for (index, (key, value)) in entries.iter().enumerate() {
                    let entry = |law: &mut Self| {
                        let value = law.fresh(new, old, value)?;
                        loaded.insert(key.clone(), value);
                        Ok(())
                    };
                    let inner = |law: &mut Self| law.place(Segment::Item(1), entry);
                    self.place(Segment::Item(index), inner)?;
                }
                *out = Data::Map(loaded);
            }
            (new, old, _) if new.is_scalar() && old.is_scalar() => {
                *out = number_conversions::scalar(new, old, data)?.map(&mut |_| unreachable!());
                if let Some((from, to)) = self.style.converted(new, old, data) {
                    let (from, to) = (from.name(), to.name());
                    self.note(NoteKind::Converted { from, to });
                }
            }
            // Whether a single value differs from a list of one, or an object from a map, depends
            // on the format.
            (_, Type::List(_) | Type::Array(..) | Type::Map(_) | Type::Pointer(_), _)
            | (Type::List(_) | Type::Array(..) | Type::Map(_) | Type::Enum(_), ..) => {
                return Err(Fate::Odd);
            }
            _ => return Err(wrong()),
        }
        Ok(())
    }

    pub fn object(
        &mut self,
        new: usize,
        old: usize,
        data: &Data<Reference>,
        out: &mut Data<usize>,
    ) -> Done {
        let class = if std::mem::take(&mut self.is_object) { usize::MAX } else { new };
        let (new, old) = (&self.schema.classes[new], &self.file.schema.classes[old]);
        let (Data::Object(data), Data::Object(out)) = (data, out) else { return Err(wrong()) };
        let mut taken = vec![false; old.members.len()];
        for (member, out) in new.members.iter().zip(out) {
            let aliases: &[String] = if new.derived { &member.aliases } else { &[] };
            let mut names = std::iter::once(&member.name).chain(aliases);
            let found = names.find_map(|name| old.members.iter().position(|m| m.name == *name));
            let Some(at) = found else {
                self.note_member(Some(class), &member.name, NoteKind::Absent);
                continue;
            };
            taken[at] = true;
            let owner = (class, member.name.clone());
            self.member(owner, |law| law.value(&member.ty, &old.members[at].ty, &data[at], out))?;
        }
        for (member, _) in old.members.iter().zip(taken).filter(|(_, taken)| !taken) {
            self.unknown(Some(class), &member.name)?;
        }
        Ok(())
    }

    /// Data that the new type cannot store.
    fn unknown(&mut self, class: Option<usize>, name: &str) -> Done {
        if self.mode == Mode::Strict {
            self.path.push(Segment::Member(name.to_owned()));
            return Err(Fate::Fail(ErrorKind::UnknownMember, self.here()));
        }
        self.note_member(class, name, NoteKind::Unknown);
        Ok(())
    }

    fn list(
        &mut self,
        new: &Type,
        old: &Type,
        items: &[Data<Reference>],
        out: &mut Data<usize>,
    ) -> Done {
        let mut loaded = Vec::new();
        for (index, item) in items.iter().enumerate() {
            self.place(Segment::Item(index), |law| {
                loaded.push(law.fresh(new, old, item)?);
                Ok(())
            })?;
        }
        *out = Data::List(loaded);
        Ok(())
    }

    fn array(
        &mut self,
        (new, len): (&Type, usize),
        old: &Type,
        items: &[Data<Reference>],
        out: &mut Data<usize>,
    ) -> Done {
        let mut loaded = Vec::new();
        for (index, item) in items.iter().take(len).enumerate() {
            let mut new_item = None;
            self.place(Segment::Item(index), |law| {
                new_item = Some(law.fresh(new, old, item)?);
                Ok(())
            })?;
            loaded.push(new_item.unwrap_or_else(|| self.blank(new)));
        }
        if items.len() >= len {
            *out = Data::List(loaded);
        }
        if items.len() == len {
            Ok(())
        } else {
            Err(Fate::Fail(ErrorKind::WrongLength, String::new()))
        }
    }

    fn variant(
        &mut self,
        choice: usize,
        name: &str,
        payload: Option<(&Type, &Data<Reference>)>,
        out: &mut Data<usize>,
    ) -> Done {
        let Some(index) = self.schema.find_variant(choice, name) else {
            return Err(Fate::Fail(ErrorKind::UnknownVariant, String::new()));
        };
        let (schema, heap) = (self.schema, &mut self.heap);
        let mut pointer = |class| blank_object(class, schema, heap);
        *out = Data::blank_variant(choice, index, schema, &mut pointer);
        let variant = &schema.choices[choice].variants[index];
        let Data::Variant(_, out) = out else { unreachable!() };
        match (&variant.payload, payload, out) {
            (Some(new), Some((old, data)), Some(out)) => {
                let segment = Segment::Member(variant.name.clone());
                self.place(segment, |law| law.value(new, old, data, out))
            }
            (Some(payload), None, _) => {
                self.no_payload(&variant.name, payload);
                Ok(())
            }
            (None, Some(_), _) => self.unknown(None, &variant.name),
            _ => Ok(()),
        }
    }

    /// The payload of a variant that had none: one value, or the members of a struct variant.
    fn no_payload(&mut self, variant: &str, payload: &Type) {
        match payload {
            Type::Object(class) if self.schema.is_struct_variant(*class) => {
                self.path.push(Segment::Member(variant.to_owned()));
                for member in &self.schema.classes[*class].members {
                    self.note_member(Some(*class), &member.name, NoteKind::Absent);
                }
                self.path.pop();
            }
            _ => self.note_member(None, variant, NoteKind::Absent),
        }
    }
}
