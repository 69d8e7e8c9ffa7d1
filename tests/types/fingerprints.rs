//! Types with the same layout and another meaning have different fingerprints.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZeroU64, Wrapping};
use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};
use std::path::{Path, PathBuf};
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, SystemTime};

use archive::binary::{self, fingerprint};
use archive::{Blank, ErrorKind, Options, Save, Serialize};
use indexmap::{IndexMap, IndexSet};
use slotmap::{DefaultKey, DenseSlotMap, SecondaryMap, SlotMap};

macro_rules! types {
    ($($item:item)*) => { $(
        #[derive(Clone, Debug, Default, Serialize)]
        $item
    )* };
}
types! {
    struct Bounds { start: u32, end: u32 }
    struct Start { start: u32 }
    struct End { end: u32 }
    struct Time { secs: u64, nanos: u32 }
    struct SignedTime { secs: i64, nanos: u32 }
    struct Renamed { start: u32, end: u32 }
    struct CalledSet {
        #[archive(rename = "a set")]
        items: Vec<u8>,
    }
    struct Text(String);
    struct Pair(i64, i32);
    struct Flat { #[archive(flatten)] bounds: Bounds, id: u8 }
    struct FlatRange { #[archive(flatten)] bounds: Range<u32>, id: u8 }
    struct Deep { #[archive(flatten)] range: FlatRange, more: u8 }
    struct DeepPlain { #[archive(flatten)] range: Flat, more: u8 }
    struct List { items: Vec<List>, of: Vec<u8> }
    struct Lists { items: Vec<Lists>, of: BTreeSet<u8> }
    struct Parent { children: Vec<Parent>, parent: Weak<Parent> }
    struct ParentOfLists { children: Vec<ParentOfLists>, parent: Weak<Lists> }
    enum Closed { #[default] One, Two }
    enum Open { #[default] One, #[archive(other)] Two }
    enum OpenFirst { #[default] #[archive(other)] One, Two }
}

fn print_of<T: Save + Blank>() -> u64 {
    let bytes = fingerprint::to_vec(&T::blank(&Options::new())).unwrap();
    u64::from_le_bytes(bytes[..8].try_into().unwrap())
}

/// Types of one line mean the same.
macro_rules! meanings {
    ($($reason:literal: $($Type:ty),+;)*) => {
        vec![$(
            ($reason, vec![$((std::any::type_name::<$Type>(), print_of::<$Type>())),+])
        ),*]
    };
}

type Meanings = Vec<(&'static str, Vec<(&'static str, u64)>)>;

fn meanings() -> Meanings {
    meanings! {
        "items in their order":
            Vec<u8>, VecDeque<u8>, LinkedList<u8>, Box<[u8]>, smallvec::SmallVec<[u8; 2]>;
        "each item once": BTreeSet<u8>, HashSet<u8>, IndexSet<u8>;
        "a heap": BinaryHeap<u8>;
        "a set by name only": CalledSet;
        "values by keys": BTreeMap<u8, u8>, HashMap<u8, u8>, IndexMap<u8, u8>;
        "values by keys of a slot map": HashMap<DefaultKey, u8>, SecondaryMap<DefaultKey, u8>;
        "a map with free slots": SlotMap<DefaultKey, u8>;
        "a dense map with free slots": DenseSlotMap<DefaultKey, u8>;
        "pairs": Vec<(u8, u8)>;

        "text; a newtype is what it holds":
            String, Box<str>, Rc<str>, Cow<'static, str>, smol_str::SmolStr, Text;
        "a path": PathBuf, Box<Path>;
        "a string of the platform": OsString;
        "a C string": CString;
        "an address": IpAddr;
        "an address of version 4": Ipv4Addr;
        "an address of version 6": Ipv6Addr;
        "a socket": SocketAddr;
        "a socket of version 4": SocketAddrV4;
        "a socket of version 6": SocketAddrV6;
        "a UUID": uuid::Uuid;
        "an instant with any offset":
            chrono::DateTime<chrono::Utc>, chrono::DateTime<chrono::Local>,
            chrono::DateTime<chrono::FixedOffset>;
        "a date, in one text": chrono::NaiveDate, jiff::civil::Date;
        "a time of day, in one text": chrono::NaiveTime, jiff::civil::Time;
        "a date and time, in one text": chrono::NaiveDateTime, jiff::civil::DateTime;
        "an offset": chrono::FixedOffset;
        "a month": chrono::Month;
        "a weekday": chrono::Weekday;
        "a timestamp": jiff::Timestamp;
        "a time in a zone": jiff::ZonedDateTime;
        "a span": jiff::Span;
        "a signed duration": jiff::SignedDuration;
        "a span of seconds": chrono::TimeDelta;
        "a pair; names do not count": (i64, i32), Pair;

        "a number, however it is held":
            u64, usize, NonZeroU64, AtomicU64, Wrapping<u64>, Reverse<u64>, Box<u64>;
        "a range": Range<u32>;
        "a range with its end": RangeInclusive<u32>;
        "bounds; names do not count": Bounds, Renamed;
        "a range from": RangeFrom<u32>;
        "a start": Start;
        "a range to": RangeTo<u32>;
        "a range to and with": RangeToInclusive<u32>;
        "an end": End;
        "a duration": Duration;
        "seconds": Time;
        "a point in time": SystemTime;
        "signed seconds": SignedTime;
        "flattened bounds": Flat;
        "a flattened range": FlatRange;
        "bounds, flattened twice": DeepPlain;
        "a range, flattened twice": Deep;

        "numbers": [f32; 4];
        "a vector": glam::Vec4;
        "a quaternion": glam::Quat;
        "a matrix": glam::Mat2;
        "three numbers": [f32; 3];
        "a vector, however it is aligned": glam::Vec3, glam::Vec3A;
        "six numbers": [f32; 6];
        "a transform": glam::Affine2;
        "vectors": Vec<glam::Vec4>;
        "quaternions": Vec<glam::Quat>;
        "numbers in rows": Vec<[f32; 4]>;
        "a pair with a vector": (u8, glam::Vec4);
        "a pair with a quaternion": (u8, glam::Quat);

        "a shared list, on one thread or many": Rc<Vec<u8>>, Arc<Vec<u8>>;
        "a shared set": Rc<BTreeSet<u8>>;
        "a weak pointer to a list": Weak<Vec<u8>>, std::sync::Weak<Vec<u8>>;
        "a weak pointer to a set": Weak<BTreeSet<u8>>;
        "a weak pointer to bounds": Weak<Bounds>, Weak<Renamed>;
        "a weak pointer to a range": Weak<Range<u32>>;
        "a parent": Parent;
        "a parent of lists": ParentOfLists;

        "two variants": Closed;
        "the second for all others": Open;
        "the first for all others": OpenFirst;

        "lists of lists": Vec<Vec<u8>>;
        "lists of sets": Vec<BTreeSet<u8>>;
        "sets of lists": BTreeSet<Vec<u8>>;
        "sets of sets": BTreeSet<BTreeSet<u8>>;
        "maybe a list": Option<Vec<u8>>;
        "maybe a set": Option<BTreeSet<u8>>;
        "lists by names": BTreeMap<String, Vec<u8>>;
        "sets by names": BTreeMap<String, BTreeSet<u8>>;
        "lists by addresses": BTreeMap<IpAddr, Vec<u8>>;
        "a tree with lists": List;
        "a tree with sets": Lists;
    }
}

#[test]
fn types_with_another_meaning_have_another_fingerprint() {
    let meanings = meanings();
    let all = || meanings.iter().flat_map(|(_, types)| types);
    for (meaning, types) in &meanings {
        for (one, print) in types {
            for (other, other_print) in all() {
                let same = types.iter().any(|(name, _)| name == other);
                let verb = if same { "is" } else { "is not" };
                assert_eq!(print == other_print, same, "{one} {verb} {other}: {meaning}");
            }
        }
    }
}

fn refused<A: Save + Blank, B: Save + Blank + archive::Element>() {
    let bytes = fingerprint::to_vec(&A::blank(&Options::new())).unwrap();
    let error = fingerprint::from_slice::<B>(&bytes).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongType);
    // A file with tables is loaded by its layout.
    let bytes = binary::to_vec(&A::blank(&Options::new())).unwrap();
    binary::from_slice::<B>(&bytes).map(drop).unwrap();
}

#[test]
fn a_packet_of_another_meaning_is_refused() {
    refused::<Range<u32>, RangeInclusive<u32>>();
    refused::<RangeInclusive<u32>, Range<u32>>();
    refused::<glam::Vec4, glam::Quat>();
    refused::<glam::Quat, [f32; 4]>();
    refused::<Vec<u8>, BTreeSet<u8>>();
    refused::<BinaryHeap<u8>, Vec<u8>>();
    refused::<Duration, Time>();
    refused::<uuid::Uuid, String>();
    refused::<IpAddr, PathBuf>();
    refused::<Closed, Open>();
    refused::<Weak<Vec<u8>>, Weak<BTreeSet<u8>>>();
}
