//! [`Meta`]: the metadata of a save.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use archive_core::{Archive, Element, Error, ErrorKind, Result, Serialize, Source};

use crate::container::Sections;
use crate::fault::damaged;
use crate::lineage::{self, Lineage};

/// The metadata of a save, which can be read without loading it: for menus.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Meta {
    /// The name of the game.
    pub game: String,
    /// The version of the game that saved.
    pub game_version: u32,
    /// The name of the format of the body, such as `binary`.
    pub format: String,
    /// The signature of the types of the body.
    pub signature: u64,
    /// The time at which the game requested the save, by the clock of the device. A save in the
    /// background may have been written later.
    pub created: SystemTime,
    /// How long the game was played.
    pub play_time: Duration,
    /// The title that the player sees.
    pub title: String,
    /// A picture, in a format of the game's choice. Empty if there is none.
    pub thumbnail: Vec<u8>,
    /// The saves from which this one comes.
    pub lineage: Lineage,
    /// The number of an [autosave](crate::Saves::autosave), if it is one.
    pub autosave: Option<u64>,
    /// The metadata that the game added, as JSON. Empty if it added none.
    user: String,
}

impl Default for Meta {
    fn default() -> Self {
        Meta {
            game: String::new(),
            game_version: 0,
            format: String::new(),
            signature: 0,
            created: UNIX_EPOCH,
            play_time: Duration::ZERO,
            title: String::new(),
            thumbnail: Vec::new(),
            lineage: Lineage::default(),
            autosave: None,
            user: String::new(),
        }
    }
}

impl Meta {
    /// Loads the metadata that the game added with
    /// [`SaveFile::metadata`](crate::SaveFile::metadata).
    ///
    /// # Errors
    /// [`ErrorKind::MissingMember`] if it added none, and errors of the value.
    pub fn metadata<T: Element>(&self) -> Result<T> {
        if self.user.is_empty() {
            let message = "the save has no metadata of the game";
            return Err(Error::new(ErrorKind::MissingMember, message));
        }
        archive_json::from_str(&self.user)
    }

    /// Returns whether the game added metadata.
    pub fn has_metadata(&self) -> bool {
        !self.user.is_empty()
    }

    /// Replaces the metadata that the game added.
    pub(crate) fn set_metadata(&mut self, value: impl Source) -> Result {
        self.user = archive_json::to_string(value)?;
        Ok(())
    }

    /// Rounds the times to milliseconds, as files store them.
    pub(crate) fn round(&mut self) {
        self.created = time(since_1970(self.created));
        self.play_time = Duration::from_millis(milliseconds(self.play_time));
    }

    /// Returns the head of a file, and the seed of the checksums after it.
    pub(crate) fn to_head(&self) -> Result<(Vec<u8>, u64)> {
        let record = archive_json::to_string(&Record {
            game: self.game.clone(),
            game_version: self.game_version,
            format: self.format.clone(),
            signature: lineage::hex(self.signature),
            created: since_1970(self.created),
            play_time: milliseconds(self.play_time),
            title: self.title.clone(),
            lineage: self.lineage.to_record(),
            autosave: self.autosave.unwrap_or(0),
        })?;
        let (record, user) = (record.as_bytes(), self.user.as_bytes());
        Sections { record, user, thumbnail: &self.thumbnail }.to_head()
    }

    /// Reads the sections of a head, whose checksum was verified.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] if they are malformed.
    pub(crate) fn read(path: &Path, sections: Sections<'_>) -> Result<Meta> {
        let text = |bytes| {
            std::str::from_utf8(bytes).map_err(|_| damaged(path, "its metadata is not valid UTF-8"))
        };
        let record: Record = archive_json::from_str(text(sections.record)?)
            .map_err(|error| damaged(path, format_args!("its metadata: {error}")))?;
        let number = || damaged(path, "its metadata has an invalid number");
        Ok(Meta {
            signature: lineage::from_hex(&record.signature).ok_or_else(number)?,
            lineage: record.lineage.to_lineage().ok_or_else(number)?,
            created: time(record.created),
            play_time: Duration::from_millis(record.play_time),
            game: record.game,
            game_version: record.game_version,
            format: record.format,
            title: record.title,
            autosave: Some(record.autosave).filter(|number| *number > 0),
            thumbnail: sections.thumbnail.to_vec(),
            user: text(sections.user)?.to_owned(),
        })
    }
}

/// The end of the year 9999. Some systems have no later times.
const LATEST: u64 = 253_402_300_799_999;

/// Returns the time that is that many milliseconds after 1970.
fn time(milliseconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(milliseconds.min(LATEST))
}

/// Returns the milliseconds from 1970 until that time.
fn since_1970(time: SystemTime) -> u64 {
    milliseconds(time.duration_since(UNIX_EPOCH).unwrap_or_default())
}

fn milliseconds(time: Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}

/// The first section of a head.
#[derive(Clone, Default)]
struct Record {
    game: String,
    game_version: u32,
    format: String,
    signature: String,
    created: u64,
    play_time: u64,
    title: String,
    lineage: lineage::Record,
    /// The number of an autosave. Other saves do not have it.
    autosave: u64,
}

impl Serialize for Record {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("game", &mut self.game)?;
        ar.serialize("game_version", &mut self.game_version)?;
        ar.serialize("format", &mut self.format)?;
        ar.serialize("signature", &mut self.signature)?;
        ar.serialize("created", &mut self.created)?;
        ar.serialize("play_time", &mut self.play_time)?;
        ar.serialize("title", &mut self.title)?;
        ar.serialize("lineage", &mut self.lineage)?;
        if ar.is_loading() || self.autosave > 0 {
            ar.serialize("autosave", &mut self.autosave)?;
        }
        Ok(())
    }
}
archive_core::save_by_clone!(Record);
archive_core::blank!(Record);
