//! The type ids that commands and components say are those they are registered with.

use archive::{Format, Options, Save, Serialize};
use skirmish::command::{Assault, Attack, Command, Follow, Hold, MoveTo, Patrol, Rally};
use skirmish::component::{Component, Healer, Lookout, Nerves, Weapon};

#[derive(Serialize)]
struct Commands(Vec<Box<dyn Command>>);

#[derive(Serialize)]
struct Components(Vec<Box<dyn Component>>);

/// The ids that stand in a file, in order.
fn saved(objects: &impl Save, options: &Options<'_>) -> Vec<String> {
    let bytes = Format::Json.to_vec_with(objects, options).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let ids = text.split("\"$type\":\"").skip(1);
    ids.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn as_registered() {
    let options = skirmish::options().unwrap();
    let commands = Commands(vec![
        Box::new(MoveTo::default()),
        Box::new(Hold::default()),
        Box::new(Follow::default()),
        Box::new(Attack::default()),
        Box::new(Patrol::default()),
        Box::new(Rally::default()),
        Box::new(Assault::default()),
    ]);
    assert!(saved(&commands, &options).iter().eq(commands.0.iter().map(|command| command.id())));
    let components = Components(vec![
        Box::new(Weapon::default()),
        Box::new(Lookout::default()),
        Box::new(Healer::default()),
        Box::new(Nerves::default()),
    ]);
    assert!(saved(&components, &options).iter().eq(components.0.iter().map(|part| part.id())));
    // All that are registered, and two old names.
    let there = commands.0.len() + components.0.len();
    assert_eq!(skirmish::registry().unwrap().ids().count(), there + 2);
}
