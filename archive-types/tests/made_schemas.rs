//! Objects of random schemas: saved, loaded, and kept by a program without the schema.

use archive::types::{
    Made, MemberFile, Methods, Record, RegisterSchema, Schema, SchemaFile, TypeFile, VariantFile,
};
use archive::{Format, Options, Polymorphic, Registry, Unknown, Value, json, register};
use proptest::prelude::*;

use crate::common::serde_formats::serde_formats;
use crate::common::{formats, of_library, search, text};
use crate::random_values::Random;

trait Thing: Polymorphic {}
archive::polymorphic!(dyn Thing);
impl Thing for u32 {}
impl Thing for Made {}
impl Thing for Unknown {}

const NAMES: [&str; 5] = ["A", "B", "C", "D", "E"];

/// A random type. Types of the schema come later in the list, or in containers.
fn spelled(random: &mut Random, own: usize, depth: usize) -> String {
    let all = ["bool", "u8", "i64", "u128", "f32", "char", "String", "bytes", "()", "Value"];
    if depth > 2 {
        return all[random.below(all.len())].to_owned();
    }
    let part = |random: &mut Random| spelled(random, own, depth + 1);
    match random.below(12) {
        0 => format!("Vec<{}>", part(random)),
        1 => format!("Option<{}>", part(random)),
        2 => format!("[{}; {}]", part(random), random.below(4)),
        3 => format!("({}, {})", part(random), part(random)),
        4 => format!("BTreeMap<String, {}>", part(random)),
        5 => format!("HashMap<i16, {}>", part(random)),
        6 => "BTreeSet<String>".to_owned(),
        7 => format!("Vec<{}>", NAMES[random.below(NAMES.len())]),
        8 if own + 1 < NAMES.len() => NAMES[own + 1 + random.below(NAMES.len() - own - 1)].into(),
        _ => all[random.below(all.len())].to_owned(),
    }
}

fn members(random: &mut Random, own: usize) -> Vec<MemberFile> {
    let count = random.below(5);
    let member = |index: usize| {
        let mut member = MemberFile::new(&format!("m{index}"), &spelled(random, own, 0));
        member.skip_if_default = random.below(5) == 0;
        member
    };
    let mut members: Vec<MemberFile> = (0..count).map(member).collect();
    if own + 1 < NAMES.len() && random.below(3) == 0 {
        let base = MemberFile { base: true, ..MemberFile::new(NAMES[4], NAMES[4]) };
        members.insert(0, base);
    }
    members
}

fn schema(random: &mut Random) -> SchemaFile {
    let mut file = SchemaFile::default();
    for (index, name) in NAMES.iter().enumerate() {
        let mut ty = TypeFile { implements: vec!["Thing".into()], ..TypeFile::default() };
        ty.version = random.below(3) as u32;
        // The last one is a struct, the base of others.
        if index + 1 < NAMES.len() && random.below(4) == 0 {
            ty.variants = vec![VariantFile::new("None", &[])];
            let (one, other) = (spelled(random, index, 0), spelled(random, index, 0));
            ty.variants.push(VariantFile::new("One", &[&one]));
            ty.variants.push(VariantFile::new("Two", &[&one, &other]));
            let members = members(random, NAMES.len());
            ty.variants
                .push(VariantFile { members: Some(members), ..VariantFile::new("Named", &[]) });
        } else {
            ty.members = members(random, index);
        }
        file.types.insert((*name).to_owned(), ty);
    }
    file
}

fn check(seed: u64) -> Result<(), TestCaseError> {
    let mut random = Random::new(seed);
    let file = schema(&mut random);
    let schema = Schema::new(file.clone())
        .map_err(|errors| TestCaseError::fail(format!("{errors} in {file:?}")))?;
    let mut registry = Registry::new();
    register!(registry, dyn Thing { u32 as "number", Unknown }).unwrap();
    let mut without = Options::new().registry(&registry).keep_unknown(true);
    registry.schema::<dyn Thing>(schema, &Methods::new()).unwrap();
    let options = Options::new().registry(&registry);
    let mut items = Vec::new();
    for _ in 0..1 + random.below(5) {
        let name = NAMES[random.below(NAMES.len())];
        let value = random.value(schema.get(name).unwrap().shape(), 2);
        let of_number = random.below(4) == 0;
        let (name, value) = if of_number { ("number", 7_u64.into()) } else { (name, value) };
        items.push(Value::Object(vec![("$type".into(), name.into()), ("$value".into(), value)]));
    }
    let tree = Value::Array(items.clone());
    let fail = |error: archive::Error| TestCaseError::fail(format!("{error}, {tree} in {file:?}"));
    let things: Vec<Box<dyn Thing>> = tree.to_with(&options).map_err(fail)?;

    // Each is saved as the record of its type.
    for (item, thing) in items.iter().zip(&things) {
        let name = registry.id(&**thing).unwrap();
        if name != "number" {
            let ty = schema.get(name).unwrap();
            let record: Record =
                item["$value"].to_with(&Options::new().provide(ty)).map_err(fail)?;
            let made = (&**thing as &dyn std::any::Any).downcast_ref::<Made>().unwrap();
            prop_assert_eq!(&**made, &record);
            let saved = json::to_string_with(thing, &options).map_err(fail)?;
            let value = json::to_string(&record).map_err(fail)?;
            prop_assert_eq!(saved, format!(r#"{{"$type":"{name}","$value":{value}}}"#));
        }
    }
    let all: Vec<Format> = of_library(formats()).chain(serde_formats()).collect();
    for format in all {
        let fail = |error| TestCaseError::fail(format!("{format}: {error}, {tree} in {file:?}"));
        let bytes = match format.to_vec_with(&things, &options) {
            Ok(bytes) => bytes,
            // A `Value` in a format that cannot store it.
            Err(error) if format.name() == "postcard" => {
                prop_assert_eq!(error.kind(), archive::ErrorKind::Unsupported, "{}", error);
                continue;
            }
            Err(error) => return Err(fail(error)),
        };
        let loaded: Vec<Box<dyn Thing>> = match format.from_slice_with(&bytes, &options) {
            Err(_) if format.name() == "postcard" => continue,
            loaded => loaded.map_err(fail)?,
        };
        let again = format.to_vec_with(&loaded, &options).map_err(fail)?;
        prop_assert_eq!(text(&again), text(&bytes), "{}: loaded", format);
        let Ok(kept) = format.from_slice_with::<Vec<Box<dyn Thing>>>(&bytes, &without) else {
            prop_assert_eq!(format.name(), "postcard", "not kept, {}", tree);
            continue;
        };
        let again = format.to_vec_with(&kept, &without).map_err(fail)?;
        let loaded: Vec<Box<dyn Thing>> = format.from_slice_with(&again, &options).map_err(fail)?;
        let again = format.to_vec_with(&loaded, &options).map_err(fail)?;
        prop_assert_eq!(text(&again), text(&bytes), "{}: given back", format);
    }
    without = without.strict(true);
    let error = tree.to_with::<Vec<Box<dyn Thing>>>(&without).err();
    let made = registry.id(&*things[0]) != Some("number");
    prop_assert!(!made || error.is_some(), "strict loads refuse what is not known");
    Ok(())
}

#[test]
fn random_schemas() {
    proptest!(search::config(300), |(seed in any::<u64>())| {
        check(seed)?;
    });
}
