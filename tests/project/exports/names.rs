//! Resolves a name in a module, through `use`, as the compiler does.

use syn::{Item, UseTree, Visibility};

use super::load::{Key, Sources, is_hidden};

/// The target of a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Definition {
    Module(Key),
    /// An item, by the module and its index there.
    Item(Key, usize),
    /// The module in which a `macro_rules!` is, and its name.
    Macro(Key, String),
    /// An item of a crate outside of the library.
    Foreign(String),
}

/// A path in `use`, and the name that it gets; none for `*`.
pub(super) type Import = (Vec<String>, Option<String>);

/// Returns the paths of a `use`.
pub(super) fn imports(tree: &UseTree) -> Vec<Import> {
    fn walk(tree: &UseTree, path: &[String], found: &mut Vec<Import>) {
        let with = |name: &syn::Ident| [path, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(inner) => walk(&inner.tree, &with(&inner.ident), found),
            UseTree::Name(name) if name.ident == "self" => {
                found.push((path.to_vec(), path.last().cloned()));
            }
            UseTree::Name(name) => found.push((with(&name.ident), Some(name.ident.to_string()))),
            UseTree::Rename(name) => {
                found.push((with(&name.ident), Some(name.rename.to_string())));
            }
            UseTree::Glob(_) => found.push((path.to_vec(), None)),
            UseTree::Group(group) => group.items.iter().for_each(|tree| walk(tree, path, found)),
        }
    }
    let mut found = Vec::new();
    walk(tree, &[], &mut found);
    found
}

/// Returns the name of an item, whether it is public, and whether it is hidden in the documentation.
pub(super) fn named(item: &Item) -> Option<(&syn::Ident, bool, bool)> {
    macro_rules! parts {
        ($($kind:ident $(. $sig:ident)?,)*) => {
            match item {
                $(Item::$kind(item) => (&item$(.$sig)?.ident, &item.vis, &item.attrs),)*
                _ => return None,
            }
        };
    }
    let (name, visibility, attributes) = parts! {
        Const, Enum, Fn.sig, Mod, Static, Struct, Trait, Type, Union,
    };
    Some((name, matches!(visibility, Visibility::Public(_)), is_hidden(attributes)))
}

impl Sources {
    /// Returns the targets of a path in a module, in all namespaces.
    pub fn resolve(&self, module: &Key, path: &[String]) -> Vec<Definition> {
        self.resolve_within(module, path, 0)
    }

    fn resolve_within(&self, module: &Key, path: &[String], depth: usize) -> Vec<Definition> {
        let (first, mut rest) = path.split_first().expect("a path has a segment");
        let mut found = match first.as_str() {
            "crate" | "$crate" => vec![Definition::Module(module[..1].to_vec())],
            "self" => vec![Definition::Module(module.clone())],
            "super" => vec![Definition::Module(module[..module.len() - 1].to_vec())],
            name => self.lookup(module, name, depth),
        };
        if found.is_empty() && self.modules.contains_key(&path[..1]) {
            found = vec![Definition::Module(vec![first.clone()])];
        }
        if found.is_empty() && ["core", "std", "alloc"].contains(&first.as_str()) {
            return vec![Definition::Foreign(path.join("::"))];
        }
        while let Some((name, after)) = rest.split_first() {
            let modules = found.iter().filter_map(|found| match found {
                Definition::Module(key) => Some(key),
                _ => None,
            });
            found = match name.as_str() {
                "super" => {
                    modules.map(|key| Definition::Module(key[..key.len() - 1].to_vec())).collect()
                }
                name => modules.flat_map(|key| self.lookup(key, name, depth)).collect(),
            };
            rest = after;
        }
        found
    }

    /// Returns the targets of that name in a module.
    fn lookup(&self, module: &Key, name: &str, depth: usize) -> Vec<Definition> {
        // A `use` that refers to itself is found by another one.
        if depth > 12 {
            return Vec::new();
        }
        let mut found = Vec::new();
        let child = [&module[..], &[name.to_owned()]].concat();
        if self.modules.contains_key(&child) {
            found.push(Definition::Module(child));
        }
        for (index, item) in self.modules[module].iter().enumerate() {
            if !matches!(item, Item::Mod(_)) && named(item).is_some_and(|(found, ..)| found == name)
            {
                found.push(Definition::Item(module.clone(), index));
            }
            if let Item::Use(item) = item {
                for (path, as_name) in imports(&item.tree) {
                    let path = match as_name {
                        Some(as_name) if as_name == name => path,
                        Some(_) => continue,
                        None => [&path[..], &[name.to_owned()]].concat(),
                    };
                    // `use name::…` refers to another name than its own.
                    if !(path.len() == 1 && path[0] == name) {
                        found.extend(self.resolve_within(module, &path, depth + 1));
                    }
                }
            }
        }
        // Exports of `#[macro_export]` are in the root.
        if let [root] = &module[..] {
            let mut exported = self.macros.iter().filter(|((found, key), rules)| {
                let is_exported =
                    |attribute: &syn::Attribute| attribute.path().is_ident("macro_export");
                found == name && key[0] == *root && rules.attrs.iter().any(is_exported)
            });
            found.extend(
                exported
                    .next()
                    .map(|((name, key), _)| Definition::Macro(key.clone(), name.clone())),
            );
            // A procedural macro is named by its function, or by its attribute.
            found.extend(self.derives(root, name));
        }
        found.sort();
        found.dedup();
        found
    }

    fn derives(&self, root: &str, name: &str) -> Option<Definition> {
        let key = vec![root.to_owned()];
        let index = self.modules[&key].iter().position(|item| {
            let Item::Fn(function) = item else { return false };
            function.attrs.iter().any(|attribute| {
                let derive = attribute.path().is_ident("proc_macro_derive");
                let list = attribute.meta.require_list();
                derive
                    && list.is_ok_and(|list| {
                        list.tokens
                            .clone()
                            .into_iter()
                            .next()
                            .is_some_and(|first| first.to_string() == name)
                    })
            })
        })?;
        Some(Definition::Item(key, index))
    }
}
