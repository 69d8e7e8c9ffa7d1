//! Rules for any bytes in the profiles that do not describe their types: the bytes are data of the
//! requested type.

use archive::binary::bare::Bare;
use archive::binary::fingerprint::Fingerprint;
use archive::format::Backend;
use archive::{Element, Format, Options, Save};

use crate::graph::{Graph, Slot, Things, options};
use crate::hostile::{outcome, text};
use crate::plain::{Lists, Maps, Numbers, Plain, State, Tree};

/// Loads bytes as data of each type, in both profiles.
pub fn exact(data: &[u8]) {
    each::<Bare>(data, 1);
    each::<Fingerprint>(data, 9);
}

/// The number of bytes before the data, with the same type as the root for all.
fn each<F: Backend>(data: &[u8], head: usize) {
    typed::<F, Lists>(data, head);
    typed::<F, Maps>(data, head);
    typed::<F, Numbers>(data, head);
    typed::<F, Vec<State>>(data, head);
    typed::<F, Option<Box<Tree>>>(data, head);
    typed::<F, (String, Option<i64>)>(data, head);
    typed::<F, Vec<u128>>(data, head);
    typed::<F, Vec<bool>>(data, head);
    typed::<F, Plain>(data, head);
    typed::<F, Graph>(data, head);
    typed::<F, Things>(data, head);
    typed::<F, Vec<Slot>>(data, head);
}

fn typed<F: Backend, T: Element + Save + Default>(data: &[u8], head: usize) {
    let options = &options();
    // The head says that nothing else is described, or that the rest has tables; the data decides.
    let mut bytes = F::to_vec_with(&T::default(), options).unwrap();
    bytes.truncate(head);
    let (first, data) = data.split_first().unwrap_or((&0, data));
    if let Some(last) = bytes.last_mut() {
        *last ^= first & 1;
    }
    bytes.extend_from_slice(data);

    let loaded = F::from_slice_with::<T>(&bytes, options);
    // Through trait objects every decision is made at run time; it must be the same one.
    let erased = Format::of::<F>().from_slice_with::<T>(&bytes, options);
    assert_eq!(
        outcome::<F, T>(&erased),
        outcome::<F, T>(&loaded),
        "{} through trait objects",
        F::NAME
    );
    match loaded {
        Ok(value) => settle::<F, T>(&value, &bytes, options),
        Err(error) => assert!(error.position().is_some(), "no position: {error}"),
    }
}

/// A loaded value saves and loads unchanged, also over another value.
fn settle<F: Backend, T: Element + Save + Default>(value: &T, found: &[u8], options: &Options<'_>) {
    let Ok(bytes) = F::to_vec_with(value, options) else { return };
    let mut again: T = F::from_slice_with(&bytes, options).unwrap();
    assert_eq!(text(&again, options), text(value, options), "{}", F::NAME);
    assert_eq!(F::to_vec_with(&again, options).unwrap(), bytes, "{}", F::NAME);
    assert_eq!(Format::of::<F>().to_vec_with(&again, options).unwrap(), bytes, "{}", F::NAME);
    F::load_into(&mut again, found, options).unwrap();
    assert_eq!(text(&again, options), text(value, options), "{} in place", F::NAME);
}
