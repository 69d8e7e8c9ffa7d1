//! The life of a save game: written safely, loaded, and loaded years later by other types.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;

use archive::{Archive, ErrorKind, Format, Options, Result, Serialize, json};

/// The output of an early version of the game.
const OLD: &str = r#"{"name":"Ann","class":"knight","hp":200,"gold":80.0,"mood":3,
    "gate":{"open":true},"portrait":{"image":"ann.png"}}"#;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Player {
    name: String,
    #[archive(alias = "class")] // renamed
    job: String,
    hp: u32,   // was an u8: nothing to do
    gold: u64, // was an f32: loads as long as it is whole
    #[archive(default = 1)] // added
    level: u32,
    gate: Gate,
    portrait: Portrait,
}

/// Since version 1 a gate can be half open. Older files store no version, which means 0.
#[derive(Clone, Debug, Default, PartialEq)]
struct Gate {
    open: f32,
}

impl Serialize for Gate {
    const VERSION: u32 = 1; // a derived type says #[archive(version = 1)]
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if ar.version() >= 1 {
            return ar.serialize("open", &mut self.open);
        }
        let mut open = false;
        ar.serialize("open", &mut open)?;
        self.open = f32::from(u8::from(open));
        Ok(())
    }
}

/// The name of the image is saved; its handle comes from the running game.
#[derive(Clone, Debug, Default, PartialEq)]
struct Portrait {
    image: String,
    handle: Option<usize>,
}

impl Serialize for Portrait {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("image", &mut self.image)?;
        if ar.is_loading() {
            let find = |images: &Images| images.0.iter().position(|i| *i == self.image);
            self.handle = ar.context::<Images>().and_then(find);
        }
        Ok(())
    }
}

archive::save_by_clone!(Gate);
archive::blank!(Gate);
archive::save_by_clone!(Portrait);
archive::blank!(Portrait);

struct Images(Vec<&'static str>);

fn save(path: &Path, player: &Player) -> Result<(), Box<dyn Error>> {
    let format = Format::from_path(path).unwrap_or(Format::Binary);
    // First all bytes, then a file next to the target, then the rename, which replaces the target
    // atomically: a value that cannot be saved, a full disk or a crash leaves the last save
    // unchanged.
    let bytes = format.to_vec(player)?;
    let temporary = path.with_added_extension("tmp");
    fs::write(&temporary, bytes)?;
    File::options().append(true).open(&temporary)?.sync_all()?; // the bytes before the rename
    Ok(fs::rename(&temporary, path)?)
}

fn load(path: &Path, options: &Options<'_>) -> Result<Player, Box<dyn Error>> {
    let bytes = fs::read(path)?;
    let format = Format::from_path(path).or_else(|_| Format::detect(&bytes))?;
    Ok(format.from_slice_with(&bytes, options)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let images = Images(vec!["bo.png", "ann.png"]);
    let options = Options::new().provide_ref(&images);

    let (player, report) = json::from_slice_report::<Player>(OLD.as_bytes(), &options)?;
    println!("The old file, as the report has it:\n{report}");
    assert_eq!((&*player.job, player.hp, player.gold, player.level), ("knight", 200, 80, 1));
    assert_eq!((player.gate.open, player.portrait.handle), (1.0, Some(1)));
    assert_eq!(report.absent().collect::<Vec<_>>(), ["level"]);
    assert_eq!(report.unknown().collect::<Vec<_>>(), ["mood"]);
    assert_eq!(report.converted().collect::<Vec<_>>(), ["gold"]);

    // To a file and back. The extension names no format: saved as binary, detected when loaded.
    for name in ["quick.json", "quick.bin", "slot 1.save"] {
        let path = std::env::temp_dir().join(format!("archive {} {name}", std::process::id()));
        save(&path, &player)?;
        assert_eq!(load(&path, &options)?, player);
        fs::remove_file(&path)?;
    }

    let error = json::from_str_with::<Player>(OLD, &options.clone().strict(true)).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownMember, "mood"));

    // A file that somebody edited: an error, or the values that can be loaded.
    let edited = r#"{"name":"Ann","hp":-5,"gold":70,"gate":{"$version":1,"open":"wide"}}"#;
    println!("One error:\n{}\n", json::from_str::<Player>(edited).unwrap_err());
    let keep_going = options.clone().keep_going(true); // only with a report, for the errors go there
    let (player, report) = json::from_slice_report::<Player>(edited.as_bytes(), &keep_going)?;
    assert_eq!((&*player.name, player.hp, player.gold), ("Ann", 0, 70));
    println!("All errors, and what was absent:\n{report}");
    assert!(report.errors().iter().map(|e| e.path()).eq(["hp", "gate.open"]));

    // Several values in one file, each with a name.
    let mut writer = json::Writer::new();
    writer.save("player", &player)?;
    writer.save("seconds played", &71_u64)?;
    let text = writer.finish()?;
    let mut reader = json::Reader::with(&text, &options)?;
    let mut seconds = 0_u64;
    reader.serialize("seconds played", &mut seconds)?; // `load` instead: an error if it is absent
    assert_eq!((reader.load::<Player>("player")?, seconds), (player, 71));
    reader.finish()?;
    Ok(())
}
