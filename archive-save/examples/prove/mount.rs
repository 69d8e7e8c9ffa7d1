//! A file system in memory of a certain size, which takes the rights of the system's own user.

use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::folder;

/// A mounted tmpfs. It is unmounted in the end.
pub(crate) struct Mounted(TempDir);

impl Mounted {
    /// Mounts one, or returns `None` where that is not permitted.
    pub(crate) fn new(options: &str) -> Result<Option<Mounted>, String> {
        let folder = folder()?;
        let is_mounted = mount(&["-t", "tmpfs", "-o", options, "prove"], folder.path());
        Ok(is_mounted.then(|| Mounted(folder)))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Lets nothing be written any more.
    pub(crate) fn make_read_only(&self) -> Result<(), String> {
        let is_done = mount(&["-o", "remount,ro"], self.path());
        if is_done { Ok(()) } else { Err("it cannot be mounted again".into()) }
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        _ = Command::new("umount").arg(self.path()).status();
    }
}

fn mount(arguments: &[&str], path: &Path) -> bool {
    let mut mount = Command::new("mount");
    let status = mount.args(arguments).arg(path).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
