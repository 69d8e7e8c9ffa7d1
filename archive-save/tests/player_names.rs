//! Names that players type: each is a file of its own, in the folder.

use std::collections::HashMap;
use std::path::Path;

use archive::save::Saves;
use archive::{ErrorKind, Format};
use archive_test_support::search;
use proptest::prelude::*;

use crate::proof::power_cuts;

fn saves() -> Saves {
    Saves::over(power_cuts(), "saves").unwrap()
}

fn file(name: &str) -> String {
    let path = saves().slot(name).unwrap().path().to_owned();
    assert_eq!(path.parent(), Some(Path::new("saves")), "{name:?}");
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn files_have_plain_names() {
    for (name, expected) in [
        ("campaign", "campaign.sav"),
        ("Boss fight", "+boss fight.sav"),
        ("  quick  ", "quick.sav"),
        ("a_b-c 9", "a_b-c 9.sav"),
        ("../../etc/passwd", "%2e%2e%2f%2e%2e%2fetc%2fpasswd.sav"),
        ("C:\\Windows", "+c%3a%5c+windows.sav"),
        (".", "%2e.sav"),
        ("..", "%2e%2e.sav"),
        ("a.sav", "a%2esav.sav"),
        ("quick.sav.1", "quick%2esav%2e1.sav"),
        ("con", "%63on.sav"),
        ("CON", "+c+o+n.sav"),
        ("com1", "%63om1.sav"),
        ("com10", "com10.sav"),
        ("lpt9", "%6cpt9.sav"),
        ("50% + 1", "50%25 %2b 1.sav"),
        ("a\0b\n", "a%00b.sav"),
        ("Ärger", "%c3%84rger.sav"),
        ("A\u{308}rger", "%c3%84rger.sav"),
        ("保存", "保存.sav"),
        ("が", "が.sav"),
        ("か\u{3099}", "が.sav"),
        ("трон", "%d1%82%d1%80%d0%be%d0%bd.sav"),
        ("🎮", "%f0%9f%8e%ae.sav"),
    ] {
        assert_eq!(file(name), expected, "{name:?}");
    }
}

#[test]
fn empty_and_long_names_are_refused() {
    for name in ["", "  ", "\t\n"] {
        assert_eq!(saves().slot(name).unwrap_err().kind(), ErrorKind::Unsupported);
    }
    for (letter, most) in [("a", 220), ("存", 73), ("д", 36), ("🎮", 18)] {
        assert!(file(&letter.repeat(most)).len() <= 220 + 4);
        let error = saves().slot(&letter.repeat(most + 1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::SizeLimit, "{letter}");
        assert!(error.message().ends_with(" bytes, and the limit is 220"), "{error}");
    }
}

/// A name as it is on a file system that ignores case and how letters are composed.
fn folded(file: &str) -> String {
    use unicode_normalization::UnicodeNormalization;

    file.nfd().collect::<String>().to_lowercase().to_uppercase().to_lowercase()
}

proptest! {
    #![proptest_config(search::config(5_000))]

    #[test]
    fn every_name_is_a_file_of_its_own(
        names in proptest::collection::vec("[aAbBéÉßSsſﬁıIİ% +./\\\\:か\u{3099}保\u{0}-\u{2ff}]{1,4}|\\PC{1,6}", 1..12),
    ) {
        let saves = saves();
        let mut files = HashMap::new();
        for name in names {
            let Ok(slot) = saves.slot(&name) else { continue };
            slot.save(&name, Format::Json).unwrap();
            let file = slot.path().strip_prefix("saves").unwrap().to_str().unwrap().to_owned();
            prop_assert!(!file.contains(['/', '\\', ':', '"', '<', '>', '|', '?', '*', '\0']));
            let other = files.insert(folded(&file), slot.name().to_owned());
            prop_assert!(other.as_deref().is_none_or(|other| other == slot.name()), "{:?}", other);
        }
        let listed = saves.list().unwrap();
        prop_assert_eq!(listed.len(), files.len());
        for slot in listed {
            prop_assert!(files.values().any(|name| name == slot.name()), "{}", slot.name());
            let again = saves.slot(slot.name()).unwrap();
            prop_assert_eq!(again.path(), slot.path());
        }
    }
}

/// A file that a player copies into the folder is a slot under its file name.
#[test]
fn files_of_other_names_are_slots() {
    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    saves.slot("mine").unwrap().save(&1, Format::Json).unwrap();
    let bytes = system.get("saves/mine.sav").unwrap();
    for name in ["Boss Fight", "100%", "a.sav", "Ärger"] {
        system.put(format!("saves/{name}.sav"), bytes.clone());
        let slot = saves.slot(name).unwrap();
        assert_eq!(slot.path(), Path::new("saves").join(format!("{name}.sav")));
        assert_eq!(slot.load::<i32>().unwrap().value, 1);
        assert!(saves.list().unwrap().iter().any(|slot| slot.name() == name), "{name}");
    }
    system.put("saves/notes.txt", "no slot");
    assert_eq!(saves.list().unwrap().len(), 5);
    // No name points outside the folder.
    system.put("quick.sav", bytes);
    assert!(!saves.slot("../quick").unwrap().path().to_str().unwrap().contains(".."));
}
