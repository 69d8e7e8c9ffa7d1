//! Components of Bevy.

use archive::{Format, Options};
use archive_bevy::{Save, SaveApp, SavePlugin, load, name, save};
use bevy_app::App;
use bevy_ecs::prelude::*;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins(SavePlugin).save_component_with("name", name::save, name::load);
    app
}

#[test]
fn names() {
    let mut first = app();
    first.world_mut().spawn((Save, Name::new("Ann")));
    let file = save(first.world_mut(), Format::Json, &Options::new()).unwrap();
    assert!(String::from_utf8_lossy(&file).contains(r#""name":{"1":"Ann"}"#));
    let mut second = app();
    let report = load(second.world_mut(), Format::Json, &file).unwrap();
    assert_eq!(second.world().get::<Name>(report.entities[0]).unwrap().as_str(), "Ann");
}

#[cfg(all(feature = "transform", feature = "color"))]
#[test]
fn transforms_and_colors() {
    use archive_bevy::transform;
    use bevy_color::{Color, Oklcha, Srgba};
    use bevy_math::{Quat, Vec2, Vec3};
    use bevy_transform::components::{GlobalTransform, Transform};

    #[derive(Component, archive::Serialize, Debug, Clone, PartialEq)]
    struct Paint {
        #[archive(with = archive_bevy::color, default = Color::WHITE)]
        color: Color,
        at: Vec2,
    }

    let make = || {
        let mut app = app();
        app.save_component_with("transform", transform::save, transform::load);
        app.save_component::<Paint>("paint");
        app
    };
    let colors =
        [Color::Srgba(Srgba::new(0.1, 0.2, 0.3, 0.4)), Oklcha::new(0.5, 0.1, 200.0, 1.0).into()];
    for (color, format) in colors
        .into_iter()
        .zip([Format::Json, Format::Binary, Format::MessagePack].into_iter().cycle())
    {
        let mut first = make();
        let placed = Transform {
            translation: Vec3::new(1.0, -2.5, 3.0),
            rotation: Quat::from_rotation_y(0.3),
            scale: Vec3::splat(2.0),
        };
        let paint = Paint { color, at: Vec2::new(0.5, 7.0) };
        first.world_mut().spawn((Save, placed, paint.clone()));
        let file = save(first.world_mut(), format, &Options::new()).unwrap();
        let mut second = make();
        let report = load(second.world_mut(), format, &file).unwrap();
        let it = second.world().entity(report.entities[0]);
        assert_eq!(it.get::<Transform>(), Some(&placed));
        assert_eq!(it.get::<Paint>(), Some(&paint));
        assert!(it.contains::<GlobalTransform>());
        assert_eq!(save(second.world_mut(), format, &Options::new()).unwrap(), file);
    }
}

#[cfg(feature = "visibility")]
#[test]
fn visibilities() {
    use archive_bevy::visibility;
    use bevy_camera::visibility::Visibility;

    let make = || {
        let mut app = app();
        app.save_component_with("visibility", visibility::save, visibility::load);
        app
    };
    for shown in [Visibility::Inherited, Visibility::Hidden, Visibility::Visible] {
        let mut first = make();
        first.world_mut().spawn((Save, shown));
        let file = save(first.world_mut(), Format::Json, &Options::new()).unwrap();
        let mut second = make();
        let report = load(second.world_mut(), Format::Json, &file).unwrap();
        assert_eq!(second.world().get::<Visibility>(report.entities[0]), Some(&shown));
    }
}

#[cfg(feature = "asset")]
#[test]
fn handles_by_path() {
    use archive::Serialize;
    use bevy_asset::{Asset, AssetApp, AssetPlugin, AssetServer, Assets, Handle};

    #[derive(Asset, bevy_reflect::TypePath)]
    struct Picture;

    #[derive(Component, Serialize)]
    struct Sprite {
        #[archive(with = archive_bevy::asset, default = Handle::default())]
        image: Handle<Picture>,
        #[archive(with = archive_bevy::asset)]
        shadow: Option<Handle<Picture>>,
    }

    let make = || {
        let mut app = app();
        app.add_plugins((bevy_app::TaskPoolPlugin::default(), AssetPlugin::default()));
        app.init_asset::<Picture>().save_component::<Sprite>("sprite");
        app
    };
    let mut first = make();
    let image = first.world().resource::<AssetServer>().load("units/orc.png#Small");
    let entity = first.world_mut().spawn((Save, Sprite { image, shadow: None })).id();
    let file = save(first.world_mut(), Format::Json, &Options::new()).unwrap();
    assert!(String::from_utf8_lossy(&file).contains(r##""image":"units/orc.png#Small""##));
    let mut second = make();
    let report = load(second.world_mut(), Format::Json, &file).unwrap();
    let world = second.world();
    let sprite = world.get::<Sprite>(report.entities[0]).unwrap();
    let path = world.resource::<AssetServer>().get_path(sprite.image.id()).unwrap();
    assert_eq!(path.to_string(), "units/orc.png#Small");

    let made = first.world_mut().resource_mut::<Assets<Picture>>().add(Picture);
    first.world_mut().get_mut::<Sprite>(entity).unwrap().shadow = Some(made);
    let error = save(first.world_mut(), Format::Json, &Options::new()).unwrap_err().to_string();
    assert!(
        error.starts_with("components.sprite.1.shadow: a handle to an asset without"),
        "{error}"
    );
}
