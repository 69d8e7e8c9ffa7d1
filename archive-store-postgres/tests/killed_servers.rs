//! The server, a connection or the program is killed: a commit happens wholly or not at all, and the storage works again.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use archive::ErrorKind;
use archive::store::storage::{Changes, Storage};
use archive_store_postgres::{Database, Postgres};

use crate::server::{Server, kill};

/// The address of the server, for a process that is killed.
const ADDRESS: &str = "ARCHIVE_POSTGRES_KILLED";
/// The rows of a commit: they are written by `COPY`, in several messages.
const ROWS: u32 = 4_000;

fn changes(number: u32) -> Changes {
    let mut changes = Changes::new();
    for row in 0..ROWS {
        let mut value = number.to_le_bytes().to_vec();
        value.resize(100, row as u8);
        changes.put(&row.to_be_bytes(), &value);
    }
    changes
}

/// Returns the commit that all rows are of, or 0.
fn number(save: &Postgres) -> u32 {
    let mut found = Vec::new();
    let done = save.scan(b"", b"", &mut |_, value| {
        found.push(u32::from_le_bytes(value[..4].try_into().unwrap()));
        Ok(true)
    });
    done.unwrap();
    assert!(found.is_empty() || found.len() == ROWS as usize, "{} rows", found.len());
    assert!(found.iter().all(|one| *one == found[0]), "rows of several commits");
    found.first().copied().unwrap_or(0)
}

/// Commits until the process is killed, and prints what is durable.
fn commit_until_killed(address: &str) -> ! {
    let save = Database::connect(address).unwrap().open("killed").unwrap();
    for number in number(&save) + 1.. {
        save.commit(&changes(number)).unwrap();
        println!("{number}");
    }
    unreachable!("the process is killed before")
}

#[test]
fn a_program_is_killed_at_any_moment() {
    if let Ok(address) = std::env::var(ADDRESS) {
        commit_until_killed(&address);
    }
    let Some(server) = crate::server::server() else { return };
    let (database, mut last) = (server.database(), 0);
    for round in 0..20_u64 {
        const TEST: &str = "killed_servers::a_program_is_killed_at_any_moment";
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["--exact", TEST, "--nocapture"])
            .env(ADDRESS, server.address())
            .stdout(Stdio::piped());
        let mut child = child.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let printed = std::thread::spawn(move || {
            lines.map_while(Result::ok).filter_map(|line| line.parse::<u32>().ok()).last()
        });
        std::thread::sleep(Duration::from_millis(60 + round * 37 % 200));
        child.kill().unwrap();
        child.wait().unwrap();
        let said = printed.join().unwrap();
        // A commit whose `COMMIT` was sent takes place after the program has ended.
        let idle =
            "select not exists (select from pg_locks where relation = 'archive_saves'::regclass
            and mode = 'RowExclusiveLock')";
        while !server.client().query_one(idle, &[]).unwrap().get::<_, bool>(0) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let found = number(&database.open("killed").unwrap());
        last = found;
        assert!(
            said.is_none_or(|said| found == said || found == said + 1),
            "{said:?} was said, {found} is there"
        );
    }
    assert!(last > 0, "nothing was ever committed");
}

/// Commits and reads while the server and its processes are killed.
#[test]
fn a_server_is_killed_at_any_moment() {
    let Some(mut server) = Server::create() else { return };
    server.start(false);
    let save = server.database().open("killed").unwrap();
    let address = server.address();
    let end = Instant::now() + Duration::from_secs(12);
    let killer = std::thread::spawn(move || {
        let mut kills = 0;
        for round in 0_u64.. {
            if Instant::now() > end {
                break;
            }
            kills += 1;
            std::thread::sleep(Duration::from_millis(150 + round * 97 % 300));
            if round % 4 == 3 {
                server.kill();
                server.start(false);
                continue;
            }
            let Ok(mut client) = postgres::Client::connect(&address, postgres::NoTls) else {
                continue;
            };
            // A process of a connection is killed, which restarts the server, or ends itself.
            let how = if round % 4 == 1 { "pid" } else { "pg_terminate_backend(pid)" };
            let others = format!(
                "select {how}::text from pg_stat_activity
                where query like '%archive%' and pid <> pg_backend_pid()"
            );
            let found = client.query(&others, &[]).unwrap_or_default();
            found.iter().take(1).filter(|_| round % 4 == 1).for_each(|row| kill(row.get(0)));
        }
        (server, kills)
    });
    let mut committed = 0;
    while Instant::now() < end {
        match save.commit(&changes(committed + 1)) {
            Ok(()) => committed += 1,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Io, "{error}");
                // The storage works once the server answers again.
                let found = loop {
                    match save.get(&0_u32.to_be_bytes(), &mut |_| Ok(())) {
                        Ok(_) => break number(&save),
                        Err(error) => assert_eq!(error.kind(), ErrorKind::Io, "{error}"),
                    }
                };
                assert!(found == committed || found == committed + 1, "{found}, not {committed}");
                committed = found;
            }
        }
    }
    let (server, kills) = killer.join().unwrap();
    let save = server.database().open("killed").unwrap();
    assert_eq!((number(&save), save.version()), (committed, i64::from(committed)));
    assert!(committed > 10 && kills > 10, "{committed} commits, {kills} kills");
}
