//! Collections: objects one after another, and the objects that remain when some are damaged.

use archive_bins::{Collection, Header, Object};
use archive_core::{ErrorKind, Position};

fn unit(name: &str, items: &[u32]) -> Object {
    let mut unit = Object::new("Unit").named(name);
    unit.export("Unit", "hp", &(items.len() as u16)).unwrap();
    let mut bag = Object::list("Vec<Item>");
    for item in items {
        let mut object = Object::new("Item");
        object.export("Item", "id", item).unwrap();
        bag.push(object).unwrap();
    }
    unit.add("bag", bag).unwrap();
    unit
}

fn units() -> Collection {
    let names = ["Ann", "Bob", "Cyd"];
    Collection { objects: names.iter().map(|name| unit(name, &[1, 2, 3])).collect() }
}

fn names(collection: &Collection) -> Vec<&str> {
    collection.objects.iter().map(Object::name).collect()
}

/// Sets a word and corrects the checksum of the header.
fn forge(object: &mut [u8], at: usize, word: u32) {
    object[at..at + 4].copy_from_slice(&word.to_le_bytes());
    let checksum = crc32fast::hash(&object[..52]);
    object[52..56].copy_from_slice(&checksum.to_le_bytes());
}

#[test]
fn whole() {
    let units = units();
    let bytes = units.to_bytes().unwrap();
    assert_eq!(Collection::from_bytes(&bytes).unwrap(), units);
    let (saved, damage) = Collection::recover(&bytes);
    assert_eq!((saved, damage.len()), (units.clone(), 0));
    assert_eq!(units.get("Bob"), Some(&unit("Bob", &[1, 2, 3])));
    assert_eq!(units.get("Di"), None);
    assert_eq!(Collection::from_bytes(&[]).unwrap(), Collection::new());
    assert!(Collection::new().to_bytes().unwrap().is_empty());
    // Appending to the file appends to the collection.
    let mut longer = bytes;
    longer.extend(unit("Di", &[]).to_bytes().unwrap());
    assert_eq!(names(&Collection::from_bytes(&longer).unwrap()), ["Ann", "Bob", "Cyd", "Di"]);
    let mut objects = Collection::read(&longer);
    let mut offset = 0;
    while let Some(object) = objects.next() {
        offset += object.unwrap().to_bytes().unwrap().len();
        assert_eq!(objects.offset(), offset);
    }
}

/// Each bit of the object in the middle is flipped: that object is reported, the others load.
#[test]
fn every_byte_of_one_damaged() {
    let bytes = units().to_bytes().unwrap();
    let (start, end) = (bytes.len() / 3, bytes.len() / 3 * 2);
    for at in start..end {
        for flip in (0..8).map(|bit| 1 << bit).chain([0xff]) {
            let mut bytes = bytes.clone();
            bytes[at] ^= flip;
            let (saved, damage) = Collection::recover(&bytes);
            assert_eq!(names(&saved), ["Ann", "Cyd"], "byte {at} ^ {flip:02x}");
            assert_eq!(damage.len(), 1, "byte {at}: {damage:?}");
            let text = damage[0].to_string();
            assert!(text.starts_with(&format!("object at byte {start}: ")), "{text}");
            assert!(
                matches!(damage[0].position(), Some(Position::Offset(o)) if (start..=end).contains(&(o as usize))),
                "{text}"
            );
            assert!(Collection::from_bytes(&bytes).is_err());
        }
    }
}

/// Bytes are lost from the object in the middle, or are added to it.
#[test]
fn lost_and_added_bytes() {
    let bytes = units().to_bytes().unwrap();
    let (start, end) = (bytes.len() / 3, bytes.len() / 3 * 2);
    for at in start..end {
        for many in [1, 2, 7] {
            let mut less = bytes.clone();
            less.drain(at..(at + many).min(end));
            let mut more = bytes.clone();
            more.splice(at..at, std::iter::repeat_n(0x55, many));
            for (file, what) in [(less, "less"), (more, "more")] {
                let (saved, damage) = Collection::recover(&file);
                let found = names(&saved);
                if at == start && what == "more" {
                    // The added bytes are between two intact objects.
                    assert_eq!(found, ["Ann", "Bob", "Cyd"]);
                } else {
                    assert_eq!(found, ["Ann", "Cyd"], "{many} {what} at {at}");
                }
                assert_eq!(damage.len(), 1, "{many} {what} at {at}: {damage:?}");
            }
        }
    }
}

/// The file is cut at every byte: the objects before the cut load, the last one is reported.
#[test]
fn cut_off() {
    let bytes = units().to_bytes().unwrap();
    let each = bytes.len() / 3;
    for len in 0..bytes.len() {
        let (saved, damage) = Collection::recover(&bytes[..len]);
        assert_eq!(saved.objects[..], units().objects[..len / each], "{len}");
        assert_eq!(damage.len(), usize::from(len % each != 0), "{len}");
        for error in damage {
            assert_eq!(error.kind(), ErrorKind::UnexpectedEnd, "{len}: {error}");
            assert_eq!(error.position(), Some(Position::Offset(len as u64)));
        }
    }
}

#[test]
fn zeros_and_garbage_between() {
    let one = unit("Ann", &[1]).to_bytes().unwrap();
    let magic = b"\x8bSTO".repeat(100);
    for between in [&[0; 1][..], &[0; 4096], b"\x8b", b"\x8bSTO", &magic, &one[..55], &one[4..]] {
        let file = [between, &one, between, &one, between].concat();
        let (saved, damage) = Collection::recover(&file);
        assert_eq!(names(&saved), ["Ann", "Ann"], "{between:02x?}");
        assert_eq!(damage.len(), 3, "{damage:?}");
    }
    let zeros = Collection::recover(&[0; 1000]);
    assert_eq!((zeros.0.objects.len(), zeros.1.len()), (0, 1));
}

/// Intact headers with a wrong size.
#[test]
fn lying_sizes() {
    let bytes = units().to_bytes().unwrap();
    let each = bytes.len() / 3;
    for size in (0..each as u32 * 3).chain([u32::MAX, u32::MAX - 3]) {
        if size == each as u32 {
            continue;
        }
        let mut bytes = bytes.clone();
        forge(&mut bytes[each..], 8, size);
        let (saved, damage) = Collection::recover(&bytes);
        assert_eq!(names(&saved), ["Ann", "Cyd"], "{size}");
        assert_eq!(damage.len(), 1, "{size}: {damage:?}");
    }
}

/// An intact object inside the data of another one is data, even if the outer one is damaged.
#[test]
fn objects_inside_of_data() {
    let mut outer = Object::new("Backup").named("outer");
    outer.export("Backup", "file", &unit("inner", &[1]).to_bytes().unwrap()).unwrap();
    outer.export("Backup", "note", &"x".to_owned()).unwrap();
    let mut file = Collection { objects: vec![outer, unit("Ann", &[])] }.to_bytes().unwrap();
    assert_eq!(names(&Collection::from_bytes(&file).unwrap()), ["outer", "Ann"]);
    let header = Header::read(&file).unwrap();
    for at in [header.variable_bin, header.data_bin + 60, header.string_bin - 1] {
        let mut file = file.clone();
        file[at as usize] ^= 1;
        let (saved, damage) = Collection::recover(&file);
        assert_eq!((names(&saved), damage.len()), (vec!["Ann"], 1), "byte {at}");
    }
    // A damaged header makes a search necessary, which finds what is inside.
    file[9] ^= 1;
    let (saved, damage) = Collection::recover(&file);
    assert_eq!(names(&saved), ["inner", "Ann"]);
    assert_eq!(damage.len(), 2, "what is before the inner one, and what is after it: {damage:?}");
}

/// An object of a later version with the present header is skipped.
#[test]
fn later_versions() {
    let mut bytes = units().to_bytes().unwrap();
    let each = bytes.len() / 3;
    forge(&mut bytes[each..], 4, 3);
    let (saved, damage) = Collection::recover(&bytes);
    assert_eq!(names(&saved), ["Ann", "Cyd"]);
    assert_eq!(damage.len(), 1);
    assert_eq!(damage[0].kind(), ErrorKind::Unsupported);
    let text = format!("object at byte {each}: an object of version 3; this program reads 1 to 2");
    assert_eq!(damage[0].message(), text);
}

/// Headers one after another that each claim the whole rest: reading still ends.
#[test]
fn forged_headers_do_not_cost_quadratic_time() {
    let count = 40_000;
    let mut file = Vec::new();
    let one = unit("Ann", &[]).to_bytes().unwrap();
    for index in 0..count {
        let mut header = one[..56].to_vec();
        let rest = (56 * (count - index)) as u32;
        header[36..40].copy_from_slice(&rest.saturating_sub(200).to_le_bytes());
        forge(&mut header, 8, rest.saturating_sub(1));
        file.extend(header);
    }
    let (saved, damage) = Collection::recover(&file);
    assert!(saved.objects.is_empty());
    assert!(damage.len() < 100, "{}", damage.len());
    assert_eq!(damage.last().unwrap().kind(), ErrorKind::SizeLimit);
}
