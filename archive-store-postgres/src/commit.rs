//! Writing rows: one transaction, whose outcome is found out if its answer is lost.

use archive::store::storage::{Change, Changes, checksum};
use archive::{Error, ErrorKind, Result};
use postgres::Transaction;

use crate::Postgres;
use crate::connection::Connection;
use crate::copy_in::copy_in;
use crate::failure::{explain, is_lost};

/// From so many rows on a commit may write a new generation.
const MANY: usize = 2_000;
/// How many bytes and rows a statement has at most.
const BYTES: usize = 8 << 20;
const ROWS: usize = 20_000;
/// The largest key and value together. The server takes messages of less than 1 GB.
const LARGEST: usize = 256 << 20;

const TAKE: &str = "update archive_saves
    set version = version + 1, writer = $3, commit_id = gen_random_uuid()::text, saved_at = now()
    where save = $1 and version = $2 returning generation, commit_id";
const FOUND: &str = "select version, writer from archive_saves where save = $1";
/// The row is locked until the transaction that was lost has ended.
const OUTCOME: &str = "select version, commit_id from archive_saves where save = $1 for update";
const DELETE: &str = "delete from archive_rows where generation = $1 and key = any($2)";
const PUT: &str = "insert into archive_rows as r (generation, key, value, checksum)
    select $1, k, v, c from unnest($2::bytea[], $3::bytea[], $4::int[]) as u (k, v, c)
    on conflict (generation, key) do update set value = excluded.value, checksum = excluded.checksum
    where r.value is distinct from excluded.value or r.checksum <> excluded.checksum";

/// The changes of a commit: each key once, in order. A statement cannot change a row twice.
struct Rows<'c> {
    puts: Vec<(&'c [u8], &'c [u8])>,
    deletes: Vec<&'c [u8]>,
}

impl<'c> Rows<'c> {
    fn of(changes: &'c Changes) -> Rows<'c> {
        let mut all: Vec<(&[u8], Option<&[u8]>)> = Vec::new();
        all.extend(changes.iter().map(|change| match change {
            Change::Put(key, value) => (key, Some(value)),
            Change::Delete(key) => (key, None),
        }));
        if !all.is_sorted_by(|(a, _), (b, _)| a < b) {
            // The sort is stable, so the last change of a key is the first one then.
            all.reverse();
            all.sort_by_key(|(key, _)| *key);
            all.dedup_by_key(|(key, _)| *key);
        }
        let deletes = all.iter().filter(|(_, value)| value.is_none()).map(|(key, _)| *key);
        let puts = all.iter().filter_map(|(key, value)| Some((*key, (*value)?)));
        Rows { puts: puts.collect(), deletes: deletes.collect() }
    }
}

/// What a transaction has come to.
enum Outcome {
    Committed,
    /// The save has another version: its version and writer.
    Conflict(Option<(i64, String)>),
}

impl Postgres {
    pub(crate) fn write(&self, changes: &Changes) -> Result {
        self.settle()?;
        if changes.is_empty() {
            return Ok(());
        }
        let rows = Rows::of(changes);
        if rows.puts.iter().any(|(key, value)| key.len() + value.len() > LARGEST) {
            let message = format_args!("{}: a row has more than {LARGEST} bytes", self.name);
            return Err(Error::new(ErrorKind::SizeLimit, message));
        }
        let mut done = self.transact(&mut *self.database.connection(&self.name)?, &rows);
        if done.as_ref().is_err_and(is_lost) && self.pending.borrow().is_none() {
            // The connection was closed before the commit, for example because the server was started again.
            done = self.transact(&mut *self.database.tested_connection(&self.name)?, &rows);
        }
        let failure = match done {
            Ok(Outcome::Committed) => {
                self.version.set(self.version.get() + 1);
                return Ok(());
            }
            Ok(Outcome::Conflict(found)) => return self.check_version(found),
            Err(failure) => failure,
        };
        if !is_lost(&failure) {
            self.pending.take();
        }
        let (error, before) = (explain(&self.name, failure), self.version.get());
        // If the server does not answer now, the next call finds out.
        match self.settle() {
            Ok(()) if self.version.get() > before => Ok(()),
            _ => Err(error),
        }
    }

    /// Finds out whether a commit whose answer was lost has taken place.
    pub(crate) fn settle(&self) -> Result {
        let Some(commit) = self.pending.borrow().clone() else { return Ok(()) };
        let found = self
            .database
            .with(&self.name, |connection| connection.client.query_opt(OUTCOME, &[&self.save]))?;
        if let Some(found) = found
            && found.get::<_, &str>(1) == commit
        {
            self.version.set(found.get(0));
        }
        self.pending.take();
        Ok(())
    }

    /// Makes the changes in a transaction. Before its last step, the id of the commit is [pending](Postgres::pending).
    fn transact(
        &self,
        connection: &mut Connection,
        rows: &Rows<'_>,
    ) -> Result<Outcome, postgres::Error> {
        let (take, put) = (connection.prepared(TAKE)?, connection.prepared(PUT)?);
        let mut transaction = connection.client.transaction()?;
        let writer = self.database.writer_name();
        let taken = transaction.query_opt(&take, &[&self.save, &self.version.get(), &writer])?;
        let Some(taken) = taken else {
            let found = transaction.query_opt(FOUND, &[&self.save])?;
            return Ok(Outcome::Conflict(found.map(|row| (row.get(0), row.get(1)))));
        };
        let generation: i64 = taken.get(0);
        if !self.replace(&mut transaction, generation, rows)? {
            if !rows.deletes.is_empty() {
                transaction.execute(DELETE, &[&generation, &rows.deletes])?;
            }
            for part in parts(&rows.puts) {
                let (keys, values): (Vec<&[u8]>, Vec<&[u8]>) = part.iter().copied().unzip();
                let sums = part.iter().map(|(key, value)| checksum(key, value) as i32);
                let sums: Vec<i32> = sums.collect();
                transaction.execute(&put, &[&generation, &keys, &values, &sums])?;
            }
        }
        self.pending.replace(Some(taken.get(1)));
        transaction.commit()?;
        self.pending.take();
        Ok(Outcome::Committed)
    }

    /// Writes the rows of a large commit, which are most rows of the save, with a new generation by `COPY`, and deletes the old
    /// one. That is faster than an update, which looks up each key. Returns whether it did.
    fn replace(
        &self,
        transaction: &mut Transaction<'_>,
        old: i64,
        rows: &Rows<'_>,
    ) -> Result<bool, postgres::Error> {
        const COUNT: &str =
            "select count(*) from (select from archive_rows where generation = $1 limit $2) t";
        // `COPY` is refused then.
        const HAS_POLICY: &str = "select row_security_active('archive_rows')";
        const BEGIN: &str = "update archive_saves set generation = nextval('archive_generations')
            where save = $1 returning generation";
        const KEEP: &str = "insert into archive_rows (generation, key, value, checksum)
            select $2, key, value, checksum from archive_rows r where generation = $1
            and not exists (select from unnest($3::bytea[]) as u (changed) where changed = r.key)";
        if rows.puts.len() < MANY {
            return Ok(false);
        }
        let most = 2 * rows.puts.len() as i64;
        let count: i64 = transaction.query_one(COUNT, &[&old, &(most + 1)])?.get(0);
        if count > most || transaction.query_one(HAS_POLICY, &[])?.get(0) {
            return Ok(false);
        }
        let new: i64 = transaction.query_one(BEGIN, &[&self.save])?.get(0);
        if count > 0 {
            let mut changed = rows.deletes.clone();
            changed.extend(rows.puts.iter().map(|(key, _)| *key));
            transaction.execute(KEEP, &[&old, &new, &changed])?;
            transaction.execute("delete from archive_rows where generation = $1", &[&old])?;
        }
        copy_in(transaction, new, &rows.puts)?;
        Ok(true)
    }
}

/// Cuts rows into parts of a bounded size.
fn parts<'a, 'c>(rows: &'a [(&'c [u8], &'c [u8])]) -> Vec<&'a [(&'c [u8], &'c [u8])]> {
    let (mut parts, mut begin, mut size) = (Vec::new(), 0, 0);
    for (at, (key, value)) in rows.iter().enumerate() {
        let row = key.len() + value.len();
        if at > begin && (size + row > BYTES || at - begin == ROWS) {
            parts.push(&rows[begin..at]);
            (begin, size) = (at, 0);
        }
        size += row;
    }
    if begin < rows.len() {
        parts.push(&rows[begin..]);
    }
    parts
}
