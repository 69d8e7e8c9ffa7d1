//! The type ids of commands and components in saved games.

use archive::Format;
use skirmish::component::{Component, Lookout};
use skirmish::{Command, options, registry};

#[test]
fn these_are_registered() {
    let commands: Vec<&str> = registry().ids_of::<dyn Command>().collect();
    let all = ["assault", "attack", "follow", "hold", "move", "patrol", "rally", "walk"];
    assert_eq!(commands, all);
    let components: Vec<&str> = registry().ids_of::<dyn Component>().collect();
    assert_eq!(components, ["eyes", "healer", "lookout", "nerves", "weapon"]);
}

/// The id that a new object has; old names are replaced by new ones.
fn current(id: &str) -> &str {
    match id {
        "walk" => "move",
        "eyes" => "lookout",
        _ => id,
    }
}

#[test]
fn objects_are_made_and_saved_by_id() {
    let saved = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    for id in registry().ids_of::<dyn Command>() {
        let command = registry().make::<dyn Command>(id, &options()).unwrap();
        assert_eq!(command.id(), current(id));
        let text = saved(Format::Json.to_vec_with(&command, &options()).unwrap());
        assert!(text.starts_with(&format!("{{\"$type\":\"{}\"", current(id))), "{text}");
    }
    for id in registry().ids_of::<dyn Component>() {
        let component = registry().make::<dyn Component>(id, &options()).unwrap();
        assert_eq!(component.id(), current(id));
        let text = saved(Format::Json.to_vec_with(&component, &options()).unwrap());
        assert!(text.starts_with(&format!("{{\"$type\":\"{}\"", current(id))), "{text}");
    }
    assert_eq!(<dyn Component>::id(&Lookout::default()), "lookout");
}

#[test]
fn an_id_of_another_trait_is_refused() {
    let error = registry().make::<dyn Component>("hold", &options()).err().unwrap().to_string();
    assert!(error.contains("hold") && error.contains("lookout"), "{error}");
}
