//! Laws that are true of all types.

use archive::reflect::{Kind, Meta};
use archive_test_support::everything::Everything;

/// Calls `visit` with a type and all types in it.
fn each(meta: &Meta, seen: &mut Vec<Meta>, visit: &mut dyn FnMut(&Meta)) {
    if seen.contains(meta) {
        return;
    }
    seen.push(meta.clone());
    visit(meta);
    let members = meta.members();
    let variants = meta.variants();
    let members = members.iter().map(|member| member.meta().clone());
    let of_variants = variants.iter().flat_map(|variant| {
        let members = variant.members().into_iter().map(|member| member.meta().clone());
        variant.items().into_iter().chain(members)
    });
    let parts = meta.item().into_iter().chain(meta.key()).chain(meta.items());
    for part in members.chain(of_variants).chain(parts).collect::<Vec<_>>() {
        each(&part, seen, visit);
    }
}

#[test]
fn members_are_in_their_structs_and_do_not_overlap() {
    let mut count = 0;
    each(&Meta::of::<Everything>(), &mut Vec::new(), &mut |meta| {
        let members = meta.members();
        let mut places: Vec<_> =
            members.iter().filter_map(|it| Some((it.offset()?, it.size()?, it.align()?))).collect();
        places.sort_unstable();
        let mut end = 0;
        for (offset, size, align) in places {
            count += 1;
            assert_eq!(offset % align, 0, "{meta}");
            assert!(size == 0 || offset >= end, "{meta}");
            end = end.max(offset + size);
            assert!(end <= meta.size().unwrap(), "{meta}");
        }
    });
    assert!(count > 40, "{count} members");
}

#[test]
fn every_type_has_a_name_and_a_size() {
    each(&Meta::of::<Everything>(), &mut Vec::new(), &mut |meta| {
        let name = meta.name();
        assert!(!name.is_empty() && !name.contains("::") && !name.contains("any"), "{name}");
        assert!(
            meta.size().is_some() || name.ends_with("str") || meta.kind() != Kind::Plain,
            "{name}"
        );
    });
}
