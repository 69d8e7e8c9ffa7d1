//! Truncated input is distinguished from wrong input, by kind, path and position.

use archive::error::Position;
use archive::serde_formats::SerdeBackend;
use archive::{Error, ErrorKind, Format, Serialize};

use crate::shared::serde_formats::{Ron, SerdeJson, Toml, serde_formats};

#[derive(Default, PartialEq, Debug, Serialize)]
struct Squad {
    name: String,
    units: Vec<Unit>,
}

#[derive(Default, PartialEq, Debug, Serialize)]
struct Unit {
    name: String,
    hp: Option<u16>,
    aim: f32,
}

fn squad() -> Squad {
    let unit = |name: &str, hp| Unit { name: name.into(), hp, aim: 0.5 };
    Squad { name: "Red".into(), units: vec![unit("Ann", Some(300)), unit("Bo", None)] }
}

#[test]
fn every_place_is_the_end_of_the_input() {
    for format in serde_formats() {
        let file = format.to_vec(&squad()).unwrap();
        for len in 0..file.len() {
            let error = format.from_slice::<Squad>(&file[..len]).unwrap_err();
            // The rest of a word is another word there.
            let in_word = format.name() == "ron"
                && len > 0
                && file[len - 1].is_ascii_alphabetic()
                && file[len].is_ascii_alphabetic();
            assert!(
                in_word || error.kind() == ErrorKind::UnexpectedEnd,
                "{format} cut at {len}: {error}"
            );
            match error.position() {
                Some(Position::Offset(at)) => assert!(at <= len as u64, "{format} {len}: {error}"),
                // The texts have one line.
                Some(Position::Line { line: 1, column }) => {
                    assert!(column <= len + 1, "{format} {len}: {error}");
                }
                other => panic!("{format} cut at {len}: {other:?}"),
            }
            let tree = format.from_slice::<archive::Value>(&file[..len]);
            if format.name() != "postcard" && !in_word {
                assert_eq!(tree.unwrap_err().kind(), ErrorKind::UnexpectedEnd, "{format} {len}");
            }
        }
        let longer = [&file[..], b"\n1"].concat();
        let error = format.from_slice::<Squad>(&longer).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TrailingData, "{format}: {error}");
        assert!(error.position().is_some(), "{format}: {error}");
    }
}

/// In every format that is read once, the path ends at the second unit's aim.
#[test]
fn the_path_ends_at_the_cut() {
    for format in serde_formats() {
        let file = format.to_vec(&squad()).unwrap();
        let cut = match format.name() {
            "serde_json" => "0.5}]}".len(),
            "ron" => "0.5)])".len(),
            _ => 1,
        };
        let error = format.from_slice::<Squad>(&file[..file.len() - cut]).unwrap_err();
        let whole = format.name() == "ciborium";
        assert_eq!(error.path(), if whole { "" } else { "units[1].aim" }, "{format}: {error}");
    }
}

#[test]
fn messages_are_those_of_the_format() {
    let say = |format: Format, text: &str| {
        format.from_slice::<Squad>(text.as_bytes()).unwrap_err().to_string()
    };
    let json = Format::of::<SerdeBackend<SerdeJson>>();
    assert_eq!(
        say(json, "{\"name\":\"Red\",\n\"units\":[{\"hp\":"),
        "units[0].hp: EOF while parsing a value at line 2 column 15"
    );
    let ron = Format::of::<SerdeBackend<Ron>>();
    assert_eq!(
        say(ron, "(name:\"Red\",\nunits:[(hp:"),
        "units[0].hp: Unexpected end of RON at line 2 column 11"
    );
}

/// A truncated text is often a complete TOML document; otherwise the error says that it ends.
#[test]
fn toml_ends_anywhere() {
    let toml = Format::of::<SerdeBackend<Toml>>();
    let kind = |text: &str| toml.from_slice::<Squad>(text.as_bytes()).map_err(|e: Error| e.kind());
    assert_eq!(kind("name = "), Err(ErrorKind::UnexpectedEnd));
    assert_eq!(kind("name = \"Re"), Err(ErrorKind::UnexpectedEnd));
    assert_eq!(kind("units = [{ hp = 1 "), Err(ErrorKind::UnexpectedEnd));
    assert_eq!(kind("name = }\nunits = []"), Err(ErrorKind::Syntax));
    assert_eq!(kind("name = \"Red\"\n").unwrap().name, "Red");
}
