//! `tag` and `content`: enums whose variants are named by a member.

use std::rc::Rc;

use super::*;

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
struct Circle {
    radius: f32,
}

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
#[archive(tag = "type", rename_all = "snake_case")]
enum Figure {
    #[default]
    Nothing,
    Circle(Circle),
    #[archive(alias = "box")]
    Rect {
        width: u8,
        #[archive(required)]
        height: u8,
        #[archive(skip_if_default)]
        name: String,
        #[archive(flatten)]
        at: At,
    },
    #[archive(other)]
    Other(String),
}

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
struct At {
    x: i16,
    y: i16,
}

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
#[archive(tag = "t", content = "c")]
enum Message {
    #[default]
    Quit,
    Say(String),
    Move(i32, i32),
    Draw(Vec<Figure>),
    Wrapped(Box<Message>),
    Paint {
        #[archive(required)]
        red: u8,
        green: Option<u8>,
    },
}

/// A tree of another program.
#[derive(Serialize, Debug, PartialEq, Clone)]
#[archive(tag = "op")]
enum Expr {
    Number { value: f64 },
    Add(Box<Two>),
    Not { of: Box<Expr> },
    Shared { of: Rc<Expr> },
    All { of: Vec<Expr> },
}

#[derive(Serialize, Debug, PartialEq, Clone)]
struct Two {
    left: Expr,
    right: Expr,
}

/// `Figure` and `Message` without tags.
#[derive(Serialize, Debug, Default, PartialEq, Clone)]
#[archive(rename_all = "snake_case")]
enum PlainFigure {
    #[default]
    Nothing,
    Circle(Circle),
    Rect {
        width: u8,
        height: u8,
    },
}

#[derive(Serialize, Debug, PartialEq, Clone)]
enum PlainMessage {
    Quit,
    Say(String),
    Move(i32, i32),
    Wrapped(Box<PlainMessage>),
    Paint { red: u8 },
}

fn rect() -> Figure {
    Figure::Rect { width: 1, height: 2, name: String::new(), at: At { x: 3, y: -4 } }
}

#[test]
fn members_are_next_to_the_tag() {
    check(&Figure::Nothing, r#"{"type":"nothing"}"#);
    check(&Figure::Circle(Circle { radius: 0.5 }), r#"{"type":"circle","radius":0.5}"#);
    check(&rect(), r#"{"type":"rect","width":1,"height":2,"x":3,"y":-4}"#);
    check(&vec![Some(rect()), None], r#"[{"type":"rect","width":1,"height":2,"x":3,"y":-4},null]"#);
}

#[test]
fn content_is_in_a_member() {
    check(&Message::Quit, r#"{"t":"Quit"}"#);
    check(&Message::Say("hi".into()), r#"{"t":"Say","c":"hi"}"#);
    check(&Message::Move(1, -2), r#"{"t":"Move","c":[1,-2]}"#);
    check(&Message::Draw(vec![Figure::Nothing]), r#"{"t":"Draw","c":[{"type":"nothing"}]}"#);
    check(
        &Message::Wrapped(Box::new(Message::Paint { red: 1, green: None })),
        r#"{"t":"Wrapped","c":{"t":"Paint","c":{"red":1,"green":null}}}"#,
    );
}

#[test]
fn trees_contain_themselves() {
    let number = |value| Expr::Number { value };
    let two = Two { left: number(1.0), right: Expr::Not { of: Box::new(number(2.5)) } };
    let shared = Rc::new(Expr::Add(Box::new(two)));
    check(
        &Expr::All {
            of: vec![Expr::Shared { of: Rc::clone(&shared) }, Expr::Shared { of: shared }],
        },
        concat!(
            r#"{"op":"All","of":[{"op":"Shared","of":{"$id":1,"$value":{"op":"Add","#,
            r#""left":{"op":"Number","value":1.0},"right":{"op":"Not","of":{"op":"Number","value":2.5}}}}},"#,
            r#"{"op":"Shared","of":{"$id":1}}]}"#
        ),
    );
}

#[test]
fn the_tag_may_be_anywhere() {
    let text = r#"{"x":3,"height":2,"type":"rect","y":-4,"width":1}"#;
    assert_eq!(json::from_str::<Figure>(text).unwrap(), rect());
    let text = r#"{"c":[1,-2],"t":"Move"}"#;
    assert_eq!(json::from_str::<Message>(text).unwrap(), Message::Move(1, -2));
    let text = r#"{"type":"box","width":1,"height":2,"x":3,"y":-4}"#;
    assert_eq!(json::from_str::<Figure>(text).unwrap(), rect(), "an alias");
    let text = r#"{"t":"Quit","c":null}"#;
    assert_eq!(json::from_str::<Message>(text).unwrap(), Message::Quit);
}

#[test]
fn files_without_tags_load() {
    for (plain, tagged) in [
        (PlainFigure::Nothing, Figure::Nothing),
        (PlainFigure::Circle(Circle { radius: 2.0 }), Figure::Circle(Circle { radius: 2.0 })),
    ] {
        migrates(&plain, rect, &tagged);
    }
    let plain = PlainFigure::Rect { width: 1, height: 2 };
    let at = At { x: 0, y: 0 };
    migrates(
        &plain,
        Figure::default,
        &Figure::Rect { width: 1, height: 2, name: String::new(), at },
    );
    let paint = PlainMessage::Wrapped(Box::new(PlainMessage::Paint { red: 3 }));
    let expected = Message::Wrapped(Box::new(Message::Paint { red: 3, green: None }));
    migrates(&paint, Message::default, &expected);
    migrates(&PlainMessage::Move(1, 2), Message::default, &Message::Move(1, 2));
    migrates(&PlainMessage::Say("t".into()), Message::default, &Message::Say("t".into()));
    migrates(&PlainMessage::Quit, || Message::Move(1, 2), &Message::Quit);
}

/// A tree of the text has the tags, and loads from every format.
#[test]
fn trees_keep_tags() {
    let figures = vec![Figure::Nothing, rect(), Figure::Circle(Circle { radius: 1.0 })];
    let tree: Value = json::from_str(&json::to_string(&figures).unwrap()).unwrap();
    migrates(&tree, Vec::new, &figures);
    let messages = vec![Message::Quit, Message::Say("x".into()), Message::Draw(figures)];
    let tree: Value = json::from_str(&json::to_string(&messages).unwrap()).unwrap();
    migrates(&tree, Vec::new, &messages);
}

#[test]
fn unknown_variants_have_their_names() {
    let other = Figure::Other("star".into());
    check(&other, r#"{"type":"star"}"#);
    for text in [r#"{"type":"star","points":5}"#, r#"{"star":{"points":5}}"#, r#""star""#] {
        assert_eq!(json::from_str::<Figure>(text).unwrap(), other, "{text}");
        let strict = Options::new().strict(true);
        let error = json::from_str_with::<Figure>(text, &strict).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownVariant, "{text}: {error}");
    }
}

/// The kind, the path and the message of the error.
fn refusal<T: Serialize + Blank + Debug>(text: &str, options: &Options<'_>) -> String {
    let error = json::from_str_with::<T>(text, options).unwrap_err();
    format!("{error}")
}

#[test]
fn faults_are_reported() {
    let plain = Options::new();
    for (error, expected) in [
        (refusal::<Message>(r#"{"t":"Shout","c":1}"#, &plain), "`Message` has no variant `Shout`"),
        (refusal::<Message>(r#"{"t":"Say","c":1}"#, &plain), "c: expected text"),
        (refusal::<Message>(r#"{"t":"Paint"}"#, &plain), "Paint.red"),
        (refusal::<Message>(r#"{"t":"Paint","c":{}}"#, &plain), "c.red"),
        (refusal::<Figure>(r#"{"type":"rect","width":1}"#, &plain), "height"),
        (refusal::<Figure>(r#"{"type":"rect","width":true,"height":1}"#, &plain), "width"),
        (refusal::<Figure>(r#"{"type":"circle","type":"rect"}"#, &plain), "type"),
        (refusal::<Expr>(r#"{"value":5}"#, &plain), "`Expr` has no variant `value`"),
        (refusal::<Expr>(r#"{"op":7,"value":5}"#, &plain), "no member `op` names one"),
        (refusal::<Expr>("{}", &plain), "an empty object"),
        (refusal::<Expr>("7", &plain), "expected a variant of `Expr`"),
        (refusal::<Expr>(r#"{"op":"Number","value":"#, &plain), "end"),
    ] {
        assert!(error.contains(expected), "{error}");
        assert!(error.contains("line 1") || error.contains("column"), "{error}");
    }
    let strict = Options::new().strict(true);
    let unknown = refusal::<Figure>(r#"{"type":"circle","radius":1,"colour":"red"}"#, &strict);
    assert!(unknown.contains("colour"), "{unknown}");
}

#[test]
fn errors_are_kept() {
    let text = concat!(
        r#"[{"type":"circle","radius":"x"},{"type":"rect","width":1,"height":2},"#,
        r#"{"type":"rect","width":1},{"type":"nothing","z":1}]"#
    );
    let options = Options::new().keep_going(true);
    let (figures, report): (Vec<Figure>, _) = json::from_str_report(text, &options).unwrap();
    let errors: Vec<_> = report.errors().iter().map(|error| error.path().to_string()).collect();
    assert_eq!(errors, ["[0].radius", "[2].height"]);
    assert_eq!(
        figures[1],
        Figure::Rect { width: 1, height: 2, name: String::new(), at: At::default() }
    );
    assert!(report.notes().iter().any(|note| note.path == "[3].z"), "{report:?}");
}

/// As keys of maps, variants without data are names.
#[test]
fn keys_are_names() {
    #[derive(Serialize, Debug, PartialEq, Eq, PartialOrd, Ord, Clone)]
    #[archive(tag = "type")]
    enum Suit {
        Hearts,
        Spades,
    }
    #[derive(Serialize, Debug, PartialEq, Default)]
    struct Score {
        #[archive(as_object)]
        points: BTreeMap<Suit, u8>,
    }
    let points = [(Suit::Spades, 3), (Suit::Hearts, 1)].into();
    check(&Score { points }, r#"{"points":{"Hearts":1,"Spades":3}}"#);
}

/// A type with a version keeps it beside the tag.
#[test]
fn versions_are_next_to_the_tag() {
    #[derive(Serialize, Debug, PartialEq, Default, Clone)]
    #[archive(version = 2, after_load = Self::double)]
    struct Gun {
        damage: u8,
    }
    impl Gun {
        fn double(&mut self, version: u32) {
            if version < 2 {
                self.damage *= 2;
            }
        }
    }
    #[derive(Serialize, Debug, PartialEq, Clone)]
    #[archive(tag = "kind")]
    enum Weapon {
        Gun(Gun),
    }
    check(&Weapon::Gun(Gun { damage: 3 }), r#"{"$version":2,"kind":"Gun","damage":3}"#);
    let old = json::from_str::<Weapon>(r#"{"kind":"Gun","damage":3}"#).unwrap();
    assert_eq!(old, Weapon::Gun(Gun { damage: 6 }));
}

/// A member of a hand-written function cannot have the name of the tag.
#[test]
fn duplicates_are_refused() {
    #[derive(Debug, Default, Clone, PartialEq)]
    struct Sign {
        kind: u8,
    }
    impl Serialize for Sign {
        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("kind", &mut self.kind)
        }
    }
    archive::save_by_clone!(Sign);
    archive::blank!(Sign);
    #[derive(Serialize, Debug, PartialEq, Clone)]
    #[archive(tag = "kind")]
    enum Clashing {
        Sign(Sign),
    }
    #[derive(Serialize, Debug, PartialEq, Clone)]
    #[archive(tag = "type")]
    enum Apart {
        Sign(Sign),
    }
    check(&Apart::Sign(Sign { kind: 1 }), r#"{"type":"Sign","kind":1}"#);
    let error = json::to_string(&Clashing::Sign(Sign { kind: 1 })).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{error}");
}

/// A value that is saved at the limit of depth loads.
#[test]
fn depth_counts_alike() {
    for limit in 1..24 {
        let options = Options::new().max_depth(limit);
        for levels in 0..12 {
            let mut expr = Expr::Number { value: 1.0 };
            for level in 0..levels {
                expr = match level % 3 {
                    0 => Expr::Not { of: Box::new(expr) },
                    1 => Expr::Add(Box::new(Two { left: expr.clone(), right: expr })),
                    _ => Expr::All { of: vec![expr] },
                };
            }
            for format in formats() {
                if let Ok(bytes) = format.to_vec_with(&expr, &options) {
                    let loaded = format.from_slice_with::<Expr>(&bytes, &options);
                    let fail = |error| -> ! { panic!("{format}: {levels} of {limit}: {error}") };
                    assert_eq!(loaded.unwrap_or_else(|error| fail(error)), expr, "{format}");
                }
            }
        }
    }
}
