//! Searches the whole file, by names and values or by a path.

mod finder;

use archive::path::{Path, Pattern};
use archive::{Result, Value};

use crate::input::Input;
use crate::json_output::{object, text};
use crate::node::{Builder, Fold, Node, What};
use crate::pump::{Out, Twice};
use crate::select::select;
use crate::stream;
use finder::Finder;

/// The number of hits that are returned at once.
const HITS: u64 = 200;

/// The hits of a search.
#[derive(Default)]
pub struct Hits {
    /// The number of the first hit that is returned.
    first: u64,
    total: u64,
    hits: Vec<Value>,
}

impl Hits {
    /// Counts a hit, and keeps it if it is one of those to return.
    fn add(&mut self, path: impl FnOnce() -> Path, what: &str, text: impl FnOnce() -> String) {
        if self.total >= self.first && self.total - self.first < HITS {
            let hit = object([
                ("path", path().to_string().into()),
                ("what", what.into()),
                ("text", text().into()),
            ]);
            self.hits.push(hit);
        }
        self.total += 1;
    }

    /// Returns the hits. A search that ends at damage has those before it.
    fn into_value(self, searched: Result) -> Value {
        let error = searched.err().map(|error| error.to_string()).unwrap_or_default();
        object([
            ("total", self.total.into()),
            ("hits", Value::Array(self.hits)),
            ("error", text(&error)),
        ])
    }
}

/// Searches for text in names, in values, or in both. Numbers are found by their values.
///
/// # Errors
/// Never fails; an error of the file is part of the answer.
pub fn by_text(input: &Input, query: &str, place: &str, first: u64) -> Result<Value> {
    let mut finder = Finder::new(query, place != "values", place != "names");
    finder.hits.first = first;
    let searched = {
        let mut out = Out::new(&mut finder);
        out.twice = Twice::Noted(None);
        stream::whole(input, &mut out)
    };
    Ok(finder.hits.into_value(searched))
}

/// Searches for the values that match a path.
///
/// # Errors
/// Never fails; an error of the file is part of the answer.
pub fn by_path(input: &Input, pattern: &Pattern, first: u64) -> Result<Value> {
    let mut hits = Hits { first, ..Hits::default() };
    let fold = Fold { depth: 0, items: 0, members: 0, first: 0, nodes: 1, text: Fold::LINE };
    let searched = input.read(|from| {
        select(from, pattern, &mut |from, path| {
            let node = Builder::new(fold).build(from, 0)?;
            hits.add(|| path.clone(), "value", || line(&node));
            Ok(())
        })
    });
    Ok(hits.into_value(searched))
}

/// Returns a value on a line.
fn line(node: &Node) -> String {
    match &node.what {
        What::Seq => format!("{} items", node.count),
        What::Object => format!("{} members", node.count),
        What::Link { id, .. } => format!("${id}"),
        _ => node.scalar().unwrap_or_default().to_string(),
    }
}
