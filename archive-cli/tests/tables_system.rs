//! `archive export` and the system: pipes, a limit of open files, and outputs that cannot be written.
#![cfg(unix)]

use std::process::{Command, Stdio};

use crate::read_tables::{SINKS, read, text};
use crate::run_command::folder;

/// Runs a script in a folder, and returns its exit status and its standard error.
fn sh(folder: &std::path::Path, script: &str) -> (Option<i32>, String) {
    let script = script.replace("archive ", &format!("{} ", env!("CARGO_BIN_EXE_archive")));
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder).env("NO_COLOR", "1").stdin(Stdio::null());
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Standard input and pipes are read once.
#[test]
fn pipes_have_tables() {
    let folder = folder();
    std::fs::write(folder.path().join("a.json"), "[{\"a\":1}]").unwrap();
    for sink in SINKS {
        for (script, name) in [
            ("cat a.json | archive export - ", "standard input"),
            ("cat a.json | archive export /dev/stdin ", "/dev/stdin"),
            ("rm -f p; mkfifo p; cat a.json > p & archive export p ", "p"),
        ] {
            let output = format!("out{sink}");
            assert_eq!(
                sh(folder.path(), &format!("rm -rf {output}; {script} {sink} {output}")),
                (Some(0), String::new()),
                "{script}"
            );
            let tables = read(sink, &folder.path().join(output));
            assert_eq!(text(&tables["root"][0]["a"]), "1");
            assert_eq!(tables["root"][0]["save"].as_str(), Some(name));
        }
    }
}

/// Any number of tables has few open files.
#[test]
fn tables_are_not_all_open() {
    let folder = folder();
    let lists: Vec<String> = (0..200).map(|at| format!("\"t{at}\":[{{\"a\":{at}}}]")).collect();
    std::fs::write(folder.path().join("a.json"), format!("{{{}}}", lists.join(","))).unwrap();
    for sink in SINKS {
        let script = format!("ulimit -n 32; archive export a.json {sink} out{sink}");
        assert_eq!(sh(folder.path(), &script), (Some(0), String::new()));
        let tables = read(sink, &folder.path().join(format!("out{sink}")));
        assert_eq!(tables.len(), 201);
        assert_eq!(text(&tables["t199"][0]["a"]), "199");
    }
}

/// An error of the output names the output.
#[test]
fn errors_of_the_output_name_it() {
    let folder = folder();
    let row = format!("{{\"a\":\"{}\"}}", "x".repeat(100));
    let rows = vec![row; 100_000].join(",");
    std::fs::write(folder.path().join("a.json"), format!("[{rows}]")).unwrap();
    for sink in SINKS {
        // The limit is in blocks of 512 or 1,024 bytes.
        let script = format!("trap '' XFSZ; ulimit -f 4; archive export a.json {sink} out");
        let (status, message) = sh(folder.path(), &script);
        assert_eq!(status, Some(2), "{sink}: {message}");
        assert!(message.contains("out") && !message.contains("a.json"), "{sink}: {message}");
        assert!(!folder.path().join("out").exists());
    }
}
