//! `archive view`: edits, and files that change on disk.

use archive::Value;

use crate::run_command::{folder, golden, ok};
use crate::view::{LEVEL, Page, at, level};

#[test]
fn edits_are_written_at_once_when_they_are_saved() {
    let folder = folder();
    let path = level(folder.path());
    let page = Page::open(&path, &[]);
    page.set("units[*].hp", "100");
    page.set("title", "\"New Arena\"");
    let message = page.refused("set", r#"{"path": "units[0].hp", "text": "5"}"#);
    assert!(message.contains("units[0].hp overlaps the pending edit of units[*].hp"), "{message}");
    assert!(
        page.refused("set", r#"{"path": "units[0].name", "text": "Ann"}"#).contains("is not JSON")
    );
    assert!(
        page.refused("set", r#"{"path": "units[9].name", "text": "1"}"#)
            .contains("there are 2 items")
    );
    page.call("set", r#"{"path": "weather", "text": "\"rain\"", "add": true}"#);
    let shown = page.call("node", r#"{"path": "units[1]"}"#);
    assert_eq!(at(&shown, "node.children.1.edited").as_str(), Some("100"));
    assert_eq!(at(&shown, "node.children.1.text").as_str(), Some("7"));
    page.call("undo", "{}");
    page.call("revert", r#"{"path": "title"}"#);
    let edits = page.call("undo", "{}");
    assert_eq!(at(&edits, "edits.list").as_array().map(|list| list.len()), Some(2));
    let edits = page.call("redo", "{}");
    assert_eq!(at(&edits, "edits.list.0.values").as_u64(), Some(2));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), LEVEL);
    let (status, saved) = page.save();
    assert_eq!((status, at(&saved, "saved").as_u64()), (200, Some(2)));
    let expected = LEVEL.replace("\"hp\": 70", "\"hp\": 100").replace("\"hp\": 7}", "\"hp\": 100}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    assert_eq!(at(&saved, "edits.list").as_array().map(|list| list.len()), Some(0));
    assert_eq!(page.save().0, 422);
    let page = Page::open(&path, &["--read-only"]);
    assert!(page.refused("set", r#"{"path": "title", "text": "\"x\""}"#).contains("not changed"));
}

/// The file is read again, the edits remain, and nothing is written over a version that the page has not shown.
#[test]
fn a_file_that_changes_on_disk_is_read_again() {
    let folder = folder();
    let path = level(folder.path());
    let page = Page::open(&path, &[]);
    page.set("units[1].hp", "50");
    let before = page.call("state", "{}");
    let changed = LEVEL.replace("Bob", "Robert");
    std::fs::write(&path, &changed).expect("a file");
    let (status, answer) =
        page.try_call("save", &format!("{{\"version\":{}}}", at(&before, "version")));
    assert_eq!(status, 409, "{answer}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), changed);
    let shown = page.call("node", r#"{"path": "units[1].name"}"#);
    assert_eq!(at(&shown, "node.text").as_str(), Some("\"Robert\""));
    assert_ne!(at(&shown, "version"), at(&before, "version"));
    // An edit that no longer fits says so, and is saved when it fits again.
    std::fs::write(&path, r#"{"units": []}"#).expect("a file");
    let state = page.call("state", "{}");
    assert!(
        at(&state, "edits.list.0.error").as_str().is_some_and(|text| text.contains("no items")),
        "{state}"
    );
    assert_eq!(page.save().0, 422);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), r#"{"units": []}"#);
    std::fs::remove_file(&path).expect("a file");
    assert!(page.refused("node", "{}").contains("cannot read"));
    std::fs::write(&path, LEVEL).expect("a file");
    assert_eq!(page.save().0, 200);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), LEVEL.replace("\"hp\": 7}", "\"hp\": 50}"));
}

/// Every golden file is shown, and its values can be set as `archive set` sets them.
#[test]
fn files_of_all_formats_are_shown_and_changed_like_by_the_other_commands() {
    let folder = folder();
    // Under Wine, a process takes long to start.
    let each = if cfg!(windows) { 8 } else { 1 };
    for (number, file) in golden().into_iter().enumerate().step_by(each) {
        let extension =
            file.path.extension().and_then(|text| text.to_str()).unwrap_or("bin").to_owned();
        let path = folder.path().join(format!("golden{number}.{extension}"));
        std::fs::write(&path, file.bytes()).unwrap();
        let page = Page::open(&path, &[]);
        let mut open = vec![String::new()];
        let mut numbers = Vec::new();
        while let Some(at_path) = open.pop() {
            if open.len() + numbers.len() > 200 {
                break;
            }
            let shown =
                page.call("node", &format!("{{\"path\":{}}}", Value::from(at_path.as_str())));
            let node = at(&shown, "node");
            for child in node.get("children").and_then(Value::as_array).unwrap_or_default() {
                let step = at(child, "step").as_str().unwrap();
                let full = format!("{at_path}{step}");
                let full = full.strip_prefix('.').unwrap_or(&full).to_owned();
                match at(child, "kind").as_str().unwrap() {
                    "sequence" | "object" => open.push(full),
                    // A pointer is shown as its object.
                    "number" if child.get("id").is_none() => {
                        numbers.push((full, at(child, "text").as_str().unwrap().to_owned()))
                    }
                    _ => {}
                }
            }
        }
        // What the search finds is at its path.
        for query in ["1", "a"] {
            let hits = page.call("search", &format!("{{\"query\":\"{query}\",\"in\":\"values\"}}"));
            for hit in at(&hits, "hits").as_array().expect("hits").iter().take(20) {
                let found = page.call("node", &format!("{{\"path\":{}}}", at(hit, "path")));
                let node = at(&found, "node");
                let text = node.get("text").or(node.get("registered")).expect("text").to_string();
                assert!(text.to_lowercase().contains(query), "{}: {hit}", file.text());
            }
        }
        for (path_in, text) in numbers.iter().take(5) {
            assert_eq!(
                ok(&["get", path.to_str().unwrap(), path_in]).trim(),
                text,
                "{}",
                file.text()
            );
        }
        for (path_in, _) in numbers.iter().take(3) {
            let copy = folder.path().join(format!("copy{number}.{extension}"));
            std::fs::write(&copy, file.bytes()).unwrap();
            let by_command =
                crate::run_command::run(&["set", copy.to_str().unwrap(), path_in, "1"]);
            let body = format!("{{\"path\":{},\"text\":\"1\"}}", Value::from(path_in.as_str()));
            let (status, answer) = page.try_call("set", &body);
            assert_eq!(
                status == 200,
                by_command.status.success(),
                "{} {path_in}: {answer}",
                file.text()
            );
            if status == 200 {
                let (status, answer) = page.save();
                assert_eq!(status, 200, "{} {path_in}: {answer}", file.text());
                assert_eq!(
                    std::fs::read(&path).unwrap(),
                    std::fs::read(&copy).unwrap(),
                    "{} {path_in}",
                    file.text()
                );
                std::fs::write(&path, file.bytes()).unwrap();
            }
        }
    }
}

/// Several members can be added to one object, empty or not, in every format that allows it.
#[test]
fn members_are_added_one_after_another() {
    let folder = folder();
    for format in ["json", "msgpack", "bin", "blob"] {
        for parent in [r#"{"o": {}}"#, r#"{"o": {"x": 1}}"#, r#"{"o": [["k", 1]]}"#] {
            let source = folder.path().join("source.json");
            std::fs::write(&source, parent).expect("a file");
            let path = folder.path().join(format!("file.{format}"));
            let text = path.to_str().expect("text");
            ok(&["convert", source.to_str().expect("text"), text]);
            let page = Page::open(&path, &[]);
            let mut count = 0;
            for (name, value) in [("a", "1"), ("b", "[2]"), ("c", "{\"d\": 3}")] {
                let value = Value::from(value);
                let body = format!("{{\"path\":\"o.{name}\",\"text\":{value},\"add\":true}}");
                count += usize::from(page.try_call("set", &body).0 == 200);
            }
            if count == 0 {
                continue;
            }
            let (status, answer) = page.save();
            assert_eq!(status, 200, "{format} {parent}: {answer}");
            ok(&["verify", text]);
            let shown = ok(&["get", text, "o", "--compact"]);
            assert_eq!(count, 3, "{format} {parent}: {shown}");
            for part in ["\"a\"", "\"b\"", "\"c\"", "{\"d\":3}"] {
                assert!(shown.contains(part), "{format} {parent}: {shown}");
            }
            let again = page.try_call("set", r#"{"path": "o.a", "text": "5", "add": true}"#);
            assert!(again.0 == 422 && again.1.to_string().contains("exists"), "{}", again.1);
        }
    }
}

/// A path may lead to another value after a change on disk. The edit is marked, and the first save is refused.
#[test]
fn an_edit_of_a_value_that_changed_on_disk_is_saved_at_the_second_try() {
    let folder = folder();
    let path = level(folder.path());
    let page = Page::open(&path, &[]);
    page.set("units[1].hp", "50");
    page.set("title", "\"New\"");
    // An edit that was undone does not count.
    page.set("units[0].hp", "1");
    page.call("undo", "{}");
    let without_ann = LEVEL
        .replace(r#"{"name": "Ann", "hp": 70}, "#, "")
        .replace("]", r#", {"name": "Cid", "hp": 9}]"#);
    std::fs::write(&path, &without_ann).expect("a file");
    let state = page.call("state", "{}");
    let error = at(&state, "edits.list.0.error").as_str().expect("a mark").to_owned();
    assert_eq!(error, "the value was 7 when this was edited, and is 9 now");
    assert!(at(&state, "edits.list.1").get("error").is_none(), "{state}");
    let (status, answer) = page.save();
    assert!(status == 409 && answer.to_string().contains("look at the marked edits"), "{answer}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), without_ann);
    assert_eq!(page.save().0, 200);
    let expected = without_ann.replace("\"hp\": 9", "\"hp\": 50").replace("Old Arena", "New");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
}
