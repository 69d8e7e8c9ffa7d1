//! Files in the window, without a window.

use archive::save::SaveFile;
use archive::{Format, Serialize, json};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::*;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct World {
    night: bool,
    units: Vec<String>,
}

fn shown(path: &Path) -> Harness<'static, Document> {
    let mut shown = Harness::new_ui_state(show, Document::open(path).unwrap());
    shown.run();
    shown
}

#[test]
fn files_of_all_formats_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    for format in Format::all() {
        let path = folder.path().join("world").with_extension(format.extensions()[0]);
        std::fs::write(&path, format.to_vec(&World::default()).unwrap()).unwrap();
        assert!(
            shown(&path).query_by_role_and_label(Role::CheckBox, "key night").is_some(),
            "{format}"
        );
        let path = folder.path().join(format!("{format}.save"));
        SaveFile::new(&path).title("Night").save(&World::default(), format).unwrap();
        assert!(shown(&path).query_by_label_contains("\"Night\"").is_some(), "{format}");
    }
}

#[test]
fn a_changed_tree_is_saved_next_to_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.bin");
    let bytes = Format::Binary.to_vec(&World::default()).unwrap();
    std::fs::write(&path, &bytes).unwrap();
    let mut shown = shown(&path);
    shown.get_by_role_and_label(Role::CheckBox, "key night").click();
    shown.run();
    shown.get_by_label("Save as JSON").click();
    shown.run();
    let saved = std::fs::read(folder.path().join("world.bin.json")).unwrap();
    assert_eq!(json::from_slice::<World>(&saved).unwrap(), World { night: true, units: vec![] });
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    // A second copy would replace the first one.
    shown.get_by_label("Save as JSON").click();
    shown.run();
    assert!(shown.query_by_label_contains("exists").is_some());
}

#[test]
fn a_file_that_is_not_a_save_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    std::fs::write(&path, b"\x89PNG\r\n\x1a\n").unwrap();
    assert!(Document::open(&path).is_err());
    assert!(Document::open(&folder.path().join("absent")).is_err());
}
