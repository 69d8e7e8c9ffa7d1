//! [`entries`]: the routes from a value to a format and back.

use std::hint::black_box;
use std::rc::Rc;

use archive::format::Backend;
use archive::json::Json as OwnJson;
use archive::msgpack::MessagePack as OwnMessagePack;
use archive::serde_formats::SerdeBackend;
use archive::{Element, Save};
use serde::de::DeserializeOwned;

use super::formats::{Json, MessagePack};
use crate::entry::{Entry, Operation};
use crate::peer::Group;

/// The traits of a type.
pub trait Both: Save + Element + archive::Serialize + PartialEq + 'static {}
impl<T: Save + Element + archive::Serialize + PartialEq + 'static> Both for T {}

/// The names of the ways, in the order of [`entries`]; each third is what the two after it are compared
/// with.
pub const WAYS: [&str; 6] = [
    "serde_json, serde's derive",
    "serde_json under `archive`",
    "`archive::json`",
    "rmp-serde named, serde's derive",
    "rmp-serde named under `archive`",
    "`archive::msgpack`",
];

/// A value in every way.
///
/// # Panics
/// If one of them loads another value than was saved: then its times mean nothing.
pub fn entries<T>(value: T) -> Vec<Entry>
where
    T: Both + serde::Serialize + DeserializeOwned,
{
    let value = Rc::new(value);
    vec![
        derived(
            WAYS[0],
            &value,
            |value| serde_json::to_vec(value).expect("it can be saved"),
            |bytes| serde_json::from_slice(bytes).expect("it was saved just now"),
        ),
        ours::<SerdeBackend<Json>, T>(WAYS[1], &value),
        ours::<OwnJson, T>(WAYS[2], &value),
        derived(
            WAYS[3],
            &value,
            |value| rmp_serde::to_vec_named(value).expect("it can be saved"),
            |bytes| rmp_serde::from_slice(bytes).expect("it was saved just now"),
        ),
        ours::<SerdeBackend<MessagePack>, T>(WAYS[4], &value),
        ours::<OwnMessagePack, T>(WAYS[5], &value),
    ]
}

/// Through serde's own traits. Nothing is loaded in place there.
fn derived<T: PartialEq + 'static>(
    name: &str,
    value: &Rc<T>,
    save: fn(&T) -> Vec<u8>,
    load: fn(&[u8]) -> T,
) -> Entry {
    let bytes = save(value);
    assert!(load(&bytes) == **value, "{name} loads another value than was saved");
    let value = Rc::clone(value);
    Entry::new(name, Group::RowWise)
        .with(Operation::Save, move || drop(black_box(save(black_box(&*value)))))
        .with(Operation::Load, move || drop(black_box(load(black_box(&bytes)))))
}

/// Through ours.
fn ours<F: Backend, T: Both>(name: &str, value: &Rc<T>) -> Entry {
    let bytes: Rc<[u8]> = F::to_vec(&**value).expect("it can be saved").into();
    let load = |bytes: &[u8]| F::from_slice::<T>(bytes).expect("it was saved just now");
    let mut there = load(&bytes);
    assert!(there == **value, "{name} loads another value than was saved");
    let (value, again) = (Rc::clone(value), Rc::clone(&bytes));
    Entry::new(name, Group::Ours)
        .with(Operation::Save, move || {
            drop(black_box(F::to_vec(black_box(&*value)).expect("it can be saved")));
        })
        .with(Operation::Load, move || drop(black_box(load(black_box(&bytes)))))
        .with(Operation::InPlace, move || {
            let options = archive::Options::new();
            F::load_into(black_box(&mut there), black_box(&again), &options).expect("it loads");
        })
}
