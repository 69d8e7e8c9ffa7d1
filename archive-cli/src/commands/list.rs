//! `archive list`.

use anstyle::{AnsiColor, Style};
use archive::save::{Saves, Slot, SlotState};
use archive::{Error, Result, Value, json};

use crate::args::List;
use crate::{Outcome, complaint, json_output, output, show, steps};

const NAME: Style = AnsiColor::Cyan.on_default();
const BAD: Style = AnsiColor::Red.on_default();

pub fn list(args: &List) -> Result<Outcome> {
    if !args.folder.is_dir() {
        let error = match std::fs::metadata(&args.folder) {
            Ok(_) => std::io::ErrorKind::NotADirectory.into(),
            Err(error) => error,
        };
        let message = format!("cannot list {}: {error}", args.folder.display());
        return Err(Error::with_source(archive::ErrorKind::Io, message, error));
    }
    let slots = Saves::in_folder(&args.folder)?.list()?;
    if args.json {
        let all: Value = slots.iter().map(as_value).collect();
        output::print_json(&json::to_string_pretty(&all)?)?;
    } else if slots.is_empty() {
        complaint::note(&format!("there are no saves in {}", args.folder.display()));
    } else {
        output::print(&table(&slots))?;
    }
    Ok(Outcome::Done)
}

/// The maximum number of characters of a title.
const MAX_TITLE: usize = 60;

/// Returns the columns of a slot, with their names.
fn columns(slot: &Slot) -> [(&'static str, String); 7] {
    let meta = slot.meta();
    let size = size(slot).map(show::bytes);
    let state = match slot.state() {
        SlotState::Good => String::new(),
        state => match slot.falls_back() {
            Some(backup) => format!("{state}, backup {backup} is good"),
            None => state.to_string(),
        },
    };
    [
        ("name", show::plain(slot.name())),
        ("title", show::plain(&show::cut(&meta.title, MAX_TITLE))),
        ("saved", show::date(meta.created)),
        (
            "played",
            if meta.play_time.is_zero() { String::new() } else { show::duration(meta.play_time) },
        ),
        ("format", show::plain(&meta.format)),
        ("size", size.unwrap_or_default()),
        ("state", state),
    ]
}

/// Asks the system for the size of a slot's file.
fn size(slot: &Slot) -> Option<u64> {
    steps::step();
    std::fs::metadata(slot.path()).map(|file| file.len()).ok()
}

fn table(slots: &[Slot]) -> String {
    let rows: Vec<_> = slots.iter().map(columns).collect();
    let Some(first) = rows.first() else { return String::new() };
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].1.chars().count());
        // An empty column is left out.
        cells.clone().max().filter(|most| *most > 0).map(|most| most.max(first[column].0.len()))
    };
    let widths: Vec<Option<usize>> = (0..first.len()).map(width).collect();
    let line = |cells: Vec<&str>, styles: [Style; 7]| {
        let mut line = String::new();
        for ((cell, width), style) in cells.into_iter().zip(&widths).zip(styles) {
            if let Some(width) = width {
                let padding = width - cell.chars().count() + 2;
                line += &format!("{style}{cell}{style:#}{:padding$}", "");
            }
        }
        line.trim_end().to_owned() + "\n"
    };
    let plain = Style::new();
    let mut out = line(first.iter().map(|(name, _)| *name).collect(), [plain.dimmed(); 7]);
    for row in &rows {
        let cells = row.iter().map(|(_, text)| text.as_str()).collect();
        out += &line(cells, [NAME, plain, plain, plain, plain, plain, BAD]);
    }
    out
}

/// Returns what is known about a slot, for programs.
pub fn as_value(slot: &Slot) -> Value {
    let meta = slot.meta();
    let size = size(slot).map_or(Value::Null, Value::from);
    let signature = (meta.signature != 0).then(|| format!("{:016x}", meta.signature));
    let about = json_output::object([
        ("name", slot.name().into()),
        ("path", slot.path().display().to_string().into()),
        ("state", slot.state().to_string().into()),
        ("size", size),
        ("format", json_output::text(&meta.format)),
        ("signature", signature.map_or(Value::Null, Value::from)),
        ("error", slot.error().map_or(Value::Null, json_output::error)),
        ("falls_back", slot.falls_back().map_or(Value::Null, |backup| (backup as u64).into())),
    ]);
    json_output::extended(about, json_output::meta(meta))
}

#[cfg(test)]
mod tests {
    use archive::Format;

    use super::*;
    use crate::steps::steps_of;

    /// `archive-save/tests/calls_per_slot.rs` counts the calls of the listing itself.
    #[test]
    fn the_system_is_asked_once_for_each_slot() {
        let folder = tempfile::tempdir().expect("a folder");
        let saves = Saves::in_folder(folder.path()).expect("a folder");
        for count in [20, 40] {
            for number in 0..count {
                let slot = saves.slot(&format!("slot {number}")).expect("a slot");
                slot.save(&number, Format::Json).expect("a save");
                slot.save(&number, Format::Json).expect("a save with a backup");
            }
            let slots = saves.list().expect("slots");
            assert_eq!(slots.len(), count);
            assert_eq!(steps_of(|| assert!(table(&slots).lines().count() > count)), count as u64);
            let print = || slots.iter().for_each(|slot| assert!(!as_value(slot).is_null()));
            assert_eq!(steps_of(print), count as u64);
        }
    }
}
