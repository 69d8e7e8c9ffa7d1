//! `other`: the variant for unknown names.

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
        let (loaded, report): (Vec<Order>, Report) =
            format.from_slice_report(&bytes, &archive::Options::new()).unwrap();
        assert_eq!(loaded, expected, "{format}");
        // The payload of `Swim` is lost, and the report says so.
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
fn a_name_of_a_variant_is_distinguished() {
    check(&Order::Other("Wait".into()), r#"{"Other":"Wait"}"#);
    check(&Order::Other("Other".into()), r#"{"Other":"Other"}"#);
}

/// With `tag` alone, the name of the fallback variant is its tag.
#[derive(Serialize, Debug, Default, PartialEq)]
#[archive(tag = "kind", rename_all = "snake_case")]
enum Action {
    #[default]
    Wait,
    MoveTo {
        x: i32,
    },
    #[archive(other)]
    Other(String),
}

/// The same, with a member for the payload.
#[derive(Serialize, Debug, Default, PartialEq)]
#[archive(tag = "kind", content = "of", rename_all = "snake_case")]
enum Kept {
    #[default]
    Wait,
    #[archive(other)]
    Other(String),
}

#[test]
fn a_tag_distinguishes_the_fallback_from_the_variants() {
    check(&Action::Other("fly".into()), r#"{"kind":"fly"}"#);
    check(&Action::Other("other".into()), r#"{"kind":"other"}"#);
    check(
        &vec![Action::Other("".into()), Action::MoveTo { x: 1 }],
        r#"[{"kind":""},{"kind":"move_to","x":1}]"#,
    );
    for name in ["wait", "move_to"] {
        let named = vec![Action::Other(name.into())];
        for format in formats() {
            // Only formats that find members by name have the tag.
            match format.to_vec(&named) {
                Ok(file) => assert_eq!(format.from_slice::<Vec<Action>>(&file).unwrap(), named),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Unsupported, "{format}: {error}");
                    assert_eq!(error.path(), "[0].kind", "{format}: {error}");
                    let words = [&format!("the variant `{name}`")[..], "add a `content`"];
                    assert!(words.iter().all(|word| error.message().contains(word)), "{error}");
                }
            }
        }
        assert!(json::to_string(&named).is_err());
    }
    check(&Kept::Other("wait".into()), r#"{"kind":"other","of":"wait"}"#);
    // In place, over a value of the same variant.
    let mut action = Action::Other("old".into());
    json::load_into(&mut action, br#"{"kind":"other"}"#).unwrap();
    assert_eq!(action, Action::Other("other".into()));
}
