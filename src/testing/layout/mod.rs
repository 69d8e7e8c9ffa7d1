//! `assert_layout!`: compares the layout of a type with the one in a file.

mod changes;
mod fate;

use std::path::{Path, PathBuf};

use archive_core::__private::plain_name;

use crate::describe::{Description, describe_with};
use crate::{Element, Options};

/// Checks that the files of a type have the layout that is recorded in a file of the project, so
/// that no change of a type gets into a release unnoticed.
///
/// ```
/// use archive::{Serialize, testing::assert_layout};
///
/// #[derive(Default, Serialize)]
/// struct Item { name: String, weight: f32 }
///
/// #[derive(Default, Serialize)]
/// struct Unit { name: String, hp: u32, pack: Vec<Item> }
///
/// # /*
/// #[test]
/// # */
/// fn layouts() {
///     assert_layout!(Unit, "tests/layouts/documented/Unit.txt");
///     assert_layout!([Unit, Item], "tests/layouts/documented"); // Unit.txt and Item.txt in there
/// }
/// # layouts();
/// ```
///
/// The path is relative to the package that contains the call. The file holds the
/// [signature](crate::signature) and the [description](crate::describe()) of the type. Put it under
/// version control; line endings do not matter. To write it, run
///
/// ```text
/// UPDATE_LAYOUTS=1 cargo test
/// ```
///
/// This is how to create a new file and how to accept a change. The assertion passes if the
/// signatures are equal: fields may be reordered, and types renamed or moved. Otherwise its message
/// says which members and variants changed, what that means for existing files, and shows the
/// difference.
///
/// The types of trait objects are not part of a layout: check the registered types too. Functions
/// that need context or a registry receive it from `assert_layout!(Unit, "Unit.txt", options:
/// &options)`.
///
/// # Panics
/// Panics if the layout differs, if the file is missing (and `UPDATE_LAYOUTS` is not set), or if it
/// cannot be read or written.
#[doc(hidden)]
#[macro_export]
macro_rules! __assert_layout {
    ([$($T:ty),+ $(,)?], $directory:expr $(, options: $options:expr)? $(,)?) => {
        match $crate::testing::__private::Layouts::new(
            $crate::testing::__private::Target::Directory($directory.as_ref()),
            ::core::env!("CARGO_MANIFEST_DIR").as_ref(),
            ::core::option::Option::None $(.or(::core::option::Option::Some($options)))?,
        ) {
            layouts => $crate::testing::__private::finish(&[$(
                layouts.check::<$T>(::core::stringify!($T))
            ),+]),
        }
    };
    ($T:ty, $path:expr $(, options: $options:expr)? $(,)?) => {
        $crate::testing::__private::finish(&[$crate::testing::__private::Layouts::new(
            $crate::testing::__private::Target::File($path.as_ref()),
            ::core::env!("CARGO_MANIFEST_DIR").as_ref(),
            ::core::option::Option::None $(.or(::core::option::Option::Some($options)))?,
        ).check::<$T>(::core::stringify!($T))])
    };
}

/// The environment variable that causes files to be written.
const UPDATE: &str = "UPDATE_LAYOUTS";

/// The beginning of the file of a layout.
const COMMENT: &str = "# The saved layout of this type. A test checks it; `UPDATE_LAYOUTS=1 cargo test` \
                       rewrites it.\n";

/// The location of a layout.
pub enum Target<'p> {
    /// This file.
    File(&'p Path),
    /// A file with the name of the type, in this directory.
    Directory(&'p Path),
}

/// The result of a check; the error says what is wrong.
pub type Checked = Result<(), String>;

/// The location of layouts.
pub struct Layouts<'l> {
    target: Target<'l>,
    package: &'l Path,
    options: Option<&'l Options<'l>>,
}

impl<'l> Layouts<'l> {
    /// Creates a location. Paths are relative to `package`; functions of types may need `options`.
    pub fn new(target: Target<'l>, package: &'l Path, options: Option<&'l Options<'l>>) -> Self {
        Layouts { target, package, options }
    }

    /// Checks one type.
    pub fn check<T: Element>(&self, name: &str) -> Checked {
        let default = Options::new();
        let name = plain_name(name);
        let shown = match self.target {
            Target::File(path) => path.to_owned(),
            Target::Directory(directory) => directory.join(file_name(&name)),
        };
        let description = describe_with::<T>(self.options.unwrap_or(&default));
        let update =
            std::env::var_os(UPDATE).is_some_and(|value| !value.is_empty() && value != "0");
        Layout { name: &name, path: self.package.join(&shown), shown, description }.check(update)
    }
}

/// The file name of a type: `Spawn_Orc.txt` for `Spawn<Orc>`.
fn file_name(name: &str) -> String {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let words: Vec<&str> = name.split(|c| !word(c)).filter(|part| !part.is_empty()).collect();
    words.join("_") + ".txt"
}

/// Fails with all errors, if there are any.
#[track_caller]
pub fn finish(checked: &[Checked]) {
    let wrong: Vec<&str> =
        checked.iter().filter_map(|one| one.as_ref().err()).map(|s| &**s).collect();
    if !wrong.is_empty() {
        panic!("{}", wrong.join("\n\n"));
    }
}

struct Layout<'n> {
    name: &'n str,
    shown: PathBuf,
    path: PathBuf,
    description: Description,
}

impl Layout<'_> {
    fn check(&self, update: bool) -> Checked {
        let now = self.contents();
        let stored = match std::fs::read_to_string(&self.path) {
            Ok(text) => Some(text.replace("\r\n", "\n")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(format!("{} cannot be read: {error}", self.path.display())),
        };
        if update {
            return if stored.as_ref() == Some(&now) { Ok(()) } else { self.write(&now) };
        }
        let (name, path) = (self.name, self.shown.display());
        let Some(stored) = stored else {
            return Err(format!(
                "there is no layout of `{name}` yet to compare with: {path} is missing.\n\
                 `{UPDATE}=1 cargo test` writes it; put it under version control."
            ));
        };
        match parse(&stored) {
            Some((signature, _)) if signature == self.description.signature() => Ok(()),
            Some((_, text)) => Err(self.difference(text)),
            None => Err(format!(
                "{path} does not contain a layout: expected a line `signature` with 16 hexadecimal digits.\n\
                 `{UPDATE}=1 cargo test` writes the layout of `{name}` to it."
            )),
        }
    }

    fn contents(&self) -> String {
        format!("{COMMENT}signature {:016x}\n\n{}", self.description.signature(), self.description)
    }

    fn write(&self, contents: &str) -> Checked {
        let parent = self.path.parent().map_or(Ok(()), std::fs::create_dir_all);
        parent
            .and_then(|()| std::fs::write(&self.path, contents))
            .map_err(|error| format!("{} cannot be written: {error}", self.path.display()))
    }

    fn difference(&self, stored: &str) -> String {
        let (name, path) = (self.name, self.shown.display());
        let now = self.description.as_str();
        let diff = similar::TextDiff::from_lines(stored, now);
        let diff = diff.unified_diff().context_radius(3).to_string();
        format!(
            "the layout of `{name}` differs from {path}.\n\n\
             {}\n{diff}\n\
             Files that exist have the old layout. Most changes are harmless, but check each one: the \
             page \"When types change\" in the repository of `archive` (docs/EVOLUTION.md) says what \
             to do.\n\
             If the change is intended, accept it with `{UPDATE}=1 cargo test`.",
            changes::list(stored, now),
        )
    }
}

/// Parses the signature and the description in a file.
fn parse(stored: &str) -> Option<(u64, &str)> {
    let mut rest = stored;
    loop {
        let (line, after) = rest.split_once('\n')?;
        if let Some(digits) = line.strip_prefix("signature ") {
            let signature = u64::from_str_radix(digits.trim(), 16).ok()?;
            return Some((signature, after.trim_start_matches('\n')));
        }
        rest = line.starts_with('#').then_some(after)?;
    }
}
