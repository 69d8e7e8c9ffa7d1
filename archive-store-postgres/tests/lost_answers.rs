//! A connection that is lost while a commit ends. The client is connected to the server through a socket that is cut.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::time::Duration;

use archive::ErrorKind;
use archive::store::storage::{Changes, Storage};
use archive_store_postgres::Database;

use crate::server::server;

/// What happens with the next `COMMIT`.
const PASSES: u8 = 0;
/// The server does not get it.
const NOT_SENT: u8 = 1;
/// The server commits, and the client does not get the answer.
const NOT_ANSWERED: u8 = 2;
/// As before, and then the server cannot be reached.
const UNREACHABLE: u8 = 3;
/// No connection is made.
const CLOSED: u8 = 4;

/// Passes on what is sent between the socket in a folder and the server.
fn listen(folder: &Path, server: std::path::PathBuf, next: Arc<AtomicU8>) {
    let listener = UnixListener::bind(folder.join(".s.PGSQL.5432")).unwrap();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (client, server) = (client.unwrap(), UnixStream::connect(&server).unwrap());
            let next = next.clone();
            if next.load(SeqCst) != CLOSED {
                std::thread::spawn(move || pass(client, server, &next));
            }
        }
    });
}

fn pass(mut client: UnixStream, mut server: UnixStream, next: &AtomicU8) -> std::io::Result<()> {
    let (mut from, mut to) = (server.try_clone()?, client.try_clone()?);
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut to);
        to.shutdown(std::net::Shutdown::Both)
    });
    let mut buffer = [0; 1 << 16];
    loop {
        let size = client.read(&mut buffer)?;
        let sent = &buffer[..size];
        if size == 0 {
            return server.shutdown(std::net::Shutdown::Both);
        }
        let is_commit = sent.windows(6).any(|part| part == b"COMMIT");
        let then = if is_commit { next.swap(PASSES, SeqCst) } else { PASSES };
        match then {
            PASSES => server.write_all(sent)?,
            NOT_SENT => {
                client.shutdown(std::net::Shutdown::Both)?;
                return server.shutdown(std::net::Shutdown::Both);
            }
            _ => {
                // No answer is passed on any more.
                next.store(if then == UNREACHABLE { CLOSED } else { PASSES }, SeqCst);
                client.shutdown(std::net::Shutdown::Both)?;
                server.write_all(sent)?;
                std::thread::sleep(Duration::from_millis(50));
                return server.shutdown(std::net::Shutdown::Both);
            }
        }
    }
}

fn put(save: &dyn Storage, value: &[u8]) -> archive::Result {
    let mut changes = Changes::new();
    changes.put(b"key", value);
    save.commit(&changes)
}

fn value(save: &dyn Storage) -> Vec<u8> {
    let mut found = Vec::new();
    let read = save.get(b"key", &mut |value| {
        found = value.to_vec();
        Ok(())
    });
    read.unwrap();
    found
}

#[test]
fn a_commit_without_an_answer_is_recognized() {
    let Some(server) = server() else { return };
    let (folder, next) = (tempfile::tempdir().unwrap(), Arc::new(AtomicU8::new(PASSES)));
    let address = server.address();
    let real = Path::new(address.split(['=', ' ']).nth(1).unwrap());
    listen(folder.path(), real.join(".s.PGSQL.5432"), next.clone());
    let address = address.replace(real.to_str().unwrap(), folder.path().to_str().unwrap());
    let address = address.replace("connect_timeout=10", "connect_timeout=1");
    let save = Database::connect(&address).unwrap().open("unanswered").unwrap();
    put(&save, b"1").unwrap();

    next.store(NOT_SENT, SeqCst);
    let error = put(&save, b"2").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!((value(&save), save.version()), (b"1".to_vec(), 1));

    // The commit has taken place, so there is no error.
    next.store(NOT_ANSWERED, SeqCst);
    put(&save, b"3").unwrap();
    assert_eq!((value(&save), save.version()), (b"3".to_vec(), 2));

    next.store(UNREACHABLE, SeqCst);
    assert_eq!(put(&save, b"4").unwrap_err().kind(), ErrorKind::Io);
    let error = save.get(b"key", &mut |_| Ok(())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(put(&save, b"5").unwrap_err().kind(), ErrorKind::Io);
    next.store(PASSES, SeqCst);
    assert_eq!((value(&save), save.version()), (b"4".to_vec(), 3));
    put(&save, b"6").unwrap();
    assert_eq!((value(&save), save.version()), (b"6".to_vec(), 4));

    // Another program saves before the outcome is known.
    next.store(UNREACHABLE, SeqCst);
    assert_eq!(put(&save, b"7").unwrap_err().kind(), ErrorKind::Io);
    let other = server.database().open("unanswered").unwrap();
    assert_eq!(value(&other), b"7");
    put(&other, b"8").unwrap();
    next.store(PASSES, SeqCst);
    assert_eq!(put(&save, b"9").unwrap_err().kind(), ErrorKind::Conflict);
    assert_eq!(value(&other), b"8");
}
