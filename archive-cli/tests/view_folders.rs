//! `archive view`: folders of saves, comparisons, and exported pages.

use archive::save::SaveFile;
use archive::{Format, Value, json};

use crate::run_command::{fails, folder, ok};
use crate::view::{Page, at};

#[test]
fn saves_of_a_folder_have_pictures_and_are_compared_with_their_backups() {
    const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n";
    let folder = folder();
    for (name, hp) in [("one", 1), ("two", 2), ("two", 3)] {
        let file =
            SaveFile::new(folder.path().join(format!("{name}.sav"))).backups(1).thumbnail(PICTURE);
        let value: Value = json::from_str(&format!("{{\"hp\":{hp}}}")).unwrap();
        file.save(&value, Format::Json).unwrap();
    }
    let page = Page::open(folder.path(), &[]);
    assert_eq!(at(&page.call("state", "{}"), "mode").as_str(), Some("folder"));
    let slots = page.call("slots", "{}");
    assert_eq!(at(&slots, "slots").as_array().map(|slots| slots.len()), Some(2));
    let (status, head, picture) = page.request(&page.head("thumbnail"), br#"{"file": "two"}"#);
    assert!(status == 200 && head.contains("image/png") && picture == PICTURE, "{head}");
    let state = page.call("state", r#"{"file": "two"}"#);
    assert_eq!(at(&state, "compare").to_string(), r#"["backup 1","one"]"#);
    for (with, old) in [("backup 1", "2"), ("one", "1")] {
        let found = page.call("compare", &format!("{{\"file\": \"two\", \"with\": \"{with}\"}}"));
        assert_eq!(at(&found, "changes.0.path").as_str(), Some("hp"));
        assert_eq!(
            (at(&found, "changes.0.old").as_str(), at(&found, "changes.0.new").as_str()),
            (Some(old), Some("3"))
        );
    }
    assert!(
        page.refused("compare", r#"{"file": "two", "with": "/etc/passwd"}"#)
            .contains("there is no file")
    );
    assert!(page.refused("node", r#"{"file": "../two"}"#).contains("there is no save"));
    page.call("set", r#"{"file": "two", "path": "hp", "text": "9"}"#);
    // Only one save is in memory at a time. Reading it again is not a change.
    let version = at(&page.call("state", r#"{"file": "two"}"#), "version").clone();
    let one = page.call("state", r#"{"file": "one"}"#);
    assert_eq!(at(&one, "edits.list").as_array().map(|list| list.len()), Some(0));
    let two = page.call("state", r#"{"file": "two"}"#);
    assert_eq!(at(&two, "edits.list.0.text").as_str(), Some("9"));
    assert_eq!(*at(&two, "version"), version);
    let head = page.head("x").replace("/call/x", "/upload") + "X-Name: other.json\r\n";
    drop(page);
    let page = Page::open(&folder.path().join("one.sav"), &[]);
    let head = head.lines().next().unwrap().to_owned()
        + &page.head("x")[page.head("x").find("\r\n").unwrap()..];
    let (status, _, answer) = page.request(&head, b"{\"hp\": 5}");
    assert!(status == 200, "{}", String::from_utf8_lossy(&answer));
    let answer: Value = json::from_slice(&answer).unwrap();
    assert_eq!(at(&answer, "changes.0.old").as_str(), Some("5"));
}

#[test]
fn a_page_is_exported_up_to_a_size() {
    let folder = folder();
    let path = folder.path().join("big.json");
    let units: Vec<String> =
        (0..20_000).map(|at| format!("{{\"name\": \"</script>{at}\"}}")).collect();
    std::fs::write(&path, format!("{{\"units\": [{}]}}", units.join(","))).unwrap();
    let (page, file) = (folder.path().join("page.html"), path.to_str().unwrap());
    for size in ["200kB", "1MB", "10MB"] {
        ok(&["view", file, "--export", page.to_str().unwrap(), "--max-size", size]);
        let text = std::fs::read_to_string(&page).unwrap();
        let most = size.replace("kB", "000").replace("MB", "000000").parse().unwrap();
        assert!(text.len() <= most && text.len() > most / 20, "{size}: {}", text.len());
        assert_eq!(text.contains("This page has at most"), size != "10MB");
        assert!(!text.contains("</script>0") && text.contains("Content-Security-Policy"));
        assert!(!text.contains(folder.path().to_str().unwrap()), "the page names the folder");
    }
    let message =
        fails(&["view", file, "--export", page.to_str().unwrap(), "--max-size", "1kB"], 2);
    assert!(message.contains("--max-size"), "{message}");
    let message = fails(&["view", file, "--export", file], 2);
    assert!(message.contains("would replace"), "{message}");
    fails(&["view", folder.path().join("nothing").to_str().unwrap()], 2);
}
