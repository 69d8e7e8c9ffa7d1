//! The order of the repository: pages name files that exist, packages have front pages, files are short, allowed lints have reasons, and
//! some words are not used.

use std::fs;
use std::path::{Path, PathBuf};

use super::decisions::anchors;

/// Files that are longer than [`MAX_LINES`], and what keeps each in one piece.
const LONG: &[(&str, &str)] = &[
    ("archive-binary/src/decoder.rs", "one implementation of `Decoder`"),
    ("archive-binary/src/decoder/object.rs", "one state: an open object"),
    ("archive-binary/src/fast_path/loading.rs", "one implementation of `Archive`"),
    ("archive-binary/src/fast_path/saving.rs", "one implementation of `Archive`"),
    ("archive-binary/src/read_tables.rs", "one footer, read"),
    ("archive-blob/src/object_blob.rs", "one type of the original program"),
    ("archive-core/src/visit/walk/mod.rs", "one documented trait"),
    ("archive-core/src/visit/visitor.rs", "one documented trait"),
    ("archive-core/src/format/decoder.rs", "one documented trait"),
    ("archive-core/src/format/encoder.rs", "one documented trait"),
    ("archive-core/src/model/error.rs", "one type, its constructors side by side"),
    ("archive-core/src/format/loading/archive.rs", "one implementation of `Archive`"),
    ("archive-core/src/types/probe.rs", "one table of what types implement"),
    ("archive-core/src/format/saving.rs", "one implementation of `Archive`"),
    ("archive-json/src/cursor.rs", "one type that all others read with"),
    ("archive-json/src/decoder.rs", "one implementation of `Decoder`"),
    ("archive-json/src/encoder.rs", "one implementation of `Encoder`"),
    ("archive-msgpack/src/decoder.rs", "one implementation of `Decoder`"),
    ("archive-msgpack/src/encoder.rs", "one implementation of `Encoder`"),
    ("archive-serde/src/load/pointer.rs", "one protocol, in three forms of input"),
];

/// The maximum number of lines of other files.
pub(crate) const MAX_LINES: usize = 350;

/// The folders whose files are the library.
const LIBRARY: &[&str] = &[
    "archive-binary/src",
    "archive-bins/src",
    "archive-blob/src",
    "archive-cli/src",
    "archive-core/src",
    "archive-derive/src",
    "archive-describe/src",
    "archive-document/src",
    "archive-format/src",
    "archive-json/src",
    "archive-msgpack/src",
    "archive-reflect/src",
    "archive-save/src",
    "archive-serde/src",
    "archive-store/src",
    "archive-types/src",
    "skirmish/src",
    "src",
];

/// The folders of packages with lock files of their own that users depend on.
const OUTSIDE: &[&str] = &[
    "archive-bevy/src",
    "archive-cloud/src",
    "archive-egui/src",
    "archive-lua/src",
    "archive-store-postgres/src",
    "archive-store-sqlite/src",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all files with that extension in a folder, by their paths from the root.
pub(crate) fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                let name = path.file_name().unwrap().to_string_lossy();
                if name != "target" && name != "node_modules" && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|is| is == extension) {
                found.push(path.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

fn pages() -> Vec<PathBuf> {
    let own = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map(PathBuf::from);
    let front = packages().map(|package| package.join("README.md"));
    let outside = OUTSIDE.iter().map(|source| Path::new(source).with_file_name("README.md"));
    files("docs", "md").into_iter().chain(own).chain(front).chain(outside).collect()
}

/// The folders of the packages whose files are the library.
fn packages() -> impl Iterator<Item = PathBuf> {
    LIBRARY.iter().map(|source| Path::new(source).parent().unwrap().to_owned())
}

/// Returns the lines of a page that are not in a sample of code.
pub(crate) fn without_samples(page: &str) -> impl Iterator<Item = &str> {
    let mut is_sample = false;
    page.lines().filter(move |line| {
        is_sample ^= line.trim_start().starts_with("```");
        !is_sample
    })
}

/// Returns the texts between pairs of backticks on a line.
fn code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Returns the text as a path from the root, if it is spelled as one.
fn as_path(text: &str) -> Option<&str> {
    let folder = text.split('/').next()?;
    let is_plain = !text.contains(['*', '{', '<', ' ', '(', '$', ':', '"']);
    let known = ["docs", "examples", "tests", "bench", "fuzz", "serde-formats", "skirmish", "src"];
    let is_ours = known.contains(&folder) || folder.starts_with("archive-");
    (is_plain && is_ours && text.contains('/')).then(|| text.split('#').next().unwrap())
}

#[test]
fn pages_name_files_that_exist() {
    let (mut count, mut missing) = (0, Vec::new());
    for page in pages() {
        for line in without_samples(&read(&page)) {
            for path in code(line).filter_map(as_path) {
                count += 1;
                let here = page.parent().unwrap().join(path);
                if !root().join(path).exists() && !root().join(here).exists() {
                    missing.push(format!("{}: there is no `{path}`", page.display()));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(count > 100, "only {count} paths were found");
}

#[test]
fn links_of_pages_resolve() {
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        for line in without_samples(&text) {
            let inline = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            let named = line.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
            for link in inline.chain(named.map(|(_, link)| link)) {
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                if link.is_empty() || file.contains("://") || file.contains([' ', '`', ':']) {
                    continue;
                }
                let path = match file {
                    "" => root().join(&page),
                    file => root().join(page.parent().unwrap()).join(file),
                };
                let resolves =
                    path.exists() && (anchor.is_empty() || anchors(&read(&path)).contains(anchor));
                assert!(resolves, "{}: the link to {link} does not resolve", page.display());
                count += 1;
            }
        }
    }
    assert!(count > 100, "only {count} links were found");
}

#[test]
fn packages_have_front_pages() {
    let examples = read("src/documentation.rs");
    let releasing = read("docs/RELEASING.md");
    for package in packages() {
        let manifest = read(package.join("Cargo.toml"));
        for entry in [
            "description = \"",
            "license.workspace = true",
            "rust-version.workspace = true",
            "readme = \"README.md\"",
            "keywords",
            "categories",
        ] {
            let has_entry = manifest.lines().any(|line| line.starts_with(entry));
            assert!(has_entry, "{}: the manifest has no `{entry}`", package.display());
        }
        for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert_eq!(read(package.join(license)), read(license), "{}", package.display());
        }
        let name = package.to_str().unwrap();
        let page = read(package.join("README.md"));
        let title = if name.is_empty() { "archive" } else { name };
        let is_private = manifest.lines().any(|line| line == "publish = false");
        let row = format!("\n| `{title}` | `game-{title}` |");
        assert!(
            is_private || releasing.contains(&row),
            "docs/RELEASING.md has no row for `{title}`"
        );
        let says_files = manifest.lines().any(|line| line == "include.workspace = true");
        assert!(is_private || says_files, "{name}: the manifest has no `include`");
        assert!(page.starts_with(&format!("# {title}\n")), "{name}: the title");
        let leads_on = name.is_empty() || page.contains("[`archive`](../README.md)");
        assert!(leads_on, "{name}: the page does not lead to `archive`");
        let is_tested = name.is_empty() || examples.contains(&format!("\"{name}/README.md\""));
        assert!(is_tested || !page.contains("```rust"), "{name}: the example is not tested");
    }
}

#[test]
fn the_front_page_is_short_and_has_the_commands() {
    let page = read("README.md");
    assert!(page.lines().count() <= 180);
    for command in ["cargo run --release -p skirmish", "cargo test --workspace"] {
        assert!(page.lines().any(|line| line.starts_with(command)), "{command}");
    }
}

/// The table at the end of the map is right: each file exists and has the function.
#[test]
fn the_map_answers_its_questions() {
    let map = read("docs/ARCHITECTURE.md");
    let (_, table) = map.split_once("## Where is").expect("the questions");
    let rows: Vec<_> = table.lines().filter(|line| line.starts_with("| Where")).collect();
    assert_eq!(rows.len(), 18);
    for row in rows {
        let answer = row.split('|').nth(2).unwrap();
        let texts: Vec<_> = code(answer).filter_map(as_path).map(read).collect();
        assert!(!texts.is_empty(), "{row}: no file");
        for word in code(answer).filter(|word| as_path(word).is_none()) {
            let names = [format!("fn {word}("), format!("fn {word}<")];
            let found = texts.iter().any(|text| names.iter().any(|name| text.contains(name)));
            assert!(found, "{row}: no function `{word}`");
        }
    }
}

#[test]
fn files_are_short() {
    let lines = |path: &Path| read(path).lines().count();
    for (long, _) in LONG {
        assert!(root().join(long).exists(), "there is no {long}");
    }
    let all = LIBRARY.iter().chain(OUTSIDE).flat_map(|folder| files(folder, "rs"));
    for path in all {
        let listed = LONG.iter().any(|(long, _)| Path::new(long) == path);
        let count = lines(&path);
        let rule = if listed { "is in `LONG` and short" } else { "is not in `LONG`" };
        assert!(
            (count > MAX_LINES) == listed,
            "{} has {count} lines, and {rule}: {MAX_LINES} lines are the most of other files",
            path.display()
        );
    }
}

#[test]
fn allowed_lints_have_reasons() {
    for path in LIBRARY.iter().chain(OUTSIDE).flat_map(|folder| files(folder, "rs")) {
        let text = read(&path);
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            if !line.trim_start().trim_start_matches('#').starts_with(['[', '!']) {
                continue;
            }
            if !(line.contains("[allow(") || line.contains("[expect(")) {
                continue;
            }
            let mut whole = line.to_owned();
            while !whole.contains(")]") {
                whole += lines.next().expect("the end of the attribute").1;
            }
            let has_reason = whole.contains("reason") || whole.contains("//");
            assert!(has_reason, "{}:{}: {whole}", path.display(), number + 1);
        }
    }
}

/// Words, and pairs of words, that are not used in code, comments, messages and pages: a precise word says what is meant.
/// Identifiers are split into their words. `is no` is allowed in `there is no`, and before the words of [`AFTER_NO`].
const WORDS: &[&str] = &[
    "stand",
    "stands",
    "standing",
    "stood",
    "behind",
    "whatever",
    "of which",
    "anew",
    "in vain",
    "is no",
    "are no",
    "goes on",
    "go on",
    "going on",
    "put aside",
    "taken back",
    "takes back",
    "told apart",
    "tells apart",
    "passed over",
    "passes over",
    "handed on",
    "became of",
    "becomes of",
    "leads nowhere",
    "for ever",
];

/// The words after `is no` that make it an idiom.
const AFTER_NO: &[&str] = &["longer", "more", "less", "larger", "later", "smaller", "sooner"];

/// Files in which some of the [`WORDS`] are names, and why.
const NAMES: &[(&str, &str, &str)] = &[
    ("archive-save/src/lineage/mod.rs", "behind", "how a save relates to another one"),
    ("archive-save/src/lineage/tests.rs", "behind", "the same variant"),
    ("archive-save/tests/golden_saves.rs", "behind", "the same variant"),
    ("archive-save/tests/slots.rs", "behind", "the same variant"),
    ("archive-save/src/save_file/transfer.rs", "behind", "the same variant"),
    ("archive-cloud/src/put.rs", "behind", "the same variant"),
    ("archive-cloud/src/sync.rs", "behind", "the same variant"),
    ("docs/SAVES.md", "behind", "the same variant"),
    ("skirmish/src/unit.rs", "standing", "a variant in saved games of the first version"),
    ("tests/evolution/skirmish_v1/mod.rs", "standing", "the same variant"),
    ("tests/evolution/skirmish_v1/types_v1.rs", "standing", "the same variant"),
];

/// Returns the words of a text in lower case, each with the number of its line. Identifiers are split at `_` and before
/// capital letters. The end of a sentence or of a part of it is an empty word.
fn words(text: &str) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for word in line.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)) {
            let parts = parts(word).into_iter().filter(|part| !part.is_empty());
            words.extend(parts.map(|part| (number + 1, part)));
            if word.ends_with(|c: char| !c.is_alphanumeric()) {
                words.push((number + 1, String::new()));
            }
        }
    }
    words
}

/// Returns the parts of a word between punctuation, in lower case.
fn parts(word: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_small = false;
    for c in word.chars() {
        if !c.is_alphanumeric() {
            parts.push(String::new());
        } else {
            if c.is_uppercase() && was_small {
                parts.push(String::new());
            }
            parts.last_mut().unwrap().extend(c.to_lowercase());
        }
        was_small = c.is_lowercase();
    }
    parts
}

/// Returns the banned word or pair of words that begins at an index.
fn banned(words: &[(usize, String)], at: usize) -> Option<&'static str> {
    let word = |index: usize| words.get(index).map_or("", |(_, word)| word);
    let pair = format!("{} {}", word(at), word(at + 1));
    let is_idiom = word(at + 1) == "no"
        && (at > 0 && word(at - 1) == "there" || AFTER_NO.contains(&word(at + 2)));
    WORDS.iter().find(|banned| word(at) == **banned || pair == **banned && !is_idiom).copied()
}

#[test]
fn identifiers_are_split() {
    assert_eq!(parts("`open_It(NearBy`"), ["", "open", "it", "near", "by", ""]);
}

#[test]
fn pairs_of_words_are_found() {
    let found = |text: &str| {
        let words = words(text);
        (0..words.len()).filter_map(|at| banned(&words, at)).collect::<Vec<_>>()
    };
    assert_eq!(found("a list is\n/// no id, which_GoesOn"), ["is no", "goes on"]);
    assert_eq!(found("there is no id; it is. No: it is no longer"), [""; 0]);
}

#[test]
fn words_are_precise() {
    let (mut count, mut found) = (0, Vec::new());
    for path in files("", "rs").into_iter().chain(files("", "md")) {
        if path == Path::new("tests/project/tidy.rs") {
            continue;
        }
        let words = words(&read(&path));
        for at in 0..words.len() {
            let Some(banned) = banned(&words, at) else { continue };
            let is_name =
                NAMES.iter().any(|(file, name, _)| path == Path::new(file) && *name == banned);
            if !is_name {
                found.push(format!("{}:{}: {banned}", path.display(), words[at].0));
            }
        }
        count += words.len();
    }
    assert!(found.is_empty(), "{found:#?}");
    assert!(count > 100_000, "only {count} words were read");
}
