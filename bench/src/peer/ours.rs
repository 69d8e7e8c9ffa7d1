//! The formats of `archive`.

use std::marker::PhantomData;

use archive::format::Backend;
use archive::{Element, Format, Options, Save, Serialize, binary, blob, json, msgpack};

use super::{Group, Peer};
use crate::entry::{Entry, Subject};

/// The name of the binary format, for which there are targets.
pub const BINARY: &str = "archive binary";
/// MessagePack, which is compared with `rmp-serde`.
pub const MSGPACK: &str = "archive msgpack";
/// The binary format, into a new vector every time.
pub const TO_VEC: &str = "binary, `to_vec`";
/// The same, with a fingerprint of the types in place of their description.
pub const FINGERPRINT: &str = "binary, `fingerprint`";
/// The same, without either.
pub const BARE: &str = "binary, `bare`";
/// The same, with columns for long lists.
pub const COLUMNS: &str = "binary, `columns`";
/// The same, through a `Format` picked at run time.
pub const RUN_TIME: &str = "binary, `Format` at run time";
/// The same, completely through trait objects.
pub const ERASED: &str = "binary, erased";
/// A file of the binary format with one named root.
pub const BINARY_ROOT: &str = "binary, named root";
/// JSON, which its named roots are compared with.
pub const JSON: &str = "archive json";
/// The same as JSON with one named root.
pub const JSON_ROOT: &str = "json, named root";
/// The binary format, with a world as a game left it in memory.
pub const PLAYED: &str = "binary, played world";

/// A format that is known at compile time, as intended: it writes into an existing buffer.
pub struct Static<F> {
    name: &'static str,
    group: Group,
    options: Options<'static>,
    fresh: bool,
    format: PhantomData<F>,
}

impl<F: Backend> Static<F> {
    /// The format, under a name.
    pub fn new(name: &'static str, group: Group, options: &Options<'static>) -> Self {
        Static { name, group, options: options.clone(), fresh: false, format: PhantomData }
    }

    /// With a new vector for every save.
    fn fresh(self) -> Self {
        Static { fresh: true, ..self }
    }
}

impl<F: Backend, T: Save + Element + Serialize> Peer<T> for Static<F> {
    const IN_PLACE: bool = true;

    fn name(&self) -> &'static str {
        self.name
    }

    fn group(&self) -> Group {
        self.group
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        if self.fresh {
            let bytes = F::to_vec_with(value, &self.options).expect("the value can be saved");
            *buffer = bytes;
            return buffer;
        }
        F::save_into(buffer, value, &self.options).expect("the value can be saved");
        buffer
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        F::from_slice_with(bytes, &self.options).expect("it was saved just now")
    }

    fn load_into(&mut self, value: &mut T, bytes: &[u8]) {
        F::load_into(value, bytes, &self.options).expect("it was saved just now");
    }
}

/// A format that is picked at run time.
pub struct Dynamic {
    name: &'static str,
    format: Format,
    options: Options<'static>,
}

impl<T: Save + Element + Serialize> Peer<T> for Dynamic {
    const IN_PLACE: bool = true;

    fn name(&self) -> &'static str {
        self.name
    }

    fn group(&self) -> Group {
        Group::Variant
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        self.format.save_into(buffer, value, &self.options).expect("it can be saved");
        buffer
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        self.format.from_slice_with(bytes, &self.options).expect("it was saved just now")
    }

    fn load_into(&mut self, value: &mut T, bytes: &[u8]) {
        self.format.load_into_with(value, bytes, &self.options).expect("it was saved just now");
    }
}

/// A file with one named root.
pub struct NamedRoot {
    name: &'static str,
    format: Format,
    options: Options<'static>,
}

impl<T: Save + Element + Serialize> Peer<T> for NamedRoot {
    fn name(&self) -> &'static str {
        self.name
    }

    fn group(&self) -> Group {
        Group::Variant
    }

    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8] {
        let mut writer = self.format.writer_with(&self.options);
        writer.save("root", value).expect("it can be saved");
        *buffer = writer.finish().expect("the root was saved");
        buffer
    }

    fn load(&mut self, bytes: &[u8]) -> T {
        let reader = self.format.reader_with(bytes, &self.options);
        reader.and_then(|mut reader| reader.load("root")).expect("it was saved just now")
    }
}

/// The entries of all formats, and of the ways to use the binary one.
pub fn entries<T: Save + Element + Serialize + 'static>(
    subject: &Subject<T>,
    options: &Options<'static>,
) -> Vec<Entry> {
    let dynamic = |name, format| Dynamic { name, format, options: options.clone() };
    let named_root = |name, format| NamedRoot { name, format, options: options.clone() };
    vec![
        subject.entry(Static::<binary::Binary>::new(BINARY, Group::Ours, options)),
        subject.entry(Static::<msgpack::MessagePack>::new(MSGPACK, Group::Ours, options)),
        subject.entry(Static::<blob::Blob>::new("archive blob", Group::Ours, options)),
        subject.entry(Static::<json::Json>::new(JSON, Group::Ours, options)),
        subject.entry(Static::<binary::Binary>::new(TO_VEC, Group::Variant, options).fresh()),
        subject.entry(Static::<binary::fingerprint::Fingerprint>::new(
            FINGERPRINT,
            Group::Variant,
            options,
        )),
        subject.entry(Static::<binary::bare::Bare>::new(BARE, Group::Variant, options)),
        subject.entry(Static::<binary::columns::Columns>::new(COLUMNS, Group::Ours, options)),
        subject.entry(dynamic(RUN_TIME, Format::Binary)),
        subject.entry(dynamic(ERASED, Format::of::<binary::Binary>())),
        subject.entry(dynamic("json, erased", Format::of::<json::Json>())),
        subject.entry(dynamic("msgpack, erased", Format::of::<msgpack::MessagePack>())),
        subject.entry(named_root(BINARY_ROOT, Format::Binary)),
        subject.entry(named_root(JSON_ROOT, Format::Json)),
    ]
}
