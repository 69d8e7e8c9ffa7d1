//! Events, slots, autosaves and saves in the background.

use std::time::Duration;

use archive::save::Saves;
use archive_bevy::{
    LoadFailed, LoadGame, Loaded, LoadingGame, Save, SaveApp as _, SaveFailed, SaveGame, Saved,
    Slots,
};
use bevy_app::App;
use bevy_ecs::prelude::*;

use crate::common::{Health, app as plain};

#[derive(Resource, Default)]
struct Log(Vec<String>);

impl Log {
    fn take(app: &mut App) -> Vec<String> {
        std::mem::take(&mut app.world_mut().resource_mut::<Log>().0)
    }
}

fn app(folder: &tempfile::TempDir) -> App {
    let mut app = plain();
    let saves = Saves::in_folder(folder.path()).unwrap().autosaves(2).backups(1);
    app.init_resource::<Log>().insert_resource(Slots::new(saves));
    app.add_observer(|it: On<'_, '_, Saved>, mut log: ResMut<'_, Log>| {
        log.0.push(format!("saved {} as {}", it.report.entities, it.meta.as_ref().unwrap().title));
    });
    app.add_observer(|it: On<'_, '_, SaveFailed>, mut log: ResMut<'_, Log>| {
        log.0.push(format!("not saved: {}", it.error));
    });
    app.add_observer(|it: On<'_, '_, Loaded>, mut log: ResMut<'_, Log>| {
        let meta = it.meta.as_ref().unwrap();
        log.0.push(format!("loaded {} of {}", it.report.entities.len(), meta.title));
    });
    app.add_observer(|it: On<'_, '_, LoadFailed>, mut log: ResMut<'_, Log>| {
        log.0.push(format!("not loaded: {}", it.error));
    });
    app
}

/// Triggers an event, whose observers have commands.
fn trigger<'a>(app: &mut App, event: impl Event<Trigger<'a>: Default>) {
    app.world_mut().trigger(event);
    app.world_mut().flush();
}

#[test]
fn slots_autosaves_and_thumbnails() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(&folder);
    trigger(&mut app, LoadGame::newest());
    assert_eq!(Log::take(&mut app), ["not loaded: there is no save to load"]);
    trigger(&mut app, SaveGame::slot("quick"));
    assert!(Log::take(&mut app)[0].starts_with("not saved: nothing to save"));

    app.world_mut().spawn((Save, Health { hp: 1 }));
    let quick = SaveGame::slot("quick").title("Quick").thumbnail([1, 2, 3]);
    trigger(&mut app, quick.play_time(Duration::from_secs(9)));
    app.world_mut().spawn((Save, Health { hp: 2 }));
    trigger(&mut app, SaveGame::autosave().title("Auto"));
    assert_eq!(Log::take(&mut app), ["saved 1 as Quick", "saved 2 as Auto"]);
    let list = app.world().resource::<Slots>().saves().list().unwrap();
    assert_eq!(list.len(), 2);
    let quick = list.iter().find(|it| it.name() == "quick").unwrap().meta();
    assert_eq!((&quick.thumbnail[..], quick.play_time), (&[1, 2, 3][..], Duration::from_secs(9)));

    trigger(&mut app, LoadGame::slot("quick"));
    trigger(&mut app, LoadGame::newest());
    assert_eq!(Log::take(&mut app), ["loaded 1 of Quick", "loaded 2 of Auto"]);
    trigger(&mut app, LoadGame::slot("none"));
    assert!(Log::take(&mut app)[0].starts_with("not loaded: "));
}

#[test]
fn commands_and_the_background() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(&folder);
    app.world_mut().spawn((Save, Health { hp: 1 }));
    app.add_systems(bevy_app::Startup, |mut commands: Commands<'_, '_>| {
        commands.trigger(SaveGame::slot("quick").title("Quick").in_background());
    });
    let mut log = Vec::new();
    while log.is_empty() {
        app.update();
        log = Log::take(&mut app);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(log, ["saved 1 as Quick"]);
    app.world_mut().commands().trigger(LoadGame::slot("quick"));
    app.update();
    assert_eq!(Log::take(&mut app), ["loaded 1 of Quick"]);
}

#[test]
fn loads_in_the_background() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(&folder);
    // A file in the folder would be a slot.
    let other = tempfile::tempdir().unwrap();
    let path = other.path().join("one.sav");
    let wait = |app: &mut App| {
        loop {
            app.update();
            let log = Log::take(app);
            if !log.is_empty() {
                return log;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let entity = app.world_mut().spawn((Save, Health { hp: 1 })).id();
    trigger(&mut app, SaveGame::slot("quick").title("Quick"));
    trigger(&mut app, SaveGame::file(&path).title("File"));
    app.world_mut().get_mut::<Health>(entity).unwrap().hp = 2;
    Log::take(&mut app);

    for (game, title) in [
        (LoadGame::slot("quick"), "Quick"),
        (LoadGame::newest(), "Quick"),
        (LoadGame::file(&path), "File"),
    ] {
        trigger(&mut app, game.in_background());
        // The world stays as it is until the schedule `Last`.
        assert!(app.world().resource::<LoadingGame>().progress().fraction() <= 1.0);
        assert!(Log::take(&mut app).is_empty());
        assert_eq!(wait(&mut app), [format!("loaded 1 of {title}")]);
        assert!(!app.world().contains_resource::<LoadingGame>());
    }
    let world = app.world_mut();
    assert_eq!(world.query::<&Health>().single(world).unwrap(), &Health { hp: 1 });

    trigger(&mut app, LoadGame::slot("none").in_background());
    assert!(wait(&mut app)[0].starts_with("not loaded: there is no save"));
    // A later load cancels the first, and so does removing the resource.
    trigger(&mut app, LoadGame::slot("quick").in_background());
    trigger(&mut app, LoadGame::file(&path));
    assert_eq!(Log::take(&mut app), ["loaded 1 of File"]);
    trigger(&mut app, LoadGame::slot("quick").in_background());
    app.world_mut().remove_resource::<LoadingGame>();
    for _ in 0..20 {
        app.update();
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(Log::take(&mut app).is_empty());
}

/// The errors of the components come with the file and the path, and the world is as it was.
#[test]
fn a_wrong_save_in_the_background() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(&folder);
    app.world_mut().spawn((Save, Health { hp: 1 }));
    let path = folder.path().join("world.json");
    std::fs::write(&path, r#"{"entities":[1],"components":{"health":{"1":{"hp":-1}}}}"#).unwrap();
    let mut errors = Vec::new();
    for game in [LoadGame::file(&path), LoadGame::file(&path).in_background()] {
        trigger(&mut app, game);
        let mut log = Log::take(&mut app);
        while log.is_empty() {
            app.update();
            log = Log::take(&mut app);
        }
        errors.extend(log);
    }
    assert!(errors[0].contains("components.health.1.hp: -1 does not fit u16"), "{errors:?}");
    assert!(errors[0].contains("world.json"), "{errors:?}");
    assert_eq!(errors[0], errors[1]);
    let world = app.world_mut();
    assert_eq!(world.query::<&Health>().single(world).unwrap(), &Health { hp: 1 });
}

/// What a newer version of the program saved is not replaced, however it was tried to load.
#[test]
fn a_newer_save_is_not_replaced() {
    #[derive(bevy_ecs::component::Component, archive::Serialize)]
    #[archive(version = 2)]
    struct Newer {
        hp: u16,
    }

    for is_in_background in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let mut newer = App::new();
        newer.add_plugins(archive_bevy::SavePlugin).save_component::<Newer>("health");
        newer.insert_resource(Slots::in_folder(folder.path()).unwrap());
        newer.world_mut().spawn((Save, Newer { hp: 1 }));
        trigger(&mut newer, SaveGame::slot("quick"));

        let mut app = app(&folder);
        app.world_mut().spawn((Save, Health { hp: 1 }));
        let game = LoadGame::slot("quick");
        trigger(&mut app, if is_in_background { game.in_background() } else { game });
        let mut log = Log::take(&mut app);
        while log.is_empty() {
            app.update();
            log = Log::take(&mut app);
        }
        assert!(log[0].contains("version 2 of `Health` is newer"), "{log:?}");
        trigger(&mut app, SaveGame::slot("quick"));
        let log = Log::take(&mut app);
        assert!(log[0].starts_with("not saved: "), "{is_in_background}: {log:?}");
    }
}

#[test]
fn a_damaged_save_falls_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(&folder);
    let entity = app.world_mut().spawn((Save, Health { hp: 1 })).id();
    trigger(&mut app, SaveGame::slot("quick").title("First"));
    app.world_mut().entity_mut(entity).insert(Health { hp: 2 });
    trigger(&mut app, SaveGame::slot("quick").title("Second"));
    let path = app.world().resource::<Slots>().saves().slot("quick").unwrap().path().to_owned();
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() / 2;
    bytes[last] ^= 0x55;
    std::fs::write(&path, bytes).unwrap();
    Log::take(&mut app);
    trigger(&mut app, LoadGame::slot("quick"));
    assert_eq!(Log::take(&mut app), ["loaded 1 of First"]);
    let world = app.world_mut();
    assert_eq!(world.query::<&Health>().single(world).unwrap(), &Health { hp: 1 });
}

#[test]
fn files_without_slots() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(&folder);
    app.world_mut().spawn((Save, Health { hp: 1 }));
    let path = folder.path().join("one.sav");
    trigger(&mut app, SaveGame::file(&path).title("File").format(archive::Format::Json));
    trigger(&mut app, LoadGame::file(&path));
    assert_eq!(Log::take(&mut app), ["saved 1 as File", "loaded 1 of File"]);
}
