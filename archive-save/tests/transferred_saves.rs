//! Whole files as bytes: `read_bytes`, `save_bytes` and `resolve`.

use std::path::Path;

use archive::save::testing::PowerCuts;
use archive::save::{Compression, FileSystem, Relation, SaveFile, Saves, relation};
use archive::{ErrorKind, Format, Result};

fn bytes(file: &SaveFile) -> Vec<u8> {
    file.read_bytes().unwrap().unwrap().1
}

/// Two files that come from one save: the first one is ahead.
fn ahead(system: impl FileSystem + Clone + 'static) -> (SaveFile, SaveFile) {
    let file = |path| SaveFile::over(system.clone(), path).backups(2);
    let (here, there) = (file("here/a.sav"), file("there/a.sav"));
    for folder in ["here", "there"] {
        system.create_folder(Path::new(folder)).unwrap();
    }
    here.save(&1, Format::Binary).unwrap();
    there.save_bytes(&bytes(&here)).unwrap();
    here.save(&2, Format::Binary).unwrap();
    (here, there)
}

#[test]
fn bytes_replace_a_file_and_keep_their_lineage() -> Result {
    let system = PowerCuts::new();
    let (here, there) = ahead(system.clone());
    let meta = there.save_bytes(&bytes(&here))?;
    assert_eq!((meta.clone(), bytes(&there)), (here.meta()?, bytes(&here)));
    assert_eq!(there.save_bytes(&bytes(&here))?, meta);
    assert_eq!(there.load::<i32>()?.value, 2);
    // The old file is a backup.
    let backup = SaveFile::over(system, "there/a.sav.1");
    assert_eq!(backup.load::<i32>()?.value, 1);
    Ok(())
}

#[test]
fn progress_is_not_replaced() -> Result {
    let (here, there) = ahead(PowerCuts::new());
    let old = bytes(&there);
    assert_eq!(here.save_bytes(&old).unwrap_err().kind(), ErrorKind::Conflict);
    there.load::<i32>()?;
    there.save(&3, Format::Binary)?;
    let error = there.save_bytes(&bytes(&here)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert_eq!(
        error.message(),
        "there/a.sav has progress that the save which would replace it lacks: only the player can say which to keep"
    );
    // Not even if the file is missing, and the progress is in a backup.
    let (here, there) = ahead(PowerCuts::new());
    there.load::<i32>()?;
    there.save(&3, Format::Binary)?;
    there.save(&4, Format::Binary)?;
    assert_eq!(there.save_bytes(&bytes(&here)).unwrap_err().kind(), ErrorKind::Conflict);
    assert_eq!((here.load::<i32>()?.value, there.load::<i32>()?.value), (2, 4));
    Ok(())
}

#[test]
fn a_resolved_save_continues_both() -> Result {
    let (here, there) = ahead(PowerCuts::new());
    there.load::<i32>()?;
    there.clone().title("mine").save(&3, Format::Binary)?;
    let (mine, theirs) = (there.meta()?, here.meta()?);
    assert_eq!(relation(&mine.lineage, &theirs.lineage), Relation::Diverged);
    let resolved = there.clone().device("laptop").resolve(&bytes(&there), &theirs.lineage)?;
    let meta = SaveFile::verify_bytes(&resolved)?;
    assert_eq!((&*meta.title, meta.lineage.device()), ("mine", "laptop"));
    for side in [&mine, &theirs] {
        assert_eq!(relation(&meta.lineage, &side.lineage), Relation::Ahead);
    }
    here.save_bytes(&resolved)?;
    there.save_bytes(&resolved)?;
    assert_eq!((here.load::<i32>()?.value, there.load::<i32>()?.value), (3, 3));
    Ok(())
}

/// A game that has the kept save in memory continues the resolved one without a load. Another game does not.
#[test]
fn the_game_continues_what_was_kept() -> Result {
    let (here, there) = ahead(PowerCuts::new());
    there.save(&3, Format::Binary)?; // without a load: it continues the save in the file
    let theirs = here.meta()?.lineage;
    let resolved = there.resolve(&bytes(&there), &theirs)?;
    there.save_bytes(&resolved)?;
    let next = there.save(&4, Format::Binary)?;
    assert_eq!(relation(&next.lineage, &theirs), Relation::Ahead);
    // `here` was not loaded after its file was replaced.
    here.save_bytes(&resolved)?;
    let next = here.save(&5, Format::Binary)?;
    let resolved = SaveFile::peek_bytes(&resolved)?.lineage;
    assert_eq!(relation(&next.lineage, &resolved), Relation::Diverged);
    Ok(())
}

#[test]
fn the_newest_good_save_is_read() -> Result {
    let system = PowerCuts::new();
    let file = SaveFile::over(system.clone(), "a.sav").backups(2);
    assert!(file.read_bytes()?.is_none());
    file.save(&1, Format::Binary)?;
    let first = bytes(&file);
    file.save(&2, Format::Binary)?;
    let second = bytes(&file);
    let damage = |path: &str, bytes: &[u8]| system.put(path, &bytes[..bytes.len() - 1]);
    damage("a.sav", &second);
    assert_eq!(bytes(&file), first);
    // The damaged file is kept under another name.
    file.save_bytes(&second)?;
    assert_eq!(bytes(&file), second);
    assert!(system.exists(Path::new("a.sav.damaged")).unwrap());
    // So is one whose body alone is damaged, even if it had progress.
    file.save(&3, Format::Binary)?;
    let mut third = bytes(&file);
    let body = third.len() - 44;
    third[body] ^= 1;
    system.put("a.sav", third);
    assert_eq!(bytes(&file), second);
    file.save_bytes(&second)?;
    assert_eq!(bytes(&file), second);
    assert!(system.exists(Path::new("a.sav.damaged-2")).unwrap());
    for path in ["a.sav", "a.sav.1", "a.sav.2"] {
        damage(path, &second);
    }
    assert_eq!(file.read_bytes().unwrap_err().kind(), ErrorKind::Syntax);
    Ok(())
}

#[test]
fn what_is_refused() -> Result {
    let system = PowerCuts::new();
    let file = SaveFile::over(system.clone(), "a.sav");
    let plain = SaveFile::over(system.clone(), "a.json");
    for error in [plain.read_bytes().unwrap_err(), plain.save_bytes(&[]).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert_eq!(error.message(), "a.json is plain text, which has no lineage");
    }
    let newer = SaveFile::new("b").game("skirmish").game_version(2).to_bytes(&1, Format::Binary)?;
    let error = file.clone().game("skirmish").game_version(1).save_bytes(&newer).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NewerVersion);
    assert_eq!(
        error.message(),
        "the save for a.sav was saved by version 2 of the game, and this is version 1"
    );
    let chess = file.clone().game("chess");
    assert_eq!(chess.save_bytes(&newer).unwrap_err().kind(), ErrorKind::WrongType);
    for at in 0..newer.len() {
        let mut changed = newer.clone();
        changed[at] ^= 1;
        assert!(file.save_bytes(&changed).is_err() && SaveFile::verify_bytes(&changed).is_err());
        assert!(file.save_bytes(&newer[..at]).is_err());
    }
    assert!(file.read_bytes()?.is_none());
    Ok(())
}

/// The power is cut at each call: afterwards the file has the old save or the new one.
#[test]
fn power_cuts_leave_one_of_two_saves() {
    for call in 0..40 {
        let system = PowerCuts::new();
        let (here, there) = ahead(system.clone());
        let new = bytes(&here);
        system.settle();
        system.take_calls();
        system.cut_at(call);
        let done = there.save_bytes(&new);
        system.lose_power(call);
        let value = there.load::<i32>().unwrap().value;
        assert!(if done.is_ok() { value == 2 } else { [1, 2].contains(&value) }, "call {call}");
    }
}

#[test]
fn a_slot_has_a_file() -> Result {
    let saves = Saves::over(PowerCuts::new(), "saves")?.device("laptop");
    let slot = saves.slot("campaign")?;
    slot.save_in_background(&1, Format::Binary)?;
    let file = slot.save_file();
    assert_eq!(file.load::<i32>()?.value, 1);
    assert_eq!((file.path(), file.meta()?.lineage.device()), (slot.path(), "laptop"));
    Ok(())
}

/// The frames of the body are copied, as they are, into the file of a resolved save.
#[test]
fn a_resolved_save_has_the_frames_of_the_kept_one() -> Result {
    let (here, there) = ahead(PowerCuts::new());
    let text = "a long text ".repeat(50_000);
    there.save(&text, Format::Json)?;
    let (kept, other) = (bytes(&there), here.meta()?.lineage);
    let resolved = there.compression(Compression::None).resolve(&kept, &other)?;
    assert!(resolved.len() < kept.len() + 100, "{} of {} bytes", resolved.len(), kept.len());
    SaveFile::verify_bytes(&resolved)?;
    assert!(here.from_bytes::<String>(&resolved)?.value == text);
    Ok(())
}

/// A save that was replaced by that of another device is kept, even if the number of backups is 0.
#[test]
fn a_replaced_save_is_kept_without_backups() -> Result {
    let system = PowerCuts::new();
    let (here, there) = ahead(system.clone());
    let there = there.backups(0);
    there.save_bytes(&bytes(&here))?;
    assert_eq!(SaveFile::over(system.clone(), "there/a.sav.1").load::<i32>()?.value, 1);
    // Only the last one is kept.
    here.save(&3, Format::Binary)?;
    there.save_bytes(&bytes(&here))?;
    assert_eq!(SaveFile::over(system.clone(), "there/a.sav.1").load::<i32>()?.value, 2);
    assert!(!system.exists(Path::new("there/a.sav.2")).unwrap());
    Ok(())
}
