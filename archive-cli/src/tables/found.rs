//! [`Found`]: the tables of the saves that were read, before their columns are final.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::columns::Table;
use super::kinds::{Kind, Kinds, MANY};
use super::names::Names;

/// The tables that were found. The name of a table is that of a class, or a path of names without a class around
/// it, which begins with [`IN_PATH`].
#[derive(Default)]
pub struct Found {
    tables: Vec<Option<Kinds>>,
    root: Branch,
    len: usize,
}

/// Separates the names of a path.
pub const IN_PATH: char = '\0';

/// The names that follow a name.
#[derive(Default)]
struct Branch {
    table: Option<usize>,
    parts: HashMap<Box<str>, Branch>,
    /// Whether it has so many names that they are keys of a map, which are one name.
    is_map: bool,
    /// Its position among all branches.
    order: usize,
}

impl Found {
    /// Adds the kinds of the objects of a table.
    pub fn add(&mut self, name: &str, mut kinds: Kinds) {
        kinds.all.retain(|kind| matches!(kind, Kind::Struct(..) | Kind::Map(..)));
        if kinds.all.is_empty() {
            return;
        }
        let table = self.enter(name);
        match &mut self.tables[table] {
            Some(known) => known.merge(kinds),
            none => *none = Some(kinds),
        }
    }

    /// Returns the index of a table, which is added if it is not there.
    fn enter(&mut self, name: &str) -> usize {
        if let Some(table) = self.root.find(name) {
            return table;
        }
        let mut branch = &mut self.root;
        let mut is_class = true;
        for part in name.split(IN_PATH) {
            if branch.parts.len() >= MANY && !is_class && !branch.parts.contains_key(part) {
                branch.become_map(&mut self.tables);
            }
            let part = if branch.is_map { "" } else { part };
            self.len += 1;
            let order = self.len;
            let new = || Branch { order, ..Branch::default() };
            branch = branch.parts.entry(part.into()).or_insert_with(new);
            is_class = false;
        }
        *branch.table.get_or_insert_with(|| {
            self.tables.push(None);
            self.tables.len() - 1
        })
    }

    /// Names the tables and the columns.
    pub fn finish(self) -> Tables {
        let mut by_name = Vec::new();
        self.root.names(&mut Vec::new(), &mut by_name);
        by_name.sort_unstable();
        let mut places = vec![0; self.tables.len()];
        let mut names = Names::default();
        let mut all: Vec<Table> = Vec::new();
        let mut tables = self.tables;
        for (index, name) in by_name {
            let Some(kinds) = tables[index].take() else { continue };
            places[index] = all.len();
            // SQLite has such names for itself.
            let is_taken = name.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("sqlite_"));
            let name = if is_taken { format!("_{name}") } else { name };
            all.push(Table::new(names.unique(&name), kinds));
        }
        Tables { all, root: self.root, places }
    }
}

impl Branch {
    fn find(&self, name: &str) -> Option<usize> {
        let mut branch = self;
        for part in name.split(IN_PATH) {
            branch = branch.parts.get(if branch.is_map { "" } else { part })?;
        }
        branch.table
    }

    /// Makes the names that follow one name.
    fn become_map(&mut self, tables: &mut [Option<Kinds>]) {
        if std::mem::replace(&mut self.is_map, true) {
            return;
        }
        let mut one = Branch { order: self.order, ..Branch::default() };
        for branch in in_order(std::mem::take(&mut self.parts)) {
            one.merge(branch.1, tables);
        }
        self.parts.insert("".into(), one);
    }

    /// Adds the tables and names of another branch.
    fn merge(&mut self, other: Branch, tables: &mut [Option<Kinds>]) {
        if other.is_map {
            self.become_map(tables);
        }
        match (self.table, other.table) {
            (Some(own), Some(other)) => {
                if let (Some(other), Some(own)) = (tables[other].take(), &mut tables[own]) {
                    own.merge(other);
                }
            }
            (own, other) => self.table = own.or(other),
        }
        for (name, branch) in in_order(other.parts) {
            let name = if self.is_map { "".into() } else { name };
            match self.parts.entry(name) {
                Entry::Occupied(mut own) => own.get_mut().merge(branch, tables),
                Entry::Vacant(own) => drop(own.insert(branch)),
            }
            if self.parts.len() > MANY {
                self.become_map(tables);
            }
        }
    }

    /// Collects the indexes of the tables and their names.
    fn names<'b>(&'b self, around: &mut Vec<&'b str>, all: &mut Vec<(usize, String)>) {
        if let Some(table) = self.table {
            let name = around.strip_prefix(&[""]).unwrap_or(around).join(".");
            all.push((table, if name.is_empty() { "root".to_owned() } else { name }));
        }
        for (name, branch) in &self.parts {
            let depth = around.len();
            around.extend((!self.is_map).then_some(&**name));
            branch.names(around, all);
            around.truncate(depth);
        }
    }
}

fn in_order(parts: HashMap<Box<str>, Branch>) -> Vec<(Box<str>, Branch)> {
    let mut parts: Vec<(Box<str>, Branch)> = parts.into_iter().collect();
    parts.sort_unstable_by_key(|(_, branch)| branch.order);
    parts
}

/// The tables of all saves.
pub struct Tables {
    pub all: Vec<Table>,
    root: Branch,
    /// The index of each table that was found.
    places: Vec<usize>,
}

impl Tables {
    /// Returns the index of the table of a row.
    pub fn find(&self, name: &str) -> Option<usize> {
        Some(self.places[self.root.find(name)?])
    }
}
