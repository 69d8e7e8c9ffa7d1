//! Processes that are killed, and two at the same time.

use std::process::Command;

use crate::proof::dice::Dice;
use crate::proof::{killed_saver, together as two};
use crate::{Row, Rows, folder};

/// Returns this program as a process of its own.
fn child() -> Result<Command, String> {
    Ok(Command::new(std::env::current_exe().map_err(|error| error.to_string())?))
}

pub(crate) fn kills(count: u64) -> Rows {
    let folder = folder()?;
    let (mut dice, mut seen, mut last) = (Dice(1), killed_saver::Seen::default(), 0);
    for round in 0..count {
        let mut child = child()?;
        child.arg("save").arg(folder.path());
        last = killed_saver::kill_once(&mut child, folder.path(), last, &mut dice, &mut seen)
            .map_err(|error| format!("kill {round}: {error}"))?;
    }
    let result = format!(
        "0 bad: {last} saves; {} were killed as they wrote the file, {} between backup and rename, {} after it",
        seen.leftovers, seen.between, seen.unprinted
    );
    Ok(vec![Row::new("processes killed (`SIGKILL`)", count, result)])
}

pub(crate) fn together(count: u64) -> Rows {
    let folder = folder()?;
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let loads = two::two(folder.path(), count, |who| {
        let mut child = Command::new(&program);
        child.arg("together").arg(folder.path()).args([who.to_string(), count.to_string()]);
        child
    })?;
    let what = "saves by two processes to one slot at the same time";
    let result = format!("0 bad: none is lost or left out; {loads} loads meanwhile");
    Ok(vec![Row::new(what, count * 2, result)])
}
