//! Enums.

use crate::on_a_unit::{Stance, check, refused};

#[test]
fn a_variant_without_data_is_its_name() {
    let unit = check(
        "unit.stance = 'Idle'
         assert(unit.stance == 'Idle' and variant(unit.stance) == 'Idle')",
    );
    assert_eq!(unit.stance, Stance::Idle);
}

#[test]
fn a_variant_with_data_has_members() {
    let unit = check(
        "assert(variant(unit.stance) == 'Guard' and unit.stance.radius == 2)
         assert(unit.stance.Guard.at.x == 8)
         unit.stance.at.x = 80
         unit.stance.Guard.radius = 3",
    );
    let Stance::Guard { at, radius } = unit.stance else { panic!() };
    assert_eq!((at.x, radius), (80, 3));
}

#[test]
fn a_variant_is_set_by_its_name_or_by_a_table() {
    let unit = check(
        "unit.stance = 'Idle'
         unit.stance = { Guard = { at = { x = 5 } } }
         assert(variant(unit.stance) == 'Guard' and unit.stance.at.x == 5 and unit.stance.radius == 0)
         unit.stance = 'Between'
         assert(unit.stance[1].x == 0)
         unit.stance[2].y = 7
         assert(unit.stance.Between[2].y == 7 and unit.stance[3] == nil)
         unit.stance = { Follow = 'Bob' }
         assert(unit.stance.Follow == 'Bob' and variant(unit.stance) == 'Follow')
         unit.stance.Follow = 'Cid'",
    );
    assert_eq!(unit.stance, Stance::Follow("Cid".into()));
}

#[test]
fn unknown_variants_are_refused() {
    let error = refused("unit.stance = 'Guadr'");
    assert!(error.contains("did you mean `Guard`"), "{error}");
    refused("unit.stance = { Guard = { at = 3 } }");
    refused("unit.stance = { Idle = 1, Guard = 2 }");
    refused("return unit.stance.Follow");
    refused("unit.stance.Follow = 'x'");
}
