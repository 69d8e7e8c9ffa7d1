//! `other`: the variant that names become which no variant has.

use super::*;
use archive::Report;

#[derive(Serialize, Debug, PartialEq)]
enum Order {
    Wait,
    MoveTo(i32),
    #[archive(other)]
    Other(String),
}

/// The same, of a newer program.
#[derive(Serialize, Debug, PartialEq)]
enum Newer {
    Wait,
    Fly,
    Swim(u8),
}

#[test]
fn keeps_the_name_and_writes_it_back() {
    check(
        &vec![Order::Wait, Order::MoveTo(1), Order::Other("Fly".into())],
        r#"["Wait",{"MoveTo":1},"Fly"]"#,
    );
    check(&BTreeMap::from([(1_u8, Order::Other("Fly".into()))]), r#"[[1,"Fly"]]"#);
    let file = vec![Newer::Wait, Newer::Fly, Newer::Swim(1)];
    let expected = [Order::Wait, Order::Other("Fly".into()), Order::Other("Swim".into())];
    for format in forgiving() {
        let bytes = format.to_vec(&file).unwrap();
        let (loaded, report): (Vec<Order>, Report) = format.from_slice_report(&bytes).unwrap();
        assert_eq!(loaded, expected, "{format}");
        // what `Swim` carried is lost, and the report says so
        assert_eq!(report.unknown().count(), 2, "{format}");
        let strict = Options::new().strict(true);
        let error = format.from_slice_with::<Vec<Order>>(&bytes, &strict).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownVariant, "{format}");
    }
    let text = json::to_string(
        &expected[1..].iter().map(|_| Order::Other("Fly".into())).collect::<Vec<_>>(),
    );
    assert_eq!(json::from_str::<Vec<Newer>>(&text.unwrap()).unwrap(), [Newer::Fly, Newer::Fly]);
}

#[test]
fn a_name_that_a_variant_has_is_told_apart() {
    check(&Order::Other("Wait".into()), r#"{"Other":"Wait"}"#);
    check(&Order::Other("Other".into()), r#"{"Other":"Other"}"#);
}
