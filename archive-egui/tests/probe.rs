use super::common::*;
#[test]
fn probe() {
    use archive::Serialize;
    #[derive(Default, Debug, PartialEq, Serialize)]
    #[archive(tag = "kind")]
    enum Tagged {
        #[default]
        Off,
        On {
            level: u8,
        },
    }
    let mut shown = show((1u8, Tagged::On { level: 3 }));
    press(&mut shown, "Open [1]");
    println!("{:?}", names_of(&shown).len());
    let rows = archive::reflect::children(
        &shown.state().value,
        &archive::path::Path::parse("[1]").unwrap(),
        &archive::Options::new(),
    )
    .unwrap();
    for row in rows {
        println!("{} {} {:?} {:?}", row.path, row.value, row.meta, row.is_shown);
    }
    let pairs: std::collections::BTreeMap<(u8, u8), u8> = [((1, 2), 3)].into();
    let mut shown = show((pairs, 2u8));
    press(&mut shown, "Open [0]");
    println!("{:?}", names_of(&shown).len());
    println!(
        "{:?}",
        archive::reflect::peek(
            &shown.state().value,
            &archive::path::Path::parse("[0][0]").unwrap(),
            &archive::Options::new()
        )
    );
    println!(
        "{:?}",
        archive::reflect::get(
            &shown.state().value,
            &archive::path::Path::parse("[0][0]").unwrap(),
            &archive::Options::new()
        )
    );
    let mut shown = show((0..1000_u32).collect::<Vec<_>>());
    press(&mut shown, "Add to all");
    println!("{:?}", names_of(&shown).len());
}
#[test]
fn probe2() {
    use archive::Serialize;
    #[derive(Default, Serialize)]
    enum Mode {
        #[default]
        Safe,
        Burst {
            long: bool,
            #[archive(show_if = Mode::is_long)]
            pause: u8,
        },
    }
    impl Mode {
        fn is_long(&self) -> bool {
            matches!(self, Mode::Burst { long: true, .. })
        }
    }
    let mut shown = show((Mode::Safe, Mode::Burst { long: false, pause: 3 }));
    press(&mut shown, "Open [1]");
    println!("{:?}", names_of(&shown).len());
}
