//! [`call`]: the calls of the page, by name.

use std::io::Read;
use std::path::PathBuf;

use archive::path::{Path, Pattern};
use archive::{Error, ErrorKind, Result, Value, json};

use super::file::File;
use super::{Viewer, node, search, sizes, slots};
use crate::commands::{between, difference, get_json};
use crate::edit::Setting;
use crate::input::{Input, options};
use crate::interrupt::guarded;
use crate::json_output::{extended, object};
use crate::select::select;
use crate::write_back::backup;

/// The maximum number of bytes of a file to compare with.
pub const MAX_FILE: u64 = 1 << 30;

/// The answer to a request.
pub struct Answer {
    pub status: u16,
    pub content_type: &'static str,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(value: &Value) -> Answer {
        match json::to_vec_with(value, &options()) {
            Ok(body) => Answer { status: 200, content_type: "application/json", body },
            Err(error) => Answer::refused(500, &error.to_string()),
        }
    }

    pub fn page(text: String) -> Answer {
        Answer { status: 200, content_type: "text/html; charset=utf-8", body: text.into_bytes() }
    }

    pub fn refused(status: u16, message: &str) -> Answer {
        let text = object([("error", message.into())]).to_string();
        Answer { status, content_type: "application/json", body: text.into_bytes() }
    }
}

/// The body of a request.
pub enum Body<'r> {
    /// The arguments of a call.
    Call(Value),
    /// A file to compare with: its name, percent-encoded, and its bytes.
    File(&'r str, &'r mut dyn Read),
}

/// Answers a call.
pub fn call(viewer: &Viewer, name: &str, body: Body<'_>) -> Answer {
    let done = match body {
        Body::Call(body) => Call { viewer, body }.run(name),
        Body::File(name, bytes) => uploaded(viewer, name, bytes),
    };
    done.unwrap_or_else(|error| {
        let about = object([
            ("error", error.to_string().into()),
            ("path", crate::json_output::text(error.path())),
        ]);
        Answer { status: 422, ..Answer::json(&about) }
    })
}

/// A call and its arguments.
struct Call<'v> {
    viewer: &'v Viewer,
    body: Value,
}

impl Call<'_> {
    fn run(&self, name: &str) -> Result<Answer> {
        let value = match name {
            "slots" => self.viewer.slots()?,
            "state" if self.viewer.is_folder && self.text("file").is_empty() => self.folder(),
            "thumbnail" => return self.thumbnail(),
            "save" => return self.save(),
            "state" => self.state()?,
            "node" => self.node()?,
            "value" => self.value()?,
            "sizes" => self.sizes()?,
            "search" => self.search()?,
            "set" => self.set()?,
            "undo" | "redo" | "revert" => self.step(name)?,
            "compare" => self.compare()?,
            _ => return Ok(Answer::refused(404, "there is no such call")),
        };
        Ok(Answer::json(&value))
    }

    /// Returns an argument that is text, which is empty if it is absent.
    fn text(&self, name: &str) -> &str {
        self.body.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.body.get(name).and_then(Value::as_u64)
    }

    fn file(&self) -> Result<std::sync::Arc<File>> {
        self.viewer.file(self.text("file"))
    }

    /// Returns the answer of a function that reads the file, with the version of the file.
    fn read(&self, visit: impl FnOnce(&Input) -> Result<Value>) -> Result<Value> {
        let (version, value) = self.file()?.read(visit)?;
        Ok(extended(object([("version", version.into())]), value))
    }

    fn path(&self) -> Result<Path> {
        Path::parse(self.text("path"))
    }

    fn folder(&self) -> Value {
        let name = self.viewer.path.canonicalize().unwrap_or_else(|_| self.viewer.path.clone());
        let title = name.file_name().unwrap_or(name.as_os_str()).to_string_lossy();
        object([
            ("mode", "folder".into()),
            ("title", (&*title).into()),
            ("read_only", self.viewer.settings.is_read_only.into()),
        ])
    }

    fn state(&self) -> Result<Value> {
        let file = self.file()?;
        let version = file.check(&self.viewer.settings)?;
        let others = others(self.viewer, self.text("file"))?;
        Ok(object([
            ("version", version.into()),
            ("mode", if self.viewer.is_folder { "folder" } else { "file" }.into()),
            ("title", title(&file).into()),
            ("read_only", self.viewer.settings.is_read_only.into()),
            ("compare", others.into_iter().map(|(name, _)| Value::from(name)).collect()),
            ("edits", file.pending().as_value()),
        ]))
    }

    fn node(&self) -> Result<Value> {
        let (file, path) = (self.file()?, self.path()?);
        let around = self.body.get("around").and_then(Value::as_str);
        let pending = file.pending();
        let edits = pending.texts();
        let edited = |path: &Path| {
            let found = edits.iter().find(|(pattern, _)| pattern.matches(path));
            found.map(|(_, text)| (*text).to_owned())
        };
        self.read(|input| {
            let first = self.number("from").unwrap_or(0);
            let (at, first, node) = node::window(input, &path, first, around)?;
            let answer = object([
                ("crumbs", node::crumbs(&path)),
                ("from", first.into()),
                ("at", at.map_or(Value::Null, Value::from)),
                ("node", node::as_value(&node, &path, &edited)),
            ]);
            Ok(extended(answer, node::about(input, &title(&file))))
        })
    }

    fn value(&self) -> Result<Value> {
        /// The maximum number of bytes of a value in the file, and of its text.
        const MAX: u64 = 1_000_000;
        let too_long = || {
            let message = "the value is larger than 1 MB: edit its parts, or use `archive edit`";
            Error::new(ErrorKind::SizeLimit, message)
        };
        let pattern = Pattern::from(self.path()?);
        self.read(|input| {
            let mut text = Vec::new();
            input.read(|from| {
                select(from, &pattern, &mut |from, _| {
                    let start = from.mark();
                    let span = from.skip_span()?.unwrap_or_default();
                    if span.end - span.start > MAX {
                        return Err(too_long());
                    }
                    from.recover(start);
                    text = get_json(from, true)?;
                    Ok(())
                })
            })?;
            if text.len() as u64 > 4 * MAX {
                return Err(too_long());
            }
            Ok(object([("text", String::from_utf8_lossy(&text).into_owned().into())]))
        })
    }

    fn sizes(&self) -> Result<Value> {
        let path = self.path()?;
        let range = self.number("from").unwrap_or(0)..self.number("to").unwrap_or(u64::MAX);
        self.read(|input| sizes::boxes(input, &path, range))
    }

    fn search(&self) -> Result<Value> {
        let (query, first) = (self.text("query"), self.number("from").unwrap_or(0));
        match self.text("in") {
            "path" => {
                let pattern = Pattern::parse(query)?;
                self.read(|input| search::by_path(input, &pattern, first))
            }
            place => self.read(|input| search::by_text(input, query, place, first)),
        }
    }

    fn set(&self) -> Result<Value> {
        self.may_change()?;
        let pattern = Pattern::parse(self.text("path"))?;
        let adds = self.body.get("add").and_then(Value::as_bool).unwrap_or(false);
        let setting = Setting::parse(pattern, self.text("text").to_owned(), adds)?;
        let file = self.file()?;
        let (version, values) = file.set(setting, &self.viewer.settings)?;
        Ok(object([
            ("version", version.into()),
            ("values", values.into()),
            ("edits", file.pending().as_value()),
        ]))
    }

    /// Undoes or repeats an edit, or removes the one of a path.
    fn step(&self, name: &str) -> Result<Value> {
        let file = self.file()?;
        match name {
            "undo" => file.pending().undo(),
            "redo" => file.pending().redo(),
            _ => file.pending().remove(&Pattern::parse(self.text("path"))?),
        }
        let version = file.check(&self.viewer.settings)?;
        Ok(object([("version", version.into()), ("edits", file.pending().as_value())]))
    }

    fn save(&self) -> Result<Answer> {
        self.may_change()?;
        let file = self.file()?;
        let shown = self.number("version").unwrap_or(0);
        let saved = match file.save(shown, &self.viewer.settings)? {
            Ok(saved) => saved,
            Err(message) => return Ok(Answer::refused(409, message)),
        };
        let version = file.check(&self.viewer.settings)?;
        Ok(Answer::json(&object([
            ("version", version.into()),
            ("saved", saved.values.into()),
            ("edits", file.pending().as_value()),
            ("warnings", saved.warnings.into_iter().map(Value::from).collect()),
        ])))
    }

    fn may_change(&self) -> Result {
        if !self.viewer.settings.is_read_only {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Unsupported,
            "the command was started so that the file is not changed",
        ))
    }

    fn compare(&self) -> Result<Value> {
        let with = self.text("with");
        let found =
            others(self.viewer, self.text("file"))?.into_iter().find(|(name, _)| name == with);
        let Some((_, path)) = found else {
            let message = format_args!("there is no file {with:?} to compare with");
            return Err(Error::new(ErrorKind::NotFound, message));
        };
        self.read(|input| differences(&Input::open(&path)?, input))
    }

    /// Returns the picture of a save.
    fn thumbnail(&self) -> Result<Answer> {
        let picture = match self.text("file") {
            "" => {
                self.file()?
                    .read(|input| {
                        Ok(input
                            .meta
                            .as_ref()
                            .map(|meta| meta.thumbnail.clone())
                            .unwrap_or_default())
                    })?
                    .1
            }
            name => self.viewer.picture(name),
        };
        Ok(match slots::picture_type(&picture) {
            Some(content_type) => Answer { status: 200, content_type, body: picture },
            None => Answer::refused(404, "there is no picture"),
        })
    }
}

/// Returns the name of a file without its folder.
fn title(file: &File) -> String {
    let name = file.path().file_name().unwrap_or(file.path().as_os_str());
    name.to_string_lossy().into_owned()
}

/// Returns the files with which a file can be compared: that of the arguments, its backups, and the other saves of
/// the folder.
fn others(viewer: &Viewer, slot: &str) -> Result<Vec<(String, PathBuf)>> {
    let named = viewer.compare.iter().map(|path| (path.display().to_string(), path.clone()));
    let mut found: Vec<_> = named.collect();
    let path = viewer.file(slot)?.path().to_owned();
    let backup = |number: usize| (format!("backup {number}"), backup(&path, number));
    found.extend((1..).map(backup).take_while(|(_, path)| path.exists()));
    if viewer.is_folder {
        let slots = slots::list(&viewer.path)?.into_iter().filter(|other| other.name() != slot);
        found.extend(slots.map(|slot| (slot.name().to_owned(), slot.path().to_owned())));
    }
    Ok(found)
}

/// Compares the file that was opened alone with a file that the page sends.
fn uploaded(viewer: &Viewer, name: &str, bytes: &mut dyn Read) -> Result<Answer> {
    // The extension may determine the format.
    let ending: String = name.chars().rev().take_while(|c| c.is_ascii_alphanumeric()).collect();
    let ending: String = ending.chars().rev().collect();
    let create = || tempfile::Builder::new().suffix(&format!(".{ending}")).tempfile();
    let (mut copy, _guard) = guarded(create).map_err(Error::io)?;
    let count = std::io::copy(&mut bytes.take(MAX_FILE + 1), &mut copy).map_err(Error::io)?;
    if count > MAX_FILE {
        return Err(Error::new(ErrorKind::SizeLimit, "the file is larger than 1 GiB"));
    }
    let mut other = Input::open(copy.path())?;
    other.name = "the chosen file".to_owned();
    let (version, value) = viewer.file("")?.read(|input| differences(&other, input))?;
    Ok(Answer::json(&extended(object([("version", version.into())]), value)))
}

/// Returns the differences between two files.
fn differences(old: &Input, new: &Input) -> Result<Value> {
    /// The maximum number of differences that are listed.
    const MAX: usize = 1000;
    between(old, new, |changes| {
        Ok(object([
            ("total", (changes.len() as u64).into()),
            ("changes", changes.iter().take(MAX).map(difference).collect()),
        ]))
    })
}
