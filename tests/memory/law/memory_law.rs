//! The law: typed loads take at most 64 KiB, 64 bytes for each byte of input and the resulting
//! value; loads whose result contains more than the file, such as trees and reports, take in total at most 64 KiB and 256 bytes for each
//! byte of input.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::fmt::Write;
use std::rc::Rc;

use archive::{
    Element, ErrorKind, Format, Options, Polymorphic, Registry, Serialize, Unknown, Value,
    polymorphic, register,
};

const BASE: usize = 64 << 10;
const TYPED: usize = 64;
const TREE: usize = 256;

#[derive(Default, Serialize)]
pub struct Nest(pub Vec<Nest>);

#[derive(Default, Serialize)]
pub struct Tree {
    pub left: Option<Box<Tree>>,
    pub right: Option<Box<Tree>>,
}

#[derive(Default, Serialize)]
pub enum Choice {
    #[default]
    Nothing,
    Number(u32),
    Text(String),
    Pair {
        a: u8,
        b: Option<bool>,
    },
}

/// The type after its changes.
#[derive(Default, Serialize)]
pub struct Plain {
    pub hp: u8,
    pub name: String,
    pub place: [f32; 2],
    pub gone: Option<u8>,
    pub choice: Choice,
}

#[derive(Default, Serialize)]
pub struct Keeps {
    pub hp: u8,
    #[archive(unknown)]
    pub rest: BTreeMap<String, Value>,
}

#[derive(Default, Serialize)]
pub struct KeepsHashed {
    pub hp: u8,
    #[archive(unknown)]
    pub rest: HashMap<String, Value>,
}

#[derive(Default, Serialize)]
pub struct KeepsObjects {
    pub hp: u8,
    #[archive(unknown)]
    pub rest: Unknown,
}

#[derive(Default, Serialize)]
pub struct Lists {
    pub numbers: Vec<u64>,
    pub ragged: Vec<Vec<Vec<[u64; 4]>>>,
    pub units: Vec<()>,
    pub text: String,
    pub texts: VecDeque<String>,
    pub map: HashMap<u32, u64>,
    pub tree: BTreeMap<String, Vec<u8>>,
    pub set: HashSet<u8>,
    pub sorted: BTreeSet<String>,
    pub nodes: Vec<Rc<RefCell<u64>>>,
    pub plain: Vec<Plain>,
}

pub trait Thing: Polymorphic {}
polymorphic!(dyn Thing);
impl Thing for Unknown {}
#[derive(Default, Serialize)]
pub struct Known(pub u32);
impl Thing for Known {}
/// A type that only the saving program knows.
#[derive(Default, Serialize)]
pub struct Mod {
    pub a: u8,
    pub items: Vec<u8>,
}
impl Thing for Mod {}

/// Objects of a type that only the saving program knows, and of one that both know.
pub fn things() -> Vec<Box<dyn Thing>> {
    vec![Box::new(Mod { a: 1, items: vec![1, 2] }), Box::new(Known(3))]
}

/// The options of the program that saves.
pub fn saving() -> Options<'static> {
    let mut registry = Registry::new();
    register!(registry, dyn Thing { Known, Mod, Unknown }).unwrap();
    Options::new().registry(&registry)
}

/// The peak of allocated bytes while `run` runs.
pub fn peak_of(run: &mut dyn FnMut()) -> usize {
    allocation_counter::measure(run).bytes_max as usize
}

/// The resulting value is not part of the law. Elements that take no bytes can make it larger than
/// the input by any factor, up to this limit.
fn few_empty<'o>(options: Options<'o>, input: &[u8]) -> Options<'o> {
    options.max_empty_elements(input.len() as u64)
}

/// The findings so far.
pub struct Law {
    loading: Options<'static>,
    worst: BTreeMap<String, f64>,
    broken: BTreeMap<String, (f64, String)>,
    refused: BTreeMap<String, usize>,
}

impl Law {
    pub fn new() -> Self {
        let mut registry = Registry::new();
        register!(registry, dyn Thing { Known, Unknown }).unwrap();
        let loading = Options::new().registry(&registry).keep_unknown(true);
        let (worst, broken) = (BTreeMap::new(), BTreeMap::new());
        Law { loading, worst, broken, refused: BTreeMap::new() }
    }

    /// Data that is created once for a type or a thread is not counted for the first file.
    pub fn warm_up(&self, format: Format) {
        let mut other = Law::new();
        other.check(format, "nothing", &format.to_vec(&0_u8).unwrap());
        other.check(format, "nothing", b"");
    }

    /// Loads an input in all ways.
    pub fn check(&mut self, format: Format, what: &str, input: &[u8]) {
        self.tree(format, what, input);
        // A list with this many bytes for each byte of the input, while it grows.
        self.typed::<Vec<u64>>(format, what, input, 24);
        self.typed::<Nest>(format, what, input, 96);
        self.typed::<Vec<String>>(format, what, input, 72);
        self.typed::<Vec<()>>(format, what, input, 0);
        self.typed::<Vec<Rc<RefCell<u64>>>>(format, what, input, 64);
        self.typed::<Tree>(format, what, input, 32);
        self.typed::<LinkedList<u8>>(format, what, input, 32);
        self.typed::<HashMap<u8, u64>>(format, what, input, 60);
        self.typed::<BTreeMap<String, Vec<u8>>>(format, what, input, 120);
        self.typed::<Vec<Choice>>(format, what, input, 96);
        self.typed::<Vec<Plain>>(format, what, input, 240);
        self.typed::<Lists>(format, what, input, 240);
        self.typed::<Vec<Rc<RefCell<Nest>>>>(format, what, input, 160);
        // The kept data is a tree, and the objects are few.
        self.kept::<Vec<Keeps>>(format, what, input, 100);
        self.kept::<Vec<KeepsHashed>>(format, what, input, 180);
        self.kept::<Vec<KeepsObjects>>(format, what, input, 300);
        self.kept::<Keeps>(format, what, input, 0);
        self.kept::<Vec<Box<dyn Thing>>>(format, what, input, 200);
        self.kept::<Vec<Rc<RefCell<dyn Thing>>>>(format, what, input, 300);
    }

    fn tree(&mut self, format: Format, what: &str, input: &[u8]) {
        let peak = peak_of(&mut || drop(format.from_slice::<Value>(input)));
        self.judge(format, what, "Value", input, peak, TREE);
        let peak = peak_of(&mut || drop(format.from_slice_report::<Value>(input, &Options::new())));
        self.judge(format, what, "Value with a report", input, peak, TREE);
        if format.name() == "json" {
            let read = &mut || drop(archive::json::from_reader::<Value>(input));
            // Text arrives in pieces, which have a buffer.
            let peak = peak_of(read).saturating_sub(160 << 10);
            self.judge(format, what, "Value from a reader", input, peak, TREE);
        }
        if ["binary", "columns"].contains(&format.name()) {
            let inspect = &mut || {
                if let Ok(seen) = archive::binary::inspect(input) {
                    let _ = write!(Nowhere, "{seen}");
                }
            };
            let peak = peak_of(inspect);
            self.judge(format, what, "inspect", input, peak, TREE);
        }
    }

    fn typed<T: Element + 'static>(
        &mut self,
        format: Format,
        what: &str,
        input: &[u8],
        grows: usize,
    ) {
        let name = std::any::type_name::<T>();
        // Serde's formats may need a tree to find the target of a pointer.
        let reading = if is_serde(format) { TREE } else { TYPED };
        let options = &few_empty(Options::new(), input);
        let peak = peak_of(&mut || drop(format.from_slice_with::<T>(input, options)));
        self.judge(format, what, name, input, peak, reading + grows);
        let options = few_empty(Options::new().keep_going(true), input);
        let load = &mut || drop(format.from_slice_report::<T>(input, &options));
        let peak = peak_of(load);
        self.judge(format, what, &format!("{name}, keep_going"), input, peak, TREE + grows);
    }

    fn kept<T: Element + 'static>(
        &mut self,
        format: Format,
        what: &str,
        input: &[u8],
        grows: usize,
    ) {
        let name = std::any::type_name::<T>();
        let options = few_empty(self.loading.clone(), input);
        let load = &mut || drop(format.from_slice_with::<T>(input, &options));
        let peak = peak_of(load);
        self.judge(format, what, name, input, peak, TREE + grows);
        let load = &mut || drop(format.from_slice_report::<T>(input, &options));
        let peak = peak_of(load);
        self.judge(format, what, &format!("{name}, with a report"), input, peak, TREE + grows);
    }

    fn judge(
        &mut self,
        format: Format,
        what: &str,
        way: &str,
        input: &[u8],
        peak: usize,
        each: usize,
    ) {
        let factor = peak.saturating_sub(BASE) as f64 / input.len().max(1) as f64;
        let key = format!("{format}, {way}");
        let worst = self.worst.entry(key.clone()).or_default();
        *worst = worst.max(factor);
        if factor > each as f64 {
            let hex: String = input.iter().take(120).map(|byte| format!("{byte:02x}")).collect();
            let message = format!("{what}, {} bytes: {factor:.0} > {each}: {hex}", input.len());
            let broken = self.broken.entry(key).or_default();
            if factor > broken.0 {
                *broken = (factor, message);
            }
        }
    }

    /// A file that a program may have must load as a tree.
    pub fn loads(&mut self, format: Format, what: &str, input: &[u8]) {
        if let Err(error) = format.from_slice::<Value>(input)
            && error.kind() == ErrorKind::SizeLimit
        {
            *self.refused.entry(format!("{format}, {what}: {error}")).or_default() += 1;
        }
    }

    pub fn conclude(self) {
        for (way, factor) in &self.worst {
            println!("{way}: {factor:.0}");
        }
        let broken: Vec<String> =
            self.broken.iter().map(|(way, (_, how))| format!("{way}: {how}")).collect();
        assert!(broken.is_empty(), "{}", broken.join("\n"));
        let refused: Vec<&String> = self.refused.keys().collect();
        assert!(refused.is_empty(), "{refused:#?}");
    }
}

/// A sink that discards text.
struct Nowhere;

impl std::fmt::Write for Nowhere {
    fn write_str(&mut self, _: &str) -> std::fmt::Result {
        Ok(())
    }
}

fn is_serde(format: Format) -> bool {
    !["json", "binary", "msgpack", "blob", "bins", "bare", "fingerprint", "columns"]
        .contains(&format.name())
}
