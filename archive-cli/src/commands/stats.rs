//! `archive stats`: the sizes of the members of a file.

use anstyle::{AnsiColor, Style};
use archive::format::{Decoder, Kind, PointerKind};
use archive::shape::{OBJECT, Shape};
use archive::{Result, Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;

use crate::args::Stats;
use crate::input::Input;
use crate::terminal::safe;
use crate::{Outcome, output, show};

const BAR: Style = AnsiColor::Cyan.on_default();

pub fn stats(args: &Stats) -> Result<Outcome> {
    let input = Input::open(&args.file)?;
    let mut sizes = Sizes::default();
    let total = input.read_all(|from| {
        let mut total = sizes.value(from, "")?;
        total += sizes.after_root(from)?;
        Ok(total)
    })?;
    let mut all: Vec<(String, Size)> = sizes.members.into_iter().collect();
    all.sort_by(|a, b| b.1.bytes.cmp(&a.1.bytes).then_with(|| a.0.cmp(&b.0)));
    let shown = if args.top == 0 { all.len() } else { args.top.min(all.len()) };
    if args.json {
        output::print_json(&as_json(&all[..shown], total)?)?;
    } else {
        output::print(&chart(&input, &all, shown, total))?;
    }
    Ok(Outcome::Done)
}

/// The total size and the number of the values of one member.
#[derive(Clone, Copy, Default)]
struct Size {
    bytes: u64,
    count: u64,
}

/// The sizes of members by class and name, or by path in a file without types.
#[derive(Default)]
struct Sizes {
    members: HashMap<String, Size>,
    /// The members that are being measured. A member inside of itself is not counted twice.
    open: Vec<String>,
}

/// The maximum number of distinct members.
const MAX_MEMBERS: usize = 100_000;

impl Sizes {
    /// Measures the value at the cursor, and returns how many bytes it takes. `at` is the path to it,
    /// without indexes.
    fn value(&mut self, from: &mut dyn Decoder, at: &str) -> Result<u64> {
        let kind = from.peek()?;
        if !matches!(kind, Kind::Seq | Kind::Object | Kind::Pointer) {
            return Ok(from.skip_span()?.map_or(0, |span| span.end - span.start));
        }
        let class = from.stored_type().map(|stored| stored.into_owned());
        let start = from.mark();
        let span = from.skip_span()?.map(|span| span.end - span.start);
        from.recover(start);
        let inside = match kind {
            Kind::Seq => self.items(from, at)?,
            Kind::Object => self.object(from, at, class)?,
            _ => self.pointer(from, at)?,
        };
        Ok(span.unwrap_or(inside))
    }

    fn items(&mut self, from: &mut dyn Decoder, at: &str) -> Result<u64> {
        let path = format!("{at}[*]");
        from.begin_seq(&Shape::Any)?;
        let (mut bytes, mut index) = (0, 0);
        while from.next_item()? {
            bytes += self.value(from, &path).map_err(|error| error.in_item(index))?;
            index += 1;
        }
        from.end_seq()?;
        Ok(bytes)
    }

    fn object(&mut self, from: &mut dyn Decoder, at: &str, class: Option<String>) -> Result<u64> {
        // An option counts as its value.
        let class = class.filter(|class| class != "object").map(|class| {
            let inner = class.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>'));
            inner.map(str::to_owned).unwrap_or(class)
        });
        let around = class.as_deref().unwrap_or(at);
        let dot = if around.is_empty() { "" } else { "." };
        let mut bytes = 0;
        from.begin_object(&OBJECT)?;
        while let Some(name) = from.next_key()? {
            let path = format!("{around}{dot}{}", show::quoted(&name));
            drop(name);
            let is_inside = self.open.contains(&path);
            self.open.push(path.clone());
            let size = self.value(from, &path)?;
            self.open.pop();
            bytes += size;
            if self.members.len() < MAX_MEMBERS || self.members.contains_key(&path) {
                let member = self.members.entry(path).or_default();
                member.bytes += if is_inside { 0 } else { size };
                member.count += 1;
            }
        }
        from.end_object(&mut |_| Ok(()))?;
        Ok(bytes)
    }

    fn pointer(&mut self, from: &mut dyn Decoder, at: &str) -> Result<u64> {
        let kind = from.begin_pointer()?.kind;
        let bytes = if kind.has_pointee() { self.value(from, at)? } else { 0 };
        if !matches!(kind, PointerKind::Null | PointerKind::Plain) {
            from.end_pointer(&mut |_| Ok(()))?;
        }
        Ok(bytes)
    }

    /// Measures the objects that a walk over the root does not reach.
    fn after_root(&mut self, from: &mut dyn Decoder) -> Result<u64> {
        if from.objects() == 0 {
            return Ok(0);
        }
        let here = from.mark();
        let mut ids = Vec::new();
        from.find_pointees(&mut |id, _| ids.push(id))?;
        let mut bytes = 0;
        for id in ids {
            if let Some(at) = from.find_pointee(id) {
                from.goto(at);
                bytes += self.pointer(from, "").map_err(|error| error.in_object(id))?;
            }
        }
        from.goto(here);
        Ok(bytes)
    }
}

/// The width of the longest bar.
const WIDTH: usize = 30;

fn chart(input: &Input, all: &[(String, Size)], shown: usize, total: u64) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}: {}, {}",
        safe(&input.name),
        input.kind(),
        show::bytes(input.bytes.len() as u64)
    );
    let most = all.first().map_or(1, |(_, size)| size.bytes.max(1));
    // The names of members are already quoted.
    let names: Vec<String> = all[..shown].iter().map(|(name, _)| show::plain(name)).collect();
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (name, (_, size)) in names.iter().zip(&all[..shown]) {
        let share = 100.0 * size.bytes as f64 / total.max(1) as f64;
        let bar = bar(size.bytes, most);
        let padding = widest - name.chars().count();
        let _ = writeln!(
            out,
            "{:>9} {share:>5.1} %  {name}{:padding$}  {:>9} ×  {BAR}{bar}{BAR:#}",
            show::bytes(size.bytes),
            "",
            size.count
        );
    }
    let rest = all.len() - shown;
    if rest > 0 {
        let _ = writeln!(out, "… {rest} more members (--top 0 shows all)");
    }
    out
}

fn bar(bytes: u64, most: u64) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = (8.0 * WIDTH as f64 * bytes as f64 / most as f64).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(EIGHTHS[eighths % 8]);
    }
    bar
}

fn as_json(all: &[(String, Size)], total: u64) -> Result<String> {
    let member = |(name, size): &(String, Size)| {
        Value::Object(vec![
            ("member".to_owned(), name.as_str().into()),
            ("bytes".to_owned(), size.bytes.into()),
            ("count".to_owned(), size.count.into()),
        ])
    };
    let members = all.iter().map(member).collect();
    let file = vec![("total".to_owned(), total.into()), ("members".to_owned(), members)];
    json::to_string_pretty(&Value::Object(file))
}
