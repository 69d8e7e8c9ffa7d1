//! Reading a project from its file, and the levels that have files of their own.

use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use archive::{Blank, Format, Options, Serialize};

use super::{LEVEL_FILE_TYPE, Level, Project};

/// The `fileType` of a `.ldtk` file.
const PROJECT_FILE_TYPE: &str = "LDtk Project JSON";

/// A project with all its levels, and statistics about its files.
#[derive(Debug, Default)]
pub struct ProjectFile {
    /// The project; every level has its layers.
    pub project: Project,
    /// The number of files.
    pub files: usize,
    /// Their total size in bytes.
    pub bytes: usize,
    /// The members of those files that the model does not have, for example from a newer editor.
    pub unknown: Vec<String>,
}

impl ProjectFile {
    /// Reads a project and the levels that have files of their own.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let mut file = ProjectFile::default();
        let mut project: Project = file.read_json(path)?;
        if project.header.file_type != PROJECT_FILE_TYPE {
            return Err(FileError::NotThat(path.to_owned(), PROJECT_FILE_TYPE));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let worlds = project.worlds.iter_mut().flat_map(|world| &mut world.levels);
        for level in project.levels.iter_mut().chain(worlds) {
            if let (None, Some(relative)) = (&level.layer_instances, &level.external_rel_path) {
                *level = file.read_level(&folder.join(relative), level)?;
            }
        }
        file.project = project;
        Ok(file)
    }

    /// Reads the file of a level. The project has its ids. The editor has called such files
    /// projects, too, and before 1.0 a level had no iid.
    fn read_level(&mut self, path: &Path, stub: &Level) -> Result<Level, FileError> {
        let level: Level = self.read_json(path)?;
        let types = [LEVEL_FILE_TYPE, PROJECT_FILE_TYPE];
        if level.header.as_ref().is_none_or(|header| !types.contains(&&*header.file_type)) {
            return Err(FileError::NotThat(path.to_owned(), LEVEL_FILE_TYPE));
        }
        if (&level.iid, level.uid) != (&stub.iid, stub.uid) || level.layer_instances.is_none() {
            let name = if stub.iid.is_empty() { &stub.identifier } else { &stub.iid };
            return Err(FileError::OtherLevel(path.to_owned(), name.clone()));
        }
        Ok(level)
    }

    /// Reads one file, and notes unknown members.
    fn read_json<T: Serialize + Blank>(&mut self, path: &Path) -> Result<T, FileError> {
        let bytes = fs::read(path).map_err(|source| FileError::Read(path.to_owned(), source))?;
        self.files += 1;
        self.bytes += bytes.len();
        let (value, report) = Format::Json
            .erased()
            .from_slice_report(&bytes, &Options::new())
            .map_err(|source| FileError::Content(path.to_owned(), source))?;
        self.unknown.extend(report.unknown().map(str::to_owned));
        Ok(value)
    }
}

/// Why a project could not be read.
#[derive(Debug)]
pub enum FileError {
    /// The system did not read a file.
    Read(PathBuf, io::Error),
    /// A file is not JSON, or not what the model says.
    Content(PathBuf, archive::Error),
    /// A file is not of the type that it should have.
    NotThat(PathBuf, &'static str),
    /// A level's file does not hold the level with this iid, or this name where it has no iid.
    OtherLevel(PathBuf, String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Read(path, source) => write!(f, "cannot read {}: {source}", path.display()),
            FileError::Content(path, source) => write!(f, "{}: {source}", path.display()),
            FileError::NotThat(path, what) => {
                write!(f, "{} is not an LDtk file of type {what:?}", path.display())
            }
            FileError::OtherLevel(path, iid) => {
                write!(f, "{} does not hold the level {iid:?}", path.display())
            }
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            FileError::Read(_, source) => Some(source),
            FileError::Content(_, source) => Some(source),
            FileError::NotThat(..) | FileError::OtherLevel(..) => None,
        }
    }
}
