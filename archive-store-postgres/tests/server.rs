//! A server of PostgreSQL in a temporary folder.

use std::io;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use archive_store_postgres::Database;
use postgres::{Client, NoTls};
use tempfile::TempDir;

/// A server with a folder of its own.
pub struct Server {
    folder: TempDir,
    programs: PathBuf,
    user: Option<(u32, u32)>,
    /// The shell that ends the server when this process ends, even if it is killed.
    shell: Option<Child>,
}

/// Starts the server, and stops it when the standard input ends.
const RUN: &str = r#""$0" "$@" >>"$LOG" 2>&1 & server=$!
cat >/dev/null
kill -QUIT $server 2>/dev/null
wait $server
[ -z "$FOLDER" ] || rm -rf "$FOLDER""#;

impl Server {
    /// Creates a server, or returns `None` if PostgreSQL is not installed.
    pub fn create() -> Option<Server> {
        let programs = programs()?;
        let folder = tempfile::Builder::new().prefix("archive-postgres-").tempdir().unwrap();
        let user = other_user();
        if let Some((user, group)) = user {
            chown(folder.path(), Some(user), Some(group)).unwrap();
        }
        let server = Server { folder, programs, user, shell: None };
        let mut initdb = server.command(&server.program("initdb"));
        initdb.args([
            "-D",
            "data",
            "-U",
            "archive",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "--no-sync",
        ]);
        let made = initdb.output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        Some(server)
    }

    /// Returns the path of a program of PostgreSQL.
    pub fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name)
    }

    /// A command in the folder, as a user who may run the server.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path());
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }

    /// Starts the server. It ends with this process; with `once`, its folder is deleted then.
    pub fn start(&mut self, once: bool) {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let mut shell = self.command(Path::new("sh"));
            let server = self.program("postgres");
            shell.args(["-c", RUN]).arg(server).args(["-D", "data", "-k"]).arg(self.folder.path());
            shell.args(["-c", "listen_addresses=", "-c", "max_connections=60"]);
            let folder = if once { self.folder.path().as_os_str() } else { "".as_ref() };
            shell.env("LOG", self.folder.path().join("log")).env("FOLDER", folder);
            self.stop();
            self.shell = Some(shell.stdin(Stdio::piped()).spawn().unwrap());
            for _ in 0..50 {
                if Client::connect(&self.address(), NoTls).is_ok() {
                    return;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            // A server that was killed may still have its shared memory.
            assert!(Instant::now() < end, "the server does not start: {}", self.log());
        }
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Kills the server process.
    pub fn kill(&self) {
        let file = std::fs::read_to_string(self.folder.path().join("data/postmaster.pid"));
        let pid = file.unwrap().lines().next().unwrap().to_owned();
        kill(&pid);
    }

    fn stop(&mut self) {
        if let Some(mut shell) = self.shell.take() {
            drop(shell.stdin.take());
            shell.wait().unwrap();
        }
    }

    pub fn address(&self) -> String {
        format!(
            "host={} user=archive dbname=postgres connect_timeout=10",
            self.folder.path().display()
        )
    }

    pub fn client(&self) -> Client {
        Client::connect(&self.address(), NoTls).unwrap()
    }

    pub fn database(&self) -> Database {
        Database::connect(&self.address()).unwrap()
    }

    /// Creates a database, and returns its address.
    pub fn new_database(&self, name: &str) -> String {
        let mut client = self.client();
        client.batch_execute(&format!("create database {name}")).unwrap();
        self.address().replace("dbname=postgres", &format!("dbname={name}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Kills a process.
pub fn kill(pid: &str) {
    let done = Command::new("kill").args(["-KILL", pid]).stderr(Stdio::null()).status();
    assert!(done.is_ok());
}

/// Returns the server of all tests, or says that they are skipped.
pub fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    let start = || {
        let mut server = Server::create();
        match &mut server {
            Some(server) => server.start(true),
            None => println!("skipped: PostgreSQL is not installed (`apt install postgresql`)"),
        }
        server
    };
    SERVER.get_or_init(start).as_ref()
}

/// Returns the folder with the programs of PostgreSQL. Debian has one for each version, which is not in the path.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut versions: Vec<PathBuf> = versions.flatten().map(|it| it.path().join("bin")).collect();
    versions.sort();
    folders.extend(versions);
    let has_all = |folder: &PathBuf| {
        ["initdb", "postgres", "pgbench"].iter().all(|name| folder.join(name).is_file())
    };
    folders.into_iter().rev().find(has_all)
}

/// Returns a user for the server, which refuses to run as root.
fn other_user() -> Option<(u32, u32)> {
    let id = |arguments: &[&str]| -> io::Result<u32> {
        let output = Command::new("id").args(arguments).output()?.stdout;
        String::from_utf8_lossy(&output).trim().parse().map_err(io::Error::other)
    };
    match id(&["-u"]) {
        Ok(0) => Some((id(&["-u", "postgres"]).unwrap(), id(&["-g", "postgres"]).unwrap())),
        _ => None,
    }
}
