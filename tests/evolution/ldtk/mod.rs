//! Files of a real editor in models of another version of it: the absent, unknown and converted
//! members are pinned, and are the same in every format.

mod old;
mod report;
mod small;
mod wrong;

use std::path::{Path, PathBuf};

use archive::error::Position;
use archive::{ErrorKind, Format, Options, Report, json};
use old::OldProject;
use report::{check_pinned, summary};
use skirmish::ldtk::{LayerInstance, Project};
use wrong::WrongProject;

/// The files are large, so each format is used once.
fn formats() -> impl Iterator<Item = Format> {
    Format::all().chain([Format::of::<archive::bins::Bins>()])
}

/// Every project of the fixtures, with its name.
fn projects() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/fixtures/ldtk");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: {} is not there", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ldtk"));
    paths.sort();
    assert_eq!(paths.len(), 5, "{paths:?}");
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    paths.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

fn is_old(name: &str) -> bool {
    name.ends_with("0.9.3")
}

/// The paths of absent and of unknown members.
fn differences(report: &Report) -> [Vec<&str>; 2] {
    [report.absent().collect(), report.unknown().collect()]
}

#[test]
fn every_file_in_the_model_of_today() {
    for (name, bytes) in projects() {
        let (project, report) =
            json::from_slice_report::<Project>(&bytes, &Options::new()).unwrap();
        assert!(!project.levels.is_empty() || !project.worlds.is_empty(), "{name}");
        check_pinned(&name, &report);
        let (_, again) = json::from_slice_report::<Project>(&bytes, &Options::new()).unwrap();
        assert_eq!(again.notes(), report.notes(), "{name}");
        assert!(again.errors().is_empty(), "{name}");
    }
}

/// A model knows all members of its own output, except the one that a hand-written type only loads.
#[test]
fn saved_and_loaded_again_in_every_format() {
    for (name, bytes) in projects() {
        let project: Project = json::from_slice(&bytes).unwrap();
        let text = json::to_string(&project).unwrap();
        let (_, expected) =
            json::from_slice_report::<Project>(text.as_bytes(), &Options::new()).unwrap();
        assert!(
            summary(&expected)
                .keys()
                .all(|(path, kind)| { path.ends_with(".srcRect") && kind == "absent" }),
            "{name}: {expected}"
        );
        for format in formats() {
            let bytes = format.to_vec(&project).unwrap();
            let (loaded, report) =
                format.from_slice_report::<Project>(&bytes, &Options::new()).unwrap();
            assert_eq!(report.notes(), expected.notes(), "{name}: {format}");
            assert!(json::to_string(&loaded).unwrap() == text, "{name}: {format}");
        }
    }
}

#[test]
fn every_file_in_the_model_of_an_older_editor() {
    for (name, bytes) in projects() {
        let (old, report) = json::from_slice_report::<OldProject>(&bytes, &Options::new()).unwrap();
        check_pinned(&format!("{name}.old-model"), &report);
        // Both models see the same in it.
        let new: Project = json::from_slice(&bytes).unwrap();
        assert_eq!(old.levels.len(), new.levels.len(), "{name}");
        let mut tiles = 0;
        for (old, new) in old.levels.iter().zip(&new.levels) {
            assert_eq!((&old.identifier, old.uid), (&new.identifier, new.uid), "{name}");
            assert_eq!(old.neighbours.len(), new.neighbours.len(), "{name}");
            let none = Vec::<LayerInstance>::new();
            let layers = new.layer_instances.as_ref().unwrap_or(&none);
            for (old, new) in old.layer_instances.iter().flatten().zip(layers) {
                assert_eq!((old.kind, &old.cells), (new.kind, &new.int_grid_csv), "{name}");
                for (old, new) in old.entity_instances.iter().zip(&new.entity_instances) {
                    assert_eq!((&old.identifier, old.px), (&new.identifier, new.px), "{name}");
                    if let (Some(old), Some(new), true) = (&old.tile, &new.tile, is_old(&name)) {
                        assert_eq!(old.src_rect, [new.x, new.y, new.w, new.h], "{name}");
                        tiles += 1;
                    }
                }
            }
        }
        assert_eq!(tiles > 0, is_old(&name), "{name}");
    }
}

/// The differences between two models do not depend on the format between them.
#[test]
fn the_same_report_through_every_format() {
    for (name, bytes) in projects() {
        let new: Project = json::from_slice(&bytes).unwrap();
        let old: OldProject = json::from_slice(&bytes).unwrap();
        let text = json::to_vec(&new).unwrap();
        let (_, to_old) = json::from_slice_report::<OldProject>(&text, &Options::new()).unwrap();
        let text = json::to_vec(&old).unwrap();
        let (_, to_new) = json::from_slice_report::<Project>(&text, &Options::new()).unwrap();
        assert!(!to_old.is_empty() && !to_new.is_empty(), "{name}");
        for format in formats() {
            let bytes = format.to_vec(&new).unwrap();
            let (_, report) =
                format.from_slice_report::<OldProject>(&bytes, &Options::new()).unwrap();
            assert_eq!(differences(&report), differences(&to_old), "{name}: {format}");
            let bytes = format.to_vec(&old).unwrap();
            let (_, report) = format.from_slice_report::<Project>(&bytes, &Options::new()).unwrap();
            assert_eq!(differences(&report), differences(&to_new), "{name}: {format}");
        }
    }
}

#[test]
fn strict_names_the_first_unknown_member() {
    fn check<T: archive::Element>(name: &str, bytes: &[u8]) {
        let (_, report) = json::from_slice_report::<T>(bytes, &Options::new()).unwrap();
        let strict = json::from_slice_with::<T>(bytes, &Options::new().strict(true)).map(drop);
        match (report.unknown().next(), strict) {
            (None, Ok(())) => {}
            (Some(first), Err(error)) => {
                assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownMember, first));
                assert!(matches!(error.position(), Some(Position::Line { .. })), "{error}");
            }
            (first, strict) => panic!("{name}: {first:?}, {strict:?}"),
        }
    }
    for (name, bytes) in projects() {
        check::<Project>(&name, &bytes);
        check::<OldProject>(&name, &bytes);
    }
}

#[test]
fn keep_going_reports_every_wrong_member_with_its_path() {
    for (name, bytes) in projects() {
        let text = std::str::from_utf8(&bytes).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let mut limits = Options::new().settings().limits().to_owned();
        limits.errors = 100_000;
        let options = Options::new().keep_going(true).each_error(true).limits(limits);
        let (project, report) = json::from_slice_report::<WrongProject>(&bytes, &options).unwrap();
        let found: Vec<String> =
            report.errors().iter().map(|error| error.path().to_owned()).collect();
        assert_eq!(found, wrong::expected(text), "{name}");
        assert!(found.len() > 10, "{name}");
        project.check_rest(text);
        for error in report.errors() {
            let Some(Position::Line { line, column }) = error.position() else { panic!("{error}") };
            // The value is there, after its name unless it is an item, or it is the last one.
            let before: String = lines[line - 1].chars().take(column - 1).collect();
            let member = error.path().rsplit('.').next().unwrap();
            let place = before.trim_end().trim_end_matches(':').trim_end();
            let named = place.ends_with(&format!("\"{member}\""));
            let of_item = member.contains('[') || error.kind() == ErrorKind::WrongLength;
            assert!(named || of_item, "{name}: {error}: {before:?}");
            assert!(!lines[line - 1].chars().nth(column - 1).unwrap().is_whitespace(), "{error}");
        }
        let (_, again) = json::from_slice_report::<WrongProject>(&bytes, &options).unwrap();
        assert_eq!(again.to_string(), report.to_string(), "{name}");
    }
}
