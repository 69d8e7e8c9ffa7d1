//! The sources of a crate as a map of modules.

use std::collections::BTreeMap;
use std::path::Path;

use syn::{Attribute, Item};

use super::super::tidy::read;

/// The name of a crate, and those of modules in it.
pub(super) type Key = Vec<String>;

/// All modules of the library, and its macros by module and name.
#[derive(Default)]
pub(super) struct Sources {
    pub modules: BTreeMap<Key, Vec<Item>>,
    pub macros: BTreeMap<(String, Key), syn::ItemMacro>,
}

impl Sources {
    /// Adds a crate whose sources are in `folder`.
    pub fn add(&mut self, name: &str, folder: &Path) {
        self.file(&folder.join("lib.rs"), folder, vec![name.to_owned()]);
    }

    fn file(&mut self, file: &Path, folder: &Path, key: Key) {
        let parsed = syn::parse_file(&read(file));
        let parsed = parsed.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.items(parsed.items, folder, key);
    }

    fn items(&mut self, items: Vec<Item>, folder: &Path, key: Key) {
        for item in &items {
            match item {
                Item::Mod(module) if is_built(&module.attrs) => {
                    let name = module.ident.to_string();
                    let child = [&key[..], std::slice::from_ref(&name)].concat();
                    let inner = folder.join(&name);
                    if let Some((_, items)) = &module.content {
                        self.items(items.clone(), &inner, child);
                        continue;
                    }
                    let files = [folder.join(format!("{name}.rs")), inner.join("mod.rs")];
                    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
                    let file = files.iter().find(|file| root.join(file).exists());
                    let file = file.unwrap_or_else(|| panic!("{}: no file", child.join("::")));
                    self.file(file, &inner, child);
                }
                Item::Macro(rules) => {
                    if let Some(name) = &rules.ident {
                        self.macros.insert((name.to_string(), key.clone()), rules.clone());
                    }
                }
                _ => {}
            }
        }
        self.modules.insert(key, items);
    }

    /// Adds the modules that the facade writes as `"feature": archive_json as json;` in a call of `modules!`.
    pub fn expand_modules(&mut self, root: &str) {
        let key = vec![root.to_owned()];
        let is_list =
            |item: &Item| matches!(item, Item::Macro(call) if call.mac.path.is_ident("modules"));
        let at = self.modules[&key].iter().position(is_list).expect("the call of `modules!`");
        let Item::Macro(call) = self.modules.get_mut(&key).unwrap().remove(at) else { return };
        let tokens: Vec<_> = call.mac.tokens.into_iter().map(|token| token.to_string()).collect();
        let rows = tokens.windows(3).filter(|three| three[1] == "as");
        for row in rows {
            let inner = syn::parse_str(&format!("pub use {}::*;", row[0])).expect("a `use`");
            self.modules.insert(vec![root.to_owned(), row[2].clone()], vec![inner]);
            let item = syn::parse_str(&format!("pub mod {} {{}}", row[2])).expect("a module");
            self.modules.get_mut(&key).unwrap().push(item);
        }
    }

    /// Returns the rules of a macro that a module calls: its own, those of the nearest module around it, those of the crate,
    /// or those of another crate.
    pub fn rules(&self, name: &str, module: &Key) -> Option<&syn::ItemMacro> {
        let shared = |key: &Key| key.iter().zip(module).take_while(|(a, b)| a == b).count();
        let of_name = self.macros.iter().filter(|((found, _), _)| found == name);
        of_name
            .max_by_key(|((_, key), _)| (shared(key), usize::MAX - key.len()))
            .map(|(_, rules)| rules)
    }
}

/// Whether an item is in builds for users: it is for neither tests nor documentation.
pub(super) fn is_built(attributes: &[Attribute]) -> bool {
    !has(attributes, "cfg", "test") && !has(attributes, "cfg", "any (doc , doctest)")
}

pub(super) fn is_hidden(attributes: &[Attribute]) -> bool {
    has(attributes, "doc", "hidden")
}

/// Whether there is an attribute such as `#[doc(hidden)]`.
fn has(attributes: &[Attribute], name: &str, content: &str) -> bool {
    attributes.iter().any(|attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident(name) && list.is_ok_and(|list| list.tokens.to_string() == content)
    })
}
