//! The public items of the facade, a line each.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Item, Visibility};

use super::items::{self, Lines};
use super::load::{Key, Sources, is_built, is_hidden};
use super::names::{Definition, imports, named};

/// The findings while all public modules are visited.
struct Listing<'s> {
    sources: &'s Sources,
    /// The paths of each definition.
    paths: BTreeMap<Definition, BTreeSet<String>>,
    /// The items that macros write into modules, by the path of the module.
    written: Lines,
    /// Imports that could not be found.
    unknown: Vec<String>,
}

/// Returns a line for each item that is public in the crate: its path, and its signature. An item with several paths is
/// described at the shortest one.
pub(super) fn lines(sources: &Sources, root: &str) -> Lines {
    let mut listing =
        Listing { sources, paths: BTreeMap::new(), written: Lines::new(), unknown: Vec::new() };
    listing.module(&vec![root.to_owned()], root, &mut Vec::new());
    assert!(listing.unknown.is_empty(), "what are these? {:#?}", listing.unknown);

    let mut lines = listing.written;
    let mut described = BTreeMap::new();
    for (definition, paths) in &listing.paths {
        let shortest = paths.iter().min_by_key(|path| (path.matches("::").count(), *path)).unwrap();
        described.insert(definition.clone(), shortest.clone());
        for path in paths.iter().filter(|path| *path != shortest) {
            lines.insert(format!("{path}: use {shortest}"));
        }
        items::describe(sources, definition, shortest, &mut lines);
    }
    items::implementations(sources, &described, &mut lines);
    lines
}

/// Whether an item is a module for tests or documentation alone.
fn is_left_out(item: &Item) -> bool {
    matches!(item, Item::Mod(module) if !is_built(&module.attrs))
}

impl Listing<'_> {
    /// Adds the public items of a module. `open` are the modules in which this is.
    fn module(&mut self, key: &Key, path: &str, open: &mut Vec<Key>) {
        if open.contains(key) {
            return;
        }
        open.push(key.clone());
        let sources = self.sources;
        for (index, item) in sources.modules[key].iter().enumerate() {
            if let Some((name, is_public, hidden)) = named(item).filter(|_| !is_left_out(item)) {
                let definition = match item {
                    Item::Mod(_) => Definition::Module([&key[..], &[name.to_string()]].concat()),
                    _ => Definition::Item(key.clone(), index),
                };
                if is_public && !hidden {
                    self.add(definition, &format!("{path}::{name}"), open);
                }
            }
            match item {
                Item::Use(item)
                    if matches!(item.vis, Visibility::Public(_)) && !is_hidden(&item.attrs) =>
                {
                    for (target, name) in imports(&item.tree) {
                        self.import(key, &target, name.as_deref(), path, open);
                    }
                }
                Item::Macro(call) if call.ident.is_none() => {
                    items::written(sources, key, path, &call.mac, &mut self.written);
                }
                _ => {}
            }
        }
        open.pop();
    }

    fn import(
        &mut self,
        key: &Key,
        target: &[String],
        name: Option<&str>,
        path: &str,
        open: &mut Vec<Key>,
    ) {
        let found = self.sources.resolve(key, target);
        if found.is_empty()
            && !self.import_written(key, target, &format!("{path}::{}", name.unwrap_or("*")))
        {
            self.unknown.push(format!("{}: {}", key.join("::"), target.join("::")));
        }
        for definition in found {
            match (name, &definition) {
                (Some(name), _) => self.add(definition, &format!("{path}::{name}"), open),
                (None, Definition::Module(module)) => self.module(module, path, open),
                (None, _) => {}
            }
        }
    }

    /// Adds an item that a macro writes in another module: the line is its call. Returns whether there is one.
    fn import_written(&mut self, key: &Key, target: &[String], path: &str) -> bool {
        let (name, module) = target.split_last().expect("a path has a segment");
        let modules = self.sources.resolve(key, module);
        let before = self.written.len();
        for module in modules {
            let Definition::Module(module) = module else { continue };
            for item in &self.sources.modules[&module] {
                if let Item::Macro(call) = item
                    && call.ident.is_none()
                    && items::names(self.sources, &module, &call.mac, name)
                {
                    self.written.insert(items::call(path, &call.mac));
                }
            }
        }
        self.written.len() > before
    }

    fn add(&mut self, definition: Definition, path: &str, open: &mut Vec<Key>) {
        if let Definition::Module(module) = &definition {
            self.module(module, path, open);
        }
        if let Definition::Item(key, index) = &definition
            && named(&self.sources.modules[key][*index]).is_some_and(|(_, is_public, _)| !is_public)
        {
            return;
        }
        self.paths.entry(definition).or_default().insert(path.to_owned());
    }
}
