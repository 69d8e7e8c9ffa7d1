//! Roles of the server, and policies on rows.

use archive::Result;
use archive::store::storage::{Changes, Storage};
use archive_store_postgres::Database;
use postgres::{Client, NoTls};

use crate::server::server;

/// Each role sees the saves whose names begin with its own. The tables belong to another role. No role may set the generation of a
/// save, which says which rows it has.
const POLICIES: &str = "
create role player login; create role cheater login;
grant select on archive_schema to player, cheater;
grant select, delete on archive_saves to player, cheater;
grant insert (name, version, writer, commit_id, saved_at), update (version, writer, commit_id, saved_at)
    on archive_saves to player, cheater;
grant select, insert, update, delete on archive_rows to player, cheater;
grant usage on sequence archive_generations to player, cheater;
alter table archive_saves enable row level security;
alter table archive_rows enable row level security;
create policy own on archive_saves using (starts_with(name, current_user || '/'));
create policy own on archive_rows using
    (exists (select from archive_saves s where s.generation = archive_rows.generation));
";

#[test]
fn roles_with_policies_save_what_is_theirs() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let address = server.new_database("roles");
    let owner = Database::connect(&address)?;
    Client::connect(&address, NoTls).unwrap().batch_execute(POLICIES).unwrap();
    let role =
        |name: &str| Database::connect(&address.replace("user=archive", &format!("user={name}")));
    let (player, cheater) = (role("player")?, role("cheater")?);

    // `COPY` is refused under a policy, and not used.
    let save = player.open("player/1")?;
    for rows in [3, 3_000, 2_500] {
        let mut changes = Changes::new();
        (0..rows).for_each(|row: u32| changes.put(&row.to_be_bytes(), &[rows as u8]));
        save.commit(&changes)?;
    }
    let mut rows = 0;
    owner.open("player/1")?.keys(b"", b"", &mut |_| {
        rows += 1;
        Ok(true)
    })?;
    assert_eq!(rows, 3_000);

    assert!(cheater.saves("")?.is_empty());
    assert!(cheater.open("player/1").is_err(), "a save of another role");
    assert!(cheater.open("player/2").is_err(), "a name of another role");
    assert!(cheater.delete("player/1").is_err());
    assert!(cheater.copy("player/1", "cheater/1").is_err());
    cheater.open("cheater/1")?;

    // The tables and their policies are the owner's.
    let mut client =
        Client::connect(&address.replace("user=archive", "user=cheater"), NoTls).unwrap();
    let statements = [
        "set row_security = off; select * from archive_rows",
        "set role player",
        "alter table archive_rows disable row level security",
        "truncate archive_rows",
        "copy archive_rows from stdin",
        // The rows of the other role.
        "update archive_saves set generation = 1",
        "insert into archive_saves (name, generation, version, writer, commit_id, saved_at)
            values ('cheater/2', 1, 0, '', '', now())",
        "insert into archive_rows values (1, '', '', 0)",
    ];
    for statement in statements {
        assert!(client.batch_execute(statement).is_err(), "{statement}");
    }
    client.batch_execute("reset row_security").unwrap();
    assert!(client.query("select * from archive_rows", &[]).unwrap().is_empty());
    Ok(())
}

/// What a policy on a setting does not protect: every client can change the setting.
#[test]
fn a_policy_on_a_setting_protects_nothing() {
    let Some(server) = server() else { return };
    let address = server.new_database("settings");
    drop(Database::connect(&address).unwrap().open("victim").unwrap());
    let policy = "create role client login; grant select on archive_saves to client;
        alter table archive_saves enable row level security;
        create policy own on archive_saves using (name = current_setting('game.save', true))";
    Client::connect(&address, NoTls).unwrap().batch_execute(policy).unwrap();
    let mut client =
        Client::connect(&address.replace("user=archive", "user=client"), NoTls).unwrap();
    let all = |client: &mut Client| client.query("select * from archive_saves", &[]).unwrap().len();
    assert_eq!(all(&mut client), 0);
    client.batch_execute("set game.save = 'victim'").unwrap();
    assert_eq!(all(&mut client), 1);
}

/// A save that a role may see and not change.
#[test]
fn a_commit_that_a_policy_prevents_is_an_error() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let address = server.new_database("watched");
    Database::connect(&address)?.open("watched")?;
    let policies = "create role watcher login;
        grant select on archive_schema to watcher;
        grant all on archive_saves, archive_rows, archive_generations to watcher;
        alter table archive_saves enable row level security;
        create policy see on archive_saves for select using (true)";
    Client::connect(&address, NoTls).unwrap().batch_execute(policies).unwrap();
    let watcher = Database::connect(&address.replace("user=archive", "user=watcher"))?;
    let save = watcher.open("watched")?;
    let mut changes = Changes::new();
    changes.put(b"key", b"value");
    let error = save.commit(&changes).unwrap_err();
    assert_eq!(
        error.message(),
        "the save `watched`: a policy or a trigger of the server prevents it"
    );
    Ok(())
}
