//! The most expensive shapes: nested, tiny and repeated values.

use archive::{Format, Serialize, Value};

use super::memory_law::{Law, Nest, Plain, saving};

#[derive(Default, Serialize)]
struct One {
    v: u8,
}

#[derive(Default, Serialize)]
struct LongNames {
    a_name_that_is_long_and_occurs_once_in_a_file_of_the_binary_format_but_is_copied_for_each: u8,
    another_name_that_is_as_long_as_the_first_one_and_is_copied_as_often_as_that_one_is_too: bool,
}

/// Objects with members that `Plain` lacks, and without those that it has.
#[derive(Default, Serialize)]
struct Other {
    a: u8,
    b: u8,
}

pub fn check(format: Format, law: &mut Law) {
    let object = |members: Vec<(String, Value)>| Value::Object(members);
    let shared_name = "n".repeat(3000);
    let numbers = Value::from(vec![Value::from(0); 3000]);
    let nested = Value::from(vec![Value::from(vec![Value::from(0)]); 1000]);
    let deep = (0..100).fold(Value::from(0), |value, _| Value::from(vec![value]));
    let deep_objects = (0..100).fold(Value::from(0), |value, _| object(vec![("a".into(), value)]));
    let named = Value::from(vec![object(vec![("a".into(), Value::from(0))]); 1000]);
    let long = Value::from(vec![object(vec![(shared_name, Value::from(0))]); 50]);
    let many = object((0..1000).map(|i| (format!("k{i}"), Value::Null)).collect());
    let trees = [
        ("numbers", &numbers, true),
        ("lists of one", &nested, true),
        ("a deep list", &deep, true),
        ("deep objects", &deep_objects, true),
        ("many deep lists", &Value::from(vec![deep.clone(); 20]), true),
        ("many deep objects", &Value::from(vec![deep_objects.clone(); 20]), true),
        ("objects of one", &named, true),
        ("a long name in each", &long, false),
        ("many members", &many, true),
        ("nulls", &Value::from(vec![Value::Null; 3000]), true),
        ("empty lists", &Value::from(vec![Value::from(Vec::<Value>::new()); 3000]), true),
        ("empty objects", &Value::from(vec![object(vec![]); 3000]), true),
    ];
    for (what, tree, loads) in trees {
        let Ok(file) = format.to_vec(tree) else { continue };
        law.check(format, what, &file);
        if loads {
            law.loads(format, what, &file);
        }
    }
    let typed = [
        ("objects of one byte", save(format, &ones(1500)), true),
        ("long names", save(format, &long_names(300)), false),
        ("units", save(format, &vec![(); 9000]), false),
        ("other objects", save(format, &others(1000)), true),
        ("old objects", save(format, &plains(300)), true),
        ("lists of lists", save(format, &nests(1000)), true),
    ];
    for (what, file, loads) in typed {
        law.check(format, what, &file);
        if loads {
            law.loads(format, what, &file);
        }
    }
    for (what, file) in raw(format) {
        law.check(format, what, &file);
    }
}

fn ones(count: usize) -> Vec<One> {
    (0..count).map(|i| One { v: i as u8 }).collect()
}
fn long_names(count: usize) -> Vec<LongNames> {
    (0..count).map(|_| LongNames::default()).collect()
}
fn others(count: usize) -> Vec<Other> {
    (0..count).map(|_| Other::default()).collect()
}
fn plains(count: usize) -> Vec<Plain> {
    (0..count).map(|_| Plain::default()).collect()
}
fn nests(count: usize) -> Nest {
    Nest((0..count).map(|_| Nest(vec![Nest(vec![])])).collect())
}

fn save<T: archive::Save>(format: Format, value: &T) -> Vec<u8> {
    format.to_vec_with(value, &saving()).unwrap_or_default()
}

/// Bytes that no encoder writes.
fn raw(format: Format) -> Vec<(&'static str, Vec<u8>)> {
    const N: usize = 2000;
    match format.name() {
        "msgpack" | "rmp_serde named" | "rmp_serde arrays" => vec![
            ("headers of lists", headers(&[0xdc, 0x10, 0], N)),
            ("headers of long lists", headers(&[0xdd, 0, 0, 0x10, 0], N)),
            ("headers of maps", headers(&[0xde, 0x10, 0, 0xa0], N)),
            ("lists in lists", headers(&[0x91], 120)),
            ("nils", [&[0xdc, 0x07, 0xd0][..], &[0xc0; N]].concat()),
            ("errors", [&[0xdc, 0x07, 0xd0][..], &[0xa0; N]].concat()),
            ("the same member", [&[0xde, 0x03, 0xe8][..], &[0xa0, 0xc0].repeat(N / 2)].concat()),
            ("objects of one", [&[0xdc, 0x02, 0x9a][..], &[0x81, 0xa0, 0xc0].repeat(666)].concat()),
        ],
        "ciborium" => vec![
            ("headers of lists", headers(&[0x99, 0x10, 0], N)),
            ("headers of endless lists", headers(&[0x9f], N)),
            ("headers of maps", headers(&[0xb9, 0x10, 0, 0x60], N)),
            ("nulls", [&[0x99, 0x07, 0xd0][..], &[0xf6; N]].concat()),
        ],
        "postcard" => vec![
            ("headers of lists", headers(&[0xc0, 0x3e], N)),
            ("headers of trees", headers(&[9, 0xc0, 0x3e], N)),
        ],
        "json" | "serde_json" | "ron" => vec![
            ("brackets", vec![b'['; N]),
            ("braces", br#"{"":"#.repeat(N / 4)),
            ("numbers", [&b"["[..], &b"0,".repeat(N), b"0]"].concat()),
            ("empty lists", [&b"["[..], &b"[],".repeat(N), b"0]"].concat()),
            ("lists of one", [&b"["[..], &b"[0],".repeat(N), b"0]"].concat()),
            ("objects of one", [&b"["[..], &br#"{"":0},"#.repeat(N), b"0]"].concat()),
            ("unknown members", [&b"["[..], &br#"{"b":0},"#.repeat(N), b"{}]"].concat()),
            ("empty objects", [&b"["[..], &b"{},".repeat(N), b"{}]"].concat()),
            ("errors", [&b"["[..], &br#""","#.repeat(N), b"0]"].concat()),
            ("the same member", [&b"{"[..], &br#""b":0,"#.repeat(N), br#""c":0}"#].concat()),
            ("weak pointers", [&b"["[..], &br#"{"$weak":1},"#.repeat(N / 4), b"0]"].concat()),
            ("references", [&b"["[..], &references(N / 8), b"0]"].concat()),
            ("unknown objects", [&b"["[..], &unknown_objects(N / 8), b"null]"].concat()),
            ("deep paths", deep_paths()),
        ],
        _ => Vec::new(),
    }
}

fn headers(header: &[u8], len: usize) -> Vec<u8> {
    header.repeat(len / header.len())
}

fn references(count: usize) -> Vec<u8> {
    (1..=count).flat_map(|id| format!(r#"{{"$id":{id}}},"#).into_bytes()).collect()
}

fn unknown_objects(count: usize) -> Vec<u8> {
    (0..count)
        .flat_map(|id| format!(r#"{{"$type":"t{id}","$value":{{}}}},"#).into_bytes())
        .collect()
}

/// Notes whose paths are longer than their values.
fn deep_paths() -> Vec<u8> {
    let mut text = br#"{"left":"#.repeat(100);
    text.push(b'{');
    text.extend((0..500).flat_map(|i| format!(r#""{i}":0,"#).into_bytes()));
    text.extend(br#""x":0}"#);
    text.extend(b"}".repeat(100));
    text
}
