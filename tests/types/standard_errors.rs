//! Refused values of the types of the standard library: invalid values, and cells in use. The error
//! names the expected and the found value, with its path.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ffi::CString;
use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::NonZero;
use std::ops::{Bound, ControlFlow, RangeInclusive};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Mutex, RwLock};
use std::task::Poll;
use std::time::{Duration, SystemTime};

use crate::common::{forgiving, formats, has_position};
use archive::{Blank, Error, ErrorKind, Options, Save, Serialize};

#[derive(Debug, Serialize)]
struct Outer<T> {
    inner: Inner<T>,
}

#[derive(Debug, Serialize)]
struct Inner<T> {
    list: Vec<T>,
}

/// A value that one type saved and another one must not load, as the second item of a list.
fn refused<S, T>(good: S, bad: S, kind: ErrorKind, says: &[&str])
where
    S: Serialize + Save + Blank,
    T: Serialize + Save + Blank + Debug,
{
    let saved = Outer { inner: Inner { list: vec![good, bad] } };
    for format in forgiving() {
        let bytes = format.to_vec(&saved).unwrap();
        let error = format.from_slice::<Outer<T>>(&bytes).unwrap_err();
        assert_eq!(error.kind(), kind, "{format}: {error}");
        assert!(error.path().starts_with("inner.list[1]"), "{format}: {error}");
        assert!(has_position(format, &error), "{format}: {error}");
        for text in says {
            assert!(error.message().contains(text), "{format}: {error}");
        }
        // The error goes into the report, and the rest is loaded.
        let options = Options::new().keep_going(true);
        let (loaded, report) = format.from_slice_report::<Outer<T>>(&bytes, &options).unwrap();
        assert_eq!(report.errors().len(), 1, "{format}: {report:?}");
        assert!(!loaded.inner.list.is_empty(), "{format}");
        let mut existing = Outer { inner: Inner { list: vec![T::blank(&options)] } };
        assert!(format.load_into(&mut existing, &bytes).is_err());
    }
}

#[test]
fn zero() {
    macro_rules! zero {
        ($($number:ident),*) => { $(
            let says = ["expected a number other than 0, found 0"];
            refused::<$number, NonZero<$number>>(1, 0, ErrorKind::OutOfRange, &says);
        )* };
    }
    zero!(u8, u128, usize, i8, i64);
    refused::<u32, NonZero<u8>>(1, 300, ErrorKind::OutOfRange, &[]);
    refused::<i64, usize>(1, -1, ErrorKind::OutOfRange, &[]);
    refused::<u64, isize>(1, u64::MAX, ErrorKind::OutOfRange, &[]);
}

fn text<T: Serialize + Save + Blank + Debug>(good: &str, bad: &str, expected: &str) {
    let found = format!("expected {expected}, found {bad:?}");
    refused::<String, T>(good.into(), bad.into(), ErrorKind::WrongType, &[&found]);
}

#[test]
fn addresses() {
    text::<IpAddr>("::1", "localhost", "an IP address");
    text::<Ipv4Addr>("1.2.3.4", "1.2.3", "an IPv4 address");
    text::<Ipv6Addr>("::", "1.2.3.4", "an IPv6 address");
    text::<SocketAddr>("1.2.3.4:5", "1.2.3.4", "an IP address with a port");
    text::<SocketAddrV4>("1.2.3.4:5", "[::1]:5", "an IPv4 address with a port");
    for bad in [
        "::1",
        "[::1]:5;flowinfo=",
        "[::1]:5;flowinfo=+1",
        "[::1]:5;flow=1",
        "[::1]:5;flowinfo=4294967296",
    ] {
        text::<SocketAddrV6>("[::1]:5", bad, "an IPv6 address in brackets with a port");
    }
    for format in forgiving() {
        let error = format.from_slice::<Ipv4Addr>(&format.to_vec(&1_u8).unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WrongType, "{format}: {error}");
    }
}

/// A message does not repeat a megabyte of input.
#[test]
fn long_text_is_cut() {
    for format in formats() {
        let bytes = format.to_vec("é".repeat(1_000_000).as_str()).unwrap();
        let error = format.from_slice::<IpAddr>(&bytes).unwrap_err();
        assert!(error.message().len() < 300, "{format}");
    }
}

#[test]
fn text_of_other_platforms() {
    text::<CString>(
        "a",
        "a\0x0",
        "NUL, `x` with two hexadecimal digits or `u` with four after each NUL",
    );
    refused::<String, CString>(
        "a".into(),
        "b\0\0c".into(),
        ErrorKind::WrongType,
        &["text without NUL"],
    );
    refused::<String, CString>("a".into(), "b\0ud800".into(), ErrorKind::Unsupported, &["Windows"]);
    #[cfg(unix)]
    refused::<String, PathBuf>(
        "a".into(),
        "b\0ud800".into(),
        ErrorKind::Unsupported,
        &["0xd800", "Windows"],
    );
    #[cfg(windows)]
    refused::<String, PathBuf>(
        "a".into(),
        "b\0xff".into(),
        ErrorKind::Unsupported,
        &["0xff", "Unix"],
    );
    text::<PathBuf>(
        "a",
        "a\0",
        "NUL, `x` with two hexadecimal digits or `u` with four after each NUL",
    );
}

#[derive(Debug, Serialize)]
struct Time {
    secs: i128,
    nanos: u32,
}

#[test]
fn times() {
    let time = |secs, nanos| Time { secs, nanos };
    let says = ["1000000000 nanoseconds do not fit a second"];
    refused::<Time, Duration>(time(1, 2), time(1, 1_000_000_000), ErrorKind::OutOfRange, &says);
    refused::<Time, SystemTime>(time(-1, 2), time(-1, 1_000_000_000), ErrorKind::OutOfRange, &says);
    refused::<Time, Duration>(time(1, 2), time(-1, 0), ErrorKind::OutOfRange, &[]);
    refused::<Time, SystemTime>(time(0, 0), time(u64::MAX.into(), 0), ErrorKind::OutOfRange, &[]);
    #[cfg(windows)]
    for secs in [i64::MIN, i64::MAX] {
        let says = ["do not fit `SystemTime` on this machine"];
        refused::<Time, SystemTime>(time(0, 0), time(secs.into(), 0), ErrorKind::OutOfRange, &says);
    }
}

#[test]
fn choices() {
    #[derive(Serialize)]
    enum Other {
        #[allow(dead_code)]
        Ok(u8),
        Fine,
    }
    let says = ["Fine", "`Ok`, `Err`"];
    refused::<Other, Result<u8, u8>>(Other::Ok(1), Other::Fine, ErrorKind::UnknownVariant, &says);
    let says = ["`Less`, `Equal`, `Greater`"];
    refused::<String, Ordering>("Less".into(), "less".into(), ErrorKind::UnknownVariant, &says);
    let says = ["`Unbounded`, `Included`, `Excluded`"];
    refused::<String, Bound<u8>>(
        "Unbounded".into(),
        "Open".into(),
        ErrorKind::UnknownVariant,
        &says,
    );
    refused::<ControlFlow<i16>, ControlFlow<u8>>(
        ControlFlow::Continue(()),
        ControlFlow::Break(300),
        ErrorKind::OutOfRange,
        &[],
    );
    refused::<Poll<u16>, Poll<u8>>(
        Poll::Ready(1),
        Poll::Ready(300),
        ErrorKind::OutOfRange,
        &["300", "u8"],
    );
    let says = ["Done", "`Ready`, `Pending`"];
    refused::<String, Poll<u8>>("Pending".into(), "Done".into(), ErrorKind::UnknownVariant, &says);
}

/// Bounds do not show that a range was iterated to its end, so such a range is not saved.
#[test]
fn ranges_that_were_used_up() {
    let mut used = 1..=2_u8;
    used.by_ref().for_each(drop);
    let mut outer = Outer { inner: Inner { list: vec![1..=2, used] } };
    for format in formats() {
        for error in [format.to_vec(&outer).unwrap_err(), format.to_vec(&mut outer).unwrap_err()] {
            let found = (error.kind(), error.path());
            assert_eq!(found, (ErrorKind::Unsupported, "inner.list[1]"), "{format}: {error}");
        }
        // One can be loaded over it.
        let bytes = format.to_vec(&(5..=6_u8)).unwrap();
        let mut used: RangeInclusive<u8> = 1..=1;
        used.next();
        format.load_into(&mut used, &bytes).unwrap();
        assert_eq!(used, 5..=6, "{format}");
    }
}

/// The error of a cell in use.
#[track_caller]
fn in_use(result: archive::Result<Vec<u8>>, says: &str) {
    let error: Error = result.unwrap_err();
    let found = (error.kind(), error.path());
    assert_eq!(found, (ErrorKind::Borrowed, "inner.list[1]"), "{error}");
    assert!(error.message().contains(says), "{error}");
}

fn two<T>(cell: impl Fn(String) -> T) -> Outer<T> {
    Outer { inner: Inner { list: vec![cell("first".into()), cell("second".into())] } }
}

#[test]
fn cells_in_use() {
    for format in formats() {
        let outer = two(RefCell::new);
        let guard = outer.inner.list[1].borrow_mut();
        in_use(format.to_vec(&outer), "a `RefCell<String>` is mutably borrowed");
        drop(guard);
        let guard = outer.inner.list[1].borrow();
        format.to_vec(&outer).unwrap();
        drop(guard);

        let outer = two(Mutex::new);
        let guard = outer.inner.list[1].lock().unwrap();
        in_use(format.to_vec(&outer), "a `Mutex<String>` is locked");
        drop(guard);
        format.to_vec(&outer).unwrap();

        let outer = two(RwLock::new);
        let guard = outer.inner.list[1].write().unwrap();
        in_use(format.to_vec(&outer), "a `RwLock<String>` is locked");
        drop(guard);
        let guard = outer.inner.list[1].read().unwrap();
        format.to_vec(&outer).unwrap();
        drop(guard);
    }
}

/// Panics while it has the lock.
fn poison(lock: impl FnOnce()) {
    assert!(catch_unwind(AssertUnwindSafe(lock)).is_err());
}

#[test]
fn poisoned_locks() {
    let mut mutexes = two(Mutex::new);
    let mut rwlocks = two(RwLock::new);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    poison(|| {
        let _guard = mutexes.inner.list[1].lock();
        panic!()
    });
    poison(|| {
        let _guard = rwlocks.inner.list[1].write();
        panic!()
    });
    std::panic::set_hook(hook);
    for format in formats() {
        in_use(format.to_vec(&mutexes), "a `Mutex<String>` is poisoned");
        in_use(format.to_vec(&mut mutexes), "poisoned");
        in_use(format.to_vec(&rwlocks), "a `RwLock<String>` is poisoned");
        in_use(format.to_vec(&mut rwlocks), "poisoned");
    }

    /// If the lock itself is a member, loading needs it as well.
    #[derive(Serialize)]
    struct Holder {
        inner: Held,
    }
    #[derive(Serialize)]
    struct Held {
        lock: Mutex<String>,
    }
    let mut holder = Holder { inner: Held { lock: mutexes.inner.list.remove(1) } };
    for format in formats() {
        let good = Holder { inner: Held { lock: Mutex::new("new".into()) } };
        let bytes = format.to_vec(&good).unwrap();
        let error = format.load_into(&mut holder, &bytes).unwrap_err();
        let found = (error.kind(), error.path());
        assert_eq!(found, (ErrorKind::Borrowed, "inner.lock"), "{format}: {error}");
        // In a list the lock is replaced.
        let mut list = vec![std::mem::take(&mut holder.inner.lock)];
        let bytes = format.to_vec(&vec![Mutex::new(String::from("new"))]).unwrap();
        format.load_into(&mut list, &bytes).unwrap();
        assert_eq!(*list[0].lock().unwrap(), "new", "{format}");
        let again = Mutex::new(String::new());
        poison_quietly(&again);
        holder.inner.lock = again;
    }
}

fn poison_quietly(lock: &Mutex<String>) {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let _guard = lock.lock();
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(thread.join().is_err());
    });
}
