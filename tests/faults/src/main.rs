//! Puts faults into a copy of the repository, one by one, and shows that the tests find each.
//!
//! `cargo run --manifest-path tests/faults/Cargo.toml` runs all faults of `faults.txt`, or those
//! whose numbers are its arguments. The copy is in `target/faults`. It is built with all faults in
//! it, and each is switched on by its number in the environment variable `FAULT`. So two builds
//! serve all of them: one of the whole workspace, and one of types compiled for each format.
//!
//! The argument `check` shows that the code still has a place for each fault, and that the copy
//! compiles.

mod fault_list;

use std::collections::BTreeSet;
use std::error::Error;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use fault_list::{Fault, faults};

/// What is appended to the core.
const SWITCH: &str = include_str!("../switch.rs");

/// The tests of the whole workspace, without those that read its sources or build other programs.
const WORKSPACE: &str = "test --workspace --lib --tests -- \
    --skip tidy --skip layers --skip faults:: --skip no_operating_system --skip messages";

/// The arguments that run only the tests of the package of a file, if it has some: they find most
/// faults, and those of the whole workspace take minutes.
fn near(root: &Path, file: &Path) -> Option<String> {
    let package = file.iter().next()?.to_str()?;
    root.join(package).join("tests/main.rs").exists().then(|| {
        let name = package.trim_start_matches("archive-");
        WORKSPACE.replacen("--lib --tests", &format!("--test {name}"), 1)
    })
}

/// The tests of types that are compiled for each format, as in `.ci/run`.
const STATIC: &str = "test -p archive -p archive-binary -p archive-json -p archive-msgpack \
    --features archive/static-formats,archive-test-support/static-formats \
    --test formats --test binary --test json --test msgpack";

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// Puts the faults of a file into its text.
fn with_faults(file: &Path, original: &str, faults: &[Fault]) -> Result<String> {
    let mut text = original.to_owned();
    for Fault { number, find, replace, .. } in faults.iter().filter(|fault| fault.file == file) {
        let count = original.matches(find).count().min(text.matches(find).count());
        if count != 1 {
            return Err(format!("fault {number} is out of date: {count} places for it").into());
        }
        let path = match file.iter().next().and_then(|folder| folder.to_str()) {
            Some("archive-core") => "crate",
            Some("archive-derive") => "#krate",
            _ => "archive_core",
        };
        text = text.replace(find, &replace.replace("FAULT", &format!("{path}::fault({number})")));
    }
    if file == "archive-core/src/lib.rs" {
        // The code that the derive writes finds everything in this module.
        let private = "pub mod __private {";
        text = text.replace(private, &format!("{private}\n    pub use crate::fault;")) + SWITCH;
    }
    Ok(text)
}

/// Copies the files that git knows. A file that is equal in the copy is not written again, so that
/// cargo does not build it again.
fn copy(root: &Path, copy: &Path, faults: &[Fault]) -> Result<()> {
    let list = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output()?;
    let list = String::from_utf8(list.stdout)?;
    let files = list.split_terminator('\0').map(Path::new).filter(|file| root.join(file).exists());
    let files: BTreeSet<_> = files.collect();
    let mut folders = vec![copy.to_owned()];
    while let Some(folder) = folders.pop().filter(|folder| folder.exists()) {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if !files.contains(path.strip_prefix(copy)?) {
                fs::remove_file(path)?;
            }
        }
    }
    if let Some(fault) = faults.iter().find(|fault| !files.contains(&*fault.file)) {
        return Err(format!("fault {} is out of date: no such file", fault.number).into());
    }
    for file in files {
        let (mut bytes, to) = (fs::read(root.join(file))?, copy.join(file));
        if file.extension().is_some_and(|extension| extension == "rs") {
            bytes = with_faults(file, &String::from_utf8(bytes)?, faults)?.into();
        }
        if fs::read(&to).ok().is_none_or(|old| old != bytes) {
            fs::create_dir_all(to.parent().unwrap_or(copy))?;
            fs::write(to, bytes)?;
        }
    }
    // Tests look for large files next to the repository.
    let (shared, link) = (root.join("../shared"), copy.with_file_name("shared"));
    if shared.exists() && !link.exists() {
        symlink(shared, link)?;
    }
    Ok(())
}

/// Runs tests with a fault. Returns the test that found it, if any.
fn run(copy: &Path, tests: &str, fault: u32, limit: Duration) -> Result<Option<String>> {
    let path = copy.with_file_name("output");
    let output = File::create(&path)?;
    let mut cargo = Command::new("cargo");
    cargo.args(tests.split_whitespace()).current_dir(copy);
    cargo.env("CARGO_TARGET_DIR", copy.with_file_name("target")).env("FAULT", fault.to_string());
    cargo.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    let mut child = cargo.spawn()?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > limit {
            // The test program, and then cargo, which started it.
            Command::new("pkill").args(["-KILL", "-P", &child.id().to_string()]).status()?;
            child.kill()?;
            child.wait()?;
            return Ok(Some(format!("its time, more than {limit:.0?}")));
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    if status.success() {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    let failed = |line: &str| Some(line.strip_prefix("test ")?.split_once(" ... FAILED")?.0.into());
    let test = text.lines().find_map(failed).unwrap_or_else(|| "the end of the process".to_owned());
    let program = text.split_once("to rerun pass `").and_then(|(_, rest)| rest.split_once('`'));
    Ok(Some(format!("{test} ({})", program.map_or("cargo", |(program, _)| program))))
}

fn all() -> Result<bool> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.join("../..").canonicalize()?;
    let place = root.join("target/faults/archive");
    let faults = faults(&fs::read_to_string(here.join("faults.txt"))?)?;
    copy(&root, &place, &faults)?;
    if std::env::args().nth(1).is_some_and(|argument| argument == "check") {
        if run(&place, "check --workspace", 0, Duration::MAX)?.is_some() {
            return Err("the copy does not compile, see target/faults/output".into());
        }
        println!("{} faults have their places", faults.len());
        return Ok(true);
    }
    let chosen = std::env::args().skip(1).map(|text| text.parse());
    let chosen = chosen.collect::<Result<BTreeSet<u32>, _>>()?;
    let (mut found, mut count) = (0, 0);
    for (is_static, tests) in [(false, WORKSPACE), (true, STATIC)] {
        let is_run = |fault: &&Fault| {
            fault.is_static == is_static && (chosen.is_empty() || chosen.contains(&fault.number))
        };
        let faults: Vec<_> = faults.iter().filter(is_run).collect();
        if faults.is_empty() {
            continue;
        }
        let build = tests.replacen("test", "test --no-run", 1);
        if run(&place, &build, 0, Duration::MAX)?.is_some() {
            return Err("the copy does not compile, see target/faults/output".into());
        }
        let start = Instant::now();
        if let Some(test) = run(&place, tests, 0, Duration::MAX)? {
            return Err(format!("without a fault, {test} fails, see target/faults/output").into());
        }
        println!("no fault: {:.0?}", start.elapsed());
        let limit = 3 * start.elapsed() + Duration::from_secs(60);
        for Fault { number, name, file, .. } in faults {
            let start = Instant::now();
            let near = if is_static { None } else { near(&root, file) };
            let mut test = near.map_or(Ok(None), |tests| run(&place, &tests, *number, limit))?;
            if test.is_none() {
                test = run(&place, tests, *number, limit)?;
            }
            (found, count) = (found + u32::from(test.is_some()), count + 1);
            let test = test.map_or_else(|| "MISSED".into(), |test| format!("found by {test}"));
            println!("{number:2} {name}: {test}, {:.0?}", start.elapsed());
        }
    }
    println!("{found} of {count} found");
    Ok(found == count)
}

fn main() -> ExitCode {
    match all() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
