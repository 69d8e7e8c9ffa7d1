//! The pages `docs/BENCHMARKS.md` and `docs/BENCHMARKS_TUNED.md`: sections between marks, each replaced by
//! the program that measures it, so that one part can be measured without the rest.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::machine::Profile;
use crate::{machine, reasons, report, rows};

const ABOUT: &str = "\
All contestants run in one process, in turn, round after round, on one core; a figure is the least of all rounds.
A run of less than 10 ms is made once before it is timed.
Each saves into memory that is there (*save*), loads a value that owns what it has and drops it (*load*), and ours
also load into a value of the same shape (*in place*). Times are **ratios to the fastest row-wise rival** of the
column; loading in place is compared with its load. Sizes are ratios to the smallest row-wise rival. Row-wise
rivals are all but `bitcode`, which writes columns. Differences under 10 % are noise.

*`archive binary`* and the other formats write into a buffer that is kept, by `save_into`. All loads of ours check
the input, as do those of the rivals; `rkyv` validates and deserializes. `savefile` is without its schema. *`rmp-serde, named`* writes structs as maps, as
*`archive msgpack`* does, which is compared with it.
";

const DEFAULT: &str = "\
# Benchmarks

Written by `bench/pages`, never by hand. This page has the figures of Cargo's default profile for release builds,
which most programs have. [The same with thin LTO and one codegen unit][benchmarks_tuned].
";

const TUNED: &str = "\
# Benchmarks with thin LTO

Written by `bench/pages`, never by hand. [The same in Cargo's default profile][benchmarks], with all targets.
";

const LINKS: &str = "
[benchmarks]: BENCHMARKS.md
[benchmarks_tuned]: BENCHMARKS_TUNED.md
";

/// The sections, in their order: the workloads, and the other measurements.
pub const SECTIONS: [&str; 10] = [
    "log",
    "mesh",
    "minecraft_savedata",
    "mk48",
    "world",
    "growth",
    "memory",
    "store",
    "compile",
    "formats",
];

/// A page.
pub struct Document {
    name: &'static str,
    sections: Vec<(&'static str, String)>,
}

impl Document {
    /// The page of a profile as it is, or an empty one.
    ///
    /// # Errors
    /// Those of the file.
    pub fn open(profile: Profile) -> io::Result<Self> {
        let name = match profile {
            Profile::Default => rows::BENCHMARKS,
            Profile::Tuned => rows::TUNED,
        };
        let text = match fs::read_to_string(docs().join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let sections = SECTIONS.into_iter().filter_map(|name| {
            let (_, rest) = text.split_once(&begin(name))?;
            let (body, _) = rest.split_once(&end(name))?;
            Some((name, body.to_owned()))
        });
        Ok(Document { name, sections: sections.collect() })
    }

    /// Replaces a section.
    pub fn set(&mut self, name: &'static str, body: String) {
        debug_assert!(SECTIONS.contains(&name));
        self.sections.retain(|(other, _)| *other != name);
        self.sections.push((name, body));
    }

    /// Writes the page, with the sections in their order. The page of the default profile begins with the
    /// targets in both profiles, so it is written together with the other one.
    ///
    /// # Errors
    /// Those of the files.
    pub fn write(&self) -> io::Result<()> {
        let (head, targets) = match self.name {
            rows::TUNED => (TUNED, String::new()),
            _ => (DEFAULT, summary(&self.body(), &Document::open(Profile::Tuned)?.body())),
        };
        let (body, versions) = (self.body(), machine::versions());
        let text = format!("{head}\n{ABOUT}{targets}{body}\n{versions}{LINKS}");
        fs::write(docs().join(self.name), text)?;
        if self.name == rows::TUNED { Document::open(Profile::Default)?.write() } else { Ok(()) }
    }

    fn body(&self) -> String {
        let mut body = String::new();
        for name in SECTIONS {
            if let Some((_, text)) = self.sections.iter().find(|(other, _)| *other == name) {
                body += &format!("\n{}{text}{}", begin(name), end(name));
            }
        }
        body
    }
}

/// Writes the chart of a workload, and returns its path, as seen from the page.
///
/// # Errors
/// Those of the file.
pub fn write_chart(name: &str, svg: &str) -> io::Result<()> {
    let folder = docs().join("bench");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(format!("{name}.svg")), svg)
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn begin(name: &str) -> String {
    format!("<!-- {name} -->\n")
}

fn end(name: &str) -> String {
    format!("<!-- end of {name} -->\n")
}

/// All targets, and why some are missed.
fn summary(default: &str, tuned: &str) -> String {
    let (targets, missed) = report::both(default, tuned);
    let met = targets.len() - missed.len();
    let mut text =
        format!("\n## Targets\n\n{met} are met in both profiles, {} are not:\n\n", missed.len());
    text += &report::head(3, &rows::BOTH);
    targets.iter().for_each(|line| text += &format!("{line}\n"));
    let missed: Vec<&str> = missed.iter().map(|line| &**line).collect();
    text + "\nWhy targets are missed:\n\n" + &reasons::of_binary(&missed)
}
