//! Counting: this program is built in each profile, and runs under callgrind, which writes one file for
//! each call of [`MEASURED`], in the order of the rows.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs, thread};

use crate::rows::{GROUPS, MEASURED};
use crate::table::Table;

/// The argument with which the program runs under callgrind.
pub const COUNTED: &str = "--counted";

/// The profiles, which `Cargo.toml` describes.
pub const PROFILES: [&str; 3] = ["public", "plain", "release"];

/// The tools on which the counts depend: only files of the same tools are compared.
pub fn tools() -> Result<String, String> {
    let libc = output(Command::new("getconf").arg("GNU_LIBC_VERSION")).unwrap_or_default();
    let rustc = output(Command::new(program("RUSTC", "rustc")).arg("--version"))?;
    let valgrind = output(Command::new("valgrind").arg("--version"))?;
    let all = [rustc, libc, valgrind, env::consts::ARCH.to_owned(), copies().to_owned()];
    Ok(all
        .iter()
        .map(|tool| tool.trim())
        .filter(|tool| !tool.is_empty())
        .collect::<Vec<_>>()
        .join(", "))
}

/// The functions with which the C library copies memory: it chooses them by the processor.
fn copies() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return "AVX2";
    }
    ""
}

/// Builds the program in each of the profiles, and counts the rows that have all of the words in their
/// names. One profile is counted while the next is built.
pub fn count(tools: String, profiles: &[&'static str], words: &[String]) -> Result<Table, String> {
    thread::scope(|scope| {
        let mut running = Vec::new();
        for &profile in profiles {
            eprintln!("building in the profile `{profile}`");
            build(profile)?;
            running.push((profile, scope.spawn(move || counted(profile, words))));
        }
        let mut table = Table::new(tools);
        for (profile, counts) in running {
            let counts = counts.join().map_err(|_| "counting panicked".to_owned())??;
            table.add_profile(profile, counts);
        }
        Ok(table)
    })
}

fn build(profile: &str) -> Result<(), String> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let mut cargo = Command::new(program("CARGO", "cargo"));
    cargo.args(["build", "--quiet", "--locked", "--manifest-path", manifest, "--profile", profile]);
    output(&mut cargo).map(drop)
}

/// Runs the program of a profile under callgrind, and returns what was counted for each row.
fn counted(profile: &str, words: &[String]) -> Result<Vec<(String, u64)>, String> {
    let folder = env::temp_dir().join(format!("instructions-{}-{profile}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    // Each group runs in a process of its own, because the state of the allocator affects loads.
    let mut counts = Ok(Vec::new());
    for group in GROUPS {
        let words = [&[group.to_owned()], words].concat();
        counts = counts.and_then(|mut counts: Vec<_>| {
            counts.extend(counted_in(&folder, profile, &words)?);
            Ok(counts)
        });
    }
    fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    counts
}

fn counted_in(
    folder: &Path,
    profile: &str,
    words: &[String],
) -> Result<Vec<(String, u64)>, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let target = this.ancestors().nth(2).ok_or("this program is not in a folder of Cargo")?;
    let files = folder.join("calls");
    let rows = output(
        Command::new("valgrind")
            .arg("--tool=callgrind")
            .args(["--toggle-collect", "--dump-after"].map(|option| format!("{option}={MEASURED}")))
            .arg(format!("--callgrind-out-file={}", files.display()))
            // Arguments and variables are in the memory of the process, so they affect addresses.
            .env_clear()
            .envs(env::var_os("PATH").map(|path| ("PATH", path)))
            .current_dir(target.join(profile))
            .arg("./instructions")
            .arg(COUNTED)
            .args(words),
    )?;
    let count = |(index, row): (usize, &str)| {
        let dump = format!("{}.{}", files.display(), index + 1);
        let dump = fs::read_to_string(&dump).map_err(|error| format!("{dump}: {error}"))?;
        let total = dump.lines().find_map(|line| line.strip_prefix("totals: "));
        let total = total.and_then(|total| total.trim().parse().ok());
        Ok((row.to_owned(), total.ok_or("callgrind counted nothing")?))
    };
    rows.lines().enumerate().map(count).collect()
}

fn program(variable: &str, otherwise: &str) -> OsString {
    env::var_os(variable).unwrap_or_else(|| otherwise.into())
}

/// Runs a command, and returns what it printed.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let Output { status, stdout, stderr } =
        command.output().map_err(|error| format!("{name}: {error}"))?;
    if !status.success() {
        return Err(format!("{name}: {status}\n{}", String::from_utf8_lossy(&stderr)));
    }
    Ok(String::from_utf8_lossy(&stdout).into_owned())
}
