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

#[cfg(feature = "math")]
#[test]
fn types_of_bevy_math() {
    use bevy_math::{
        Dir2, Dir3, Dir3A, Dir4, IRect, Isometry2d, Isometry3d, Mat4, Quat, Rect, Rot2, URect,
        Vec2, Vec3, Vec3A, Vec4,
    };

    #[derive(Component, archive::Serialize, Debug, Clone, PartialEq)]
    struct All {
        matrix: Mat4,
        #[archive(with = archive_bevy::math, default = Dir2::X)]
        two: Dir2,
        #[archive(with = archive_bevy::math)]
        three: Vec<Dir3>,
        #[archive(with = archive_bevy::math, default = Dir3A::X)]
        aligned: Dir3A,
        #[archive(with = archive_bevy::math, default = Dir4::X)]
        four: Dir4,
        #[archive(with = archive_bevy::math, default = Rot2::IDENTITY)]
        turn: Rot2,
        #[archive(with = archive_bevy::math, default = Rect::EMPTY)]
        area: Rect,
        #[archive(with = archive_bevy::math)]
        cells: Option<IRect>,
        #[archive(with = archive_bevy::math, default = URect::EMPTY)]
        pixels: URect,
        #[archive(with = archive_bevy::math, default = Isometry2d::IDENTITY)]
        flat: Isometry2d,
        #[archive(with = archive_bevy::math, default = Isometry3d::IDENTITY)]
        solid: Isometry3d,
    }

    let make = || {
        let mut app = app();
        app.save_component::<All>("all");
        app
    };
    let direction = |seed: f32| Dir3::new(Vec3::new(seed, 1.0 - seed, seed * 7.0 + 0.1)).unwrap();
    let all = All {
        matrix: Mat4::from_rotation_x(0.3),
        two: Dir2::from_xy(0.3, 0.7).unwrap(),
        three: (0..50).map(|it| direction(it as f32 * 0.37)).collect(),
        aligned: Dir3A::new(Vec3A::new(1.0, 2.0, 3.0)).unwrap(),
        four: Dir4::new(Vec4::new(1.0, 2.0, 3.0, 4.0)).unwrap(),
        turn: Rot2::degrees(77.0),
        area: Rect::new(0.5, -1.0, 2.0, 3.0),
        cells: Some(IRect::new(-1, -2, 3, 4)),
        pixels: URect::new(1, 2, 3, 4),
        flat: Isometry2d::new(Vec2::new(1.0, 2.0), Rot2::degrees(10.0)),
        solid: Isometry3d::new(Vec3::new(1.0, 2.0, 3.0), Quat::from_rotation_z(0.2)),
    };
    for format in [Format::Json, Format::Binary, Format::MessagePack] {
        let mut first = make();
        first.world_mut().spawn((Save, all.clone()));
        let file = save(first.world_mut(), format, &Options::new()).unwrap();
        let mut second = make();
        let report = load(second.world_mut(), format, &file).unwrap();
        assert_eq!(second.world().get::<All>(report.entities[0]), Some(&all), "{format}");
    }
    // What a person writes is normalized, and what no direction can be is an error.
    let mut app = make();
    let mut load = |all: &str| {
        let file = format!(r#"{{"entities":[1],"components":{{"all":{{"1":{{{all}}}}}}}}}"#);
        let report = load(app.world_mut(), Format::Json, file.as_bytes());
        report.map(|it| app.world().get::<All>(it.entities[0]).unwrap().clone())
    };
    let loaded = load(r#""two":[0,2],"turn":{"cos":0,"sin":3}"#).unwrap();
    assert_eq!((loaded.two, loaded.turn), (Dir2::Y, Rot2 { cos: 0.0, sin: 1.0 }));
    for (all, expected) in [
        (r#""two":[0,0]"#, "components.all.1.two: [0.0, 0.0] is not a direction"),
        (r#""three":[["NaN",0,0]]"#, "components.all.1.three: [NaN, 0.0, 0.0] is not a direction"),
        (r#""turn":{"cos":0}"#, "components.all.1.turn: cos 0 and sin 0 is not a rotation"),
        (r#""flat":{"rotation":{"cos":0}}"#, "components.all.1.flat.rotation: cos 0 and sin 0"),
    ] {
        let error = load(all).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
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
