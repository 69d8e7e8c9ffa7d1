//! [`Table`]: the counts of each row in each profile, and their text, which is a file of figures.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Begins the line of a file that names the tools.
const TOOLS: &str = "# Counted with ";

/// Begins the line that names the profiles.
const COLUMNS: &str = "# Columns: ";

/// The counts.
pub struct Table {
    /// What they depend on beside the code.
    pub tools: String,
    profiles: Vec<String>,
    rows: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Table {
    /// A table without counts.
    pub fn new(tools: String) -> Self {
        Table { tools, profiles: Vec::new(), rows: BTreeMap::new() }
    }

    /// Adds the counts of one more profile.
    pub fn add_profile(&mut self, profile: &str, counts: Vec<(String, u64)>) {
        self.profiles.push(profile.to_owned());
        for (row, count) in counts {
            self.rows.entry(row).or_default().insert(profile.to_owned(), count);
        }
    }

    /// Reads what [`text`](Table::text) wrote.
    pub fn parse(text: &str) -> Result<Self, String> {
        let line = |start| text.lines().find_map(|line| line.strip_prefix(start));
        let mut table =
            Table::new(line(TOOLS).ok_or("it does not say with what it was counted")?.to_owned());
        let columns = line(COLUMNS).ok_or("it does not name its columns")?;
        table.profiles = columns.split(", ").map(str::to_owned).collect();
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let (row, rest) =
                line.split_once("  ").ok_or_else(|| format!("no counts in `{line}`"))?;
            // Without the changes, such as `+1.25 %` and `new.`.
            let counts =
                rest.split_whitespace().filter(|word| !word.ends_with('%') && !word.contains('.'));
            let counts: Vec<&str> = counts.collect();
            if counts.len() != table.profiles.len() {
                return Err(format!("not one count for each column in `{line}`"));
            }
            let counts = table.profiles.iter().cloned().zip(counts);
            let counts = counts.map(|(profile, count)| match count.parse() {
                Ok(count) => Ok((profile, count)),
                Err(_) => Err(format!("`{count}` is not a count, in `{line}`")),
            });
            let counts = counts.collect::<Result<_, _>>()?;
            table.rows.insert(row.to_owned(), counts);
        }
        Ok(table)
    }

    /// The file of figures; each count with its change, if there are figures before.
    pub fn text(&self, before: Option<&Table>) -> String {
        let mut text = format!(
            "# Instructions of one call, by `cargo run --release` in `bench/instructions`.\n{TOOLS}{}\n{COLUMNS}{}\n",
            self.tools,
            self.profiles.join(", "),
        );
        let width = self.rows.keys().map(String::len).max().unwrap_or(0);
        for (row, counts) in &self.rows {
            write!(text, "{row:width$} ").expect("a string takes all");
            for profile in &self.profiles {
                let count = counts[profile];
                write!(text, " {count:>12}").expect("a string takes all");
                if let Some(before) = before {
                    let change = match before.get(row, profile) {
                        Some(old) => format!("{:+.2} %", percent(old, count)),
                        None => "new.".to_owned(),
                    };
                    write!(text, " {change:>9}").expect("a string takes all");
                }
            }
            text.push('\n');
        }
        text
    }

    /// Whether no count is above the one before by more than so many percent.
    ///
    /// # Errors
    /// In words: which counts are, and rows that are in one of the tables alone.
    pub fn at_most(&self, before: &Table, most: f64) -> Result<(), String> {
        let mut faults = String::new();
        for (row, counts) in &self.rows {
            for (profile, &count) in counts {
                let fault = match before.get(row, profile) {
                    None => "is a new row".to_owned(),
                    Some(old) if percent(old, count) > most => {
                        format!("{old} instructions became {count}, {:+.2} %", percent(old, count))
                    }
                    Some(_) => continue,
                };
                writeln!(faults, "  {row}, profile {profile}: {fault}")
                    .expect("a string takes all");
            }
        }
        for row in before.rows.keys().filter(|row| !self.rows.contains_key(*row)) {
            writeln!(faults, "  {row}: is not counted any more").expect("a string takes all");
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    fn get(&self, row: &str, profile: &str) -> Option<u64> {
        self.rows.get(row)?.get(profile).copied()
    }
}

/// By how many percent `now` is above `before`.
fn percent(before: u64, now: u64) -> f64 {
    (now as f64 - before as f64) * 100.0 / before as f64
}
