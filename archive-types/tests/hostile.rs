//! Schemas that are wrong or too large.

use archive::types::{Schema, SchemaFile};
use archive::{Format, Options, json};

/// The lines of all errors of a schema.
fn errors(text: &str) -> Vec<String> {
    let errors = Schema::from_slice(text.as_bytes()).unwrap_err();
    errors.iter().map(ToString::to_string).collect()
}

/// One type with one member of a type.
fn member(ty: &str) -> String {
    format!(r#"{{"types":{{"A":{{"members":[{{"name":"x","type":"{ty}"}}]}}}}}}"#)
}

#[test]
fn messages() {
    let wrong = |ty: &str| errors(&member(ty)).join("\n");
    for (ty, message) in [
        ("Vec<", "expected a type, found the end after `Vec<`"),
        ("Vec<u8", "expected `,` or `>`, found the end after `Vec<u8`"),
        ("Vec<u8>>", "expected the end of the type, found `>` after `Vec<u8>`"),
        ("[u8; x]", "expected a length, found `x` after `[u8; `"),
        ("Vec<u8, u8>", "`Vec` takes 1 argument, found 2 arguments"),
        ("u8<u8>", "`u8` takes no arguments, found 1 argument"),
        ("B", "there is no type `B`"),
        ("BTreeMap<f32, u8>", "`f32` cannot be a key"),
        ("HashSet<Value>", "`Value` cannot be a key"),
        ("A", "a blank `A` would contain itself"),
        ("(u8, [A; 2])", "a blank `A` would contain itself"),
        ("[[u8; 4096]; 4096]", "a blank `[[u8; 4096]; 4096]` has more than 65536 values"),
        ("Vec<[[u8; 4096]; 4096]>", "a blank `[[u8; 4096]; 4096]` has more than 65536 values"),
        ("", "expected a type, found the end after ``"),
    ] {
        let found = wrong(ty);
        assert!(found.contains(message), "{ty}: {found}");
    }
    // Self-reference through lists, options and maps.
    for ty in ["Vec<A>", "Option<A>", "Option<Box<A>>", "BTreeMap<String, A>", "Option<[A; 3]>"] {
        assert!(Schema::from_slice(member(ty).as_bytes()).is_ok(), "{ty}");
    }
}

#[test]
fn several_at_once() {
    let text = r#"{"types":{
        "A": {"members":[{"name":"x","type":"u61"},{"name":"$id","type":"u8"},{"name":"x","type":"u8"}]},
        "u8": {},
        "E": {"variants":[{"name":"P","items":["Q"]},{"name":"P"}]}
    }}"#;
    let found = errors(text);
    assert_eq!(found.len(), 6, "{found:#?}");
    for error in Schema::from_slice(text.as_bytes()).unwrap_err().iter() {
        assert!(error.path().starts_with("types."), "{error}");
    }
}

/// The same errors, with positions, in every format.
#[test]
fn positions() {
    let text = member("u61");
    let file: SchemaFile = json::from_str(&text).unwrap();
    for format in Format::all() {
        let bytes = format.to_vec(&file).unwrap();
        let errors = Schema::from_slice_in(&bytes, format).unwrap_err();
        assert!(errors.first().position().is_some(), "{format}: {errors}");
        assert_eq!(errors.first().path(), "types.A.members[0].type", "{format}");
    }
}

/// Sixty types that each contain the next one twice have a blank value of 2^60 parts.
#[test]
fn doubling() {
    let double = |at: usize| {
        let next = at + 1;
        format!(
            r#""T{at}":{{"members":[{{"name":"a","type":"T{next}"}},{{"name":"b","type":"T{next}"}}]}}"#
        )
    };
    let types: Vec<String> = (0..60).map(double).collect();
    let text = format!(r#"{{"types":{{{},"T60":{{"members":[]}}}}}}"#, types.join(","));
    assert!(errors(&text)[0].contains("more than 65536 values"), "{:?}", errors(&text));
}

/// A few bytes of a file create many large blank values: the memory of a load is limited.
#[test]
fn large_values() {
    let schema = Schema::from_slice(member("[u64; 60_000]").as_bytes()).unwrap();
    let options = Options::new().provide(schema.get("Vec<A>").unwrap());
    let file = format!("[{}{{}}]", "{},".repeat(100_000));
    let error = json::from_str_with::<archive::types::Record>(&file, &options).unwrap_err();
    assert_eq!(error.kind(), archive::ErrorKind::SizeLimit);
}

#[test]
fn interned() {
    let text = member("Vec<u8>");
    let (one, other) = (
        Schema::from_slice(text.as_bytes()).unwrap(),
        Schema::from_slice(text.as_bytes()).unwrap(),
    );
    assert_eq!(one, other);
    assert!(std::ptr::eq(one.get("A").unwrap().shape(), other.get("A").unwrap().shape()));
    let (a, b) = (one.get("Vec<A>").unwrap(), other.get("Vec < A >").unwrap());
    assert!(std::ptr::eq(a.shape(), b.shape()));
}

/// A default that contains its own type.
#[test]
fn defaults_that_contain_themselves() {
    let text = r#"{"types":{"A":{"members":[{"name":"x","type":"Vec<A>","default":[{}]}]}}}"#;
    assert!(errors(text)[0].contains("whose defaults are not known yet"), "{:?}", errors(text));
    let text = r#"{"types":{"A":{"members":[{"name":"x","type":"Vec<A>","default":[]}]}}}"#;
    assert!(Schema::from_slice(text.as_bytes()).is_ok());
}

#[test]
fn tags() {
    let wrong = |of_type: &str| {
        errors(&format!(
            r#"{{"types":{{"S":{{"members":[{{"name":"type","type":"u8"}},{{"name":"y","type":"u8"}}]}},
            "F":{{"members":[{{"name":"s","type":"S","flatten":true}}]}},"A":{{{of_type}}}}}}}"#
        ))
        .join("\n")
    };
    for (of_type, message) in [
        (r#""tag":"t","members":[]"#, "types.A.tag: only an enum has a tag"),
        (r#""content":"c","variants":[{"name":"V"}]"#, "`content` needs a `tag`"),
        (r#""tag":"t","content":"t","variants":[{"name":"V"}]"#, "have the same name"),
        (r#""tag":"$t","variants":[{"name":"V"}]"#, "types.A.tag: a member name cannot begin"),
        (
            r#""tag":"t","variants":[{"name":"V","items":["u8"]}]"#,
            "a variant has members, one struct",
        ),
        (r#""tag":"t","variants":[{"name":"V","items":["u8","u8"]}]"#, "a variant has members"),
        (
            r#""tag":"type","variants":[{"name":"V","items":["S"]}]"#,
            "a member has the name of the tag",
        ),
        (
            r#""tag":"type","variants":[{"name":"V","items":["F"]}]"#,
            "a member has the name of the tag",
        ),
        (
            r#""tag":"t","variants":[{"name":"V","members":[{"name":"x","type":"u8","aliases":["t"]}]}]"#,
            "a member has the name of the tag",
        ),
        (
            r#""tag":"t","content":"c","variants":[{"name":"t"}]"#,
            "a variant has the name of the tag",
        ),
    ] {
        let found = wrong(of_type);
        assert!(found.contains(message), "{of_type}: {found}");
    }
    // A struct that refers to the enum.
    let text = r#"{"types":{"S":{"version":3,"members":[{"name":"next","type":"Vec<E>"}]},
        "E":{"tag":"t","variants":[{"name":"N"},{"name":"V","items":["S"]}]}}}"#;
    let schema = Schema::from_slice(text.as_bytes()).unwrap();
    let options = Options::new().provide(schema.get("E").unwrap());
    let text = r#"{"$version":3,"t":"V","next":[{"t":"N"},{"$version":3,"t":"V","next":[]}]}"#;
    let record: archive::types::Record = json::from_str_with(text, &options).unwrap();
    assert_eq!(json::to_string(&record).unwrap(), text);
}

/// A tag that is removed or changed is what a load says of old files.
#[test]
fn changed_tags() {
    use archive::types::{Record, check};
    let schema = |of_type: &str| {
        let text = format!(
            r#"{{"types":{{"A":{{{of_type}"variants":[{{"name":"V","members":[{{"name":"x","type":"u8"}}]}}]}}}}}}"#
        );
        Schema::from_slice(text.as_bytes()).unwrap()
    };
    let all = ["", r#""tag":"t","#, r#""tag":"s","#, r#""tag":"t","content":"c","#];
    for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (one, other))) {
        let (old, new) = (schema(one), schema(other));
        let text = json::to_string(&Record::new(old.get("A").unwrap())).unwrap();
        let options = Options::new().provide(new.get("A").unwrap());
        let loaded = json::from_str_with::<Record>(&text, &options);
        let differences = check(old.file(), new.file());
        match loaded {
            Ok(_) => {
                // The members of the variant are lost if they are looked for elsewhere.
                let count = usize::from(!one.is_empty() && one != other);
                assert_eq!(differences.len(), count, "{one} {other}: {text} {differences:?}");
            }
            Err(error) => {
                assert_eq!(differences.len(), 1, "{one} {other}: {text} {error}");
                let line = differences[0].to_string();
                assert!(line.contains(&format!("{:?}", error.kind())), "{line}: {text} {error}");
            }
        }
    }
}
