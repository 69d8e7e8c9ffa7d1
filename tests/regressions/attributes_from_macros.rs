//! Names and versions that a macro passes as literals were refused by the derive.

use archive::{Serialize, json};

macro_rules! settings {
    ($Name:ident $version:literal { $($field:ident $name:literal was $was:literal),* }) => {
        #[derive(Debug, Default, PartialEq, Serialize)]
        #[archive(version = $version)]
        struct $Name { $(#[archive(rename = $name, alias = $was)] $field: u8),* }
    };
}
settings!(Sound 2 { music "Music" was "Songs", voice "Voice" was "Speech" });

#[test]
fn are_literals() {
    let sound = Sound { music: 1, voice: 2 };
    let text = r#"{"$version":2,"Music":1,"Voice":2}"#;
    assert_eq!(json::to_string(&sound).unwrap(), text);
    assert_eq!(json::from_str::<Sound>(r#"{"Speech":2,"Songs":1}"#).unwrap(), sound);
}
