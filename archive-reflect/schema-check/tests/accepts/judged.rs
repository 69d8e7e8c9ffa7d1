//! A validator for written values.

use std::fmt::Debug;

use archive::reflect::Meta;
use archive::{Blank, Options, Registry, Save, Serialize, json};
use serde_json::Value;

/// Returns the validator of a type's files.
pub fn validator<T: Serialize + Blank>(registry: &Registry) -> jsonschema::Validator {
    let schema = Meta::of::<T>().json_schema_with(registry);
    let schema: Value = serde_json::from_str(&schema).expect("a schema is JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("a schema is one of 2020-12");
    jsonschema::draft202012::new(&schema).expect("a schema that can be used")
}

/// Checks that the schema of the type accepts the value's text.
pub fn round_trip<T: Serialize + Save + Blank + PartialEq + Debug>(value: &T) {
    round_trip_with(value, &Options::new());
}

/// As [`round_trip`], with options.
pub fn round_trip_with<T>(value: &T, options: &Options<'_>)
where
    T: Serialize + Save + Blank + PartialEq + Debug,
{
    let registry = options.settings().registry().cloned().unwrap_or_default();
    let validator = validator::<T>(&registry);
    for options in [options.clone(), options.clone().maps_as_objects(true)] {
        let text = json::to_string_with(value, &options).expect("the value is saved");
        let parsed: Value = serde_json::from_str(&text).expect("it is JSON");
        let errors: Vec<_> = validator.iter_errors(&parsed).map(|it| it.to_string()).collect();
        let schema = || Meta::of::<T>().json_schema_with(&registry);
        assert!(errors.is_empty(), "{errors:#?}\n{text}\n{}", schema());
    }
}
