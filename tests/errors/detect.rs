//! The first bytes of a file show its format.

use std::collections::BTreeMap;

use archive::{Format, Value, json};

fn check(value: &Value) {
    for format in Format::all() {
        let bytes = format.to_vec(value).unwrap();
        let found = Format::detect(&bytes);
        assert_eq!(found.unwrap(), format, "{}", crate::common::text(&bytes));
        // The start of the file is enough.
        for len in [16, 64, 500] {
            let start = &bytes[..len.min(bytes.len())];
            assert_eq!(Format::detect(start).ok(), Some(format), "{}", crate::common::text(start));
        }
    }
}

#[test]
fn values_of_every_kind() {
    for text in [
        r#"{"name":"Ann","hp":7}"#,
        r#"{"a":{"b":[1,2,{"c":null}]},"d":[true,-1.5]}"#,
        "{}",
        "[]",
        "[1,2,3]",
        r#"[[],[[]],{}]"#,
        "null",
        "true",
        "false",
        "-7",
        "300",
        "1.5",
        "[0]",
        "[\"\\u0000\"]",
        r#""""#,
        r#""text of some length, more than thirty-one bytes""#,
    ] {
        check(&json::from_str(text).unwrap());
    }
    let names: BTreeMap<String, u32> = (0..1000).map(|i| (format!("name {i}"), i)).collect();
    check(&Value::of(&names).unwrap());
    check(&Value::from(vec![Value::from(200); 5000]));
    check(&Value::from(vec![Value::from("text"); 5000]));
}

#[test]
fn text_is_not_messagepack() {
    for text in ["7", "{}", "[1]", "\"x\"", " 1", "\n{}", "t", "plain text", "x", "é", "\u{feff}{}"]
    {
        assert_ne!(Format::detect(text.as_bytes()).ok(), Some(Format::MessagePack), "{text:?}");
    }
    // A file that is shorter than announced may continue; data after its end may not.
    assert_eq!(Format::detect(b"\x05").unwrap(), Format::MessagePack);
    assert_eq!(Format::detect(b"\xdd\xff\xff\xff\xff").unwrap(), Format::MessagePack);
    for bytes in [&b"\xc1"[..], b"\x90\0\0\0", b"\x85\0\0\0\x05\0\0\0name\0", b"\xdc\0\0\0", b""] {
        assert_ne!(Format::detect(bytes).ok(), Some(Format::MessagePack), "{bytes:x?}");
    }
}

/// The beginnings of files of other programs, up to 4096 bytes.
#[test]
fn files_of_other_programs_are_not_messagepack() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x04\0\0\0\x03\0\x08\x06\0\0\0";
    let files: [(&str, &[u8]); 19] = [
        ("PNG", png),
        ("the signature of PNG", &png[..8]),
        ("HDF5", b"\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0"),
        ("NumPy", b"\x93NUMPY\x01\0v\0{'descr'"),
        ("KTX", b"\xabKTX 11\xbb\r\n\x1a\n"),
        ("KTX, cut", b"\xabKTX 11\xbb"),
        ("JPEG", b"\xff\xd8\xff\xe0\0\x10JFIF\0"),
        ("JPEG, cut", b"\xff\xd8"),
        ("ZIP", b"PK\x03\x04\x14\0\0\0\x08\0"),
        ("gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\x03"),
        ("zstd", b"\x28\xb5\x2f\xfd\x04\0"),
        ("xz", b"\xfd7zXZ\0"),
        ("ELF", b"\x7fELF\x02\x01\x01\0"),
        ("class of Java", b"\xca\xfe\xba\xbe\0\0\0\x41\0"),
        ("UTF-16, little-endian", b"\xff\xfe{\0\"\0a\0"),
        ("UTF-16, big-endian", b"\xfe\xff\0{\0\"\0a"),
        ("UTF-16 without a mark", b"{\0\"\0a\0\"\0"),
        ("text in Latin-1", b"\xc4pfel und Birnen, je ein Kilogramm".repeat(5).leak()),
        ("a number, and more", b"\x05\x06"),
    ];
    for (name, file) in files {
        assert_ne!(Format::detect(file).ok(), Some(Format::MessagePack), "{name}");
    }
}

/// A value continues after any of its bytes, however many items it announces. Bytes that no encoder
/// writes are found in the existing part.
#[test]
fn the_start_of_messagepack() {
    for start in [
        &b"\xdd\x00\x01\x00\x00\x01\x02\x03"[..], // 65536 items
        b"\xdf\x00\x01\x00\x00\xa1a\x01\xa1b",
        b"\x82\x01\x92\x07\x08\x02",
        b"\x82\xa4na\xc3",
        b"\xa6na\xc3", // cut inside of a character
    ] {
        assert_eq!(Format::detect(start).ok(), Some(Format::MessagePack), "{start:x?}");
    }
    for start in [
        &b"\xdd\x00\x01\x00\x00\x01\xc1"[..], // a byte that starts no value
        b"\xdf\x00\x01\x00\x00\xa1a\x01\xa1a", // a key twice
        b"\x83\x01\x92\x07\x08\x01",
        b"\x82\xa4na\xc3\x28", // no text
    ] {
        assert_ne!(Format::detect(start).ok(), Some(Format::MessagePack), "{start:x?}");
    }
    // The value ends where no more bytes are examined.
    let mut long = Format::MessagePack.to_vec(&vec![1_u8; 4093]).unwrap();
    assert_eq!(long.len(), 4096);
    assert_eq!(Format::detect(&long).unwrap(), Format::MessagePack);
    long.push(0);
    assert!(Format::detect(&long).is_err());
}

#[test]
fn an_empty_file_says_so() {
    let error = Format::detect(b"").unwrap_err();
    assert!(error.to_string().starts_with("the file is empty"), "{error}");
    for format in Format::all() {
        let errors = [
            format.from_slice::<u32>(b"").unwrap_err(),
            format.from_slice::<Value>(b"").unwrap_err(),
            format.from_slice::<BTreeMap<String, u32>>(b"").unwrap_err(),
            format.from_reader::<Vec<u32>>(std::io::empty()).unwrap_err(),
            format.load_into(&mut String::new(), b"").unwrap_err(),
            format.erased().from_slice::<(u8, bool)>(b"").unwrap_err(),
            match format.reader(b"") {
                Ok(mut reader) => reader.load::<u32>("root").unwrap_err(),
                Err(error) => error,
            },
        ];
        for error in errors {
            assert_eq!(error.kind(), archive::ErrorKind::UnexpectedEnd, "{format}: {error}");
            assert!(error.to_string().starts_with("the file is empty at "), "{format}: {error}");
        }
    }
}

#[cfg(all(feature = "binary", feature = "blob"))]
#[test]
fn an_empty_file_says_so_in_formats_without_detection() {
    use archive::binary::{bare, fingerprint};
    use archive::bins;
    use archive::blob::ObjectBlobList;

    let empty = b"";
    for error in [
        bare::from_slice::<u32>(empty).unwrap_err(),
        bare::from_slice::<Vec<u32>>(empty).unwrap_err(),
        fingerprint::from_slice::<u32>(empty).unwrap_err(),
        bins::from_slice::<BTreeMap<String, u32>>(empty).unwrap_err(),
        ObjectBlobList::from_slice(empty).unwrap_err(),
    ] {
        assert!(error.to_string().starts_with("the file is empty"), "{error}");
    }
}

#[test]
fn json_is_distinguished_from_other_text() {
    for text in ["{}", " [ ", "[[{\"a\":", "[]", "tru", "null ", "-1", "\"x", "[\n true,", "{ \""] {
        assert_eq!(Format::detect(text.as_bytes()).ok(), Some(Format::Json), "{text:?}");
    }
    for text in [
        "\u{feff}{}",
        "// level 3\n{\"a\"",
        "/* a */ [1",
        "{ // of all\n \"a\": 1",
        "[ /*] */ 7",
        "// so far",
    ] {
        assert_eq!(Format::detect(text.as_bytes()).ok(), Some(Format::Json), "{text:?}");
    }
    for text in
        ["// of C\nint main() {}", "/ 7", "/* a */ x", "\u{feff}name", "\u{feff}", "{ /* a */ b"]
    {
        assert_ne!(Format::detect(text.as_bytes()).ok(), Some(Format::Json), "{text:?}");
    }
    for text in
        ["[package]\nname", "[[bin]]", "{name: 1}", "true_colour", "[truth]", "t=1", "{{", "  "]
    {
        assert_ne!(Format::detect(text.as_bytes()).ok(), Some(Format::Json), "{text:?}");
    }
}

/// A format that gets the file of another one names the format that it looks like.
#[cfg(all(feature = "json", feature = "binary", feature = "blob", feature = "msgpack"))]
#[test]
fn a_format_given_the_file_of_another() {
    use archive::binary::{bare, fingerprint};
    use archive::{Error, ErrorKind, binary, blob, msgpack};

    let value: BTreeMap<String, u32> = [("hp".into(), 7), ("mp".into(), 3)].into();
    type T = BTreeMap<String, u32>;
    let file = binary::to_vec(&value).unwrap();
    let text = br#"{"name": "Ann", "hp": 7, "mp": 3}"#;
    let says = |error: Error, kind: ErrorKind, words: &str| {
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    };
    let binary_file = "this is a file of `archive::binary`";
    says(fingerprint::from_slice::<T>(&file).unwrap_err(), ErrorKind::Syntax, binary_file);
    says(bare::from_slice::<T>(&file).unwrap_err(), ErrorKind::Syntax, binary_file);
    says(blob::from_slice::<T>(&file).unwrap_err(), ErrorKind::Syntax, "looks like a file of `arc");
    for error in [
        blob::from_slice::<T>(text).unwrap_err(),
        blob::ObjectBlobList::from_slice(text).unwrap_err(),
        binary::from_slice::<T>(text).unwrap_err(),
    ] {
        says(error, ErrorKind::Syntax, "looks like JSON");
    }
    let error = msgpack::from_slice::<T>(text).unwrap_err();
    says(error, ErrorKind::WrongType, "found 123: the input looks like JSON at byte 0");
    let error = msgpack::from_slice::<Value>(text).unwrap_err();
    says(error, ErrorKind::TrailingData, "32 bytes after the value: the input looks like JSON");

    let looks = "it looks like a file of `archive::binary`";
    for error in [
        msgpack::from_slice::<T>(&file).unwrap_err(),
        msgpack::from_slice::<Value>(&file).unwrap_err(),
        msgpack::from_reader::<T>(&*file).unwrap_err(),
        json::from_slice::<T>(&file).unwrap_err(),
        json::from_slice::<Value>(&file).unwrap_err(),
        json::from_reader::<T>(&*file).unwrap_err(),
    ] {
        says(error, ErrorKind::Syntax, looks);
    }
    // A map of numbers that begins with the same bytes.
    let numbers = BTreeMap::from_iter((65..76).map(|key| (key, if key == 65 { 82 } else { 0 })));
    let bytes = msgpack::to_vec(&numbers).unwrap();
    assert!(bytes.starts_with(b"\x8bAR"));
    assert_eq!(msgpack::from_slice::<BTreeMap<u8, u8>>(&bytes).unwrap(), numbers);
    let numbers: BTreeMap<u8, u8> =
        [65, 67].into_iter().chain(70..79).zip([82, 1].into_iter().cycle()).collect();
    let bytes = msgpack::to_vec(&numbers).unwrap();
    assert!(bytes.starts_with(b"\x8bARC"));
    assert_eq!(msgpack::from_slice::<BTreeMap<u8, u8>>(&bytes).unwrap(), numbers);

    // A packet of other types is reported before its flag is read.
    let error = fingerprint::from_slice::<T>(&[9; 20]).unwrap_err();
    says(error, ErrorKind::WrongType, "found another (fingerprint 0909090909090909)");
    let mut flag = fingerprint::to_vec(&value).unwrap();
    flag[8] = 9;
    says(fingerprint::from_slice::<T>(&flag).unwrap_err(), ErrorKind::Syntax, "there is no flag 9");

    // Cut short.
    let bytes = &blob::to_vec(&value).unwrap()[..5];
    let error = blob::from_slice::<T>(bytes).unwrap_err();
    says(error, ErrorKind::UnexpectedEnd, "1 byte remains: the input is cut short or damaged");
    let error = msgpack::from_slice::<T>(b"\x83").unwrap_err();
    let words = "3 items announced, but only 0 bytes remain: the input is cut short or damaged";
    says(error, ErrorKind::UnexpectedEnd, words);
}

/// A save file is in none of the formats, but its extension is also that of ObjectBlob.
#[test]
fn errors_for_save_files_and_stores_name_the_functions() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("quick.sav");
    // ObjectBlob may be written there.
    assert_eq!(Format::from_path(&path).unwrap(), Format::Blob);
    archive::save::SaveFile::new(&path).save(&vec![1, 2, 3], Format::Json).unwrap();
    let save = std::fs::read(&path).unwrap();
    let opens = "a save file, which `archive::save::SaveFile` opens";

    let error = Format::from_path(&path).unwrap_err();
    assert_eq!(error.kind(), archive::ErrorKind::Unsupported);
    assert!(error.to_string().ends_with(&format!("quick.sav\" is {opens}")), "{error}");
    let error = Format::detect(&save).unwrap_err();
    assert!(error.to_string().ends_with(opens), "{error}");
    for format in Format::all() {
        for error in [
            format.from_slice::<Vec<u8>>(&save).unwrap_err(),
            format.from_slice::<u32>(&save).unwrap_err(),
            format.from_slice::<Value>(&save).unwrap_err(),
            format.from_slice::<BTreeMap<String, u32>>(&save).unwrap_err(),
            format.from_reader::<String>(&save[..]).unwrap_err(),
        ] {
            assert!(error.message().contains(opens), "{format}: {error}");
        }
    }

    std::fs::write(&path, Format::Blob.to_vec(&7).unwrap()).unwrap();
    assert_eq!(Format::from_path(&path).unwrap(), Format::Blob);
    let error = Format::detect(b"redb\x1a\n\xa9\r\n").unwrap_err();
    assert!(error.to_string().ends_with("which `archive::store::Store` opens"), "{error}");
}
