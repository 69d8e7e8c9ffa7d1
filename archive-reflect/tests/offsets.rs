//! Where members are in their structs.

use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::offset_of;
use std::rc::Rc;

use archive::Serialize;
use archive::reflect::{MemberMeta, Meta};

mod game {
    use super::*;

    #[derive(Default, Serialize)]
    pub struct Base {
        id: u32,
        active: bool,
    }

    #[derive(Default, Serialize)]
    pub struct Sprite {
        #[archive(base)]
        base: Base,
        texture: String,
        #[archive(alias = "secret")]
        hidden: Rc<RefCell<Base>>,
        #[archive(skip)]
        cache: Vec<u8>,
        tree: Option<Box<Sprite>>,
        inventory: HashMap<String, u32>,
    }

    impl Sprite {
        pub const OFFSETS: [usize; 5] = [
            offset_of!(Sprite, base),
            offset_of!(Sprite, texture),
            offset_of!(Sprite, hidden),
            offset_of!(Sprite, tree),
            offset_of!(Sprite, inventory),
        ];
        pub fn cached(&self) -> usize {
            self.cache.len()
        }
    }

    #[derive(Default)]
    pub struct Range<T> {
        from: T,
        to: T,
    }
    archive::members!(impl<T> Range<T> { from, to as "until" });
    archive::blank!(impl<T: Default> Range<T>);

    impl<T> Range<T> {
        pub const OFFSETS: [usize; 2] = [offset_of!(Range<T>, from), offset_of!(Range<T>, to)];
    }
}
use game::{Base, Range, Sprite};

fn offsets(meta: &Meta) -> Vec<usize> {
    meta.members().iter().filter_map(MemberMeta::offset).collect()
}

#[test]
fn private_members_have_offsets_and_sizes() {
    let meta = Meta::of::<Sprite>();
    assert_eq!(offsets(&meta), Sprite::OFFSETS);
    assert_eq!(
        (meta.size(), meta.align()),
        (Some(size_of::<Sprite>()), Some(align_of::<Sprite>()))
    );
    let tree = meta.member("tree").unwrap();
    assert_eq!((tree.size(), tree.align()), (Some(size_of::<usize>()), Some(align_of::<usize>())));
    assert_eq!(Sprite::default().cached(), 0);
}

#[test]
fn members_without_a_derive_have_them_too() {
    let meta = Meta::of::<Range<u16>>();
    assert_eq!(offsets(&meta), Range::<u16>::OFFSETS);
    assert_eq!(meta.name(), "Range<u16>");
    assert_eq!(meta.member("until").unwrap().size(), Some(2));
    assert_eq!(Meta::of::<Range<u64>>().member("from").unwrap().size(), Some(8));
}

#[test]
fn bases_are_distinguished() {
    let meta = Meta::of::<Sprite>();
    let base = meta.member("Base").unwrap();
    assert!(base.is_base() && !base.is_flattened());
    assert!(!meta.member("texture").unwrap().is_base());
    assert_eq!(*base.meta(), Meta::of::<Base>());
}

#[test]
fn aliases_find_members() {
    let member = Meta::of::<Sprite>().member("secret").unwrap();
    assert_eq!((member.name(), member.aliases()), ("hidden", &["secret"][..]));
    assert!(Meta::of::<Sprite>().member("cache").is_none());
}

#[test]
fn recursive_types_describe_themselves() {
    let meta = Meta::of::<Sprite>();
    let inner = meta.member("tree").unwrap().meta().item().unwrap();
    assert_eq!(inner.name(), "Box<Sprite>");
    assert_eq!(inner.member("tree").unwrap().meta().item().unwrap(), inner);
}

#[test]
fn a_tuple_struct_has_no_members() {
    #[derive(Default, Serialize)]
    struct Pair(u8, u32);
    let meta = Meta::of::<Pair>();
    assert_eq!((meta.name().as_str(), meta.members().len(), meta.items().len()), ("Pair", 0, 2));
}

#[derive(Default, Serialize)]
struct Keeps {
    first: u8,
    #[archive(label = "Second")]
    second: u32,
    #[archive(unknown)]
    others: archive::Value,
}

/// Their classes do not have the members, as there may be others.
#[test]
fn types_that_keep_unknown_members_have_offsets_and_facts() {
    let meta = Meta::of::<Keeps>();
    assert_eq!(offsets(&meta), [offset_of!(Keeps, first), offset_of!(Keeps, second)]);
    assert_eq!(meta.member("second").unwrap().label(), "Second");
    assert!(!meta.has_all_members());
    assert!(Meta::of::<Base>().has_all_members());
}
