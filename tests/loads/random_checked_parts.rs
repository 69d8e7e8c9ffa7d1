//! Random values of a type whose parts are checked wherever they are, in files that violate the
//! checks.

use super::checked_parts::{broken, checked, free, free_registry, registry};
use crate::common::{Format, formats, keeps_going, report_of, text};
use archive::{Options, Value};
use proptest::collection::vec;
use proptest::prelude::*;

fn bounds() -> impl Strategy<Value = Vec<(i32, i32)>> {
    // Most are valid, so that the load reaches others.
    let pair = prop_oneof![
        40 => (0..20_i32, 20..40_i32),
        1 => (0..20_i32, -20..0_i32),
        1 => Just((i32::MAX, i32::MIN)),
    ];
    vec(pair, 120)
}

/// No part of the value is invalid.
fn holds(value: &mut checked::All, how: &str) {
    for (lo, hi) in value.unnamed() {
        assert!(lo <= hi, "{how}: {lo} {hi}");
    }
    let registry = registry();
    let tree = Value::of_with(&mut *value, &Options::new().registry(&registry)).unwrap();
    for (name, member) in tree.as_object().unwrap() {
        assert_eq!(broken(member), None, "{how}: {name}");
    }
}

fn old() -> checked::All {
    checked::all((0..).map(|n| (n, n + 1)))
}

fn check(format: Format, bytes: &[u8], registry: &archive::Registry) {
    let plain = Options::new().registry(registry);
    let keep_going = plain.clone().keep_going(true);
    for (options, reporting) in
        [(&plain, false), (&plain, true), (&keep_going, true), (&keep_going, false)]
    {
        let how = format!("{format}, keep_going {}, {reporting}", options.settings().keep_going());
        let new = if reporting {
            format.from_slice_report(bytes, options).map(|(value, _)| value)
        } else {
            format.from_slice_with(bytes, options)
        };
        match new {
            Ok(mut value) => holds(&mut value, &how),
            Err(error) => {
                let going = options.settings().keep_going() && reporting && keeps_going(format);
                assert!(!going, "{how}: {error}");
            }
        }
        let mut value = old();
        let _ = if reporting {
            report_of(options, |options| format.load_into_with(&mut value, bytes, options))
                .map(drop)
        } else {
            format.load_into_with(&mut value, bytes, options)
        };
        holds(&mut value, &format!("{how}, in place"));
    }
}

/// Loading `bytes` over another value gives the same as loading a new one.
fn same_over(format: Format, bytes: &[u8], mut value: free::All, registry: &archive::Registry) {
    let options = Options::new().registry(registry);
    let expected = format.from_slice_with::<free::All>(bytes, &options).unwrap();
    let saved = |mut value: free::All| format.to_vec_with(&mut value, &options).unwrap();
    let expected = saved(expected);
    format.load_into_with(&mut value, bytes, &options).unwrap();
    // The result is loaded over once more, now with a report.
    let keep_going = options.clone().keep_going(true);
    let report =
        report_of(&keep_going, |options| format.load_into_with(&mut value, bytes, options))
            .unwrap();
    assert!(report.errors().is_empty(), "{format}: {report}");
    assert_eq!(text(&saved(value)), text(&expected), "{format}");
}

proptest! {
    #![proptest_config(crate::common::search::config(24))]

    #[test]
    fn nothing_that_is_left_is_broken(bounds in bounds()) {
        let (unchecked, registry) = (free_registry(), registry());
        let saving = Options::new().registry(&unchecked);
        let mut file = free::all(bounds.into_iter());
        for format in formats() {
            let bytes = format.to_vec_with(&mut file, &saving).unwrap();
            check(format, &bytes, &registry);
        }
        let tree = Value::of_with(&mut file, &saving).unwrap();
        let loading = Options::new().registry(&registry);
        if let Ok(mut value) = tree.to_with(&loading) {
            holds(&mut value, "a tree");
        }
    }

    #[test]
    fn nothing_is_left_of_an_old_value(old in bounds(), new in bounds()) {
        let registry = free_registry();
        let saving = Options::new().registry(&registry);
        let mut file = free::all(new.into_iter());
        for format in formats() {
            let bytes = format.to_vec_with(&mut file, &saving).unwrap();
            same_over(format, &bytes, free::all(old.iter().copied()), &registry);
        }
    }
}
