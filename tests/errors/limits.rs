//! Each limit in each format: exceeding it is an error that names the option; with a higher limit
//! the same file loads.

use std::rc::Rc;

use archive::{ErrorKind, Limits, Options, Result, Serialize, Value};
use slotmap::{DefaultKey, SecondaryMap, SlotMap};

use crate::common::{Format, forgiving, formats, has_position, takes_announced};

/// Loads a file with a limit that is one too small and with one that is just enough.
fn check(
    format: Format,
    method: &str,
    kind: ErrorKind,
    [small, enough]: [Options<'_>; 2],
    load: impl Fn(&Options<'_>) -> Result,
) {
    let Err(error) = load(&small) else { panic!("{format}: no error below `{method}`") };
    assert_eq!(error.kind(), kind, "{format}: {error}");
    let raise = format!("(`Options::{method}` raises the limit)");
    assert!(error.message().ends_with(&raise), "{format}: {error}");
    assert!(error.message().contains(" than "), "{format}: {error}");
    assert!(has_position(format, &error), "{format}: {error}");
    load(&enough).unwrap_or_else(|error| panic!("{format}: {error}"));
}

/// What both limits of a pair are: 9 is too small, 10 is enough.
fn pair(limit: impl Fn(Options<'static>, u64) -> Options<'static>) -> [Options<'static>; 2] {
    [9, 10].map(|most| limit(Options::new(), most))
}

#[derive(Debug, Default, Serialize)]
struct Nest {
    inside: Option<Box<Nest>>,
}

#[test]
fn depth() {
    let mut nest = Nest::default();
    for _ in 1..10 {
        nest = Nest { inside: Some(Box::new(nest)) };
    }
    for format in formats() {
        let options = pair(|options, most| options.max_depth(most as usize));
        let file = format.to_vec(&nest).unwrap();
        check(format, "max_depth", ErrorKind::DepthLimit, options.clone(), |options| {
            format.from_slice_with::<Nest>(&file, options).map(drop)
        });
        // Saving has the same limit. There is no input, so the error has no position.
        let [small, enough] = &options;
        let error = format.to_vec_with(&nest, small).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{format}: {error}");
        assert_eq!(error.path(), ["inside"; 9].join("."), "{format}: {error}");
        format.to_vec_with(&nest, enough).unwrap();
    }
}

#[test]
fn elements() {
    for format in formats() {
        let options = pair(|options, most| options.max_elements(most));
        let lists = vec![vec!["x".to_owned()], vec!["y".to_owned(); 7]];
        let file = format.to_vec(&lists).unwrap();
        let error = format.from_slice_with::<Vec<Vec<String>>>(&file, &options[0]).unwrap_err();
        assert_eq!(error.path(), "[1][6]", "{format}: {error}");
        check(format, "max_elements", ErrorKind::SizeLimit, options, |options| {
            format.from_slice_with::<Vec<Vec<String>>>(&file, options).map(drop)
        });
    }
}

/// Elsewhere each element takes some bytes, so the size of the file is the limit.
#[test]
fn empty_elements() {
    for format in formats() {
        let options = pair(|options, most| options.max_empty_elements(most));
        let file = format.to_vec(&[(); 10].to_vec()).unwrap();
        let load =
            |options: &Options<'_>| format.from_slice_with::<Vec<()>>(&file, options).map(drop);
        if ["binary", "columns", "fingerprint", "bare", "postcard"].contains(&format.name()) {
            check(format, "max_empty_elements", ErrorKind::SizeLimit, options, load);
        } else {
            load(&options[0]).unwrap();
        }
    }
}

#[test]
fn pointers() {
    let objects: Vec<Rc<u32>> = (0..10).map(Rc::new).collect();
    for format in formats() {
        let options = pair(|options, most| options.max_pointers(most));
        let file = format.to_vec(&objects).unwrap();
        check(format, "max_pointers", ErrorKind::SizeLimit, options.clone(), |options| {
            format.from_slice_with::<Vec<Rc<u32>>>(&file, options).map(drop)
        });
        let [small, enough] = &options;
        let error = format.to_vec_with(&objects, small).unwrap_err();
        assert_eq!(
            (error.kind(), error.path()),
            (ErrorKind::SizeLimit, "[9]"),
            "{format}: {error}"
        );
        format.to_vec_with(&objects, enough).unwrap();
    }
}

#[test]
fn generations() {
    let mut map = SlotMap::<DefaultKey, u8>::new();
    for _ in 0..5 {
        let key = map.insert(1);
        map.remove(key);
    }
    let key = map.insert(7);
    for format in formats() {
        let [mut small, mut enough] = pair(|options, _| options);
        let file = format.to_vec(&map).unwrap();
        let load = |options: &Options<'_>| -> Result {
            let loaded: SlotMap<DefaultKey, u8> = format.from_slice_with(&file, options)?;
            assert_eq!(loaded[key], 7, "{format}");
            Ok(())
        };
        let enough_at = (0..100)
            .find(|most| load(&Options::new().max_generations(*most)).is_ok())
            .unwrap_or_else(|| panic!("{format}: no limit is enough"));
        assert_eq!(enough_at, 5, "{format}");
        (small, enough) = (small.max_generations(4), enough.max_generations(5));
        check(format, "max_generations", ErrorKind::SizeLimit, [small, enough], load);
    }
}

#[test]
fn padding() {
    let mut map = SlotMap::<DefaultKey, u8>::new();
    let keys: Vec<DefaultKey> = (0..100).map(|_| map.insert(1)).collect();
    let mut second = SecondaryMap::<DefaultKey, u64>::new();
    second.insert(keys[99], 7);
    for format in formats() {
        let options = [99 * 16 - 1, 99 * 16].map(|most| Options::new().max_padding(most));
        let file = format.to_vec(&second).unwrap();
        check(format, "max_padding", ErrorKind::SizeLimit, options, |options| {
            let loaded: SecondaryMap<DefaultKey, u64> = format.from_slice_with(&file, options)?;
            assert_eq!(loaded[keys[99]], 7, "{format}");
            Ok(())
        });
    }
}

macro_rules! ten {
    ($($name:ident)*) => {
        /// Errors of different members.
        #[derive(Default, Serialize)]
        struct Ten<T> {
            $($name: T,)*
        }

        impl<T: Copy> Ten<T> {
            fn of(value: T) -> Self {
                Ten { $($name: value,)* }
            }
        }
    };
}
ten!(a b c d e f g h i j);

#[test]
fn errors() {
    for format in forgiving() {
        let options = pair(|options, most| options.keep_going(true).max_errors(most as usize));
        let file = format.to_vec(&Ten::<u16>::of(300)).unwrap();
        let load = |options: &Options<'_>| -> Result {
            let (ten, report) = format.from_slice_report::<Ten<u8>>(&file, options)?;
            assert_eq!((ten.j, report.errors().len()), (0, 10), "{format}");
            Ok(())
        };
        let error = load(&options[0]).unwrap_err();
        assert_eq!(
            (error.kind(), error.path(), error.message()),
            (
                ErrorKind::OutOfRange,
                "j",
                "300 does not fit u8; more than 9 errors (`Options::max_errors` raises the limit)"
            ),
            "{format}"
        );
        check(format, "max_errors", ErrorKind::OutOfRange, options, load);
    }
}

/// The limit is named once, at any depth of the error, with the path at which the load stopped.
#[test]
fn errors_inside() {
    #[derive(Default, Serialize)]
    struct Unit<T> {
        list: Vec<Inner<T>>,
    }
    #[derive(Default, Serialize)]
    struct Inner<T> {
        pair: (T, T),
        boxed: Option<Box<T>>,
    }
    let unit = |n: u16| Inner { pair: (n, 300), boxed: Some(Box::new(400)) };
    let file = vec![Unit { list: vec![unit(1), unit(500)] }, Unit { list: vec![unit(2)] }];
    let options = |most| Options::new().keep_going(true).max_errors(most);
    // The others are of the same members.
    let paths = ["[0].list[0].pair[1]", "[0].list[0].boxed"];
    for format in forgiving() {
        let file = format.to_vec(&file).unwrap();
        for (most, path) in paths.iter().enumerate() {
            let error = format.from_slice_report::<Vec<Unit<u8>>>(&file, &options(most));
            let error = error.err().unwrap_or_else(|| panic!("{format}: loaded"));
            let errors = if most == 1 { "error" } else { "errors" };
            let limit =
                format!("; more than {most} {errors} (`Options::max_errors` raises the limit)");
            let message = error.message().strip_suffix(&*limit);
            let message = message.unwrap_or_else(|| panic!("{format}: {error}"));
            assert!(message.ends_with("00 does not fit u8"), "{format}: {error}");
            assert_eq!(error.path(), *path, "{format}");
            assert!(has_position(format, &error), "{format}: {error}");
        }
        let (_, report) =
            format.from_slice_report::<Vec<Unit<u8>>>(&file, &options(paths.len())).unwrap();
        let found: Vec<_> = report.errors().iter().map(|error| error.path()).collect();
        assert_eq!(found, paths, "{format}");
    }
}

/// The reserved memory does not limit the loaded value.
#[test]
fn reserve() {
    let list: Vec<u64> = (0..1000).collect();
    for format in forgiving() {
        let file = format.to_vec(&list).unwrap();
        for reserve in [0, 100, 1 << 30] {
            let options = Options::new().max_reserve(reserve);
            let loaded: Vec<u64> = format.from_slice_with(&file, &options).unwrap();
            assert_eq!(loaded, list, "{format}");
            // Formats that announce the number get exactly that, within the limit.
            if takes_announced(format, reserve) {
                assert_eq!(loaded.capacity(), 1000, "{format}");
            } else {
                assert_ne!(loaded.capacity(), 1000, "{format}");
            }
            let array: [u64; 1000] = format.from_slice_with(&file, &options).unwrap();
            assert_eq!(array[..], list, "{format}");
        }
    }
}

/// A tree that takes more memory than the limit for its file is refused. A report is never refused:
/// it counts the notes that do not fit.
#[test]
fn expansion() {
    #[derive(Default, Serialize)]
    struct Old {}
    #[derive(Default, Serialize)]
    struct New {
        a_member_that_is_new: u8,
        another_member_that_is_new: u8,
    }
    // In addition to the bytes for each byte of input, 32 KiB are allowed.
    let options = [1, 1 << 20].map(|most| Options::new().max_expansion(most));
    let old: Vec<Old> = (0..1000).map(|_| Old {}).collect();
    let numbers: Vec<u8> = vec![1; 3000];
    for format in forgiving() {
        let file = format.to_vec(&numbers.iter().map(|n| Some(*n)).collect::<Vec<_>>()).unwrap();
        check(format, "max_expansion", ErrorKind::SizeLimit, options.clone(), |options| {
            format.from_slice_with::<Value>(&file, options).map(drop)
        });
        let file = format.to_vec(&old).unwrap();
        let (_, report) = format.from_slice_report::<Vec<New>>(&file, &options[0]).unwrap();
        assert!(report.notes().iter().all(|note| note.count == 1000 || note.path.is_empty()));
        assert_eq!((report.absent().count(), report.omitted()), (2, 0), "{format}");
    }
}

/// The defaults that the documentation names.
#[test]
fn defaults() {
    let limits = Limits::default();
    assert_eq!(limits.depth, 128);
    assert_eq!(limits.elements, 1 << 32);
    assert_eq!(limits.empty_elements, 1 << 16);
    assert_eq!(limits.pointers, 1 << 28);
    assert_eq!(limits.generations, 1 << 26);
    assert_eq!(limits.padding, 1 << 28);
    assert_eq!(limits.errors, 1000);
    assert_eq!(limits.reserve, 1 << 20);
    assert_eq!(limits.expansion, 256);
    assert_eq!(*Options::new().settings().limits(), limits);
}
