//! The machine and the tools of the measurements.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The rivals, by the names of their packages.
const RIVALS: [&str; 14] = [
    "bincode",
    "bitcode",
    "borsh",
    "fory",
    "postcard",
    "redb",
    "rkyv",
    "rmp-serde",
    "rusqlite",
    "savefile",
    "serde",
    "serde_json",
    "speedy",
    "wincode",
];

/// A profile of the build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Cargo's own for release builds.
    Default,
    /// Thin LTO and one codegen unit.
    Tuned,
}

impl Profile {
    /// The profile of a program, by its path.
    pub fn of(program: &str) -> Self {
        let mut folders = Path::new(program).components();
        match folders.any(|folder| folder.as_os_str() == "default-release") {
            true => Profile::Default,
            false => Profile::Tuned,
        }
    }
}

/// The commit, the machine, the compiler and the profile of the benchmarks, in one line.
pub fn line_of(profile: Profile) -> String {
    let profile = match profile {
        Profile::Default => "Cargo's default profile for release builds",
        Profile::Tuned => "Thin LTO and one codegen unit",
    };
    format!("{} {profile}.", line())
}

/// The commit, the machine and the compiler, in one line.
pub fn line() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split_once(": ")).map_or("unknown processor", |it| it.1);
    // Not `available_parallelism`, which counts only the core to which the measurement is pinned.
    let cores = cpu.lines().filter(|line| line.starts_with("processor")).count();
    let rustc = output("rustc", &["--version"]);
    let system = output("uname", &["-sr"]);
    let commit = commit();
    format!("Measured at commit `{commit}` on {model}, {cores} cores, {system}, {rustc}.")
}

/// The commit of the code, and `+changes` if it has others than those of the pages themselves.
fn commit() -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let git = |arguments: &[&str]| output("git", &[&["-C", root], arguments].concat());
    let pages = ["--", ".", ":!docs/BENCHMARKS*.md", ":!docs/bench"];
    let changed = git(&[&["status", "--porcelain"], &pages[..]].concat());
    let changes = if changed.is_empty() { "" } else { "+changes" };
    match git(&["rev-parse", "--short=12", "HEAD"]) {
        commit if commit.is_empty() => "unknown".to_owned(),
        commit => format!("{commit}{changes}"),
    }
}

/// The first line that a program prints.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.ok().and_then(|text| text.lines().next().map(str::to_owned)).unwrap_or_default()
}

/// The versions of the rivals, from the lock file.
pub fn versions() -> String {
    versions_of(&RIVALS)
}

/// The versions of packages, from the lock file.
pub fn versions_of(packages: &[&str]) -> String {
    let lock = include_str!("../Cargo.lock");
    let version = |name: &str| {
        let (_, rest) = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?;
        Some(format!("{name} {}", rest.split_once('"')?.0))
    };
    let versions: Vec<String> = packages.iter().copied().filter_map(version).collect();
    format!("Versions: {}.\n", versions.join(", "))
}
