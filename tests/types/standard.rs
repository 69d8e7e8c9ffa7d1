//! The types of the standard library in every format: values at the edges, and nested ones.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, HashMap, LinkedList};
use std::ffi::{CStr, CString, OsString};
use std::io::Cursor;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6};
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{Bound, ControlFlow};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::task::Poll;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::common::everything::os_string;
use crate::common::{forgiving, round_trip};
use archive::{Blank, Options, Serialize, json};

/// Values of one type, alone and nested.
#[derive(Debug, PartialEq, Serialize)]
struct Nested<T> {
    list: Vec<T>,
    boxed: Vec<Option<Box<T>>>,
}

fn nested<T: Clone>(values: &[T]) -> Nested<T> {
    let boxed = values.iter().cloned().map(|value| Some(Box::new(value)));
    Nested { list: values.to_vec(), boxed: boxed.chain([None]).collect() }
}

/// Values of one type, nested and as the keys of a map.
type Keys<T> = (Nested<T>, BTreeMap<T, u8>);

fn keys<T: Clone + Ord>(values: &[T]) -> Keys<T> {
    (nested(values), values.iter().cloned().zip(0..).collect())
}

#[test]
fn numbers() {
    macro_rules! edges {
        ($Wrapper:ident: $($number:ident),*) => {
            round_trip(&($([
                $Wrapper::<$number>::MIN,
                $Wrapper::<$number>::MAX,
            ],)*));
        };
    }
    edges!(NonZero: u8, u16, u32, u64, u128, usize);
    edges!(NonZero: i8, i16, i32, i64, i128, isize);
    round_trip(&([Wrapping(u8::MAX)], [Wrapping(u64::MAX)], [Wrapping(i128::MIN)]));
    edges!(Saturating: i8, i16, i32, i64, i128, isize);
    round_trip(&(
        keys(&[usize::MIN, usize::MAX]),
        keys(&[isize::MIN, isize::MAX]),
        keys(&[NonZero::<i64>::MIN, NonZero::<i64>::MAX]),
        keys(&[Wrapping(-1), Wrapping(5)]),
        keys(&[Reverse(Some(String::from("x"))), Reverse(None)]),
    ));
    round_trip(&keys(&[ManuallyDrop::new(Some(String::from("x"))), ManuallyDrop::new(None)]));
    for format in forgiving() {
        let bytes = format.to_vec(&AssertUnwindSafe(vec![Some(1_u8), None])).unwrap();
        let loaded: AssertUnwindSafe<Vec<Option<u8>>> = format.from_slice(&bytes).unwrap();
        assert_eq!(*loaded, [Some(1), None], "{format}");
    }
    let mut cursor = Cursor::new(vec![1_u8, 2, 3]);
    cursor.set_position(2);
    assert_eq!(json::to_string(&cursor).unwrap(), r#"{"inner":[1,2,3],"position":2}"#);
    round_trip(&nested(&[cursor, Cursor::new(Vec::new())]));
    let numbers = (NonZero::<u8>::MAX, Wrapping(-1), Reverse('x'));
    assert_eq!(json::to_string(&numbers).unwrap(), r#"[255,-1,"x"]"#);
}

#[test]
fn text() {
    let long = "x".repeat(10_000);
    let texts = ["", "plain", "a\0b\n\"\\é🦀", &long];
    round_trip(&(
        keys(&texts.map(Box::<str>::from)),
        keys(&texts.map(Rc::<str>::from)),
        keys(&texts.map(Arc::<str>::from)),
        keys(&texts.map(|text| Cow::<'static, str>::Owned(text.into()))),
        HashMap::from([(Rc::<str>::from("key"), Cow::<'static, str>::Borrowed("value"))]),
        Rc::new(Rc::<str>::from("shared twice")),
    ));
    round_trip(&(
        keys(&texts.map(OsString::from)),
        keys(&texts.map(PathBuf::from)),
        texts.map(|text| Box::<Path>::from(Path::new(text))),
    ));
    let c = [c"", c"plain", c"\n\"\\é🦀"];
    round_trip(&(keys(&c.map(CString::from)), c.map(Box::<CStr>::from), c.map(Rc::<CStr>::from)));
    let texts = (Rc::<str>::from("a"), PathBuf::from("b"), c"c".to_owned());
    assert_eq!(json::to_string(&texts).unwrap(), r#"["a","b","c"]"#);
}

/// A relative path is one text on all platforms. Any other path is kept and noted.
#[test]
fn paths() {
    let saved = |path: &Path| json::to_string(path).unwrap();
    let nested: PathBuf = ["saves", "été", "a.sav"].iter().collect();
    assert_eq!(saved(&nested), r#""saves/été/a.sav""#);
    let up = Path::new("..").join(".").join("a");
    assert_eq!(saved(&up), r#"".././a""#);
    round_trip(&[nested.clone(), up]);
    for format in forgiving() {
        let load = |text: &str| {
            let bytes = format.to_vec(&vec![text.to_owned()]).unwrap();
            let (paths, report) =
                format.from_slice_report::<Vec<PathBuf>>(&bytes, &Options::new()).unwrap();
            (paths[0].clone(), report)
        };
        let (path, report) = load("saves/été/a.sav");
        assert_eq!(path.as_os_str(), nested.as_os_str(), "{format}");
        assert!(report.is_empty(), "{format}: {report}");
        for rooted in ["/home/a/b.sav", r"C:\saves/b.sav", r"\\server\saves", "d:b.sav"] {
            let (path, report) = load(rooted);
            assert_eq!(path.as_os_str(), rooted, "{format}");
            assert!(report.rooted_paths().eq(["[0]"]), "{format}: {report}");
            let bytes = format.to_vec(&vec![path]).unwrap();
            assert_eq!(bytes, format.to_vec(&vec![PathBuf::from(rooted)]).unwrap(), "{format}");
            assert_eq!(format.from_slice::<Vec<String>>(&bytes).unwrap(), [rooted], "{format}");
        }
    }
}

/// Text that is not Unicode keeps every byte, and loads where possible.
#[test]
fn text_that_is_not_unicode() {
    let all: Vec<u8> = (1..=255).collect();
    let names = [b"caf\xc3\xa9 \xff".as_slice(), b"\xc3", b"x41\xf0\x9f\xa6", &all];
    round_trip(&(
        keys(&names.map(|name| CString::new(name).unwrap())),
        keys(&names.map(os_string)),
        keys(&names.map(|name| PathBuf::from(os_string(name)))),
        names.map(|name| Arc::<Path>::from(PathBuf::from(os_string(name)))),
    ));
    assert_eq!(json::to_string(c"a\xffb").unwrap(), r#""a\u0000xffb""#);
    #[cfg(unix)]
    {
        let name = os_string(b"!");
        assert_eq!(json::to_string(&name).unwrap(), r#""a\u0000xff\u0000\u0000!""#);
    }
}

#[test]
fn slices_and_lists() {
    round_trip(&(
        keys(&[Box::<[u8]>::from([]), Box::from([1, 2, 255])]),
        keys(&[Rc::<[String]>::from(["a".into(), String::new()]), Rc::from([])]),
        keys(&[Arc::<[Option<u8>]>::from([None, Some(1)])]),
        keys(&[Cow::<'static, [u8]>::Owned(vec![1, 2]), Cow::Borrowed(&[])]),
        keys(&[LinkedList::from([1, 2, 3]), LinkedList::new()]),
        nested(&[Box::pin(String::from("pinned"))]),
        nested(&[Box::pin(Box::pin(Some(5_u8))), Box::pin(Box::pin(None))]),
    ));
}

#[test]
fn nullable_types_inside_options() {
    round_trip(&(
        vec![
            Some(OnceCell::from(None)),
            Some(OnceCell::from(Some(1_u8))),
            Some(OnceCell::new()),
            None,
        ],
        vec![Some(OnceLock::from(Some(1_u8))), Some(OnceLock::new()), None],
        vec![OnceCell::from(()), OnceCell::new()],
        vec![Some(PhantomData::<str>), None],
        vec![Some(..), None],
        vec![Some(Reverse(Some(1))), Some(Reverse(None)), None],
        vec![Some(Wrapping(1)), None],
        vec![Some(Cow::<'static, Option<u8>>::Owned(None)), Some(Cow::Owned(Some(2))), None],
        vec![Some(Box::pin(None)), Some(Box::pin(Some(3))), None],
        vec![Some(Ok(None)), Some(Err(())), Some(Ok(Some(1_u8))), None],
    ));
    assert_eq!(json::to_string(&Some(OnceCell::<u8>::new())).unwrap(), r#"{"$some":null}"#);
    assert_eq!(json::to_string(&OnceLock::from(5)).unwrap(), "5");
}

/// The initial value of a member that a file lacks.
type Blanks = (Result<String, u8>, Bound<u8>, ControlFlow<u8, u8>, Poll<u8>, Ordering);

fn blank<T: Blank>() -> T {
    T::blank(&Options::new())
}

#[test]
fn choices() {
    round_trip(&(
        keys(&[Ok::<u8, String>(1), Err("no".into())]),
        nested(&[Ok::<(), ()>(()), Err(())]),
        nested(&[Bound::Unbounded, Bound::Included(Some('x')), Bound::Excluded(None)]),
        (Bound::Included(1), Bound::Excluded(5)),
        nested(&[ControlFlow::Continue(()), ControlFlow::Break(7)]),
        keys(&[Poll::Ready(String::from("done")), Poll::Pending]),
        nested(&[Poll::Ready(()), Poll::Pending]),
        keys(&[Ordering::Less, Ordering::Equal, Ordering::Greater]),
        HashMap::from([(Bound::Included(1), 'a'), (Bound::Unbounded, 'b')]),
    ));
    let all = (Ok::<_, ()>(1), Err::<(), _>(String::from("x")), Bound::Included(2), Ordering::Less);
    let text = r#"[{"Ok":1},{"Err":"x"},{"Included":2},"Less"]"#;
    assert_eq!(json::to_string(&all).unwrap(), text);
    let flow = [ControlFlow::Continue(1), ControlFlow::Break(String::from("end"))];
    assert_eq!(json::to_string(&flow).unwrap(), r#"[{"Continue":1},{"Break":"end"}]"#);
    let polls = [Poll::Ready(1), Poll::Pending];
    assert_eq!(json::to_string(&polls).unwrap(), r#"[{"Ready":1},"Pending"]"#);
    let text = r#"[{"Ok":""},"Unbounded",{"Continue":0},"Pending","Equal"]"#;
    assert_eq!(json::to_string(&blank::<Blanks>()).unwrap(), text);
}

#[test]
#[allow(clippy::reversed_empty_ranges)] // they are kept as they are
fn ranges() {
    // A range that was partly iterated is saved as the rest.
    let mut left = 1..=3;
    left.next();
    round_trip(&(
        nested(&[1..2_i64, i64::MIN..i64::MAX, 5..-5]),
        [String::from("a")..String::new()],
        nested(&[0.5..=1.5, 1.5..=0.5, 3.0..=3.0]),
        [Some('a')..=None, None..=Some('z')],
        [1_u8..],
        [..Some(-1), ..None],
        [..='x'],
        nested(&[..]),
        left,
    ));
    assert_eq!(
        json::to_string(&(1..2, 3..=4, 5.., ..6, ..=7, ..)).unwrap(),
        r#"[{"start":1,"end":2},{"start":3,"end":4},{"start":5},{"end":6},{"end":7},null]"#
    );
}

#[test]
fn times() {
    let second = Duration::from_secs(1);
    round_trip(&keys(&[
        UNIX_EPOCH,
        UNIX_EPOCH + Duration::new(1, 500),
        UNIX_EPOCH - Duration::new(0, 100),
        UNIX_EPOCH - second,
        UNIX_EPOCH - Duration::new(11_644_473_600, 0),
        UNIX_EPOCH - Duration::new(1, 999_999_900),
        UNIX_EPOCH + Duration::new(253_402_300_800, 999_999_900),
        SystemTime::now(),
    ]));
    #[cfg(unix)]
    {
        let most = UNIX_EPOCH + Duration::new(i64::MAX as u64, 999_999_999);
        let least = UNIX_EPOCH - Duration::new(1 << 63, 0);
        round_trip(&keys(&[most, least, least + Duration::from_nanos(1)]));
    }
    round_trip(&keys(&[Duration::ZERO, Duration::MAX, Duration::from_nanos(1)]));
    let half = [UNIX_EPOCH - Duration::from_millis(500), UNIX_EPOCH + Duration::from_millis(1500)];
    let text = r#"[{"secs":-1,"nanos":500000000},{"secs":1,"nanos":500000000}]"#;
    assert_eq!(json::to_string(&half).unwrap(), text);
}

#[test]
fn addresses() {
    let v6 =
        ["::", "::1", "2001:db8::8a2e:370:7334", "::ffff:1.2.3.4", "ffff::ffff:ffff:ffff:ffff"];
    let v6: Vec<Ipv6Addr> = v6.iter().map(|text| text.parse().unwrap()).collect();
    let v4 = [Ipv4Addr::UNSPECIFIED, Ipv4Addr::LOCALHOST, Ipv4Addr::BROADCAST];
    let ends = [(0, 0, 0), (80, 0, 7), (65535, 5, 0), (1, u32::MAX, u32::MAX)];
    let sockets: Vec<SocketAddrV6> = v6
        .iter()
        .flat_map(|ip| ends.map(|(port, flow, scope)| SocketAddrV6::new(*ip, port, flow, scope)))
        .collect();
    let either: Vec<SocketAddr> = v4
        .iter()
        .map(|ip| SocketAddr::new((*ip).into(), 443))
        .chain(sockets.iter().copied().map(SocketAddr::V6))
        .collect();
    let ips: Vec<IpAddr> = either.iter().map(SocketAddr::ip).collect();
    round_trip(&(keys(&v6), keys(&v4), keys(&ips), keys(&sockets), keys(&either)));
    let local: IpAddr = [127, 0, 0, 1].into();
    let socket = SocketAddrV6::new(Ipv6Addr::LOCALHOST, 80, 7, 3);
    let text = r#"["127.0.0.1","[::1%3]:80;flowinfo=7"]"#;
    assert_eq!(json::to_string(&(local, socket)).unwrap(), text);
}

#[test]
fn sixteen_items() {
    type All = (
        u8,
        u16,
        u32,
        u64,
        i8,
        i16,
        i32,
        i64,
        bool,
        char,
        String,
        (),
        [u8; 2],
        Option<u8>,
        f32,
        Vec<u8>,
    );
    let all: All =
        (1, 2, 3, 4, -5, -6, -7, -8, true, 'x', "y".into(), (), [9, 10], Some(11), 1.5, vec![12]);
    let text = r#"[1,2,3,4,-5,-6,-7,-8,true,"x","y",null,[9,10],11,1.5,[12]]"#;
    for format in forgiving() {
        let mut loaded: Vec<All> =
            format.from_slice(&format.to_vec(&[&all; 1].map(|all| all.clone())).unwrap()).unwrap();
        assert_eq!(json::to_string(&loaded[0]).unwrap(), text, "{format}");
        assert_eq!(json::to_string(&mut loaded[0]).unwrap(), text, "{format}");
    }
    for len in 13..=15 {
        let numbers = json::to_string(&(0..len).collect::<Vec<u8>>()).unwrap();
        let again = match len {
            13 => json::to_string(
                &json::from_str::<(u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8)>(&numbers)
                    .unwrap(),
            ),
            14 => json::to_string(
                &json::from_str::<(u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8)>(
                    &numbers,
                )
                .unwrap(),
            ),
            _ => json::to_string(
                &json::from_str::<(u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8)>(
                    &numbers,
                )
                .unwrap(),
            ),
        };
        assert_eq!(again.unwrap(), numbers);
    }
}

/// Names of an object are keys of any type that is stored as text or as a number.
#[test]
fn keys_as_names() {
    let map: HashMap<IpAddr, u8> = json::from_str(r#"{"::1":1,"10.0.0.1":2}"#).unwrap();
    assert_eq!(map[&IpAddr::from([10, 0, 0, 1])], 2);
    let map: BTreeMap<NonZero<i8>, u8> = json::from_str(r#"{"-3":1}"#).unwrap();
    assert_eq!(map.into_keys().next().unwrap().get(), -3);
    let map: BTreeMap<PathBuf, Ordering> = json::from_str(r#"{"a/b":"Less"}"#).unwrap();
    assert_eq!(map[Path::new("a/b")], Ordering::Less);
    let map: HashMap<Rc<str>, u8> = json::from_str(r#"{"x":1}"#).unwrap();
    assert_eq!(map["x"], 1);
    let error = json::from_str::<HashMap<IpAddr, u8>>(r#"{"home":1}"#).unwrap_err();
    assert_eq!(error.message(), r#"expected an IP address, found "home""#);
}
