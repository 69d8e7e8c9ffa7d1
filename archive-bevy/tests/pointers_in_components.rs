//! Shared pointers and trait objects in components.

use std::sync::{Arc, Mutex};

use archive::{Format, Options, Registry, Serialize};
use archive_bevy::{Load, Save, SaveApp, SavePlugin, load_with, save};
use bevy_app::App;
use bevy_ecs::prelude::*;

trait Command: archive::Polymorphic + Send + Sync {
    fn name(&self) -> String;
}
archive::polymorphic!(dyn Command);

#[derive(Default, Serialize)]
struct Follow {
    distance: u32,
}

impl Command for Follow {
    fn name(&self) -> String {
        format!("follow at {}", self.distance)
    }
}

#[derive(Component, Serialize, Default)]
struct Orders {
    list: Vec<Box<dyn Command>>,
    shared: Arc<Mutex<u32>>,
}

#[derive(Component, Serialize, Default)]
struct Purse(Arc<Mutex<u32>>);

fn app() -> App {
    let mut app = App::new();
    app.add_plugins(SavePlugin).save_component::<Orders>("orders").save_component::<Purse>("purse");
    app
}

#[test]
fn identity_between_components() {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Command { Follow as "follow" }).unwrap();
    let options = Options::new().registry(&registry);
    for format in [Format::Json, Format::Binary, Format::MessagePack] {
        let mut first = app();
        let world = first.world_mut();
        let gold = Arc::new(Mutex::new(7));
        let list: Vec<Box<dyn Command>> = vec![Box::new(Follow { distance: 3 })];
        world.spawn((Save, Orders { list, shared: gold.clone() }));
        world.spawn((Save, Purse(gold)));
        let file = save(world, format, &options).unwrap();

        let mut second = app();
        let world = second.world_mut();
        let report = load_with(world, &Load::replace(), format, &file, &options).unwrap();
        let orders = world.get::<Orders>(report.entities[0]).unwrap();
        let purse = world.get::<Purse>(report.entities[1]).unwrap();
        assert_eq!(orders.list[0].name(), "follow at 3");
        assert!(Arc::ptr_eq(&orders.shared, &purse.0));
        assert_eq!(*purse.0.lock().unwrap(), 7);

        // A type that is not registered is an error, and changes nothing.
        let error = load_with(world, &Load::replace(), format, &file, &Options::new()).unwrap_err();
        assert!(error.path().starts_with("components.orders"), "{error}");
        assert!(world.get_entity(report.entities[0]).is_ok());
    }
}
