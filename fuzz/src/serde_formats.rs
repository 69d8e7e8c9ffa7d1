//! Rules for any bytes in serde's formats. They are read by other people's code, which decides
//! which of many errors comes first; loaded values follow the same rules as elsewhere.

use arbitrary::{Arbitrary, Unstructured};
use archive::format::Backend;
use archive::json::Json;
use archive::serde_formats::{SerdeBackend, SerdeFormat};
use archive::{Element, Error, ErrorKind, Format, Limits, Options, Result, Save, Value};

use crate::graph::{Graph, Nodes, Slot, Things, live, options};
use crate::hostile::text;
use crate::model::Rich;
use crate::plain::{Lists, Maps, Numbers, Plain, State, Tree};
use crate::round_trip::Input;
use crate::same;
use crate::serde_join::{Cbor, Postcard, RmpArrays, RmpNamed, Ron, SerdeJson};

/// How the first byte chooses: each format, and a value in all of them.
const CHOICES: u8 = 7;

/// The first byte determines the others: a file of one of the formats, or a value that is saved and
/// loaded in all of them.
pub fn serde_formats(data: &[u8]) {
    let Some((first, data)) = data.split_first() else { return };
    match first % CHOICES {
        0 => each::<SerdeJson>(data),
        1 => each::<RmpNamed>(data),
        2 => each::<RmpArrays>(data),
        3 => each::<Ron>(data),
        4 => each::<Cbor>(data),
        5 => each::<Postcard>(data),
        _ => {
            let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
            round_trip::<SerdeJson>(&input);
            round_trip::<RmpNamed>(&input);
            round_trip::<RmpArrays>(&input);
            round_trip::<Ron>(&input);
            round_trip::<Cbor>(&input);
            round_trip::<Postcard>(&input);
        }
    }
}

/// Loads bytes as every type: one type by code that is compiled for it, the others through trait
/// objects, which keeps the target small.
fn each<F: SerdeFormat>(data: &[u8]) {
    let options = &options();
    tree::<F>(data);
    compiled::<F, Rich>(data, options);
    typed::<F, Rich>(data, options);
    typed::<F, Plain>(data, options);
    typed::<F, Graph>(data, options);
    typed::<F, Lists>(data, options);
    typed::<F, Maps>(data, options);
    typed::<F, Numbers>(data, options);
    typed::<F, Vec<State>>(data, options);
    typed::<F, Option<Box<Tree>>>(data, options);
    typed::<F, Nodes>(data, options);
    typed::<F, Things>(data, options);
    typed::<F, Vec<Slot>>(data, options);
    typed::<F, (String, Option<i64>)>(data, options);
    typed::<F, f32>(data, options);
    typed::<F, Vec<u128>>(data, options);
}

/// The format, through trait objects.
fn format<F: SerdeFormat>() -> Format {
    Format::of::<SerdeBackend<F>>()
}

/// An error in input that the format reads itself has a position; only `ciborium`, which is read as
/// a whole, has none.
fn located<F: SerdeFormat>(error: &Error) {
    let known = error.position().is_some() || F::NAME == Cbor::NAME || !error.path().is_empty();
    assert!(known, "{}: no position: {error}", F::NAME);
}

/// A value that is too deep for one format, or that it cannot represent, may be refused by another
/// one.
fn refused(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::DepthLimit | ErrorKind::Unsupported | ErrorKind::ReservedName)
}

fn tree<F: SerdeFormat>(data: &[u8]) {
    let value = match format::<F>().from_slice::<Value>(data) {
        Ok(value) => value,
        Err(error) => return located::<F>(&error),
    };
    let bytes = match format::<F>().to_vec(&value) {
        Ok(bytes) => bytes,
        Err(error) => {
            let is_pointer = error.kind() == ErrorKind::BadPointer && same::has_pointers(&value);
            return assert!(is_pointer || refused(&error), "{}: {error} {value:?}", F::NAME);
        }
    };
    match format::<F>().from_slice::<Value>(&bytes) {
        Ok(again) => {
            assert!(same::in_any_format(&value, &again), "{} {value:?} {again:?}", F::NAME);
        }
        // It wraps values that it did not write itself.
        Err(error) => assert!(
            error.kind() == ErrorKind::DepthLimit
                && same::depth(&value) > Limits::default().depth / 2,
            "{}: {error} {value:?}",
            F::NAME
        ),
    }
}

/// Loads by code that is compiled for the type, and through trait objects: both end the same way.
fn compiled<F: SerdeFormat, T: Element + Save>(data: &[u8], options: &Options<'_>) {
    let loaded = SerdeBackend::<F>::from_slice_with::<T>(data, options);
    let erased = format::<F>().from_slice_with::<T>(data, options);
    let outcome = |result: &Result<T>| match result {
        Ok(value) => text(value, options),
        Err(error) => error.to_string(),
    };
    assert_eq!(outcome(&erased), outcome(&loaded), "{} through trait objects", F::NAME);
}

fn typed<F: SerdeFormat, T: Element + Save>(data: &[u8], options: &Options<'_>) {
    let before = live();
    let loaded = format::<F>().from_slice_with::<T>(data, options);
    if let Err(error) = &loaded {
        located::<F>(error);
        assert_eq!(live(), before, "{}: a failed load leaks: {error}", F::NAME);
    }
    let _ = format::<F>().from_slice_with::<T>(data, &options.clone().strict(true));

    let keep_going = options.clone().keep_going(true).each_error(true);
    let going = format::<F>().from_slice_report::<T>(data, &keep_going);
    match (loaded, going) {
        (Ok(value), Ok((other, report))) => {
            // It is read as a tree then.
            assert!(report.errors().is_empty(), "{}: {report}", F::NAME);
            assert_eq!(text(&other, options), text(&value, options), "{} as a tree", F::NAME);
            settle::<F, T>(&value, options);
        }
        (Err(error), Ok((value, report))) => {
            // Its `()` is a value where an option is requested, and null otherwise.
            let noticed = !report.errors().is_empty() || F::NAME == Ron::NAME;
            assert!(noticed, "{}: nothing of {error}", F::NAME);
            settle::<F, T>(&value, options);
        }
        (Ok(_), Err(error)) => panic!("{}: only when it keeps going: {error}", F::NAME),
        (Err(_), Err(_)) => {}
    }
}

/// A loaded value is saved, loaded and saved: the bytes stay the same.
fn settle<F: SerdeFormat, T: Element + Save>(value: &T, options: &Options<'_>) {
    let bytes = match format::<F>().to_vec_with(value, options) {
        Ok(bytes) => bytes,
        Err(error) if refused(&error) => return,
        Err(error) => panic!("{}: {error}", F::NAME),
    };
    let again = match format::<F>().from_slice_report::<T>(&bytes, options) {
        Ok((again, report)) => {
            assert!(report.errors().is_empty(), "{}: {report}", F::NAME);
            again
        }
        Err(error) if once::<F>(&error) => return,
        Err(error) => panic!("{}: {error}", F::NAME),
    };
    let saved = format::<F>().to_vec_with(&again, options).unwrap();
    // A weak pointer to an object that was not saved is empty now.
    let third = match format::<F>().from_slice_with::<T>(&saved, options) {
        Ok(third) => third,
        Err(error) if once::<F>(&error) => return,
        Err(error) => panic!("{}: {error}", F::NAME),
    };
    assert!(format::<F>().to_vec_with(&third, options).unwrap() == saved, "{}", F::NAME);
    assert_eq!(text(&third, options), text(&again, options), "{}", F::NAME);
}

/// Values that a format without names, which is read once, cannot load, and formats with a limit of
/// their own.
fn once<F: SerdeFormat>(error: &Error) -> bool {
    !F::DESCRIBES && error.kind() == ErrorKind::BadPointer || error.kind() == ErrorKind::DepthLimit
}

/// Saves a value and loads it: it is equal. A damaged file is as harmless as any other bytes.
fn round_trip<F: SerdeFormat>(input: &Input) {
    let options = &options().pretty(input.pretty);
    let saved = |value: &dyn Fn() -> Result<Vec<u8>>| match value() {
        Ok(bytes) => Some(bytes),
        Err(error) if refused(&error) => None,
        Err(error) => panic!("{}: {error}", F::NAME),
    };
    let Some(bytes) = saved(&|| format::<F>().to_vec_with(&input.plain, options)) else { return };
    let again: Plain = match format::<F>().from_slice_with(&bytes, options) {
        Err(error) if once::<F>(&error) => return,
        again => again.unwrap(),
    };
    assert_eq!(again, input.plain, "{}", F::NAME);
    let rich = Rich { plain: again, graph: input.plan.build() };
    let Some(bytes) = saved(&|| format::<F>().to_vec_with(&rich, options)) else { return };
    match format::<F>().from_slice_report::<Rich>(&bytes, options) {
        Ok((again, report)) => {
            assert_eq!(again.plain, rich.plain, "{}", F::NAME);
            if report.is_empty() {
                assert_eq!(text(&again, options), text(&rich, options), "{}", F::NAME);
            }
            let there = Json::to_vec_with(&again, options).unwrap();
            drop(Json::from_slice_with::<Rich>(&there, options).unwrap());
        }
        Err(error) => assert!(once::<F>(&error), "{}: {error}", F::NAME),
    }
    if !input.flips.is_empty() || input.cut.is_some() {
        let mut bytes = bytes;
        for (at, with) in &input.flips {
            let at = usize::from(*at) % bytes.len();
            bytes[at] ^= with;
        }
        if let Some(cut) = input.cut {
            bytes.truncate(usize::from(cut) % (bytes.len() + 1));
        }
        each::<F>(&bytes);
    }
}
