//! `archive inspect`.

mod json;
mod tree;

use archive::Result;
use archive::path::Pattern;
use std::fmt::Write as _;

use crate::args::Inspect;
use crate::input::Input;
use crate::node::{Builder, Fold, Node};
use crate::select::{in_path, select};
use crate::{Outcome, output};

pub fn inspect(args: &Inspect) -> Result<Outcome> {
    let input = Input::open(&args.file)?;
    let pattern = Pattern::parse(args.path.as_deref().unwrap_or_default())?;
    let some = |count: usize| if count == 0 { usize::MAX } else { count };
    let fold = Fold {
        depth: args.depth,
        items: some(args.items),
        members: some(100 * args.items),
        first: 0,
        nodes: Fold::NODES,
        text: if args.json { usize::MAX } else { Fold::LINE },
    };
    let mut found: Vec<(String, Node)> = Vec::new();
    input.read(|from| {
        select(from, &pattern, &mut |from, path| {
            let node = Builder::new(fold).build(from, 0);
            let node = node.map_err(|error| in_path(path, error))?;
            found.push((path.to_string(), node));
            Ok(())
        })
    })?;
    let mut text = String::new();
    if args.json {
        output::print_json(&json::text(&input, &found)?)?;
    } else {
        if args.path.is_none() {
            let _ = writeln!(text, "{}", tree::head(&input)?);
        }
        for (path, node) in &found {
            tree::write(&mut text, path, node);
        }
        output::print(&text)?;
    }
    Ok(Outcome::Done)
}
