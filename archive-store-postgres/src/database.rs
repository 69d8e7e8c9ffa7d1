//! [`Database`]: a server with the saves of many players.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use archive::{Error, ErrorKind, Result};
use postgres::config::TargetSessionAttrs;
use postgres::{Client, Config, NoTls};
use r2d2::{Pool, PooledConnection};

use crate::connection::{Connection, Manager};
use crate::failure::{explain, is_lost, is_refusal, not_connected};
use crate::{Postgres, schema};

/// How many connections a program has at most.
const CONNECTIONS: u32 = 16;
/// How long a call tries to get a connection, unless the address has a `connect_timeout`.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How long a network may be silent, unless the address has a `tcp_user_timeout`.
const SILENCE: Duration = Duration::from_secs(30);

/// A PostgreSQL database with saves. It is cheap to clone, and may be used from several threads.
///
/// The functions block, and so does dropping the last clone. In async code, do both inside [`run`](Database::run).
#[derive(Clone)]
pub struct Database {
    pool: Pool<Manager>,
    shared: Arc<Shared>,
}

#[derive(Clone)]
struct Shared {
    /// The database in messages, without a password.
    name: String,
    writer: String,
}

/// A save in a database.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SaveInfo {
    /// Its name.
    pub name: String,
    /// How many commits have changed it.
    pub version: i64,
    /// The writer of the last commit.
    pub writer: String,
    /// The time of the last commit, by the clock of the server.
    pub saved_at: SystemTime,
}

impl Database {
    /// Connects to a database without encryption, and creates its tables if they do not exist.
    ///
    /// The address has the form of [`postgres::Config`], such as `postgres://game@localhost/saves` or
    /// `host=/run/postgresql user=game dbname=saves connect_timeout=5`.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if there is no connection or the address is malformed, and [`ErrorKind::Unsupported`] if a newer
    /// version of this package has created the tables.
    pub fn connect(address: &str) -> Result<Database> {
        let mut config: Config = address.parse().map_err(|error| explain("the address", error))?;
        // Of several servers, the one that can be written.
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        Database::connect_with(&config, |config| config.connect(NoTls))
    }

    /// As [`connect`](Database::connect), with a function that makes the connections, for example with TLS.
    ///
    /// ```no_run
    /// use archive_store_postgres::Database;
    /// use postgres::{Config, NoTls};
    ///
    /// # fn main() -> archive::Result {
    /// let mut config = Config::new();
    /// config.host("localhost").user("game").dbname("saves");
    /// // `NoTls`, or a connector such as that of `postgres-native-tls`.
    /// let database = Database::connect_with(&config, |config| config.connect(NoTls))?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn connect_with(
        config: &Config,
        connect: impl Fn(&Config) -> Result<Client, postgres::Error> + Send + Sync + 'static,
    ) -> Result<Database> {
        let name = match config.get_dbname().or(config.get_user()) {
            Some(name) => format!("the database `{name}`"),
            None => "the database".to_owned(),
        };
        let mut config = config.clone();
        // Without these, a network that drops packets stops a call for hours.
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE).keepalives_idle(SILENCE);
            config.keepalives_interval(SILENCE / 3).keepalives_retries(3);
        }
        if let Err(error) = connect(&config)
            && is_refusal(&error)
        {
            return Err(explain(&name, error));
        }
        let timeout = config.get_connect_timeout().copied();
        let pool = Pool::builder()
            .max_size(CONNECTIONS)
            .min_idle(Some(0))
            .test_on_check_out(false)
            .connection_timeout(timeout.filter(|timeout| !timeout.is_zero()).unwrap_or(TIMEOUT))
            // The error of the call has the reason.
            .error_handler(Box::new(r2d2::NopErrorHandler))
            .build_unchecked(Manager(Box::new(move || connect(&config))));
        let writer = format!("process {}", std::process::id());
        let database = Database { pool, shared: Arc::new(Shared { name, writer }) };
        let mut connection = database.connection(&database.shared.name)?;
        schema::prepare(&mut connection.client, &database.shared.name)?;
        drop(connection);
        Ok(database)
    }

    /// Names the program in the conflicts that others get, such as `server 2`. Without a name it is its process id.
    #[must_use]
    pub fn writer(mut self, name: &str) -> Database {
        Arc::make_mut(&mut self.shared).writer = name.to_owned();
        self
    }

    /// Opens a save, and creates it if it does not exist.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the server does not answer.
    pub fn open(&self, save: &str) -> Result<Postgres> {
        Postgres::open(self, save)
    }

    /// Returns the saves whose names begin with a text, in the order of the bytes of their names. An empty text returns all.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the server does not answer.
    pub fn saves(&self, begin: &str) -> Result<Vec<SaveInfo>> {
        const SAVES: &str =
            "select name, version, writer, saved_at from archive_saves where starts_with(name, $1)
            order by name";
        // A prepared statement could not use the index, since it does not know the text.
        let rows =
            self.with(&self.shared.name, |connection| connection.client.query(SAVES, &[&begin]))?;
        let info = |row: &postgres::Row| SaveInfo {
            name: row.get(0),
            version: row.get(1),
            writer: row.get(2),
            saved_at: row.get(3),
        };
        Ok(rows.iter().map(info).collect())
    }

    /// Copies a save to a name without one, in one transaction and without sending the rows to the program.
    ///
    /// If the connection is lost before the answer, the error does not say whether the copy was made. The same is true of
    /// [`delete`](Database::delete).
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] if there is no save `from`, [`ErrorKind::DuplicateMember`] if there is a save `to`, and
    /// [`ErrorKind::Io`] if the server does not answer.
    pub fn copy(&self, from: &str, to: &str) -> Result {
        // A transaction that sees one state of the server needs no lock, which would stop the saves of the player.
        const ONE_STATE: &str = "set transaction isolation level repeatable read";
        const READ: &str = "select generation from archive_saves where name = $1";
        const CREATE: &str = "insert into archive_saves (name, version, writer, commit_id, saved_at)
            values ($1, 1, $2, gen_random_uuid()::text, now()) on conflict (name) do nothing returning generation";
        const COPY: &str = "insert into archive_rows (generation, key, value, checksum)
            select $2, key, value, checksum from archive_rows where generation = $1";
        self.once(&self.shared.name, |connection| {
            let mut transaction = connection.client.transaction()?;
            transaction.batch_execute(ONE_STATE)?;
            let Some(old) = transaction.query_opt(READ, &[&from])? else {
                return Ok(Err(not_found(from)));
            };
            let Some(new) = transaction.query_opt(CREATE, &[&to, &self.shared.writer])? else {
                let message = format_args!("there is a save `{to}` already");
                return Ok(Err(Error::new(ErrorKind::DuplicateMember, message)));
            };
            let (old, new): (i64, i64) = (old.get(0), new.get(0));
            transaction.execute(COPY, &[&old, &new])?;
            transaction.commit().map(Ok)
        })?
    }

    /// Deletes a save. Programs that have it open get a [`Conflict`](crate::Conflict).
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] if there is no such save, and [`ErrorKind::Io`] if the server does not answer.
    pub fn delete(&self, save: &str) -> Result {
        self.once(&self.shared.name, |connection| {
            let mut transaction = connection.client.transaction()?;
            let deleted = "delete from archive_saves where name = $1 returning generation";
            let Some(row) = transaction.query_opt(deleted, &[&save])? else {
                return Ok(Err(not_found(save)));
            };
            let generation: i64 = row.get(0);
            transaction
                .execute("delete from archive_rows where generation = $1", &[&generation])?;
            transaction.commit().map(Ok)
        })?
    }

    /// Runs a function in a thread in which it may block, for async code: the functions of a database and of a store panic
    /// inside an async runtime. The store and its world are created in the function, since they cannot leave their thread.
    ///
    /// ```no_run
    /// use archive::store::{Pool, Store};
    /// use archive_store_postgres::Database;
    ///
    /// # #[derive(Default, archive::Serialize)]
    /// # struct World { tick: u64 }
    /// # archive::store::persistent!(World = "world");
    /// async fn tick_of(database: &Database, player: String) -> archive::Result<u64> {
    ///     let load = move |database: &Database| {
    ///         let (store, mut world) = (Store::over(database.open(&player)?)?, World::default());
    ///         store.attach(&mut world)?;
    ///         store.finish_load()?;
    ///         Ok(world.tick)
    ///     };
    ///     database.run(load).await
    /// }
    /// ```
    ///
    /// # Errors
    /// Those of the function. If the function panics, so does this one.
    ///
    /// # Panics
    /// Outside of a runtime of Tokio.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let database = self.clone();
        match tokio::task::spawn_blocking(move || work(&database)).await {
            Ok(done) => done,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(error) => Err(Error::custom(error)),
            },
        }
    }

    pub(crate) fn writer_name(&self) -> &str {
        &self.shared.writer
    }

    pub(crate) fn connection(&self, name: &str) -> Result<PooledConnection<Manager>> {
        self.pool.get().map_err(|error| not_connected(name, error))
    }

    /// Runs statements that may run again if the connection is lost.
    pub(crate) fn with<T>(
        &self,
        name: &str,
        mut run: impl FnMut(&mut Connection) -> Result<T, postgres::Error>,
    ) -> Result<T> {
        match run(&mut *self.connection(name)?) {
            Err(error) if is_lost(&error) => {}
            done => return done.map_err(|error| explain(name, error)),
        }
        // The server has closed the connection, and perhaps all others, for example because it was started again.
        run(&mut *self.tested_connection(name)?).map_err(|error| explain(name, error))
    }

    /// Runs a transaction, which must not run twice.
    fn once<T>(
        &self,
        name: &str,
        run: impl FnOnce(&mut Connection) -> Result<T, postgres::Error>,
    ) -> Result<T> {
        run(&mut *self.tested_connection(name)?).map_err(|error| explain(name, error))
    }

    /// Returns a connection on which the server has just answered.
    pub(crate) fn tested_connection(&self, name: &str) -> Result<PooledConnection<Manager>> {
        for _ in 0..CONNECTIONS {
            let mut connection = self.connection(name)?;
            if connection.client.simple_query("").is_ok() {
                return Ok(connection);
            }
        }
        self.connection(name)
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Database").field(&self.shared.name).finish()
    }
}

#[cold]
fn not_found(save: &str) -> Error {
    Error::new(ErrorKind::NotFound, format_args!("there is no save `{save}`"))
}
