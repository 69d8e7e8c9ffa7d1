//! Values without pointers: every kind of scalar, container, enum and attribute.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use arbitrary::{Arbitrary, Unstructured};
use archive::{Archive, Result, Serialize, Value, blank, save_by_clone};

/// Floats that are equal if their bits are, or if both are NaN.
macro_rules! bits {
    ($($(#[$doc:meta])* $Name:ident $Float:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Default, Clone, Copy, Debug, Serialize, Arbitrary)]
        pub struct $Name(pub $Float);

        impl PartialEq for $Name {
            fn eq(&self, other: &Self) -> bool {
                self.0.to_bits() == other.0.to_bits() || self.0.is_nan() && other.0.is_nan()
            }
        }
    )* };
}
bits! {
    /// A float of four bytes.
    Single f32;
    /// A float of eight bytes.
    Double f64;
}

/// One member of each kind.
#[derive(Default, Clone, Debug, PartialEq, Serialize, Arbitrary)]
#[archive(version = 2)]
#[allow(missing_docs)] // the names say it
pub struct Plain {
    pub numbers: Numbers,
    #[archive(flatten)]
    pub base: Base,
    #[archive(rename = "text", alias = "txt", alias = "name")]
    pub label: String,
    #[archive(default = 7)]
    pub lives: u8,
    pub option: Option<u16>,
    pub nested: Option<Option<String>>,
    pub deepest: Option<Option<Option<()>>>,
    pub state: State,
    pub history: Vec<State>,
    pub lists: Lists,
    pub maps: Maps,
    pub shape: Shape,
    pub manual: Manual,
    pub tree: Option<Box<Tree>>,
    pub unit: Unit,
    #[archive(skip)]
    pub skipped: (),
    pub open: Open,
}

/// Numbers of all widths.
#[derive(Default, Clone, Debug, PartialEq, Serialize, Arbitrary)]
#[archive(rename_all = "camelCase")]
#[allow(missing_docs)] // the names say it
pub struct Numbers {
    pub unsigned: (u8, u16, u32, u64, u128),
    pub signed: (i8, i16, i32, i64, i128),
    pub floats: (Single, Double),
    pub pointer_sized: (usize, isize),
    pub yes_or_no: bool,
    pub letter: char,
}

/// Members that replace the member that contains them.
#[derive(Default, Clone, Debug, PartialEq, Serialize, Arbitrary)]
#[allow(missing_docs)] // the names say it
pub struct Base {
    pub id: u32,
    pub position: [Single; 3],
}

/// Sequences.
#[derive(Default, Clone, Debug, PartialEq, Serialize, Arbitrary)]
#[allow(missing_docs)] // the names say it
pub struct Lists {
    pub bytes: Vec<u8>,
    pub floats: Vec<Single>,
    pub wide: Vec<u128>,
    pub units: Vec<()>,
    pub bools: Vec<bool>,
    pub texts: VecDeque<String>,
    pub pairs: Vec<(i16, Option<char>)>,
    pub matrix: [[i32; 2]; 2],
    pub none: [u8; 0],
    pub set: BTreeSet<i64>,
    pub hash_set: HashSet<(u8, String)>,
    pub ragged: Vec<Vec<Vec<u16>>>,
}

/// Maps, and types of the standard library.
#[derive(Default, Clone, Debug, PartialEq, Serialize, Arbitrary)]
#[allow(missing_docs)] // the names say it
pub struct Maps {
    pub by_name: BTreeMap<String, Vec<State>>,
    pub by_number: HashMap<i32, Wrapper>,
    pub by_truth: BTreeMap<bool, char>,
    pub by_pair: BTreeMap<(u8, Option<i8>), ()>,
    pub by_kind: BTreeMap<Kind, Double>,
    pub path: PathBuf,
    pub time: Duration,
}

/// A unit enum that may be a key, with names of its own.
#[derive(
    Default, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Arbitrary,
)]
#[archive(rename_all = "kebab-case")]
#[allow(missing_docs)] // the names say it
pub enum Kind {
    #[default]
    FirstKind,
    #[archive(alias = "2")]
    SecondKind,
    #[archive(rename = "3")]
    ThirdKind,
}

/// Variants of every form, and one for names that are not known.
#[derive(Default, Clone, Debug, PartialEq, Serialize, Arbitrary)]
#[allow(missing_docs)] // the names say it
pub enum State {
    #[default]
    Idle,
    Attacking {
        target: u32,
        since: Double,
    },
    Carrying(String),
    Trading(u8, Vec<i16>),
    Maybe(Option<u8>),
    Nothing(()),
    Inside(Box<State>),
    #[archive(other)]
    Lost,
}

/// A struct that is its one field.
#[derive(Default, Clone, Debug, PartialEq, Serialize, Arbitrary)]
pub struct Wrapper(pub Option<u16>);

/// A struct without members.
#[derive(Default, Clone, Debug, PartialEq, Serialize, Arbitrary)]
pub struct Unit;

/// An array in text.
#[derive(Default, Clone, Debug, PartialEq, Serialize, Arbitrary)]
pub struct Shape(pub i64, pub String, pub Option<bool>);

/// Recursive by ownership.
#[derive(Default, Clone, Debug, PartialEq, Serialize, Arbitrary)]
#[allow(missing_docs)] // the names say it
pub struct Tree {
    pub label: u8,
    pub left: Option<Box<Tree>>,
    pub right: Vec<Tree>,
}

/// Hand-written: it branches, and loads its older layout.
#[derive(Default, Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the names say it
pub struct Manual {
    pub looped: bool,
    pub points: Vec<[i16; 2]>,
    pub pause: Single,
}

impl Serialize for Manual {
    const VERSION: u32 = 1;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("looped", &mut self.looped)?;
        let points = if ar.version() == 0 { "path" } else { "points" };
        ar.serialize(points, &mut self.points)?;
        if self.looped {
            ar.serialize("pause", &mut self.pause)?;
        } else {
            self.pause = Single(0.0);
        }
        Ok(())
    }
}
impl<'a> Arbitrary<'a> for Manual {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let looped = u.arbitrary()?;
        let pause = if looped { u.arbitrary()? } else { Single(0.0) };
        Ok(Manual { looped, points: u.arbitrary()?, pause })
    }
}

save_by_clone!(Manual);
blank!(Manual);

/// Any value, as a member.
#[derive(Default, Clone, Debug, PartialEq, Serialize)]
pub struct Open(pub Value);

impl<'a> Arbitrary<'a> for Open {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        tree(u, 3).map(Open)
    }
}

/// A tree that every format returns unchanged: no floats that are text in some of them, no bytes.
fn tree(u: &mut Unstructured<'_>, depth: usize) -> arbitrary::Result<Value> {
    Ok(match u.int_in_range(0..=if depth == 0 { 4 } else { 6 })? {
        0 => Value::Null,
        1 => Value::from(u.arbitrary::<bool>()?),
        2 => Value::from(u.arbitrary::<i64>()?),
        3 => Value::from(Some(u.arbitrary::<f64>()?).filter(|v| v.is_finite()).unwrap_or(0.5)),
        4 => Value::from(u.arbitrary::<String>()?),
        5 => {
            let items = u.int_in_range(0..=3)?;
            Value::Array((0..items).map(|_| tree(u, depth - 1)).collect::<Result<_, _>>()?)
        }
        _ => {
            let mut members: Vec<(String, Value)> = Vec::new();
            for _ in 0..u.int_in_range(0..=3)? {
                let name = u.arbitrary::<String>()?.replace('$', "S");
                if members.iter().all(|(other, _)| *other != name) {
                    members.push((name, tree(u, depth - 1)?));
                }
            }
            Value::Object(members)
        }
    })
}
