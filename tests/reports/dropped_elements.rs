//! Nothing is lost silently: repeated elements of a set or a map.

use crate::common::{Erased, forgiving, report_of};
use archive::report::NoteKind;
use archive::{ErrorKind, Options, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

#[derive(Serialize, Default)]
struct Holder<T> {
    list: T,
    z: u8,
}

const FILE: Holder<[u8; 5]> = Holder { list: [3, 1, 3, 2, 3], z: 1 };

#[test]
fn an_element_that_a_set_has_already_is_noted() {
    fn check<T: archive::Element + Default>(len: impl Fn(&T) -> usize) {
        for format in forgiving() {
            let bytes = format.to_vec(&FILE).unwrap();
            let (loaded, report) =
                format.from_slice_report::<Holder<T>>(&bytes, &Options::new()).unwrap();
            assert_eq!((len(&loaded.list), loaded.z), (3, 1), "{format}");
            let repeated: Vec<_> = report.repeated().collect();
            assert_eq!(repeated, ["list[2]"], "{format}: {report}");
            // Bins files note that the file has the layout of another type.
            let others = report.notes().iter().filter(|note| note.kind != NoteKind::OtherLayout);
            assert_eq!(others.map(|note| note.count).sum::<u64>(), 2, "{format}: {report}");
            let text = "Holder.list: duplicate set element, 2 times, first at list[2]\n";
            assert!(report.to_string().starts_with(text), "{report}");

            let keep_going = Options::new().keep_going(true);
            let mut value = Holder::<T>::default();
            let report = report_of(&keep_going, |options| {
                format.load_into_with(&mut Erased(&mut value), &bytes, options)
            })
            .unwrap();
            assert_eq!(report.repeated().count(), 1, "{format}: {report}");
        }
    }
    check::<BTreeSet<u8>>(|set| set.len());
    check::<HashSet<u8>>(|set| set.len());
}

/// The first one is kept.
#[test]
fn the_first_of_equal_elements_is_kept() {
    #[derive(Serialize, Clone, Debug)]
    struct Named(u8, String);
    impl PartialEq for Named {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }
    impl Eq for Named {}
    impl PartialOrd for Named {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }
    impl Ord for Named {
        fn cmp(&self, other: &Self) -> std::cmp::Ordering {
            self.0.cmp(&other.0)
        }
    }
    for format in forgiving() {
        let bytes = format.to_vec(&[Named(1, "first".into()), Named(1, "second".into())]).unwrap();
        let set: BTreeSet<Named> = format.from_slice(&bytes).unwrap();
        assert_eq!(set.first().unwrap().1, "first", "{format}");
    }
}

/// A map has one value for a key, so the second one would be lost: it is an error.
#[test]
fn a_key_that_a_map_has_already_is_an_error() {
    for format in forgiving() {
        let bytes = format.to_vec(&[(1_u8, 2_u8), (1, 3)]).unwrap();
        let error = format.from_slice::<BTreeMap<u8, u8>>(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{format}");
        let error = format.from_slice::<HashMap<u8, u8>>(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{format}");
    }
}
