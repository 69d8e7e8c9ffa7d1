//! A value whose files are changed without its type.

use archive::Serialize;

#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Everything {
    pub ints: Vec<i32>,
    pub words: Vec<u16>,
    pub floats: [f32; 2],
    pub name: String,
    pub letter: char,
    pub maybe: Option<u8>,
    pub nested: Vec<Vec<u16>>,
    pub tags: Vec<String>,
    pub inner: Option<Box<Everything>>,
    #[archive(bytes)]
    pub bytes: Vec<u8>,
    pub wide: i128,
    pub big: u64,
}

pub fn everything() -> Everything {
    let inner = Everything { name: "inner".into(), ints: vec![1], ..Everything::default() };
    Everything {
        ints: vec![1, 2, 3],
        words: vec![300],
        floats: [0.5, 0.1],
        name: "Ann".into(),
        letter: 'ä',
        maybe: None,
        nested: vec![vec![1, 2], vec![3], vec![]],
        tags: vec!["a".into(), "b".into()],
        inner: Some(Box::new(inner)),
        bytes: vec![1, 2, 3],
        wide: i128::MIN,
        big: u64::MAX,
    }
}
