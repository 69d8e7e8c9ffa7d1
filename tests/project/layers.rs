//! The layers of the core: a file imports its own layer and lower ones. Cycles are small, in the core and in
//! the binary format.
// Why: docs/decisions/archives-and-bodies.md#the-core-has-eight-layers

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMacro, ItemUse, UseTree, Visibility};

const CORE: &str = "archive-core/src";

/// The folders of the core, from the lowest to the highest.
const LAYERS: [&str; 8] =
    ["model", "state", "visit", "format", "pointer", "types", "tree", "entry"];

/// The maximum number of files that may import each other, directly or through others.
const LARGEST_CYCLE: usize = 20;

type Module = Vec<String>;

/// A file of the core.
#[derive(Default)]
struct Source {
    /// Where the module is: `["visit", "session", "depth"]`.
    module: Module,
    /// The paths that the file imports or mentions, from the root of the crate.
    paths: BTreeSet<Module>,
    /// The macros that it defines; those that are exported are at the root of the crate.
    macros: Vec<String>,
    /// What it re-exports: the name, and the path from the root of the crate.
    exports: Vec<(String, Module)>,
}

impl Source {
    /// Returns the path from the root of the crate, if it is one of this crate.
    fn in_crate(&self, path: &[String]) -> Option<Module> {
        let supers = path.iter().take_while(|step| *step == "super").count();
        let (base, rest) = match path.first()?.as_str() {
            "crate" => (&[][..], &path[1..]),
            "self" => (&self.module[..], &path[1..]),
            "super" => (&self.module[..self.module.len().checked_sub(supers)?], &path[supers..]),
            _ => return None,
        };
        Some([base, rest].concat())
    }

    fn add_tree(&mut self, tree: &UseTree, before: &mut Module, exports: bool) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add_tree(&path.tree, before, exports);
                before.pop();
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_tree(tree, before, exports));
            }
            UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) => {
                let (name, alias) = match tree {
                    UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
                    UseTree::Rename(name) => (name.ident.to_string(), name.rename.to_string()),
                    _ => ("*".to_owned(), "*".to_owned()),
                };
                let mut path = before.clone();
                path.extend((name != "self").then_some(name));
                // A path without `crate` may begin at a module that is declared here.
                let found =
                    self.in_crate(&path).unwrap_or_else(|| [&self.module[..], &path].concat());
                if exports {
                    self.exports.push((alias, found));
                } else {
                    self.paths.insert(found);
                }
            }
        }
    }
}

/// Code that is compiled for tests only may import anything.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

impl Visit<'_> for Source {
    fn visit_item(&mut self, item: &Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }
    fn visit_item_use(&mut self, item: &ItemUse) {
        let exports = !matches!(item.vis, Visibility::Inherited);
        self.add_tree(&item.tree, &mut Vec::new(), exports);
    }
    fn visit_item_macro(&mut self, item: &ItemMacro) {
        self.macros.extend(item.ident.as_ref().map(ToString::to_string));
    }
    fn visit_macro(&mut self, _: &syn::Macro) {}
    fn visit_visibility(&mut self, _: &Visibility) {}
    fn visit_path(&mut self, path: &syn::Path) {
        let steps: Module = path.segments.iter().map(|step| step.ident.to_string()).collect();
        self.paths.extend(self.in_crate(&steps));
        visit::visit_path(self, path);
    }
}

fn sources(folder: &str) -> BTreeMap<Module, Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut found, mut folders) = (BTreeMap::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_rust = path.extension().is_some_and(|extension| extension == "rs");
            if path.is_dir() {
                folders.push(path);
            } else if is_rust && path.file_name().unwrap() != "tests.rs" {
                let name = path.strip_prefix(&root).unwrap().with_extension("");
                let mut module: Module =
                    name.iter().map(|step| step.to_str().unwrap().to_owned()).collect();
                module.pop_if(|last| *last == "mod" || *last == "lib");
                let mut source = Source { module: module.clone(), ..Source::default() };
                source.visit_file(&syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap());
                found.insert(module, source);
            }
        }
    }
    found
}

/// Returns the file that defines the target of the path.
fn definition(sources: &BTreeMap<Module, Source>, path: &[String], depth: usize) -> Option<Module> {
    let length = (0..=path.len()).rev().find(|length| sources.contains_key(&path[..*length]))?;
    let (module, rest) = path.split_at(length);
    let Some((name, rest)) = rest.split_first().filter(|_| depth > 0) else {
        return Some(module.to_vec());
    };
    let exported = sources[module].exports.iter().find(|(alias, _)| alias == name);
    exported
        .and_then(|(_, path)| definition(sources, &[path, rest].concat(), depth - 1))
        .or_else(|| Some(module.to_vec()))
}

fn rank(module: &[String]) -> usize {
    let layer = module.first().expect("a layer");
    LAYERS.iter().position(|known| known == layer).unwrap_or_else(|| panic!("no layer: {module:?}"))
}

/// Returns which files import which.
fn imports(sources: &BTreeMap<Module, Source>) -> BTreeMap<&Module, BTreeSet<Module>> {
    let files = sources.iter().filter(|(module, _)| !module.is_empty());
    let of = |source: &Source| {
        let paths = source.paths.iter().chain(source.exports.iter().map(|(_, path)| path));
        let found = paths.filter_map(|path| definition(sources, path, 8));
        found.filter(|module| !module.is_empty() && *module != source.module).collect()
    };
    files.map(|(module, source)| (module, of(source))).collect()
}

#[test]
fn no_file_imports_a_higher_layer() {
    let sources = sources(CORE);
    let macros: Vec<_> = sources.values().flat_map(|source| &source.macros).collect();
    let mut upward = Vec::new();
    for (module, source) in sources.iter().filter(|(module, _)| !module.is_empty()) {
        let exported = source.exports.iter().map(|(_, path)| path);
        for path in source.paths.iter().chain(exported) {
            // Macros are at the root; anything else is imported from where it is.
            let is_macro = path.len() == 1 && macros.contains(&&path[0]);
            let is_ours = path.first().is_some_and(|first| LAYERS.contains(&first.as_str()));
            assert!(is_ours || is_macro || path.is_empty(), "{module:?} names {path:?}");
            if is_ours && rank(path) > rank(module) {
                upward.push(format!("{} names {}", module.join("/"), path.join("::")));
            }
        }
    }
    let imports = imports(&sources);
    for (module, imported) in &imports {
        let higher = imported.iter().filter(|other| rank(other) > rank(module));
        upward.extend(
            higher.map(|other| format!("{} imports {}", module.join("/"), other.join("/"))),
        );
    }
    assert!(upward.is_empty(), "{upward:#?}");
    assert!(imports.len() > 150, "only {} files were found", imports.len());
}

/// Returns the files that a file imports, directly or through others.
fn reached<'a>(
    imports: &'a BTreeMap<&Module, BTreeSet<Module>>,
    from: &'a Module,
) -> BTreeSet<&'a Module> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        open.extend(imports[module].iter().filter(|next| found.insert(*next)));
    }
    found
}

#[test]
fn few_files_import_each_other() {
    for folder in [CORE, "archive-binary/src"] {
        let sources = sources(folder);
        let imports = imports(&sources);
        let reached: BTreeMap<_, _> =
            imports.keys().map(|from| (*from, reached(&imports, from))).collect();
        for module in imports.keys() {
            let others = reached[module].iter();
            let cycle: Vec<_> = others.filter(|it| reached[**it].contains(module)).collect();
            let is_inside = cycle.iter().all(|other| other[0] == module[0]);
            assert!(is_inside || folder != CORE, "{module:?}: {cycle:?}");
            let names = || cycle.iter().map(|it| it.join("/")).collect::<Vec<_>>();
            assert!(
                cycle.len() <= LARGEST_CYCLE,
                "{} files of {folder} import each other, and {LARGEST_CYCLE} may: {:#?}",
                cycle.len(),
                names()
            );
        }
    }
}
