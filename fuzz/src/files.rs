//! Rules for bytes that are read as a file of its own kind, without a type.

use archive::bins::{Collection, Header, Object};
use archive::blob::ObjectBlobList;

/// A list of blobs is saved as the bytes that it was loaded from.
pub fn blobs(data: &[u8]) {
    if let Ok(list) = ObjectBlobList::from_slice(data) {
        assert_eq!(list.to_vec().unwrap(), data);
    }
}

/// A packed object of the current version is saved as the bytes from which it was loaded, alone and
/// in a collection. A damaged one does not affect those after it.
pub fn bins(data: &[u8]) {
    if let Ok(object) = Object::from_bytes(data) {
        let saved = object.to_bytes().unwrap();
        let version = |bytes| Header::read(bytes).unwrap().version;
        assert!(saved == data || version(data) < version(&saved));
        let file = [&saved[..], &saved].concat();
        let collection = Collection::from_bytes(&file).unwrap();
        assert_eq!(collection.to_bytes().unwrap(), file);
    }
    let _ = Collection::recover(data);
    let good = Object::new("Good").to_bytes().unwrap();
    let mut file = good.clone();
    file.extend(data);
    let (collection, _) = Collection::recover(&file);
    assert_eq!(collection.to_bytes().unwrap()[..good.len()], good);
}
