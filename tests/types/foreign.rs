//! Types of other crates, in every format: values at the edges, random ones, and refused ones.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use crate::common::{forgiving, formats, has_position, round_trip};
use archive::{Blank, ErrorKind, Save, Serialize, Value, json};
use glam::*;
use indexmap::{IndexMap, IndexSet};
use proptest::collection::vec;
use proptest::prelude::*;
use smallvec::{SmallVec, smallvec};
use smol_str::SmolStr;
use uuid::Uuid;

/// By itself, and inside of containers.
fn nested<T>(value: T)
where
    T: Serialize + Save + Blank + PartialEq + 'static + Debug + Clone,
{
    round_trip(&value);
    let options = (Some(value.clone()), None::<T>, Some(Some(value.clone())));
    round_trip(&(vec![value.clone(), value.clone()], options, [Box::new(value)]));
}

/// Typed → A → `Value` → B → typed, for every pair of formats.
fn converted<T>(value: T)
where
    T: Serialize + Save + Blank + PartialEq + Debug,
{
    for from in forgiving() {
        let tree: Value = from.from_slice(&from.to_vec(&value).unwrap()).unwrap();
        for to in forgiving() {
            let bytes = to.to_vec(&tree).unwrap();
            let loaded: T = to.from_slice(&bytes).unwrap_or_else(|e| panic!("{from} to {to}: {e}"));
            assert_eq!(loaded, value, "{from} to {to}");
        }
    }
}

/// The text is not a value of the type: the error says so, with its path.
fn refused<T: Serialize + Blank + Debug>(text: &str, expected: &str) {
    #[derive(Debug, Serialize)]
    struct Holder<T> {
        list: Vec<T>,
    }
    let tree: Value =
        json::from_str(&format!(r#"{{"list":[{}]}}"#, json::to_string(text).unwrap())).unwrap();
    for format in forgiving() {
        let error = format.from_slice::<Holder<T>>(&format.to_vec(&tree).unwrap()).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::WrongType, "list[0]"), "{error}");
        let message = error.message();
        assert!(message.contains(expected) && message.contains(&format!("{text:?}")), "{message}");
        assert!(has_position(format, &error), "{format}: {error}");
    }
}

/// The text is what the crate itself writes through serde, and that text loads.
fn as_serde<T>(value: T)
where
    T: Serialize + Save + Blank + PartialEq + Debug + serde::Serialize,
{
    let text = serde_json::to_string(&value).unwrap();
    assert_eq!(json::to_string(&value).unwrap(), text);
    assert_eq!(json::from_str::<T>(&text).unwrap(), value);
}

#[test]
fn serde_writes_the_same() {
    as_serde((vec2(0.1, 2.0), vec3a(1.0, 2.0, 3.0), u8vec4(1, 2, 3, 4), i64vec2(-1, i64::MAX)));
    as_serde((BVec2::new(true, false), BVec3A::new(true, false, true), BVec4A::splat(true)));
    let counted = |at: usize| at as f32 * 1.25 - 3.0;
    as_serde((Quat::from_xyzw(1.0, 2.0, 3.0, 4.0), DQuat::IDENTITY));
    as_serde((
        Mat2::from_cols_array(&std::array::from_fn(counted)),
        Mat3::from_cols_array(&std::array::from_fn(counted)),
        Mat3A::from_cols_array(&std::array::from_fn(counted)),
        Mat4::from_cols_array(&std::array::from_fn(counted)),
    ));
    as_serde((
        Affine2::from_cols_array(&std::array::from_fn(counted)),
        Affine3::from_cols_array(&std::array::from_fn(counted)),
        Affine3A::from_cols_array(&std::array::from_fn(counted)),
        DAffine3::IDENTITY,
    ));
    as_serde((Uuid::max(), SmolStr::new("text"), SmallVec::<[u8; 2]>::from_slice(&[1, 2, 3])));

    let utc = chrono::DateTime::from_timestamp(1_700_000_000, 120_000_000).unwrap();
    let east = chrono::FixedOffset::east_opt(-12_600).unwrap();
    as_serde((utc, utc.with_timezone(&east), utc.with_timezone(&chrono::Local)));
    as_serde((utc.naive_utc(), utc.date_naive(), utc.time()));
    as_serde((chrono::Month::May, chrono::Weekday::Sat));
    as_serde((chrono::TimeDelta::milliseconds(-1500), chrono::TimeDelta::MAX));

    let stamp = jiff::Timestamp::new(1_700_000_000, 120_000_000).unwrap();
    let zoned = stamp.in_tz("Europe/Paris").unwrap();
    as_serde((stamp, zoned.datetime(), zoned.date(), zoned.time(), zoned));
    as_serde(jiff::SignedDuration::new(-90_061, -5));
    let span = jiff::Span::new().days(1).hours(2).seconds(3);
    assert_eq!(json::to_string(&span).unwrap(), serde_json::to_string(&span).unwrap());
}

mod vectors {
    use super::*;

    #[test]
    fn numbers() {
        nested(vec2(1.5, -0.0));
        nested(vec3(f32::MAX, f32::MIN_POSITIVE, 0.1));
        nested(vec4(1.0, 2.0, 3.0, f32::INFINITY));
        nested(vec3a(1.0, -2.0, 3.5));
        nested((dvec2(0.1, 1e300), dvec3(1.0, 2.0, f64::NEG_INFINITY), dvec4(0.0, 1.0, 2.0, 3.0)));
        nested((i8vec2(-128, 127), i8vec3(1, 2, 3), i8vec4(1, 2, 3, -4)));
        nested((u8vec2(0, 255), u8vec3(1, 2, 3), u8vec4(1, 2, 3, 4)));
        nested((i16vec2(i16::MIN, i16::MAX), i16vec3(1, 2, 3), i16vec4(1, 2, 3, -4)));
        nested((u16vec2(0, u16::MAX), u16vec3(1, 2, 3), u16vec4(1, 2, 3, 4)));
        nested((ivec2(i32::MIN, i32::MAX), ivec3(1, 2, 3), ivec4(1, 2, 3, -4)));
        nested((uvec2(0, u32::MAX), uvec3(1, 2, 3), uvec4(1, 2, 3, 4)));
        nested((i64vec2(i64::MIN, i64::MAX), i64vec3(1, 2, 3), i64vec4(1, 2, 3, -4)));
        nested((u64vec2(0, u64::MAX), u64vec3(1, 2, 3), u64vec4(1, 2, 3, 4)));
        nested((ISizeVec2::new(isize::MIN, 1), ISizeVec3::splat(-1), ISizeVec4::splat(isize::MAX)));
        nested((USizeVec2::new(usize::MAX, 1), USizeVec3::splat(1), USizeVec4::splat(0)));
        nested((BVec2::new(true, false), BVec3::new(true, false, true), BVec4::splat(true)));
        nested((BVec3A::new(true, false, true), BVec4A::new(false, true, true, false)));
    }

    #[test]
    fn rotations_and_matrices() {
        let counted = |at: usize| at as f32 * 1.25 - 3.0;
        let wide = |at: usize| at as f64 * 0.1 - 3.0;
        nested((Quat::from_xyzw(1.0, 2.0, 3.0, 4.0), DQuat::from_xyzw(0.1, 0.2, 0.3, 0.4)));
        nested(Mat2::from_cols_array(&std::array::from_fn(counted)));
        nested(Mat3::from_cols_array(&std::array::from_fn(counted)));
        nested(Mat3A::from_cols_array(&std::array::from_fn(counted)));
        nested(Mat4::from_cols_array(&std::array::from_fn(counted)));
        nested(Affine2::from_cols_array(&std::array::from_fn(counted)));
        nested(Affine3::from_cols_array(&std::array::from_fn(counted)));
        nested(Affine3A::from_cols_array(&std::array::from_fn(counted)));
        nested(DMat2::from_cols_array(&std::array::from_fn(wide)));
        nested(DMat3::from_cols_array(&std::array::from_fn(wide)));
        nested(DMat4::from_cols_array(&std::array::from_fn(wide)));
        nested(DAffine2::from_cols_array(&std::array::from_fn(wide)));
        nested(DAffine3::from_cols_array(&std::array::from_fn(wide)));
        // The initial value is that of glam.
        assert_eq!(Quat::blank(&archive::Options::new()), Quat::IDENTITY);
        assert_eq!(Mat4::blank(&archive::Options::new()), Mat4::IDENTITY);
    }

    #[test]
    fn text() {
        assert_eq!(json::to_string(&vec3(1.0, 0.1, -2.5)).unwrap(), "[1.0,0.1,-2.5]");
        assert_eq!(json::to_string(&Quat::IDENTITY).unwrap(), "[0.0,0.0,0.0,1.0]");
        assert_eq!(json::to_string(&BVec2::new(true, false)).unwrap(), "[true,false]");
        let columns = Mat2::from_cols(vec2(1.0, 2.0), vec2(3.0, 4.0));
        assert_eq!(json::to_string(&columns).unwrap(), "[1.0,2.0,3.0,4.0]");
        let moved = Affine2::from_cols(vec2(1.0, 2.0), vec2(3.0, 4.0), vec2(5.0, 6.0));
        assert_eq!(json::to_string(&moved).unwrap(), "[1.0,2.0,3.0,4.0,5.0,6.0]");
    }

    #[test]
    fn bits_survive() {
        let strange = vec3(f32::from_bits(1), -0.0, f32::NEG_INFINITY);
        for format in formats() {
            let loaded: Vec3 = format.from_slice(&format.to_vec(&strange).unwrap()).unwrap();
            assert_eq!(loaded.to_array().map(f32::to_bits), strange.to_array().map(f32::to_bits));
            let nan: DVec2 = format.from_slice(&format.to_vec(&DVec2::NAN).unwrap()).unwrap();
            assert!(nan.is_nan_mask().all(), "{format}");
        }
    }

    #[test]
    fn keys_and_trees() {
        round_trip(&HashMap::from([(ivec2(3, -1), "a".to_owned()), (ivec2(0, 7), "b".into())]));
        converted((vec3(1.0, 0.1, -2.5), DMat2::IDENTITY, BVec3A::splat(true), ivec2(-1, 2)));
        // A vector is an array: each loads as the other.
        converted(Affine3A::from_translation(vec3(1.0, 2.0, 3.0)));
        for format in forgiving() {
            let bytes = format.to_vec(&[1.0_f64, 2.0, 3.0]).unwrap();
            assert_eq!(format.from_slice::<Vec3A>(&bytes).unwrap(), vec3a(1.0, 2.0, 3.0));
            assert_eq!(format.from_slice::<IVec3>(&bytes).unwrap(), ivec3(1, 2, 3));
        }
    }

    #[test]
    fn wrong_lengths_and_types() {
        #[derive(Debug, Serialize)]
        struct Holder<T> {
            at: Vec<T>,
        }
        for format in forgiving() {
            let bytes = format.to_vec(&Holder { at: vec![[1.0_f32; 3]] }).unwrap();
            for error in [
                format.from_slice::<Holder<Vec2>>(&bytes).unwrap_err(),
                format.from_slice::<Holder<Vec4>>(&bytes).unwrap_err(),
                format.from_slice::<Holder<Quat>>(&bytes).unwrap_err(),
                format.from_slice::<Holder<Mat4>>(&bytes).unwrap_err(),
            ] {
                assert_eq!(error.kind(), ErrorKind::WrongLength, "{format}: {error}");
                assert!(error.path().starts_with("at[0]"), "{format}: {error}");
            }
            let bytes = format.to_vec(&Holder { at: vec![[1.0_f32, 300.0, 2.0]] }).unwrap();
            let error = format.from_slice::<Holder<U8Vec3>>(&bytes).unwrap_err();
            assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "at[0][1]"));
            let error = format.from_slice::<Holder<BVec3>>(&bytes).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::WrongType, "{format}: {error}");
        }
    }

    /// A mesh takes the same bytes as one of arrays.
    #[test]
    fn as_compact_as_arrays() {
        let points: Vec<Vec3> = (0..100).map(|at| vec3(at as f32, 0.5, -1.0)).collect();
        let arrays: Vec<[f32; 3]> = points.iter().map(|point| point.to_array()).collect();
        // Only a fingerprint distinguishes them.
        for format in forgiving() {
            assert_eq!(format.to_vec(&points).unwrap(), format.to_vec(&arrays).unwrap());
        }
    }
}

mod uuids {
    use super::*;

    const ONE: Uuid = Uuid::from_u128(0x67e5_5044_10b1_426f_9247_bb68_0e5f_e0c8);

    #[test]
    fn text() {
        nested(ONE);
        nested((Uuid::nil(), Uuid::max()));
        round_trip(&BTreeMap::from([(ONE, 1), (Uuid::nil(), 2)]));
        converted(vec![ONE, Uuid::nil()]);
        assert_eq!(json::to_string(&ONE).unwrap(), r#""67e55044-10b1-426f-9247-bb680e5fe0c8""#);
        assert_eq!(Uuid::blank(&archive::Options::new()), Uuid::nil());
        let map: HashMap<Uuid, u8> =
            json::from_str(r#"{"67e5504410b1426f9247bb680e5fe0c8":1}"#).unwrap();
        assert_eq!(map[&ONE], 1);
    }

    #[test]
    fn other_forms() {
        for format in forgiving() {
            for text in [
                ONE.simple().to_string(),
                ONE.urn().to_string(),
                ONE.braced().to_string(),
                ONE.to_string().to_uppercase(),
            ] {
                let bytes = format.to_vec(&text).unwrap();
                assert_eq!(format.from_slice::<Uuid>(&bytes).unwrap(), ONE, "{format} {text}");
            }
            let bytes = format.to_vec(ONE.as_bytes()).unwrap();
            assert_eq!(format.from_slice::<Uuid>(&bytes).unwrap(), ONE, "{format}");
            let bytes = format.to_vec(&Value::Bytes(ONE.as_bytes().to_vec())).unwrap();
            assert_eq!(format.from_slice::<Uuid>(&bytes).unwrap(), ONE, "{format}");
        }
    }

    #[test]
    fn errors() {
        refused::<Uuid>("no uuid", "a UUID");
        refused::<Uuid>("", "a UUID");
        for format in forgiving() {
            for (bytes, kind) in [
                (format.to_vec(&(1, [1_u8; 15])).unwrap(), ErrorKind::WrongLength),
                (format.to_vec(&(1, vec![1_u8; 1000])).unwrap(), ErrorKind::WrongLength),
                (format.to_vec(&(1, [300_u16; 16])).unwrap(), ErrorKind::OutOfRange),
                (format.to_vec(&(1, 5)).unwrap(), ErrorKind::WrongType),
                (format.to_vec(&(1, ())).unwrap(), ErrorKind::WrongType),
                (format.to_vec(&(1, true)).unwrap(), ErrorKind::WrongType),
            ] {
                let error = format.from_slice::<(u8, Uuid)>(&bytes).unwrap_err();
                assert_eq!(error.kind(), kind, "{format}: {error}");
                assert!(error.path().starts_with("[1]"), "{format}: {error}");
            }
        }
    }
}

mod containers {
    use super::*;

    #[test]
    fn index_maps_keep_their_order() {
        let map: IndexMap<String, i32> =
            ["z", "a", "m"].into_iter().zip(0..).map(|(k, v)| (k.to_owned(), v)).collect();
        nested(map.clone());
        converted(map.clone());
        assert_eq!(json::to_string(&map).unwrap(), r#"[["z",0],["a",1],["m",2]]"#);
        for format in forgiving() {
            let bytes = format.to_vec(&map).unwrap();
            let loaded: IndexMap<String, i32> = format.from_slice(&bytes).unwrap();
            assert!(loaded.iter().eq(map.iter()), "{format}");
            // Another hasher, another map.
            type Fixed<K, V> =
                IndexMap<K, V, std::hash::BuildHasherDefault<std::hash::DefaultHasher>>;
            let other: Fixed<String, i64> = format.from_slice(&bytes).unwrap();
            assert_eq!(other.get_index(2), Some((&"m".to_owned(), &2)));
            let sorted: BTreeMap<String, i32> = format.from_slice(&bytes).unwrap();
            assert_eq!(sorted.len(), 3);
            let twice = [("a", 1), ("b", 2), ("a", 3)].map(|(k, v)| (k.to_owned(), v));
            let twice = format.to_vec(&twice).unwrap();
            let error = format.from_slice::<IndexMap<String, i32>>(&twice).unwrap_err();
            let expected = (ErrorKind::DuplicateMember, "[2]");
            assert_eq!((error.kind(), error.path()), expected, "{format}: {error}");
            assert!(error.message().contains("map key \"a\""), "{format}: {error}");
        }
        let object: IndexMap<u8, bool> = json::from_str(r#"{"9":true,"1":false}"#).unwrap();
        assert!(object.keys().eq(&[9, 1]));
    }

    #[test]
    fn index_sets_keep_their_order() {
        let set: IndexSet<i32> = [5, -1, 3].into();
        nested(set.clone());
        converted(set.clone());
        assert_eq!(json::to_string(&set).unwrap(), "[5,-1,3]");
        for format in formats() {
            let loaded: IndexSet<i32> = format.from_slice(&format.to_vec(&set).unwrap()).unwrap();
            assert!(loaded.iter().eq(&set), "{format}");
        }
    }

    #[test]
    fn small_vectors() {
        type Small = SmallVec<[String; 2]>;
        let small: Small = smallvec!["a".to_owned()];
        let large: Small = (0..50).map(|at| at.to_string()).collect();
        nested(small.clone());
        nested(large.clone());
        nested(Small::new());
        converted((small, large));
        round_trip(&SmallVec::<[u8; 4]>::from_slice(&[1, 2, 3]));
        for format in forgiving() {
            let bytes = format.to_vec(&vec![1_u16, 2, 3]).unwrap();
            // The old value is gone.
            let mut old: SmallVec<[u16; 2]> = smallvec![9; 8];
            format.load_into(&mut old, &bytes).unwrap();
            assert_eq!(&old[..], [1, 2, 3], "{format}");
            let error = format.from_slice::<SmallVec<[bool; 2]>>(&bytes).unwrap_err();
            assert_eq!((error.kind(), error.path()), (ErrorKind::WrongType, "[0]"), "{format}");
        }
        // A length that exceeds the input reserves nothing.
        assert!(json::from_str::<SmallVec<[u8; 2]>>("[1,2,3").is_err());
    }

    #[test]
    fn small_strings() {
        nested(SmolStr::new("short"));
        nested(SmolStr::new("a text that is longer than what fits in place: é🦀\0"));
        nested(SmolStr::default());
        round_trip(&BTreeMap::from([(SmolStr::new("k"), 1)]));
        converted(SmolStr::new("text"));
        let map: HashMap<SmolStr, u8> = json::from_str(r#"{"k":1}"#).unwrap();
        assert_eq!(map["k"], 1);
        for format in forgiving() {
            let error = format.from_slice::<SmolStr>(&format.to_vec(&5_u8).unwrap()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::WrongType, "{format}: {error}");
        }
    }
}

mod with_chrono {
    use chrono::{
        DateTime, Datelike, FixedOffset, Local, Month, NaiveDate, NaiveDateTime, NaiveTime,
        TimeDelta, TimeZone, Timelike, Utc, Weekday,
    };

    use super::*;

    fn leap() -> NaiveDateTime {
        NaiveDate::from_ymd_opt(2016, 12, 31)
            .unwrap()
            .and_hms_nano_opt(23, 59, 59, 1_500_000_001)
            .unwrap()
    }

    fn east(seconds: i32) -> FixedOffset {
        FixedOffset::east_opt(seconds).unwrap()
    }

    #[test]
    fn instants() {
        let some = DateTime::from_timestamp(1_700_000_000, 123_456_789).unwrap();
        nested(some);
        nested(vec![DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC, DateTime::UNIX_EPOCH]);
        nested(leap().and_utc());
        for year in [-262_143, -1, 0, 1, 9999, 10_000, 262_142] {
            nested(Utc.with_ymd_and_hms(year, 6, 30, 1, 2, 3).unwrap());
        }
        for offset in [0, 3600, -12_600, 86_340, -86_340, 561, -1, 86_399] {
            let time = some.with_timezone(&east(offset));
            round_trip(&time);
            for format in formats() {
                let bytes = format.to_vec(&time).unwrap();
                let loaded: DateTime<FixedOffset> = format.from_slice(&bytes).unwrap();
                assert_eq!(loaded.offset(), time.offset(), "{format}");
            }
            nested(east(offset));
        }
        nested(leap().and_utc().with_timezone(&east(3600)));
        nested(some.with_timezone(&Local));
        round_trip(&BTreeMap::from([(some, 1)]));
        converted((some, some.with_timezone(&east(561))));
        assert_eq!(json::to_string(&some).unwrap(), r#""2023-11-14T22:13:20.123456789Z""#);
        let paris = some.with_timezone(&east(561));
        assert_eq!(json::to_string(&paris).unwrap(), r#""2023-11-14T22:22:41.123456789+00:09:21""#);
        // An instant is the same with any offset.
        let utc: DateTime<Utc> = json::from_str(&json::to_string(&paris).unwrap()).unwrap();
        assert_eq!(utc, some);
    }

    #[test]
    fn naive() {
        nested(NaiveDate::from_ymd_opt(2024, 2, 29).unwrap());
        nested(vec![NaiveDate::MIN, NaiveDate::MAX, NaiveDate::default()]);
        nested(vec![NaiveDateTime::MIN, NaiveDateTime::MAX, leap()]);
        nested(vec![NaiveTime::MIN, leap().time(), NaiveTime::from_hms_opt(23, 59, 59).unwrap()]);
        assert_eq!(json::to_string(&leap()).unwrap(), r#""2016-12-31T23:59:60.500000001""#);
        assert_eq!(json::to_string(&NaiveTime::MIN).unwrap(), r#""00:00:00""#);
        converted((leap(), leap().date(), leap().time()));
    }

    #[test]
    fn spans_months_and_days() {
        let spans = [
            TimeDelta::MIN,
            TimeDelta::MAX,
            TimeDelta::zero(),
            TimeDelta::nanoseconds(-1),
            TimeDelta::milliseconds(-1500),
            TimeDelta::new(-3, 999_999_999).unwrap(),
        ];
        nested(spans.to_vec());
        converted(spans.to_vec());
        assert_eq!(json::to_string(&TimeDelta::nanoseconds(-1)).unwrap(), "[-1,999999999]");
        for number in 1..=12_u8 {
            nested(Month::try_from(number).unwrap());
        }
        let mut day = Weekday::Mon;
        for _ in 0..7 {
            nested(day);
            day = day.succ();
        }
        assert_eq!(json::to_string(&(Month::May, Weekday::Fri)).unwrap(), r#"["May","Fri"]"#);
        for format in forgiving() {
            for pair in [(i64::MAX, 0), (0, -1), (0, 1_000_000_000)] {
                let bytes = format.to_vec(&vec![pair]).unwrap();
                let error = format.from_slice::<Vec<TimeDelta>>(&bytes).unwrap_err();
                assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "[0]"));
            }
        }
    }

    #[test]
    fn errors() {
        refused::<DateTime<Utc>>("2024-13-01T00:00:00Z", "a date and time");
        refused::<DateTime<FixedOffset>>("2024-01-01T00:00:00", "with an offset");
        refused::<DateTime<FixedOffset>>("2024-01-01T00:00:00+99:00:01", "with an offset");
        refused::<DateTime<FixedOffset>>("é2024+00:00:0", "with an offset");
        refused::<DateTime<Local>>("", "a date and time");
        refused::<NaiveDate>("2023-02-29", "a date");
        refused::<NaiveTime>("24:00:00", "a time of day");
        refused::<NaiveDateTime>("yesterday", "a date and time");
        refused::<Weekday>("Someday", "a day of the week");
        refused::<Month>("Brumaire", "a month");
        refused::<FixedOffset>("+25", "an offset");
    }

    /// No file is better than one with another time in it.
    #[test]
    fn times_without_a_text_form() {
        let odd = leap().time().with_second(30).unwrap();
        assert!(odd.nanosecond() > 1_000_000_000);
        for format in formats() {
            let error = format.to_vec(&vec![odd]).unwrap_err();
            assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "[0]"), "{error}");
            let edge = DateTime::<Utc>::MAX_UTC.with_timezone(&east(3600));
            let error = format.to_vec(&edge).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{format}: {error}");
        }
    }

    proptest! {
        #![proptest_config(crate::common::search::config(48))]

        #[test]
        fn any_instant(
            seconds in DateTime::<Utc>::MIN_UTC.timestamp()..DateTime::<Utc>::MAX_UTC.timestamp(),
            nanos in 0..1_000_000_000_u32,
            offset in -86_399..86_400,
        ) {
            let utc = DateTime::from_timestamp(seconds, nanos).unwrap();
            round_trip(&(utc, utc.naive_utc(), utc.date_naive(), utc.time()));
            if utc.year().abs() < 262_000 {
                round_trip(&utc.with_timezone(&east(offset)));
            }
        }
    }
}

mod with_jiff {
    use jiff::civil::{Date, DateTime, Time, date, time};
    use jiff::tz::{Offset, TimeZone};
    use jiff::{SignedDuration, Span, Timestamp, ToSpan, ZonedDateTime};

    use super::*;

    #[test]
    fn instants() {
        nested(vec![Timestamp::MIN, Timestamp::MAX, Timestamp::UNIX_EPOCH]);
        nested(Timestamp::new(1_700_000_000, 123_456_789).unwrap());
        let here = date(2024, 3, 10).at(17, 5, 0, 7);
        for zone in ["America/New_York", "Europe/Paris", "UTC", "Etc/GMT+3"] {
            let zoned = here.in_tz(zone).unwrap();
            nested(zoned.clone());
            for format in formats() {
                let bytes = format.to_vec(&zoned).unwrap();
                let loaded: ZonedDateTime = format.from_slice(&bytes).unwrap();
                assert_eq!(loaded.time_zone(), zoned.time_zone(), "{format}");
                assert_eq!(loaded.datetime(), zoned.datetime(), "{format}");
            }
        }
        // Both passes through an hour that comes twice.
        for hour in [5, 6] {
            let utc = date(2024, 11, 3).at(hour, 30, 0, 0).in_tz("UTC").unwrap();
            let twice = utc.in_tz("America/New_York").unwrap();
            nested(twice);
        }
        // A zone with an offset in seconds, long ago, and one that is only an offset.
        nested(date(1850, 1, 1).at(0, 0, 0, 0).in_tz("Europe/Paris").unwrap());
        nested(here.to_zoned_datetime(TimeZone::fixed(Offset::constant(-3))).unwrap());
        assert_eq!(
            json::to_string(&here.in_tz("Europe/Paris").unwrap()).unwrap(),
            r#""2024-03-10T17:05:00.000000007+01:00[Europe/Paris]""#
        );
        converted((here, here.in_tz("Europe/Paris").unwrap()));
    }

    #[test]
    fn civil() {
        nested(vec![Date::MIN, Date::MAX, date(2024, 2, 29)]);
        nested(vec![Time::MIN, Time::MAX, time(1, 2, 3, 4)]);
        nested(vec![DateTime::MIN, DateTime::MAX, date(-1, 1, 1).at(1, 2, 3, 4)]);
        round_trip(&BTreeMap::from([(date(2024, 2, 29), 1)]));
        assert_eq!(json::to_string(&date(-1, 1, 1)).unwrap(), r#""-000001-01-01""#);
    }

    #[test]
    fn spans() {
        #[derive(Clone, Debug, Default, archive::Serialize)]
        struct Exact(Span);
        impl PartialEq for Exact {
            fn eq(&self, other: &Self) -> bool {
                self.0.fieldwise() == other.0.fieldwise()
            }
        }
        for span in [
            Span::new(),
            1.year().months(2).weeks(3).days(4).hours(5).minutes(6).seconds(7),
            -5.days(),
            1500.milliseconds(),
            1.second().milliseconds(1500).microseconds(3000).nanoseconds(5),
            -(1.hour().nanoseconds(1_000_000_007)),
            90.minutes(),
            Span::new().nanoseconds(i64::MAX),
        ] {
            nested(Exact(span));
        }
        converted(Exact(1500.milliseconds()));
        assert_eq!(json::to_string(&1.day().hours(2)).unwrap(), r#""P1DT2H""#);
        assert_eq!(json::to_string(&1500.milliseconds()).unwrap(), r#""1500ms""#);
        nested(vec![
            SignedDuration::MIN,
            SignedDuration::MAX,
            SignedDuration::ZERO,
            SignedDuration::new(-3, -999_999_999),
            SignedDuration::from_nanos(1),
        ]);
    }

    #[test]
    fn errors() {
        refused::<Timestamp>("2024-01-01", "a timestamp");
        refused::<ZonedDateTime>("2024-03-10T17:05:00+01:00", "with a time zone");
        refused::<ZonedDateTime>("2024-03-10T17:05:00+01:00[Mars/Olympus]", "with a time zone");
        refused::<ZonedDateTime>("2024-03-10T17:05:00+09:00[Europe/Paris]", "with a time zone");
        refused::<Date>("2023-02-29", "a date");
        refused::<Time>("25:00", "a time of day");
        refused::<DateTime>("", "a date and time");
        refused::<Span>("P", "a span of time");
        refused::<SignedDuration>("soon", "a duration");
    }

    proptest! {
        #![proptest_config(crate::common::search::config(48))]

        #[test]
        fn any_instant(
            nanos in -377_000_000_000_i64..253_000_000_000,
            fraction in 0..1_000_000_000_i32,
            span in any::<(i16, i16, i32, i32)>(),
        ) {
            let time = Timestamp::new(nanos, 0).unwrap() + SignedDuration::new(0, fraction);
            let zoned = time.in_tz("America/New_York").unwrap();
            round_trip(&(time, zoned.datetime(), zoned));
            let sign = |part: i32| i64::from(part.unsigned_abs());
            let span = Span::new()
                .days(sign(span.0.into()))
                .hours(sign(span.1.into()))
                .milliseconds(sign(span.2))
                .nanoseconds(sign(span.3));
            for format in formats() {
                let loaded: Span = format.from_slice(&format.to_vec(&span).unwrap()).unwrap();
                prop_assert_eq!(loaded.fieldwise(), span.fieldwise());
            }
        }
    }
}

proptest! {
    #![proptest_config(crate::common::search::config(48))]

    #[test]
    fn random_values(
        floats in vec(any::<[f32; 3]>(), 0..10),
        wide in any::<[[f64; 4]; 4]>(),
        ints in any::<([i64; 2], [u8; 4], [i16; 3])>(),
        ids in vec(any::<u128>(), 0..5),
        entries in vec((any::<String>(), any::<i32>()), 0..10),
    ) {
        round_trip(&floats.iter().map(|v| Vec3::from_array(*v)).collect::<Vec<_>>());
        round_trip(&floats.iter().map(|v| Vec3A::from_array(*v)).collect::<SmallVec<[_; 4]>>());
        round_trip(&DMat4::from_cols_array_2d(&wide));
        round_trip(&(I64Vec2::from(ints.0), U8Vec4::from(ints.1), I16Vec3::from(ints.2)));
        round_trip(&ids.into_iter().map(Uuid::from_u128).collect::<IndexSet<_>>());
        let map: IndexMap<SmolStr, i32> = entries.into_iter().map(|(k, v)| (k.into(), v)).collect();
        round_trip(&map);
        let loaded: IndexMap<SmolStr, i32> =
            json::from_str(&json::to_string(&map).unwrap()).unwrap();
        prop_assert!(loaded.iter().eq(&map));
    }
}

/// An engine with an older version of a crate.
mod versions {
    use super::*;

    #[test]
    fn are_stored_alike() {
        let old = glam_0_27::Affine3A::from_translation(glam_0_27::Vec3::new(1.0, 0.1, -2.5));
        let new = Affine3A::from_translation(vec3(1.0, 0.1, -2.5));
        nested((glam_0_27::Vec2::new(0.5, 1.0), glam_0_27::Quat::IDENTITY, old));
        for format in formats() {
            let bytes = format.to_vec(&vec![old]).unwrap();
            assert_eq!(bytes, format.to_vec(&vec![new]).unwrap(), "{format}");
            assert_eq!(format.from_slice::<Vec<Affine3A>>(&bytes).unwrap(), [new], "{format}");
        }
        // Packets of programs that are a version apart, too.
        let fingerprint = archive::binary::fingerprint::to_vec(&old).unwrap();
        assert_eq!(
            archive::binary::fingerprint::from_slice::<Affine3A>(&fingerprint).unwrap(),
            new
        );
    }
}
