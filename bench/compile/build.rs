//! Building the crates, and timing it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fs, io};

use super::generate::Flavor;

/// The measured figures; seconds by profile (debug, release), bytes.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    all: [f64; 2],
    clean: [f64; 2],
    change: [f64; 2],
    /// The code of the program.
    pub text: [usize; 2],
    /// The number of functions that the crate instantiates.
    pub functions: [usize; 2],
}

impl Figures {
    /// The better of each.
    pub fn least(self, other: Figures) -> Figures {
        let least = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].min(b[1])];
        Figures {
            all: least(self.all, other.all),
            clean: least(self.clean, other.clean),
            change: least(self.change, other.change),
            text: other.text,
            functions: other.functions,
        }
    }

    /// The times in the order of the table.
    pub fn seconds(&self) -> [f64; 6] {
        let at = |profile: usize| [self.all[profile], self.clean[profile], self.change[profile]];
        let ([a, b, c], [d, e, f]) = (at(0), at(1));
        [a, b, c, d, e, f]
    }
}

/// The names that cargo uses.
pub const PROFILES: [&str; 2] = ["dev", "release"];

/// A generated crate in a folder of its own.
pub struct Project {
    flavor: Flavor,
    types: usize,
    folder: PathBuf,
}

impl Project {
    /// Writes the crate; its dependencies are those of the lock file of the benchmarks.
    ///
    /// # Errors
    /// Those of the files.
    pub fn new(flavor: Flavor, types: usize) -> io::Result<Self> {
        let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = bench.join("..").canonicalize()?;
        let name = format!("archive-bench-compile-{}", std::process::id());
        let folder = env::temp_dir().join(name).join(format!("{flavor:?}"));
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), flavor.manifest(&root))?;
        fs::copy(bench.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        fs::write(folder.join("src/main.rs"), flavor.program())?;
        let project = Project { flavor, types, folder };
        project.write_types(0)?;
        Ok(project)
    }

    /// Measures both profiles.
    ///
    /// # Errors
    /// Those of the files and of cargo.
    pub fn measure(&self, round: usize) -> io::Result<Figures> {
        let none = [0.0; 2];
        let (text, functions) = ([0; 2], [0; 2]);
        let mut figures = Figures { all: none, clean: none, change: none, text, functions };
        for (index, profile) in PROFILES.into_iter().enumerate() {
            self.cargo(&["clean", "--quiet"])?;
            figures.all[index] = self.build(profile)?;
            self.cargo(&["clean", "--quiet", "--package", "derived", "--profile", profile])?;
            figures.clean[index] = self.build(profile)?;
            self.write_types(2 * round + 1)?;
            figures.change[index] = self.build(profile)?;
            self.write_types(2 * round)?;
            let folder = if profile == "dev" { "debug" } else { "release" };
            figures.text[index] =
                text_size(&self.folder.join("target").join(folder).join("derived"))?;
            figures.functions[index] = self.functions(profile)?;
        }
        Ok(figures)
    }

    /// The number of functions that a release build instantiates, the seconds that the crate alone
    /// takes, and the size of its code.
    ///
    /// # Errors
    /// Those of the files and of cargo.
    pub fn release(&self) -> io::Result<(usize, f64, usize)> {
        let functions = self.functions("release")?;
        self.cargo(&["clean", "--quiet", "--package", "derived", "--profile", "release"])?;
        let seconds = self.build("release")?;
        Ok((functions, seconds, text_size(&self.folder.join("target/release/derived"))?))
    }

    /// How many functions the crate instantiates, of its own, of libraries and of the standard library: what
    /// the compiler has to make code of.
    ///
    /// # Errors
    /// Those of cargo.
    pub fn functions(&self, profile: &str) -> io::Result<usize> {
        // Only then is the crate compiled again.
        self.write_types(0)?;
        let output = Command::new("cargo")
            .args(["rustc", "--quiet", "--offline", "--profile", profile])
            .args(["--", "-Zprint-mono-items=yes"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .env_remove("CARGO_PROFILE_DEV_DEBUG")
            .env_remove("CARGO_INCREMENTAL")
            // The list is for people who work on the compiler, and only there with this.
            .env("RUSTC_BOOTSTRAP", "1")
            .stderr(Stdio::inherit())
            .output()?;
        let list = String::from_utf8_lossy(&output.stdout);
        match list.lines().filter(|line| line.starts_with("MONO_ITEM fn")).count() {
            0 => Err(io::Error::other("the compiler does not say which functions it makes")),
            count => Ok(count),
        }
    }

    fn write_types(&self, change: usize) -> io::Result<()> {
        fs::write(self.folder.join("src/types.rs"), self.flavor.types(self.types, change))
    }

    /// How many seconds a build takes.
    fn build(&self, profile: &str) -> io::Result<f64> {
        let start = Instant::now();
        self.cargo(&["build", "--quiet", "--offline", "--profile", profile])?;
        Ok(start.elapsed().as_secs_f64())
    }

    fn cargo(&self, arguments: &[&str]) -> io::Result<()> {
        let status = Command::new("cargo")
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .env_remove("CARGO_PROFILE_DEV_DEBUG")
            .env_remove("CARGO_INCREMENTAL")
            .stdout(Stdio::null())
            .status()?;
        match status.success() {
            true => Ok(()),
            false => {
                Err(io::Error::other(format!("cargo {arguments:?} failed for {:?}", self.flavor)))
            }
        }
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
        // The last project removes the common folder; before, it is not empty.
        let _ = self.folder.parent().map(fs::remove_dir);
    }
}

/// The size of the section of code, as the program `size` says.
fn text_size(program: &Path) -> io::Result<usize> {
    let output = Command::new("size").arg("-A").arg(program).output()?;
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = output.lines().find(|line| line.starts_with(".text "));
    let size =
        line.and_then(|line| line.split_whitespace().nth(1)).and_then(|size| size.parse().ok());
    size.ok_or_else(|| io::Error::other("`size -A` says nothing of .text"))
}
