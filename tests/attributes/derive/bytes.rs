//! `bytes`: bytes as such.

use super::*;
use archive::field::Bytes;

#[derive(Serialize, Debug, PartialEq, Clone)]
struct Image {
    #[archive(bytes)]
    pixels: Vec<u8>,
    #[archive(bytes)]
    hash: [u8; 4],
    #[archive(bytes)]
    alpha: Option<Box<[u8]>>,
    #[archive(bytes, rename = "thumb", alias = "thumbnail")]
    small: Option<[u8; 2]>,
    #[archive(bytes)]
    shared: std::sync::Arc<[u8]>,
}

#[derive(Serialize, Debug, PartialEq)]
struct Numbers {
    pixels: Vec<u8>,
    hash: [u8; 4],
    alpha: Option<Vec<u8>>,
    thumb: Option<[u8; 2]>,
    shared: Vec<u16>,
}

#[derive(Serialize, Debug, PartialEq)]
struct Raw(#[archive(bytes)] Vec<u8>);

#[derive(Serialize, Debug, PartialEq)]
struct Pair(u8, #[archive(bytes)] Vec<u8>);

#[derive(Serialize, Debug, PartialEq)]
enum Packet {
    Empty,
    Data(#[archive(bytes)] Vec<u8>),
    Both(#[archive(bytes)] Vec<u8>, u8),
    Named {
        #[archive(bytes)]
        body: Option<Vec<u8>>,
    },
}

fn image() -> Image {
    Image {
        pixels: vec![0, 255],
        hash: [1, 2, 3, 4],
        alpha: Some([9].into()),
        small: None,
        shared: [7, 8][..].into(),
    }
}

fn numbers() -> Numbers {
    let alpha = Some(vec![9]);
    Numbers { pixels: vec![0, 255], hash: [1, 2, 3, 4], alpha, thumb: None, shared: vec![7, 8] }
}

#[test]
fn round_trips() {
    check(
        &image(),
        r#"{"pixels":[0,255],"hash":[1,2,3,4],"alpha":[9],"thumb":null,"shared":[7,8]}"#,
    );
    check(&Raw(vec![1, 2]), "[1,2]");
    check(&Some(Raw(vec![])), "[]");
    check(&Pair(1, vec![2]), "[1,[2]]");
    check(
        &vec![
            Packet::Empty,
            Packet::Data(vec![1]),
            Packet::Both(vec![2], 3),
            Packet::Named { body: None },
            Packet::Named { body: Some(vec![4]) },
        ],
        r#"["Empty",{"Data":[1]},{"Both":[[2],3]},{"Named":{"body":null}},{"Named":{"body":[4]}}]"#,
    );
}

#[test]
fn are_bytes_where_the_format_has_them() {
    let value = Value::of(&image()).unwrap();
    assert_eq!(value.get("pixels"), Some(&Value::Bytes(vec![0, 255])));
    assert_eq!(value.get("hash"), Some(&Value::Bytes(vec![1, 2, 3, 4])));
    assert_eq!(value.get("alpha"), Some(&Value::Bytes(vec![9])));
    assert_eq!(value.get("thumb"), Some(&Value::Null));
    assert_eq!(value.to::<Image>().unwrap(), image());
    assert!(matches!(Raw::SHAPE, Shape::Primitive(Primitive::Bytes, _)));
}

#[test]
fn the_attribute_comes_and_goes() {
    migrates(&numbers(), image, &image());
    migrates(&image(), numbers, &numbers());
}

#[test]
fn an_array_holds_just_so_many() {
    for format in formats() {
        let five = Pair(0, vec![1; 5]);
        let bytes = format.to_vec(&five).unwrap();
        #[derive(Serialize, Debug)]
        struct Four(u8, #[archive(bytes)] [u8; 4]);
        let error = format.from_slice::<Four>(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WrongLength, "{format}");
        assert_eq!(error.message(), "expected 4 bytes, found 5", "{format}");
        assert_eq!(error.path(), "[1]", "{format}");
        assert!(has_position(format, &error), "{format}");
    }
}

#[derive(Debug, PartialEq, Default)]
struct Even(Vec<u8>);

impl Bytes for Even {
    fn as_bytes(&self) -> &[u8] {
        &self.0
    }
    fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        if bytes.len() % 2 == 1 {
            return Err(archive::Error::custom("an odd number of bytes"));
        }
        Ok(Even(bytes))
    }
}

#[derive(Serialize, Debug, PartialEq)]
struct Own {
    #[archive(bytes)]
    even: Even,
    #[archive(bytes)]
    maybe: Option<Even>,
}

#[test]
fn own_containers() {
    check(&Own { even: Even(vec![1, 2]), maybe: None }, r#"{"even":[1,2],"maybe":null}"#);
    let error = json::from_str::<Own>(r#"{"even":[1]}"#).unwrap_err();
    assert_eq!(error.to_string(), "even: an odd number of bytes at line 1 column 10");
}
