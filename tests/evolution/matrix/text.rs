//! Text.

use std::borrow::Cow;
use std::path::PathBuf;
use std::rc::Rc;

use archive::ErrorKind::*;

use super::table::{Section, fails, loads, row};

pub fn section() -> Section {
    Section {
        title: "Text",
        intro: "Text is text, in every type that holds it.",
        rows: vec![
            row!("boxed": String = "Ann".into(), Box<str>, loads(r#""Ann""#)),
            row!("no longer boxed": Box<str> = "Ann".into(), String, loads(r#""Ann""#)),
            row!("shared": String = "Ann".into(), Rc<str>, loads(r#""Ann""#)),
            row!("no longer shared": Rc<str> = "Ann".into(), String, loads(r#""Ann""#)),
            row!("a `Cow`": String = "Ann".into(), Cow<'static, str>, loads(r#""Ann""#)),
            row!("no longer a `Cow`": Cow<'static, str> = "Ann".into(), String, loads(r#""Ann""#)),
            row!("a path": String = "a/b".into(), PathBuf, loads(r#""a/b""#)),
            row!("no longer a path": PathBuf = "a/b".into(), String, loads(r#""a/b""#)),
            row!("a character": String = "x".into(), char, loads("'x'")),
            row!("several characters": String = "xy".into(), char, fails(WrongType, "")),
            row!("no longer a character": char = 'x', String, loads(r#""x""#)),
            row!("bytes": String = "x".into(), Vec<u8>, fails(WrongType, "")),
            row!("no longer bytes": Vec<u8> = vec![120], String, fails(WrongType, "")),
            row!("an address": String = "10.0.0.1".into(), std::net::Ipv4Addr, loads("10.0.0.1")),
        ],
    }
}
