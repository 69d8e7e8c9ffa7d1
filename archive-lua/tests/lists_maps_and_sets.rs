//! Lists, maps and sets.

use crate::on_a_unit::{Squad, check, refused};

#[test]
fn lists_begin_at_1_and_grow_at_their_end() {
    let unit = check(
        "assert(#unit.words == 2 and unit.words[1] == 'one' and unit.words[3] == nil and unit.words[0] == nil)
         unit.words[#unit.words + 1] = 'three'
         unit.words[1] = unit.words[1] .. '!'
         unit.trail[1].x = 30
         unit.trail[2] = { x = 5, y = 6 }
         local sum = 0
         for index, at in ipairs(unit.trail) do sum = sum + index * at.x end
         assert(sum == 40)
         unit.grid[2][1] = 33
         unit.pair[2] = 'six'
         assert(#unit.grid == 2 and #unit.pair == 2)",
    );
    assert_eq!(unit.words, ["one!", "two", "three"]);
    assert_eq!((unit.trail.len(), unit.trail[0].x, unit.trail[1].y), (2, 30, 6));
    assert_eq!((unit.grid, unit.pair.1.as_str()), ([[1, 2], [33, 4]], "six"));
}

#[test]
fn nil_removes_the_last_item() {
    let unit = check(
        "unit.words[2] = nil  unit.words[2] = nil  unit.words[1] = nil  assert(#unit.words == 0)",
    );
    assert!(unit.words.is_empty());
    refused("unit.words[1] = nil");
    refused("unit.grid[3] = { 1, 2 }");
}

#[test]
fn maps_have_keys() {
    let unit = check(
        "assert(unit.bag.rope == 1 and unit.bag.cable == nil and #unit.bag == 1)
         unit.bag.rope = unit.bag.rope + 1
         unit.bag.cable = 3
         unit.bag['two words'] = 4
         unit.bag['$id'] = 5
         unit.bag['$id'] = unit.bag['$id'] + 1
         unit.bag['$'] = 1
         unit.bag['$'] = nil
         unit.by_number[7].y = 70
         unit.by_number[8] = { x = 8 }
         unit.by_number[9] = unit.by_number[8]
         unit.by_number[7] = nil
         unit.by_number[7] = nil
         assert(unit.by_number[7] == nil and unit.by_number[8].x == 8)
         local names = {}
         for name, count in pairs(unit.bag) do names[#names + 1] = name .. '=' .. count end
         assert(table.concat(names, ' ') == '$id=6 cable=3 rope=2 two words=4', table.concat(names, ' '))
         unit.bag.cable = nil",
    );
    assert_eq!(
        unit.bag.into_iter().collect::<Vec<_>>(),
        [("$id".into(), 6), ("rope".into(), 2), ("two words".into(), 4)]
    );
    let mut keys: Vec<u32> = unit.by_number.into_keys().collect();
    keys.sort_unstable();
    assert_eq!(keys, [8, 9]);
}

/// A pointer that is added to a list has the same object.
#[test]
fn pointers_are_shared_in_lists_and_maps() {
    use std::cell::RefCell;
    use std::collections::BTreeMap;
    use std::rc::Rc;

    #[derive(Default, archive::Serialize)]
    struct Army {
        squads: Vec<Rc<RefCell<Squad>>>,
        by_name: BTreeMap<String, Rc<RefCell<Squad>>>,
    }
    let mut army = Army { squads: vec![Rc::default()], ..Army::default() };
    let script = crate::on_a_unit::sandbox().load(
        "army.lua",
        "function run(army) army.squads[2] = army.squads[1] army.by_name.first = army.squads[1] end",
    );
    script.unwrap().call("run", archive_lua::Arguments::new().edit(&mut army)).unwrap();
    assert!(Rc::ptr_eq(&army.squads[0], &army.squads[1]));
    assert!(Rc::ptr_eq(&army.squads[0], &army.by_name["first"]));
}

#[test]
fn sets_have_elements() {
    let unit = check(
        "assert(unit.tags.fire == true and unit.tags.ice == nil and #unit.tags == 1)
         unit.tags.ice = true
         unit.tags.ice = true
         unit.tags.air = false
         unit.tags.fire = nil
         local all = ''
         for tag, is in pairs(unit.tags) do all = all .. tag .. tostring(is) end
         assert(all == 'icetrue', all)",
    );
    assert_eq!(unit.tags.into_iter().collect::<Vec<_>>(), ["ice"]);
    refused("unit.tags.fire = 3");
}

#[test]
fn members_are_visited_in_their_order() {
    check(
        "local names = {}
         for name, value in pairs(unit) do names[#names + 1] = name end
         assert(names[1] == 'name' and names[2] == 'hp' and #names == 20, #names)
         for index, word in pairs(unit.words) do assert(unit.words[index] == word) end
         local sum = 0
         for name, value in pairs(unit.at) do sum = sum + value end
         assert(sum == 3)",
    );
}

#[test]
fn text_is_json() {
    check(
        "assert(tostring(unit.at) == '{\"x\":1,\"y\":2}', tostring(unit.at))
         assert(#tostring(unit) < 1100)
         local table = copy(unit.trail)
         table[1].x = 0
         assert(type(table) == 'table' and unit.trail[1].x == 3)",
    );
}
