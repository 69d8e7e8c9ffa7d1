//! Files that were written once and must always load. `UPDATE_GOLDEN=1` writes those that are
//! missing.

use std::path::Path;

use archive::{Format, Options};
use archive_bevy::{Save, load, save};
use bevy_ecs::prelude::*;

use crate::common::*;

fn fill(world: &mut World) {
    world.insert_resource(Turn { number: 7 });
    let ann =
        world.spawn((Save, Health { hp: 3 }, Unit { name: "Ann".into(), job: Job::Idle })).id();
    let bob = world.spawn((Save, Player, Target { who: ann }, Likes(ann))).id();
    let job = Job::Attack { damage: 5 };
    let cat = world.spawn((Save, Unit { name: "Cat".into(), job }, ChildOf(bob), Likes(ann))).id();
    let squad = Squad { members: vec![cat, ann], leader: Some(bob) };
    world.spawn((Save, squad, ChildOf(bob)));
    world.spawn(Save);
}

#[test]
fn layouts_do_not_change() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v1");
    for (name, format) in [
        ("world.json", Format::Json),
        ("world.bin", Format::Binary),
        ("world.msgpack", Format::MessagePack),
    ] {
        let mut first = app();
        let world = first.world_mut();
        fill(world);
        let options = Options::new().pretty(format == Format::Json);
        let bytes = save(world, format, &options).unwrap();
        let path = folder.join(name);
        if std::env::var_os("UPDATE_GOLDEN").is_some() && !path.exists() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &bytes).unwrap();
        }
        let golden = std::fs::read(&path).unwrap();
        let mut second = app();
        let report = load(second.world_mut(), format, &golden).unwrap();
        assert!(report.is_clean(), "{name}: {report}");
        assert_eq!(describe(second.world_mut()), describe(first.world_mut()), "{name}");
        assert!(golden == bytes, "{name} is saved otherwise now");
    }
}
