//! Running the command, and the files that tests run it on.

use std::path::{Path, PathBuf};
use std::process::Output;

use archive::bins::Bins;
use archive::path::{Path as ValuePath, Step};
use archive::{Format, Options, Value};
use assert_cmd::Command;

/// The command with these arguments, without colours and with an empty environment.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_archive"));
    command
        .args(args)
        .env("NO_COLOR", "1")
        .env("TZ", "UTC")
        .env_remove("EDITOR")
        .env_remove("VISUAL");
    command
}

/// Runs the command.
pub fn run(args: &[&str]) -> Output {
    // Under Wine, a process sometimes fails to start if many start at once
    // (`ERROR_INTERNAL_ERROR`).
    let is_wine = |error: &std::io::Error| cfg!(windows) && error.raw_os_error() == Some(1359);
    let mut tries = std::iter::repeat_with(|| command(args).output());
    let output = tries.by_ref().take(5).find(|output| !output.as_ref().is_err_and(is_wine));
    output.expect("a command that begins").expect("the command runs")
}

/// Runs the command, which must succeed, and returns what it prints.
pub fn ok(args: &[&str]) -> String {
    let output = run(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Runs the command, which must fail with that status, and returns the message.
pub fn fails(args: &[&str], status: i32) -> String {
    let output = run(args);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{args:?}: {errors}");
    errors
}

/// Runs the command on standard input.
pub fn piped(args: &[&str], input: &[u8]) -> Output {
    command(args).write_stdin(input).output().expect("the command runs")
}

/// The golden files whose content shows their format.
const GOLDEN: [&str; 10] = [
    "json/v1",
    "serde_json/v1",
    "msgpack/v1",
    "rmp_serde_named/v1",
    "rmp_serde_arrays/v1",
    "binary/v1",
    "binary/v2",
    "columns/v1",
    "blob/v1",
    "bins",
];

/// A golden file, and its format.
pub struct Golden {
    pub path: PathBuf,
    pub format: Format,
}

impl Golden {
    pub fn text(&self) -> &str {
        self.path.to_str().expect("a path of text")
    }

    pub fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).expect("a golden file")
    }

    pub fn value(&self) -> Value {
        self.format.erased().from_slice_with(&self.bytes(), &options()).expect("a golden file")
    }
}

pub fn options() -> Options<'static> {
    Options::new().max_elements(u64::MAX)
}

/// All golden files of the formats that the content shows.
pub fn golden() -> Vec<Golden> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    let mut found = Vec::new();
    for folder in GOLDEN {
        let format = match folder.split('/').next().expect("a folder") {
            "json" | "serde_json" => Format::Json,
            "binary" | "columns" => Format::Binary,
            "blob" => Format::Blob,
            "bins" => Format::of::<Bins>(),
            _ => Format::MessagePack,
        };
        let folders = match folder {
            "bins" => vec![root.join("bins/v1"), root.join("bins/v2")],
            folder => vec![root.join(folder)],
        };
        for folder in folders {
            let entries = std::fs::read_dir(&folder).expect("a folder of golden files");
            let paths = entries.map(|entry| entry.expect("a golden file").path());
            found.extend(paths.map(|path| Golden { path, format }));
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 60, "only {} golden files", found.len());
    found
}

/// A folder for the files of one test.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// A file of another project, unless it is absent.
pub fn fixture(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/fixtures").join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: there is no {}", path.display());
    None
}

/// Every value of a tree, with its path.
pub fn places(value: &Value, at: &ValuePath, found: &mut Vec<(ValuePath, Value)>) {
    found.push((at.clone(), value.clone()));
    let mut inside = |step: Step, value: &Value| {
        let mut path = at.clone();
        path.push(step);
        places(value, &path, found);
    };
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| inside(index.into(), item));
        }
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| inside((&**name).into(), value));
        }
        _ => {}
    }
}
