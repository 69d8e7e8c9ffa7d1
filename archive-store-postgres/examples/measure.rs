//! Times saves and loads of 100,000 units, next to `COPY` of the same rows, and many clients next to `pgbench`, with a server of
//! its own: `cargo run --release --example measure`.

use std::io::{Read, Write};
use std::process::Command;
use std::rc::Rc;
use std::time::{Duration, Instant};

use archive::Serialize;
use archive::store::storage::{Changes, Memory, Storage};
use archive::store::{Pool, Ref, Store};
use archive_store_postgres::Database;
use postgres::Client;

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/server.rs"]
mod server;

const UNITS: u32 = 100_000;
const ROUNDS: usize = 7;
const CLIENTS: usize = 16;
const SECONDS: u64 = 10;

#[derive(Clone, Default, Serialize)]
struct Unit {
    kind: String,
    name: String,
    hp: u16,
    at: [f32; 3],
    target: Ref<Unit>,
    cargo: Vec<u32>,
    note: Option<String>,
}
#[derive(Default, Serialize)]
struct World {
    tick: u64,
    units: Pool<Unit>,
}
archive::store::persistent!(World = "world", Unit = "unit");

fn world() -> World {
    let mut world = World::default();
    for number in 0..UNITS {
        world.units.insert(Unit {
            kind: ["tank", "scout", "medic"][number as usize % 3].into(),
            name: format!("unit number {number} of the third army"),
            hp: (number % 1000) as u16,
            at: [number as f32, 0.5, -(number as f32)],
            target: Ref::NONE,
            cargo: (0..number % 16).collect(),
            note: (number % 4 == 0).then(|| "a veteran of many long battles".into()),
        });
    }
    world
}

/// What is measured, in the order of the table.
const ROWS: [&str; 8] = [
    "raw `COPY` in",
    "full save, new",
    "full save over changed rows",
    "save of 1 %, first after a checkpoint",
    "save of 1 %, next",
    "save of one unit",
    "load",
    "raw `COPY` out",
];

fn milliseconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let done = work();
    (start.elapsed().as_secs_f64() * 1e3, done)
}

fn raw_copy(client: &mut Client, rows: &[u8]) {
    let copy = "copy archive_rows (generation, key, value, checksum) from stdin (format binary)";
    let mut writer = client.copy_in(copy).unwrap();
    rows.chunks(1 << 16).for_each(|part| writer.write_all(part).unwrap());
    writer.finish().unwrap();
}

/// Does what the server would do later.
fn settle(client: &mut Client) {
    client.batch_execute("vacuum analyze archive_rows").unwrap();
    client.batch_execute("checkpoint").unwrap();
}

/// Returns rows in the binary format of `COPY`.
fn copied(storage: &dyn Storage) -> (Vec<u8>, usize) {
    let mut bytes = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0".to_vec();
    let mut size = 0;
    let done = storage.scan(&[], &[], &mut |key, value| {
        size += key.len() + value.len();
        bytes.extend(4_i16.to_be_bytes());
        for field in [&(-1_i64).to_be_bytes()[..], key, value, &[0; 4]] {
            bytes.extend((field.len() as i32).to_be_bytes());
            bytes.extend(field);
        }
        Ok(true)
    });
    done.unwrap();
    bytes.extend((-1_i16).to_be_bytes());
    (bytes, size)
}

fn change(world: &mut World, step: usize) {
    world.units.iter_mut().step_by(step).for_each(|(_, unit)| unit.hp = unit.hp.wrapping_add(1));
}

fn saves_and_loads(database: &Database, client: &mut Client) {
    let memory = Rc::new(Memory::new());
    Store::over(memory.clone()).unwrap().save(&world()).unwrap();
    let (raw, size) = copied(&memory);
    let mut times: [Vec<f64>; 8] = Default::default();
    for round in 0..ROUNDS {
        let clean = |client: &mut Client| {
            client.batch_execute("truncate archive_rows").unwrap();
            client.batch_execute("checkpoint").unwrap();
        };
        clean(client);
        times[0].push(milliseconds(|| raw_copy(client, &raw)).0);
        let out =
            "copy (select key, value from archive_rows order by key) to stdout (format binary)";
        let read = |client: &mut Client| client.copy_out(out).unwrap().read_to_end(&mut Vec::new());
        settle(client);
        times[7].push(milliseconds(|| read(client).unwrap()).0);
        clean(client);

        let name = format!("measured {round}");
        let store = Store::over(database.open(&name).unwrap()).unwrap();
        let mut world = world();
        times[1].push(milliseconds(|| store.save(&world).unwrap()).0);
        if round == 0 {
            let size = "select pg_total_relation_size('archive_rows') / (select count(*) from archive_rows)";
            let bytes: i64 = client.query_one(size, &[]).unwrap().get(0);
            println!("bytes of a row on the disk of the server, with its index: {bytes}\n");
        }
        settle(client);
        for at in [3, 4] {
            change(&mut world, 100);
            times[at].push(milliseconds(|| store.save(&world).unwrap()).0);
        }
        change(&mut world, UNITS as usize);
        times[5].push(milliseconds(|| store.save(&world).unwrap()).0);
        let load = || {
            let (store, mut world) =
                (Store::over(database.open(&name).unwrap()).unwrap(), World::default());
            store.attach(&mut world).unwrap();
            store.finish_load().unwrap()
        };
        times[6].push(milliseconds(load).0);
        change(&mut world, 1);
        settle(client);
        times[2].push(milliseconds(|| store.save(&world).unwrap()).0);
        drop(store);
        database.delete(&name).unwrap();
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let times = times.map(median);
    println!("| {UNITS} units, {:.1} MB | ms | / raw |\n|---|---|---|", size as f64 / 1e6);
    for (at, (name, time)) in ROWS.iter().zip(times).enumerate() {
        let raw = if at == 6 { times[7] } else { times[0] };
        println!("| {name} | {time:.1} | {:.2} |", time / raw);
    }
}

/// An autosave of 20 rows of 170 bytes: statements like those of a commit.
const AUTOSAVE: &str = r"
\set client :client_id
\set offset random(0, 1999)
\set byte random(0, 255)
begin;
update archive_saves set version = version + 1, writer = 'pgbench', commit_id = gen_random_uuid()::text, saved_at = now()
    where name = 'of ' || :client || ', 0' returning generation as of
\gset
insert into archive_rows as r (generation, key, value, checksum)
    select :of, int4send((k * 97 + :offset) % 2000), decode(repeat(to_hex(16 + :byte % 240), 170), 'hex'), k
    from generate_series(1, 20) k on conflict (generation, key) do update set value = excluded.value,
        checksum = excluded.checksum where r.value is distinct from excluded.value or r.checksum <> excluded.checksum;
commit;
";

/// Returns how many saves a second the clients commit, each in several saves in turn, and the bytes of log for each.
fn autosaves(database: &Database, client: &mut Client, saves: usize) -> (f64, i64) {
    let log = |client: &mut Client| -> i64 {
        let bytes = "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint";
        client.query_one(bytes, &[]).unwrap().get(0)
    };
    client.batch_execute("truncate archive_rows").unwrap();
    client.batch_execute("checkpoint").unwrap();
    let (before, end) = (log(client), Instant::now() + Duration::from_secs(SECONDS));
    let run = |client: usize| {
        let open = |save| database.open(&format!("of {client}, {save}")).unwrap();
        let all: Vec<_> = (0..saves).map(open).collect();
        let (mut seed, mut done) = (client as u32, 0_u64);
        for save in all.iter().cycle() {
            if Instant::now() > end {
                break;
            }
            let mut changes = Changes::new();
            for _ in 0..20 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                changes.put(&((seed >> 8) % 2000).to_be_bytes(), &[seed as u8; 170]);
            }
            save.commit(&changes).unwrap();
            done += 1;
        }
        done
    };
    let done: u64 = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|client| scope.spawn(move || run(client))).collect();
        clients.into_iter().map(|client| client.join().unwrap()).sum()
    });
    (done as f64 / SECONDS as f64, (log(client) - before) / done as i64)
}

fn many_clients(database: &Database, client: &mut Client, server: &server::Server) {
    let (mine, _) = autosaves(database, client, 1);
    let (many, bytes) = autosaves(database, client, 250);
    client.batch_execute("truncate archive_rows").unwrap();
    client.batch_execute("checkpoint").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("autosave.sql");
    std::fs::write(&script, AUTOSAVE).unwrap();
    let mut pgbench = Command::new(server.program("pgbench"));
    let host = server.address();
    let host = host.split(['=', ' ']).nth(1).unwrap();
    pgbench.args(["-h", host, "-U", "archive", "-n", "-M", "prepared", "-f"]).arg(&script);
    pgbench.args(["-c", &CLIENTS.to_string(), "-j", "2", "-T", &SECONDS.to_string(), "postgres"]);
    let output = pgbench.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let Some(tps) = text.lines().find_map(|line| line.strip_prefix("tps = ")) else {
        panic!("{text}{}", String::from_utf8_lossy(&output.stderr));
    };
    let pgbench: f64 = tps.split(' ').next().unwrap().parse().unwrap();
    println!("\n| {CLIENTS} clients, 20 rows of 170 bytes a save | saves a second |\n|---|---|");
    println!("| `pgbench`, {CLIENTS} saves | {pgbench:.0} |");
    println!("| {CLIENTS} saves | {mine:.0} ({:.2} of `pgbench`) |", mine / pgbench);
    println!("| {} saves; log for each: {bytes} bytes | {many:.0} |", CLIENTS * 250);
}

fn main() {
    let Some(server) = server::server() else { return };
    let (database, mut client) = (server.database(), server.client());
    saves_and_loads(&database, &mut client);
    many_clients(&database, &mut client, server);
}
