//! [`Connection`]: a connection of the pool, with the statements that it has prepared.

use std::collections::HashMap;
use std::fmt;

use postgres::{Client, Statement};

use crate::failure::with_causes;

/// Connects to the server.
pub(crate) type Connect = dyn Fn() -> Result<Client, postgres::Error> + Send + Sync;

pub(crate) struct Connection {
    pub(crate) client: Client,
    statements: HashMap<&'static str, Statement>,
}

impl Connection {
    /// Returns a statement, which is prepared once for the connection.
    pub(crate) fn prepared(&mut self, text: &'static str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.statements.get(text) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(text)?;
        self.statements.insert(text, statement.clone());
        Ok(statement)
    }
}

/// What every connection has set. A program that hangs or loses its network inside a transaction loses the transaction, so that
/// others can save. Commits are durable even if the database has another default.
const SETTINGS: &str = "
    set idle_in_transaction_session_timeout = '60s';
    set lock_timeout = '5s';
    set tcp_keepalives_idle = 30;
    set tcp_keepalives_interval = 10;
    set tcp_keepalives_count = 3;
    set default_transaction_isolation = 'read committed';
    select set_config('synchronous_commit', 'on', false)
        where current_setting('synchronous_commit') = 'off'";

/// Makes the connections of the pool.
pub(crate) struct Manager(pub(crate) Box<Connect>);

impl r2d2::ManageConnection for Manager {
    type Connection = Connection;
    type Error = Refused;

    fn connect(&self) -> Result<Connection, Refused> {
        let mut client = self.0()?;
        client.batch_execute(SETTINGS)?;
        Ok(Connection { client, statements: HashMap::new() })
    }

    fn is_valid(&self, connection: &mut Connection) -> Result<(), Refused> {
        connection.client.simple_query("")?;
        Ok(())
    }

    fn has_broken(&self, connection: &mut Connection) -> bool {
        connection.client.is_closed()
    }
}

/// A connection that was not made. The message has the cause, which that of [`postgres::Error`] leaves out.
#[derive(Debug)]
pub(crate) struct Refused(postgres::Error);

impl From<postgres::Error> for Refused {
    fn from(error: postgres::Error) -> Self {
        Refused(error)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&with_causes(&self.0))
    }
}

impl std::error::Error for Refused {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}
