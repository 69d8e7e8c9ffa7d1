//! One value that contains a value of every supported type of the standard library.

#![allow(clippy::type_complexity, clippy::box_collection)] // odd types are the point

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CStr, CString, OsStr, OsString};
use std::fmt;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{
    Bound, ControlFlow, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive,
};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::*;
use std::sync::{Arc, Mutex, OnceLock, RwLock};
use std::task::Poll;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use archive::Serialize;

#[derive(Debug, PartialEq, Serialize)]
pub struct Everything {
    pub numbers: Numbers,
    pub texts: Texts,
    pub addresses: Addresses,
    pub containers: Containers,
    pub choices: Choices,
    pub ranges: Ranges,
    pub cells: Cells,
    pub later: Later,
}

#[derive(Debug, PartialEq, Serialize)]
pub struct Numbers {
    pub nonzero: (NonZero<u8>, NonZero<u16>, NonZero<u32>, NonZero<u64>, NonZero<u128>),
    pub signed: (NonZero<i8>, NonZero<i16>, NonZero<i32>, NonZero<i64>, NonZero<i128>),
    pub sizes: (usize, isize, NonZero<usize>, NonZero<isize>),
    pub wrapping: Wrapping<u32>,
    pub saturating: Saturating<i16>,
    pub reverse: Reverse<Option<i64>>,
    pub duration: Duration,
    pub moments: [SystemTime; 2],
}

#[derive(Debug, PartialEq, Serialize)]
pub struct Texts {
    pub owned: (Box<str>, Rc<str>, Arc<str>, Cow<'static, str>),
    pub c: (CString, Box<CStr>, Rc<CStr>, Arc<CStr>, Cow<'static, CStr>),
    pub os: (OsString, Box<OsStr>, Rc<OsStr>, Arc<OsStr>, Cow<'static, OsStr>),
    pub path: (PathBuf, Box<Path>, Rc<Path>, Arc<Path>, Cow<'static, Path>),
}

#[derive(Debug, PartialEq, Serialize)]
pub struct Addresses {
    pub ip: (IpAddr, Ipv4Addr, Ipv6Addr),
    pub socket: (SocketAddr, SocketAddrV4, SocketAddrV6),
    pub names: HashMap<IpAddr, String>,
}

#[derive(Debug, PartialEq, Serialize)]
pub struct Containers {
    pub sequences: (Vec<Reverse<u8>>, VecDeque<Wrapping<u8>>, LinkedList<String>),
    pub slices: (Box<[String]>, Rc<[u16]>, Arc<[Option<u8>]>, Cow<'static, [String]>),
    pub sets: (BTreeSet<Box<str>>, HashSet<Rc<str>>),
    pub maps: (BTreeMap<NonZero<u8>, Arc<str>>, HashMap<Arc<[u8]>, Cow<'static, str>>),
    pub heap: Heap,
    pub pinned: Pin<Box<Vec<u8>>>,
    pub cow: Cow<'static, Point>,
    pub phantom: (PhantomData<Unsaved>, RangeFull),
}

/// Has no impls at all.
#[derive(Debug, PartialEq)]
pub struct Unsaved;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

/// A heap has no equality: its items in order do.
#[derive(Serialize)]
pub struct Heap(pub BinaryHeap<(Reverse<u8>, String)>);

impl PartialEq for Heap {
    fn eq(&self, other: &Self) -> bool {
        self.0.clone().into_sorted_vec() == other.0.clone().into_sorted_vec()
    }
}

impl fmt::Debug for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.clone().into_sorted_vec().fmt(f)
    }
}

#[derive(Debug, PartialEq, Serialize)]
pub struct Choices {
    pub results: Vec<Result<u8, String>>,
    pub bounds: Vec<Bound<i32>>,
    pub flows: Vec<ControlFlow<String, ()>>,
    pub orderings: Vec<Ordering>,
    pub nested: Option<Result<Option<u8>, Bound<()>>>,
}

#[derive(Debug, PartialEq, Serialize)]
pub struct Ranges {
    pub range: Range<i32>,
    pub inclusive: RangeInclusive<u8>,
    pub from: RangeFrom<String>,
    pub to: RangeTo<Option<u8>>,
    pub to_inclusive: RangeToInclusive<char>,
    pub optional: Option<Range<i64>>,
}

#[derive(Debug, Serialize)]
pub struct Cells {
    pub unsigned: (AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize),
    pub signed: (AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize),
    pub flag: AtomicBool,
    pub cell: Cell<u32>,
    pub refcell: RefCell<String>,
    pub mutex: Mutex<Vec<u8>>,
    pub rwlock: RwLock<Option<String>>,
    pub once: (OnceCell<String>, OnceLock<Option<u8>>),
    pub optional: (Option<OnceCell<u8>>, Option<Mutex<u8>>, Vec<RefCell<u8>>),
    pub shared: Arc<AtomicU32>,
}

/// Most cells have no equality; their contents are compared.
impl PartialEq for Cells {
    fn eq(&self, other: &Self) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}

/// Types that the golden files do not contain: their layouts are older.
#[derive(Debug, PartialEq, Serialize)]
pub struct Later {
    pub polls: Vec<Poll<String>>,
    pub nested: Option<Poll<Option<u8>>>,
}

/// What a value is made of.
#[derive(Clone, Debug)]
pub struct Seed {
    pub number: u64,
    pub signed: i64,
    pub text: String,
    pub list: Vec<String>,
    pub bytes: Vec<u8>,
    /// Whether names may be other than Unicode, which platforms store differently.
    pub foreign: bool,
}

/// The number, or one where it is zero.
macro_rules! one {
    ($number:expr) => {
        NonZero::new($number).or(NonZero::new(1)).unwrap()
    };
}

/// A name that is not Unicode.
#[cfg(unix)]
pub fn os_string(bytes: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec([b"a\xff\0".as_slice(), bytes].concat())
}

/// A name that is not Unicode.
#[cfg(windows)]
pub fn os_string(bytes: &[u8]) -> OsString {
    let units: Vec<u16> = bytes.iter().map(|byte| 0xd800 | u16::from(*byte)).collect();
    std::os::windows::ffi::OsStringExt::from_wide(&[&[0xdc00, 0x61, 0], &units[..]].concat())
}

/// A value of every type of the standard library, the same on every machine.
pub fn sample() -> Everything {
    everything(&Seed {
        number: 0x0123_4567_89ab_cdf6,
        signed: -0x0123_4567_89ab,
        text: "a \"quoted\" naïve text".into(),
        list: vec!["z".into(), "é".into(), String::new()],
        bytes: vec![3, 0, 255],
        foreign: false,
    })
}

/// The value for a seed.
pub fn everything(seed: &Seed) -> Everything {
    let Seed { number, signed, text, list, bytes, foreign } = seed.clone();
    let even = number.is_multiple_of(2);
    let some = (number % 3 != 0).then_some(bytes.len() as u8);
    let byte = number as u8;
    let c = CString::new(bytes.iter().copied().filter(|byte| *byte != 0).collect::<Vec<_>>());
    let c = c.unwrap();
    let os = if foreign { os_string(&bytes) } else { OsString::from(&text) };
    let path = Path::new("saves").join(&os);
    let v4 = Ipv4Addr::from_bits(number as u32);
    let v6 = Ipv6Addr::from_bits(u128::from(number) << 70 | u128::from(signed as u64));
    let port = signed as u16;
    let (socket4, socket6) = (
        SocketAddrV4::new(v4, port),
        SocketAddrV6::new(v6, port, (number >> 7) as u32, (number >> 40) as u32),
    );
    let before = Duration::new(number >> 3, 1);
    let poll = if even { Poll::Ready(text.clone()) } else { Poll::Pending };
    let result = if even { Ok(byte) } else { Err(text.clone()) };
    Everything {
        numbers: Numbers {
            nonzero: (one!(byte), one!(port), one!(number as u32), one!(number), one!(u128::MAX)),
            signed: (
                one!(byte as i8),
                one!(signed as i16),
                one!(signed as i32),
                one!(signed),
                one!(i128::MIN),
            ),
            // A number that fits in 32 bits, so that one file serves every machine.
            sizes: (
                number as u32 as usize,
                signed as i32 as isize,
                one!(usize::from(byte)),
                one!(-isize::from(byte)),
            ),
            wrapping: Wrapping(number as u32),
            saturating: Saturating(signed as i16),
            reverse: Reverse(even.then_some(signed)),
            duration: Duration::new(number, 999_999_999),
            // Every platform supports 100 ns.
            moments: [
                UNIX_EPOCH + Duration::new(number % (1 << 33), byte as u32 * 100),
                UNIX_EPOCH - Duration::new(before.as_secs() % (1 << 33), byte as u32 * 100),
            ],
        },
        texts: Texts {
            owned: (
                text.as_str().into(),
                text.as_str().into(),
                text.as_str().into(),
                Cow::Owned(text.clone()),
            ),
            c: (
                c.clone(),
                c.as_c_str().into(),
                c.as_c_str().into(),
                c.as_c_str().into(),
                Cow::Owned(c),
            ),
            os: (
                os.clone(),
                os.as_os_str().into(),
                os.as_os_str().into(),
                os.as_os_str().into(),
                Cow::Owned(os),
            ),
            path: (
                path.clone(),
                path.as_path().into(),
                path.as_path().into(),
                path.as_path().into(),
                Cow::Owned(path),
            ),
        },
        addresses: Addresses {
            ip: (if even { v4.into() } else { v6.into() }, v4, v6),
            socket: (if even { socket4.into() } else { socket6.into() }, socket4, socket6),
            names: [(v4.into(), text.clone()), (v6.into(), String::new())].into(),
        },
        containers: Containers {
            sequences: (
                bytes.iter().copied().map(Reverse).collect(),
                bytes.iter().copied().map(Wrapping).collect(),
                list.iter().cloned().collect(),
            ),
            slices: (
                list.clone().into(),
                bytes.iter().map(|byte| u16::from(*byte) * 257).collect(),
                vec![some, None, Some(byte)].into(),
                Cow::Owned(list.clone()),
            ),
            sets: (
                list.iter().map(|text| text.as_str().into()).collect(),
                list.iter().map(|text| text.as_str().into()).collect(),
            ),
            maps: (
                bytes.iter().map(|byte| (one!(*byte), text.as_str().into())).collect(),
                [(bytes.as_slice().into(), Cow::Owned(text.clone()))].into(),
            ),
            heap: Heap(bytes.iter().map(|byte| (Reverse(*byte), text.clone())).collect()),
            pinned: Box::pin(bytes.clone()),
            cow: Cow::Owned(Point { x: signed as i32, y: number as i32 }),
            phantom: (PhantomData, ..),
        },
        choices: Choices {
            results: vec![Ok(byte), Err(text.clone()), result],
            bounds: vec![Bound::Unbounded, Bound::Included(-1), Bound::Excluded(signed as i32)],
            flows: vec![ControlFlow::Continue(()), ControlFlow::Break(text.clone())],
            orderings: vec![Ordering::Less, Ordering::Equal, Ordering::Greater],
            nested: match number % 5 {
                0 => None,
                1 => Some(Ok(None)),
                2 => Some(Ok(Some(byte))),
                3 => Some(Err(Bound::Unbounded)),
                _ => Some(Err(Bound::Excluded(()))),
            },
        },
        ranges: Ranges {
            range: signed as i32..number as i32,
            inclusive: byte..=port as u8,
            from: text.clone()..,
            to: ..some,
            to_inclusive: ..=text.chars().next().unwrap_or('\0'),
            optional: even.then_some(signed..-1),
        },
        cells: Cells {
            unsigned: (
                byte.into(),
                port.into(),
                (number as u32).into(),
                number.into(),
                usize::from(port).into(),
            ),
            signed: (
                (byte as i8).into(),
                (signed as i16).into(),
                (signed as i32).into(),
                signed.into(),
                isize::from(signed as i16).into(),
            ),
            flag: even.into(),
            cell: Cell::new(number as u32),
            refcell: RefCell::new(text.clone()),
            mutex: Mutex::new(bytes),
            rwlock: RwLock::new(even.then(|| text.clone())),
            once: (
                if even { text.into() } else { OnceCell::new() },
                match number % 3 {
                    0 => OnceLock::new(),
                    1 => None.into(),
                    _ => Some(byte).into(),
                },
            ),
            optional: (
                match number % 3 {
                    0 => None,
                    1 => Some(OnceCell::new()),
                    _ => Some(OnceCell::from(byte)),
                },
                even.then(|| Mutex::new(byte)),
                vec![RefCell::new(byte), RefCell::new(0)],
            ),
            shared: Arc::new((number as u32).into()),
        },
        later: Later {
            polls: vec![Poll::Pending, poll],
            nested: match number % 4 {
                0 => None,
                1 => Some(Poll::Pending),
                2 => Some(Poll::Ready(None)),
                _ => Some(Poll::Ready(Some(byte))),
            },
        },
    }
}
