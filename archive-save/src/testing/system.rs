//! The calls of [`PowerCuts`] as a file system.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::power_cuts::{Call, PowerCuts};
use crate::system::{File, FileSystem};

/// An open file.
struct Open<'s> {
    system: &'s PowerCuts,
    path: PathBuf,
    file: usize,
}

impl<'s> Open<'s> {
    fn boxed(system: &'s PowerCuts, path: &Path, file: usize) -> Box<dyn File + 's> {
        Box::new(Open { system, path: path.into(), file })
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.system.state().disk.close(self.file);
    }
}

impl File for Open<'_> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.system.call(Call::Append(self.path.clone()), |state| {
            state.disk.file(self.file).extend_from_slice(bytes);
            Ok(())
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        self.system.call(Call::Sync(self.path.clone()), |state| {
            if state.syncs() {
                state.disk.sync(self.file);
            }
            Ok(())
        })
    }

    fn length(&mut self) -> io::Result<u64> {
        Ok(self.system.state().disk.file(self.file).len() as u64)
    }

    fn read(&mut self, from: u64, len: u64) -> io::Result<Vec<u8>> {
        self.system.call(Call::Read(self.path.clone()), |state| {
            let file = state.disk.file(self.file);
            let rest = usize::try_from(from).ok().and_then(|from| file.get(from..));
            let rest = rest.unwrap_or_default();
            Ok(rest[..rest.len().min(usize::try_from(len).unwrap_or(usize::MAX))].to_vec())
        })
    }
}

impl FileSystem for PowerCuts {
    fn create(&self, path: &Path, _: &Path) -> io::Result<Box<dyn File + '_>> {
        let file = self.call(Call::Create(path.into()), |state| {
            match state.disk.find_free(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let file = state.disk.create(path);
            state.disk.open(file);
            state.let_others_look(path);
            Ok(file)
        })?;
        Ok(Open::boxed(self, path, file))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn File + '_>> {
        let file = self.call(Call::Open(path.into()), |state| {
            let file = state.disk.find(path)?;
            state.disk.open(file);
            Ok(file)
        })?;
        Ok(Open::boxed(self, path, file))
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        match self.state().disk.find(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            found => Ok(found.is_ok()),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(Call::Rename(from.into(), to.into()), |state| {
            let file = state.disk.find(from)?;
            let is_windows = state.disk.rules().is_windows();
            if is_windows {
                // A read-only file cannot be replaced, but can be renamed.
                match state.disk.find_free(from) {
                    Err(error) if error.kind() == io::ErrorKind::ResourceBusy => return Err(error),
                    _ => {}
                }
            }
            match state.disk.find_free(to) {
                // As on Unix, renaming between two names of one file does nothing.
                Ok(other) if other == file && !is_windows => return Ok(()),
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            state.disk.rename(file, from, to);
            state.let_others_look(to);
            Ok(())
        })
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(Call::Link(from.into(), to.into()), |state| {
            let file = state.disk.find(from)?;
            match state.disk.find(to) {
                Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            state.disk.bind(to, Some(file));
            Ok(())
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call(Call::Remove(path.into()), |state| {
            state.disk.find_free(path)?;
            state.disk.bind(path, None);
            Ok(())
        })
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.call(Call::List(folder.into()), |state| {
            let rules = state.disk.rules();
            let folder = rules.key(folder)?;
            let is_here = |path: &Path| rules.key(path.parent()?).ok();
            let here = state.disk.names().filter(|path| is_here(path).as_ref() == Some(&folder));
            let names = here.filter_map(|path| path.file_name()?.to_str().map(str::to_owned));
            Ok(names.collect())
        })
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        self.call(Call::CreateFolder(folder.into()), |_| Ok(()))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.call(Call::SyncFolder(folder.into()), |state| {
            if state.syncs() {
                state.disk.sync_folder(folder);
            }
            Ok(())
        })
    }

    /// Each `PowerCuts` is a separate file system.
    fn identity(&self, path: &Path) -> PathBuf {
        let mut own = OsString::from(format!("power cuts {}: ", self.state().number.0));
        own.push(self.state().disk.rules().key(path).unwrap_or_else(|_| path.to_owned()));
        own.into()
    }

    /// No time passes: the next call is the repeated one.
    fn pause(&self, _: Duration) {}

    /// Each call is one second later, from 1970 on, so that each run has the same times.
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.state().calls.len() as u64)
    }
}
