//! A local file that the drive cannot read is damaged, for a sync as for a load.

use std::any::Any;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use archive::save::testing::PowerCuts;
use archive::save::{File, FileSystem, SaveFile};
use archive::{ErrorKind, Format, Result};
use archive_cloud::object_store::memory::InMemory;
use archive_cloud::{Cloud, Synced};

/// The error of a bad sector.
const CODE: i32 = if cfg!(windows) { 1117 } else { 5 };

/// A drive that cannot read one file.
#[derive(Clone, Default)]
struct Drive {
    system: PowerCuts,
    bad: Arc<Mutex<Option<PathBuf>>>,
}

impl FileSystem for Drive {
    fn create(&self, path: &Path, like: &Path) -> io::Result<Box<dyn File + '_>> {
        self.system.create(path, like)
    }
    fn open(&self, path: &Path) -> io::Result<Box<dyn File + '_>> {
        if self.bad.lock().unwrap().as_deref() == Some(path) {
            return Err(io::Error::from_raw_os_error(CODE));
        }
        self.system.open(path)
    }
    fn exists(&self, path: &Path) -> io::Result<bool> {
        self.system.exists(path)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        // The new file is in other sectors.
        let mut bad = self.bad.lock().unwrap();
        if bad.as_deref() == Some(to) {
            *bad = None;
        }
        self.system.rename(from, to)
    }
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.system.link(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.system.remove(path)
    }
    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.system.list(folder)
    }
    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        self.system.create_folder(folder)
    }
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.system.sync_folder(folder)
    }
    fn try_lock(&self, folder: &Path) -> io::Result<Box<dyn Any + Send>> {
        self.system.try_lock(folder)
    }
}

#[test]
fn an_unreadable_file_is_replaced_by_the_stored_save() -> Result {
    let (drive, cloud) = (Drive::default(), Cloud::over(InMemory::new())?);
    let file = SaveFile::over(drive.clone(), "a.sav");
    file.save(&1, Format::Binary)?;
    assert_eq!(cloud.sync(("a", &file))?, Synced::Created);
    *drive.bad.lock().unwrap() = Some("a.sav".into());
    assert_eq!(cloud.sync(("a", &file))?, Synced::Downloaded);
    assert_eq!(file.load::<i32>()?.value, 1);
    assert!(drive.system.exists(Path::new("a.sav.damaged")).unwrap());
    // Without a stored save it is an error.
    cloud.remove("a")?;
    *drive.bad.lock().unwrap() = Some("a.sav".into());
    assert_eq!(cloud.sync(("a", &file)).unwrap_err().kind(), ErrorKind::Io);
    Ok(())
}
