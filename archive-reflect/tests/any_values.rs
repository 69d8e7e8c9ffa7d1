//! Values of any registered type, in every format that names types.

use std::cell::RefCell;
use std::rc::Rc;

use archive::reflect::{AnyValue, Anything, register_std};
use archive::{Error, ErrorKind, Options, Registry, Serialize};
use archive_test_support::{formats, search};
use proptest::prelude::*;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Orc {
    hp: u16,
    pack: Vec<String>,
}

#[derive(Default, Serialize)]
struct Shared {
    orc: Rc<RefCell<Orc>>,
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    register_std(&mut registry).unwrap();
    archive::register!(registry, dyn Anything { Orc, Shared, Vec<AnyValue> as "list" }).unwrap();
    registry
}

#[derive(Clone, Debug, PartialEq)]
enum Model {
    Bool(bool),
    I64(i64),
    U128(u128),
    F32(f32),
    Text(String),
    Orc(Orc),
    List(Vec<Model>),
}

impl Model {
    fn value(&self) -> AnyValue {
        match self.clone() {
            Model::Bool(value) => AnyValue::new(value),
            Model::I64(value) => AnyValue::new(value),
            Model::U128(value) => AnyValue::new(value),
            Model::F32(value) => AnyValue::new(value),
            Model::Text(value) => AnyValue::new(value),
            Model::Orc(value) => AnyValue::new(value),
            Model::List(values) => {
                AnyValue::new(values.iter().map(Model::value).collect::<Vec<_>>())
            }
        }
    }

    /// Returns whether the value is this one, of the same type.
    fn is(&self, value: &AnyValue) -> bool {
        match self {
            Model::Bool(model) => value.downcast_ref() == Some(model),
            Model::I64(model) => value.downcast_ref() == Some(model),
            Model::U128(model) => value.downcast_ref() == Some(model),
            Model::F32(model) => value.downcast_ref() == Some(model),
            Model::Text(model) => value.downcast_ref() == Some(model),
            Model::Orc(model) => value.downcast_ref() == Some(model),
            Model::List(models) => value.downcast_ref::<Vec<AnyValue>>().is_some_and(|values| {
                values.len() == models.len()
                    && models.iter().zip(values).all(|(model, value)| model.is(value))
            }),
        }
    }
}

fn model() -> impl Strategy<Value = Model> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Model::Bool),
        any::<i64>().prop_map(Model::I64),
        any::<u128>().prop_map(Model::U128),
        (-1e30_f32..1e30).prop_map(Model::F32),
        ".{0,9}".prop_map(Model::Text),
        (any::<u16>(), prop::collection::vec(".{0,5}", 0..3))
            .prop_map(|(hp, pack)| Model::Orc(Orc { hp, pack })),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| prop::collection::vec(inner, 0..4).prop_map(Model::List))
}

proptest! {
    #![proptest_config(search::config(1000))]

    #[test]
    fn values_come_back_with_their_types(model in model()) {
        let registry = registry();
        let options = Options::new().registry(&registry);
        for format in formats() {
            let bytes = format.to_vec_with(&model.value(), &options)?;
            let loaded: AnyValue = format.from_slice_with(&bytes, &options)?;
            prop_assert!(model.is(&loaded), "{}: {model:?}, {loaded:?}", format.name());
            prop_assert_eq!(format.to_vec_with(&loaded, &options)?, bytes);
        }
    }
}

fn refused(text: &str) -> Error {
    let registry = registry();
    let options = Options::new().registry(&registry);
    archive::json::from_str_with::<AnyValue>(text, &options).unwrap_err()
}

#[test]
fn unknown_ids_are_answered_with_the_nearest() {
    let error = refused(r#"{"$type":"Orck","$value":{}}"#);
    assert_eq!(error.kind(), ErrorKind::UnknownType);
    assert!(error.to_string().contains("did you mean `Orc`?"), "{error}");
}

#[test]
fn a_value_that_does_not_fit_is_refused_with_its_path() {
    let error = refused(r#"{"$type":"list","$value":[{"$type":"Orc","$value":{"hp":70000}}]}"#);
    assert_eq!(error.path(), "[0].hp");
}

#[test]
fn a_load_in_place_changes_the_type() -> archive::Result {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let mut value = AnyValue::new(Orc { hp: 1, pack: Vec::new() });
    let text = br#"{"$type":"u8","$value":7}"#;
    archive::json::load_into_with(&mut value, text, &options)?;
    assert_eq!(value.downcast_ref(), Some(&7_u8));
    assert_eq!(value.downcast::<Orc>().unwrap_err().downcast::<u8>().unwrap(), 7);
    Ok(())
}

#[test]
fn a_type_that_is_not_registered_is_named() {
    let registry = Registry::new();
    let options = Options::new().registry(&registry);
    let error = archive::json::to_string_with(&AnyValue::new(7_u8), &options).unwrap_err();
    assert!(error.to_string().contains("u8"), "{error}");
}
