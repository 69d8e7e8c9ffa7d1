//! Files of the original program, with and without types, in both directions.

use std::cell::Cell;

use crate::common::{BunchOfData, fixture, save, walk};
use archive_blob::{Blob, DataType, ObjectBlob, ObjectBlobList, Reader, Writer, add, get};
use archive_core::{Archive, Backend, Options, Value};

/// A file as the original writes it.
fn by_hand() -> Vec<u8> {
    fn text(out: &mut Vec<u8>, text: &str) {
        out.extend((text.len() as i32 + 1).to_le_bytes());
        out.extend(text.bytes().chain([0]));
    }
    fn header(out: &mut Vec<u8>, name: &str, header: [i32; 3]) {
        text(out, name);
        header.iter().for_each(|field| out.extend(field.to_le_bytes()));
    }
    let mut file = 2_i32.to_le_bytes().to_vec();
    for (name, truth) in [("object1", false), ("object2", true)] {
        let object = BunchOfData::documented(9, truth);
        let mut blob = 6_i32.to_le_bytes().to_vec();
        header(&mut blob, "numberOfIntegers", [2, 4, 1]);
        blob.extend(object.number_of_integers.to_le_bytes());
        header(&mut blob, "integerArray", [2, 4, 9]);
        object.integer_array.iter().for_each(|value| blob.extend(value.to_le_bytes()));
        header(&mut blob, "numberOfFloats", [2, 4, 1]);
        blob.extend(object.number_of_floats.to_le_bytes());
        header(&mut blob, "floatArray", [3, 4, 9]);
        object.float_array.iter().for_each(|value| blob.extend(value.to_le_bytes()));
        header(&mut blob, "textString", [1, 1, 13]);
        blob.extend(b"Test string.\0");
        header(&mut blob, "truth", [0, 1, 1]);
        blob.push(truth.into());
        text(&mut file, name);
        file.extend((blob.len() as i32).to_le_bytes());
        file.extend(blob);
    }
    file
}

/// The file that was written by hand, and the one of the original program if it is here.
fn files() -> Vec<(Vec<u8>, usize)> {
    let mut files = vec![(by_hand(), 9)];
    files.extend(fixture().map(|file| (file, 100)));
    files
}

#[test]
fn typed() {
    for (file, count) in files() {
        let report = Cell::default();
        let mut reader = Reader::with(&file, &Options::new().report(&report)).unwrap();
        let mut objects = [BunchOfData::default(), BunchOfData::default()];
        reader.serialize("object1", &mut objects[0]).unwrap();
        reader.serialize("object2", &mut objects[1]).unwrap();
        reader.finish().unwrap();
        let report = report.take();
        assert!(report.absent().chain(report.unknown()).next().is_none());
        assert_eq!(objects[0], BunchOfData::documented(count, false));
        assert_eq!(objects[1], BunchOfData::documented(count, true));

        let mut writer = Writer::new();
        writer.serialize("object1", &mut objects[0]).unwrap();
        writer.save("object2", &objects[1]).unwrap();
        assert_eq!(writer.finish().unwrap(), file);
    }
}

#[test]
fn in_any_order_and_as_one_object() {
    for (file, count) in files() {
        let mut reader = Reader::new(&file).unwrap();
        let second: BunchOfData = reader.load("object2").unwrap();
        let first: BunchOfData = reader.load("object1").unwrap();
        assert_eq!((first.truth, second.truth), (false, true));
        let both: std::collections::BTreeMap<String, BunchOfData> =
            archive_blob::from_slice(&file).unwrap();
        assert_eq!(both["object2"], BunchOfData::documented(count, true));
    }
}

/// A tree without types is saved as the same bytes.
#[test]
fn untyped() {
    for (file, count) in files() {
        let tree: Value = archive_blob::from_slice(&file).unwrap();
        let first = tree.get("object1").unwrap();
        assert_eq!(first.get("numberOfIntegers"), Some(&Value::from(count as i32)));
        assert_eq!(first.get("integerArray").unwrap().as_array().unwrap().len(), count);
        assert_eq!(first.get("truth"), Some(&Value::Bool(false)));
        let mut writer = Writer::new();
        writer.save("object1", first).unwrap();
        writer.save("object2", tree.get("object2").unwrap()).unwrap();
        assert_eq!(writer.finish().unwrap(), file);
        // Read as one value, it is a blob of two objects, which loads as the same.
        assert_eq!(archive_blob::from_slice::<Value>(&save(&tree)).unwrap(), tree);
    }
}

#[test]
fn as_it_is() {
    for (file, count) in files() {
        let list = ObjectBlobList::from_slice(&file).unwrap();
        assert_eq!(list.names().collect::<Vec<_>>(), ["object1", "object2"]);
        let (name, blob) = list.get_at(1).unwrap();
        assert_eq!(name, "object2");
        let names = [
            "numberOfIntegers",
            "integerArray",
            "numberOfFloats",
            "floatArray",
            "textString",
            "truth",
        ];
        assert_eq!(blob.names().collect::<Vec<_>>(), names);
        assert_eq!(blob.get::<i32>("numberOfIntegers").unwrap(), count as i32);
        assert_eq!(blob.get::<Vec<i32>>("integerArray").unwrap()[7], -7);
        assert_eq!(blob.get_at::<Vec<f32>>(3).unwrap()[1], 1.0 / 3.0);
        assert_eq!(blob.get::<String>("textString").unwrap(), "Test string.");
        assert!(blob.get::<bool>("truth").unwrap());
        assert_eq!(blob.data_type("textString").unwrap(), DataType::Char);
        assert_eq!(blob.element_count("textString").unwrap(), 13);
        assert_eq!(blob.element_size("integerArray").unwrap(), 4);
        assert_eq!(blob.to::<BunchOfData>().unwrap(), BunchOfData::documented(count, true));
        assert_eq!(list.to_vec().unwrap(), file);
        assert_eq!(ObjectBlobList::from_reader(&file[..]).unwrap(), list);
    }
}

/// The members are added under their own names, as in the example of the original.
#[test]
#[allow(non_snake_case)] // the names are the original's
fn written_by_name() {
    for (file, count) in files() {
        let mut list = ObjectBlobList::new();
        for (name, truth) in [("object1", false), ("object2", true)] {
            let object = BunchOfData::documented(count, truth);
            let numberOfIntegers = object.integer_array.len() as i32;
            let numberOfFloats = object.float_array.len() as i32;
            let (integerArray, floatArray) = (&object.integer_array[..], &object.float_array[..]);
            let mut blob = ObjectBlob::new();
            add!(blob, numberOfIntegers, integerArray).unwrap();
            add!(blob, numberOfFloats, floatArray).unwrap();
            blob.add("textString", &object.text_string).unwrap();
            add!(blob, truth).unwrap();
            assert_eq!(ObjectBlob::of(&object).unwrap(), blob);
            list.add(name, blob).unwrap();
        }
        let mut out = Vec::new();
        list.to_writer(&mut out).unwrap();
        assert_eq!(out, file);

        let blob = list.get("object1").unwrap();
        let (integerArray, floatArray): (Vec<i32>, Vec<f32>);
        let (mut textString, mut truth) = (String::new(), true);
        get!(blob, textString, truth).unwrap();
        integerArray = blob.get("integerArray").unwrap();
        floatArray = blob.get("floatArray").unwrap();
        assert_eq!((&*textString, truth), ("Test string.", false));
        assert_eq!((integerArray.len(), floatArray.len()), (count, count));
    }
}

#[test]
fn recognised() {
    for (file, _) in files() {
        assert!(Blob::detect(&file));
        // The first bytes are enough; the fewer, the fewer fields there are to look at.
        for len in [24, 28, 40, 50, 64, 100] {
            assert!(Blob::detect(&file[..len]), "{len}");
        }
        walk(&file);
    }
}
