//! [`Observed`]: the types of the values at one place, in files that do not state types.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use archive::format::{Decoder, Kind};
use archive::shape::{OBJECT, Shape};
use archive::value::Number;
use archive::{Result, Value};

use crate::json_output::{extended, object};
use crate::show;

/// An object with more names is shown as a map.
const MAX_MEMBERS: usize = 200;
/// The maximum number of texts that are remembered, to recognize an enum.
const MAX_TEXTS: usize = 8;

/// The values that were seen at one place.
#[derive(Default)]
pub struct Observed {
    seen: u64,
    kinds: BTreeSet<String>,
    texts: BTreeSet<String>,
    numbers: Option<(Number, Number)>,
    /// The members in the order of their first occurrence.
    names: Vec<String>,
    members: HashMap<String, Observed>,
    /// The items of sequences, or the values of a map.
    items: Option<Box<Observed>>,
    /// The minimum and the maximum number of items.
    lengths: Option<(u64, u64)>,
    objects: u64,
}

impl Observed {
    /// Adds the value at the cursor.
    pub fn see(&mut self, from: &mut dyn Decoder) -> Result {
        self.seen += 1;
        let stored = from.stored_type().map(|stored| stored.into_owned());
        let kind = from.peek()?;
        let name = match kind {
            Kind::Null => "null",
            Kind::Bool => "bool",
            Kind::Number => "",
            Kind::Str => "text",
            Kind::Bytes => "bytes",
            Kind::Seq | Kind::Object => "",
            _ => "pointer",
        };
        if let Some(stored) = stored.filter(|_| !matches!(kind, Kind::Seq | Kind::Object)) {
            self.kinds.insert(stored);
        } else if !name.is_empty() {
            self.kinds.insert(name.to_owned());
        }
        match kind {
            Kind::Null => from.null(),
            Kind::Bool => from.bool().map(drop),
            Kind::Number => {
                let number = from.number()?;
                self.number(number);
                Ok(())
            }
            Kind::Str => {
                let text = from.str()?;
                if self.texts.len() <= MAX_TEXTS {
                    self.texts.insert(text.chars().take(40).collect());
                }
                Ok(())
            }
            Kind::Seq => self.sequence(from),
            Kind::Object => self.object(from),
            _ => from.skip(),
        }
    }

    fn number(&mut self, number: Number) {
        let is_float = matches!(number, Number::F32(_) | Number::F64(_));
        if !self.kinds.iter().any(|kind| kind != "null") {
            self.kinds.insert(if is_float { "float" } else { "integer" }.to_owned());
        } else if is_float && self.kinds.remove("integer") {
            self.kinds.insert("float".to_owned());
        }
        let less = |a: Number, b: Number| match (a.to_f64(), b.to_f64()) {
            (Ok(x), Ok(y)) => x < y,
            _ => false,
        };
        let (low, high) = self.numbers.get_or_insert((number, number));
        if less(number, *low) {
            *low = number;
        }
        if less(*high, number) {
            *high = number;
        }
    }

    fn sequence(&mut self, from: &mut dyn Decoder) -> Result {
        from.begin_seq(&Shape::Any)?;
        let items = self.items.get_or_insert_default();
        let mut count = 0;
        while from.next_item()? {
            items.see(from).map_err(|error| error.in_item(count as usize))?;
            count += 1;
        }
        let (low, high) = self.lengths.get_or_insert((count, count));
        (*low, *high) = ((*low).min(count), (*high).max(count));
        from.end_seq()
    }

    fn object(&mut self, from: &mut dyn Decoder) -> Result {
        self.objects += 1;
        from.begin_object(&OBJECT)?;
        while let Some(name) = from.next_key()? {
            if !self.members.contains_key(&*name) && self.names.len() <= MAX_MEMBERS {
                self.names.push(name.clone().into_owned());
                self.members.insert(name.clone().into_owned(), Observed::default());
            }
            let name = name.into_owned();
            let member = match self.members.get_mut(&name) {
                Some(member) => member,
                None => self.items.get_or_insert_default(),
            };
            member.see(from).map_err(|error| error.in_member(&name))?;
        }
        from.end_object(&mut |_| Ok(()))
    }

    /// Returns the observed types as a tree, for programs.
    pub fn as_value(&self) -> Value {
        let kinds = self.kinds.iter().cloned();
        let kinds = kinds.chain((self.objects > 0).then(|| "object".to_owned()));
        let kinds = kinds.chain(self.lengths.map(|_| "sequence".to_owned()));
        let range = |(low, high): (Value, Value)| object([("least", low), ("most", high)]);
        let numbers = self.numbers.map(|(low, high)| (Value::Number(low), Value::Number(high)));
        let lengths = self.lengths.map(|(low, high)| (low.into(), high.into()));
        let texts = (!self.texts.is_empty() && self.texts.len() <= MAX_TEXTS)
            .then(|| self.texts.iter().map(|text| Value::from(text.as_str())).collect());
        let member = |name: &String| {
            let of = self.members.get(name)?;
            let about = object([
                ("name", name.as_str().into()),
                ("optional", (of.seen < self.objects).into()),
            ]);
            Some(extended(about, of.as_value()))
        };
        let members = self.names.iter().filter_map(member).collect();
        let items = self.items.as_ref().filter(|items| items.seen > 0);
        object([
            ("count", self.seen.into()),
            ("kinds", kinds.map(Value::from).collect()),
            ("numbers", numbers.map(range).unwrap_or_default()),
            ("texts", texts.unwrap_or_default()),
            ("lengths", lengths.map(range).unwrap_or_default()),
            ("members", if self.objects > 0 { members } else { Value::Null }),
            ("items", items.map(|items| items.as_value()).unwrap_or_default()),
        ])
    }

    /// Writes the type on the current line, and its parts on further lines.
    fn write(&self, f: &mut fmt::Formatter<'_>, level: usize) -> fmt::Result {
        let mut kinds: Vec<String> = self.kinds.iter().map(|kind| self.kind(kind)).collect();
        if self.objects > 0 {
            kinds.push("object".to_owned());
        }
        if let Some((low, high)) = self.lengths {
            let count = if low == high { format!("{low}") } else { format!("{low} to {high}") };
            kinds.push(format!("sequence of {count}"));
        }
        writeln!(f, "{}", kinds.join(" or "))?;
        let indent = 2 * level + 2;
        for name in &self.names {
            let Some(member) = self.members.get(name) else { continue };
            let may_lack = if member.seen < self.objects { "?" } else { "" };
            write!(f, "{:indent$}{}{may_lack}: ", "", show::name(name))?;
            member.write(f, level + 1)?;
        }
        if let Some(items) = self.items.as_ref().filter(|items| items.seen > 0) {
            write!(f, "{:indent$}[*]: ", "")?;
            items.write(f, level + 1)?;
        }
        Ok(())
    }

    fn kind(&self, kind: &str) -> String {
        match (kind, self.numbers) {
            ("text" | "char", _)
                if self.seen > MAX_TEXTS as u64 && self.texts.len() <= MAX_TEXTS =>
            {
                let texts: Vec<String> =
                    self.texts.iter().map(|text| format!("{text:?}")).collect();
                format!("{kind} ({})", texts.join(", "))
            }
            ("null" | "text" | "char" | "bool" | "bytes", _) | (_, None) => kind.to_owned(),
            (kind, Some((low, high))) if low == high => format!("{kind} ({low})"),
            (kind, Some((low, high))) => format!("{kind} ({low} to {high})"),
        }
    }
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}
