//! Rules for any bytes.

use std::cell::Cell;

use archive::binary::Binary;
use archive::bins::Bins;
use archive::blob::Blob;
use archive::format::{Backend, Reader, Writer};
use archive::json::Json;
use archive::msgpack::MessagePack;
use archive::report::NoteKind;
use archive::{
    Archive, Element, Error, ErrorKind, Format, Limits, Options, Report, Result, Save, Value,
};

use crate::graph::{Graph, Nodes, Slot, Things, live, options};
use crate::model::Rich;
use crate::plain::{Lists, Maps, Numbers, Plain, State, Tree};
use crate::{same, seeds};

/// Loads bytes as every type, and checks that loaded values can be saved and loaded again.
pub fn hostile<F: Backend>(data: &[u8]) {
    let options = &options();
    // The bytes alone determine which of several functions is called, so that findings can be
    // repeated.
    let choice = data.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let choice = (choice >> 32) as usize;
    tree::<F>(data, options, choice);
    if typed::<F, Rich>(data, options, choice) || choice.is_multiple_of(8) {
        existing::<F>(data, options, choice);
    }
    typed::<F, Plain>(data, options, choice);
    typed::<F, Graph>(data, options, choice);
    typed::<F, Lists>(data, options, choice);
    typed::<F, Maps>(data, options, choice);
    typed::<F, Numbers>(data, options, choice);
    typed::<F, Vec<State>>(data, options, choice);
    typed::<F, Option<Box<Tree>>>(data, options, choice);
    typed::<F, Nodes>(data, options, choice);
    typed::<F, Things>(data, options, choice);
    typed::<F, Vec<Slot>>(data, options, choice);
    typed::<F, (String, Option<i64>)>(data, options, choice);
    typed::<F, f32>(data, options, choice);
    typed::<F, Vec<u128>>(data, options, choice);
    roots::<F>(data, options, choice);
}

/// Every format, through trait objects, so that a target compiles no format but its own.
fn formats() -> [Format; 5] {
    [
        Format::of::<Json>(),
        Format::of::<Binary>(),
        Format::of::<Blob>(),
        Format::of::<MessagePack>(),
        Format::of::<Bins>(),
    ]
}

/// One of the other formats.
fn other<F: Backend>(choice: usize) -> Format {
    let others: Vec<Format> =
        formats().into_iter().filter(|format| format.name() != F::NAME).collect();
    others[choice % others.len()]
}

/// Whether a format may refuse a value that another one loaded: names that it cannot represent.
fn cannot_say(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::ReservedName)
}

/// An error in input has a position.
fn located(error: &Error) {
    assert!(error.position().is_some(), "no position: {error}");
}

/// Loads as a tree, which every format must save and load unchanged.
fn tree<F: Backend>(data: &[u8], options: &Options<'_>, choice: usize) {
    let value = match F::from_slice::<Value>(data) {
        Ok(value) => value,
        Err(error) => return located(&error),
    };
    let bytes = match F::to_vec(&value) {
        Err(error) => return too_deep(&value, &error),
        Ok(bytes) => bytes,
    };
    let again: Value = F::from_slice(&bytes).unwrap();
    assert!(same::exactly(&value, &again), "{} {value:?} {again:?}", F::NAME);
    assert_eq!(F::to_vec(&again).unwrap(), bytes);

    let format = other::<F>(choice);
    match format.to_vec(&value) {
        Err(error) if cannot_say(&error) => {}
        Err(error) => too_deep(&value, &error),
        Ok(bytes) => {
            let again: Value = format.from_slice(&bytes).unwrap();
            assert!(same::in_any_format(&value, &again), "{format} {value:?} {again:?}");
        }
    }
    match Value::of(&value) {
        Err(error) => too_deep(&value, &error),
        Ok(of) => assert!(same::exactly(&of, &value), "{value:?} {of:?}"),
    }
    match value.to::<Value>() {
        Err(error) => too_deep(&value, &error),
        Ok(to) => assert!(same::exactly(&to, &value), "{value:?} {to:?}"),
    }
    match value.to_with::<Rich>(options) {
        Ok(rich) => settle::<F, _>(&rich, options, choice),
        Err(error) => assert_ne!(error.kind(), ErrorKind::Syntax, "{error}"),
    }
}

/// A tree is refused only if it is too deep, because deferred objects are deeper in it than in its
/// file, or if it refers to an object that it does not contain.
fn too_deep(value: &Value, error: &Error) {
    if error.kind() == ErrorKind::BadPointer && same::has_pointers(value) {
        return;
    }
    let limit = Limits::default().depth;
    assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
    assert!(same::depth(value) > limit, "{error} at {}", same::depth(value));
}

/// A strict load also refuses a file with the signature of another type, which Bins has.
fn other_signature<F: Backend>(error: &Error) {
    assert!(F::NAME == Bins::NAME && error.kind() == ErrorKind::WrongType, "{error}");
    assert!(error.to_string().contains("by a type of another layout"), "{error}");
}

/// Loads as a type in every way; the results must agree. Returns whether the type found any data.
fn typed<F: Backend, T: Element + Save>(data: &[u8], options: &Options<'_>, choice: usize) -> bool {
    let before = live();
    let loaded = F::from_slice_with::<T>(data, options);
    if let Err(error) = &loaded {
        located(error);
        assert_eq!(live(), before, "a failed load leaks: {error}");
    }
    let strict = F::from_slice_with::<T>(data, &options.clone().strict(true));
    let keep_going = options.clone().keep_going(true).each_error(true);
    let loaded_on = F::from_slice_report::<T>(data, &keep_going);
    let erased = Format::of::<F>().from_slice_with::<T>(data, options);
    agree::<F, T>(&erased, &loaded, loaded_on.as_ref().ok().map(|(_, report)| report));
    let mut found = false;
    match (&loaded, loaded_on) {
        (Ok(_), Ok((value, report))) => {
            assert!(report.errors().is_empty(), "{report}");
            found = finds(&report);
            if report.unknown().next().is_none() {
                strict.map(drop).unwrap_or_else(|error| other_signature::<F>(&error));
            } else {
                let error = strict.map(drop).unwrap_err();
                let expected = [ErrorKind::UnknownMember, ErrorKind::UnknownVariant];
                assert!(expected.contains(&error.kind()), "{error}\n{report}");
            }
            if found {
                settle::<F, _>(&value, options, choice);
            }
        }
        (Err(error), Ok((value, report))) => {
            assert!(!report.errors().is_empty(), "nothing of {error}");
            strict.map(drop).unwrap_err();
            found = finds(&report);
            if found {
                settle::<F, _>(&value, options, choice);
            }
        }
        (Err(_), Err(_)) => drop(strict.map(drop).unwrap_err()),
        (Ok(_), Err(error)) => panic!("only when it keeps going: {error}"),
    }
    if F::NAME == Json::NAME {
        // Only there it is another route.
        pieces::<F, T>(data, &loaded, options, choice);
    }
    if let (Ok(erased), Ok(loaded)) = (&erased, &loaded) {
        assert_eq!(text(erased, options), text(loaded, options), "through trait objects");
    }
    found
}

/// Loads through trait objects end like others. They request members in the order of the type, so
/// if a file in another order has several errors, another one may come first: both are among those
/// of a load with `keep_going`.
fn agree<F: Backend, T>(erased: &Result<T>, loaded: &Result<T>, report: Option<&Report>) {
    let (erased, loaded) = (outcome::<F, T>(erased), outcome::<F, T>(loaded));
    if erased == loaded {
        return;
    }
    let among = |error: &Option<String>| match (error, report) {
        (Some(error), Some(report)) => {
            report.errors().iter().any(|other| told::<F>(other) == *error)
        }
        // The error that ends every load comes after the other one, or before it.
        (error, _) => error.is_some(),
    };
    let by_name = [Json::NAME, MessagePack::NAME].contains(&F::NAME);
    let either = by_name && among(&erased) && among(&loaded);
    assert!(either, "through trait objects: {erased:?}, not {loaded:?}");
}

/// Loads from bytes that arrive in pieces, with the same result.
fn pieces<F: Backend, T: Element + Save>(
    data: &[u8],
    loaded: &Result<T>,
    options: &Options<'_>,
    choice: usize,
) {
    let size = [1, 2, 5, 16, 64, 300][choice % 6];
    let mut rest = data;
    let mut feed = |room: &mut [u8]| {
        let (piece, after) = rest.split_at(size.min(rest.len()).min(room.len()));
        rest = after;
        room[..piece.len()].copy_from_slice(piece);
        Ok(piece.len())
    };
    let read = F::from_feed::<T>(&mut feed, options);
    match (&read, loaded) {
        (Ok(read), Ok(loaded)) => assert_eq!(text(read, options), text(loaded, options)),
        // A search for objects does not know the objects around them. So it may report a later
        // syntax error in other words, or not find it: then the object is missing.
        (Err(read), Err(loaded)) if loaded.kind() == ErrorKind::Syntax => {
            assert_eq!(read.path(), loaded.path(), "{read}, {loaded}");
            let expected = [ErrorKind::Syntax, ErrorKind::BadPointer];
            assert!(expected.contains(&read.kind()), "{read}, {loaded}");
        }
        _ => assert_eq!(outcome::<F, T>(&read), outcome::<F, T>(loaded), "in pieces of {size}"),
    }
}

/// Whether there was a member, or a value without members: otherwise the value is the default, and
/// not worth more work.
fn finds(report: &Report) -> bool {
    let top = |path: &&str| !path.contains(['.', '[']);
    report.unknown().filter(top).count() == 0 || report.absent().filter(top).count() < 2
}

/// The comparable part of an error. Binary formats store no positions of values that were read, so
/// the position of an error in such a value is approximate, and differs on the fast path. The same
/// is true of missing values.
pub(crate) fn outcome<F: Backend, T>(result: &Result<T>) -> Option<String> {
    result.as_ref().err().map(told::<F>)
}

fn told<F: Backend>(error: &Error) -> String {
    let exact = !["binary", "bare", "fingerprint"].contains(&F::NAME);
    if exact && error.kind() != ErrorKind::MissingMember {
        error.to_string()
    } else {
        format!("{:?} at {}: {}", error.kind(), error.path(), error.message())
    }
}

/// A loaded value is saved, loaded and saved: the bytes stay the same, here and in other formats.
fn settle<F: Backend, T: Element + Save>(value: &T, options: &Options<'_>, choice: usize) {
    // A value that one format allows may be too deep in another.
    let Some(bytes) = unless_too_deep(F::to_vec_with(value, options)) else { return };
    let (again, report) = F::from_slice_report::<T>(&bytes, options).unwrap();
    own_notes(&report);
    let saved = F::to_vec_with(&again, options).unwrap();
    if report.is_empty() {
        assert_same(&saved, &bytes);
    } else {
        let third = F::from_slice_with::<T>(&saved, options).unwrap();
        assert_same(&F::to_vec_with(&third, options).unwrap(), &saved);
    }

    let format = other::<F>(choice);
    let as_text = text(&again, options);
    let bytes = match format.to_vec_with(&again, options) {
        Err(error) if cannot_say(&error) => return,
        result => result.unwrap(),
    };
    let there: T = format.from_slice_with(&bytes, options).unwrap();
    assert_eq!(text(&there, options), as_text, "{format}");

    // Without the types of the program.
    let Some(tree) = unless_too_deep(F::from_slice::<Value>(&saved)) else { return };
    let bytes = match format.to_vec(&tree) {
        Err(error) if cannot_say(&error) => return,
        result => unless_too_deep(result),
    };
    let Some(bytes) = bytes else { return };
    if let Some(there) = unless_too_deep(format.from_slice_with::<T>(&bytes, options)) {
        assert_eq!(text(&there, options), as_text, "{format} through a tree");
    }
}

/// The value as JSON, which identifies it except for the sign of NaN. Integers that some formats
/// store as text have no quotes.
pub(crate) fn text<T: Save>(value: &T, options: &Options<'_>) -> String {
    let text = Format::of::<Json>().to_vec_with(value, options).unwrap();
    let text = String::from_utf8(text).unwrap();
    let wide = |part: &&str| {
        let digits = part.strip_prefix('-').unwrap_or(part);
        digits.len() > 18 && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    // Quotes within text are escaped, so that every other part is text; digits alone do not separate.
    let parts: Vec<&str> = text.split('"').collect();
    let mut out = String::with_capacity(text.len());
    let mut quoted = false;
    for (i, part) in parts.iter().enumerate() {
        let bare = wide(&part);
        if i > 0 && !bare && !quoted {
            out.push('"');
        }
        out.push_str(part);
        quoted = bare;
    }
    out
}

fn unless_too_deep<T>(result: Result<T>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) if error.kind() == ErrorKind::DepthLimit => None,
        // A tree whose objects were left out.
        Err(error) if error.message().contains("a `Value` refers to object") => None,
        Err(error) => panic!("{error}"),
    }
}

/// A file of the program itself causes no notes, except about weak pointers whose object was not
/// saved.
fn own_notes(report: &Report) {
    for note in report.notes() {
        assert_eq!(note.kind, NoteKind::Dangling, "{}", note.path);
    }
    assert!(report.errors().is_empty(), "{report}");
}

fn assert_same(a: &[u8], b: &[u8]) {
    assert!(a == b, "{}\n{}", String::from_utf8_lossy(a), String::from_utf8_lossy(b));
}

/// Loads over a value with data in all members.
fn existing<F: Backend>(data: &[u8], options: &Options<'_>, choice: usize) {
    let mut rich = seeds::rich();
    // The replaced value is taken apart, too.
    let _old = (Nodes(rich.graph.nodes.clone()), Things(rich.graph.things.clone()));
    match F::load_into(&mut rich, data, options) {
        Ok(()) => settle::<F, _>(&rich, options, choice),
        Err(error) => {
            located(&error);
            let _ = F::to_vec_with(&rich, options);
        }
    }
}

#[derive(Default)]
struct Roots {
    value: Value,
    graph: Graph,
    nodes: Nodes,
    plain: Plain,
}

impl Roots {
    fn load<A: Archive>(&mut self, reader: &mut A, which: usize) -> Result {
        match which {
            0 => reader.serialize("value", &mut self.value),
            1 => reader.serialize("graph", &mut self.graph),
            2 => reader.serialize("nodes", &mut self.nodes),
            _ => reader.serialize("plain", &mut self.plain),
        }
    }

    fn save<F: Backend>(&self, options: &Options<'_>) -> Result<Vec<u8>> {
        let mut writer = Writer::<F>::with(options);
        writer.save("value", &self.value)?;
        writer.save("graph", &self.graph)?;
        writer.save("nodes", &self.nodes)?;
        writer.save("plain", &self.plain)?;
        Ok(writer.finish()?.as_ref().to_vec())
    }
}

/// Loads named roots, in two orders.
fn roots<F: Backend>(data: &[u8], options: &Options<'_>, choice: usize) {
    let first = in_order::<F>(data, options, choice);
    let second = in_order::<F>(data, options, choice / 24);
    let (Ok((first, found)), Ok((second, _))) = (&first, &second) else { return };
    if !found {
        return;
    }
    let Some(bytes) = unless_too_deep(first.save::<F>(options)) else { return };
    if same::has_pointers(&first.value) || same::has_pointers(&first.plain.open.0) {
        // The order determines which of the trees contains a shared object.
        return;
    }
    assert_same(&second.save::<F>(options).unwrap(), &bytes);
    let third = in_order::<F>(&bytes, options, choice / 7).unwrap();
    drop(third);
}

/// Loads named roots in the order with that number.
fn in_order<F: Backend>(data: &[u8], options: &Options<'_>, order: usize) -> Result<(Roots, bool)> {
    let mut left = vec![0, 1, 2, 3];
    let mut order = order % 24;
    let mut roots = Roots::default();
    let report = Cell::default();
    let mut reader = Reader::<F>::with(data, &options.clone().report(&report))?;
    while !left.is_empty() {
        let which = left.remove(order % left.len());
        order /= left.len() + 1;
        if let Err(error) = roots.load(&mut reader, which) {
            located(&error);
            reader.load::<u8>("value").expect_err("a reader continues after an error");
            return Err(error);
        }
    }
    reader.finish()?;
    let report = report.take();
    Ok((roots, report.absent().filter(|path| !path.contains(['.', '['])).count() < 4))
}
