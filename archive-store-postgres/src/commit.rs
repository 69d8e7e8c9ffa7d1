//! Writing rows: one transaction, whose outcome is found out if its answer is lost.

use archive::store::storage::{Change, Changes, checksum};
use archive::{Error, ErrorKind, Result};
use postgres::Transaction;

use crate::Postgres;
use crate::connection::Connection;
use crate::copy_in::copy_in;
use crate::failure::{explain, is_lost};

/// The number of rows from which a commit may write a new generation.
const MANY: usize = 2_000;
/// How many bytes and rows a statement has at most.
const BYTES: usize = 8 << 20;
const ROWS: usize = 20_000;
/// The largest value. The server takes messages of less than 1 GB.
const LARGEST: usize = 256 << 20;
/// The largest key. The index of the server takes keys of up to 2,704 bytes.
const LARGEST_KEY: usize = 2048;

const TAKE: &str = "update archive_saves
    set version = version + 1, writer = $3, commit_id = gen_random_uuid()::text, saved_at = now()
    where save = $1 and commit_id = $2 returning generation, commit_id, version";
/// The row is locked until the transaction that was lost has ended.
const OUTCOME: &str = "select version, commit_id from archive_saves where save = $1 for update";
/// The server looks up each key, where `key = any($2)` may read all rows of the save.
const DELETE: &str = "delete from archive_rows where ctid = any (array(
    select r.ctid from unnest($2::bytea[]) k (key), lateral
        (select ctid from archive_rows where generation = $1 and key = k.key limit 1) r))";
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

/// The result of a transaction.
enum Outcome {
    /// The id of the commit, and its number.
    Committed(String, i64),
    Conflict,
}

impl Postgres {
    pub(crate) fn write(&self, changes: &Changes) -> Result {
        self.settle()?;
        if changes.is_empty() {
            return Ok(());
        }
        let rows = Rows::of(changes);
        if rows.puts.iter().any(|(key, value)| key.len() > LARGEST_KEY || value.len() > LARGEST) {
            let message = format_args!(
                "{}: a key has more than {LARGEST_KEY} bytes, or a value more than {LARGEST}",
                self.name
            );
            return Err(Error::new(ErrorKind::SizeLimit, message));
        }
        let mut done = self.transact(&mut *self.database.connection(&self.name)?, &rows);
        if done.as_ref().is_err_and(is_lost) && self.pending.borrow().is_none() {
            // The connection was closed before the commit, for example because the server was started again.
            done = self.transact(&mut *self.database.tested_connection(&self.name)?, &rows);
        }
        let failure = match done {
            Ok(Outcome::Committed(id, version)) => {
                self.is_at(id, version);
                return Ok(());
            }
            Ok(Outcome::Conflict) => return Err(self.conflict()),
            Err(failure) => failure,
        };
        if !is_lost(&failure) {
            self.pending.take();
        }
        let error = explain(&self.name, failure);
        // If the server does not answer now, the next call finds out.
        match self.settle() {
            Ok(true) => Ok(()),
            Err(conflict) if conflict.kind() == ErrorKind::Conflict => Err(conflict),
            _ => Err(error),
        }
    }

    fn is_at(&self, id: String, version: i64) {
        self.commit_id.replace(id);
        self.version.set(version);
    }

    /// Finds out whether a commit whose answer was lost has taken place. Returns whether it has.
    pub(crate) fn settle(&self) -> Result<bool> {
        let Some(commit) = self.pending.borrow().clone() else { return Ok(false) };
        let found = self
            .database
            .with(&self.name, |connection| connection.client.query_opt(OUTCOME, &[&self.save]))?;
        self.pending.take();
        match found.map(|row| (row.get(0), row.get::<_, String>(1))) {
            Some((version, id)) if id == commit => self.is_at(id, version),
            Some((_, id)) if id == *self.commit_id.borrow() => return Ok(false),
            // Another program has changed the save, perhaps after this commit.
            _ => return Err(self.conflict()),
        }
        Ok(true)
    }

    /// Makes the changes in a transaction. Before its last step, the id of the commit is [pending](Postgres::pending).
    fn transact(
        &self,
        connection: &mut Connection,
        rows: &Rows<'_>,
    ) -> Result<Outcome, postgres::Error> {
        let (take, put) = (connection.prepared(TAKE)?, connection.prepared(PUT)?);
        let delete = connection.prepared(DELETE)?;
        let mut transaction = connection.client.transaction()?;
        let writer = self.database.writer_name();
        let last = self.commit_id.borrow().clone();
        let taken = transaction.query_opt(&take, &[&self.save, &last, &writer])?;
        let Some(taken) = taken else { return Ok(Outcome::Conflict) };
        let generation: i64 = taken.get(0);
        if !self.replace(&mut transaction, generation, rows)? {
            for part in rows.deletes.chunks(ROWS) {
                transaction.execute(&delete, &[&generation, &part])?;
            }
            for part in parts(&rows.puts) {
                let (keys, values): (Vec<&[u8]>, Vec<&[u8]>) = part.iter().copied().unzip();
                let sums = part.iter().map(|(key, value)| checksum(key, value) as i32);
                let sums: Vec<i32> = sums.collect();
                transaction.execute(&put, &[&generation, &keys, &values, &sums])?;
            }
        }
        let id: String = taken.get(1);
        self.pending.replace(Some(id.clone()));
        transaction.commit()?;
        self.pending.take();
        Ok(Outcome::Committed(id, taken.get(2)))
    }

    /// Writes the rows of a large commit, which are most rows of the save, with a new generation by `COPY`, and deletes those of
    /// the old one. That is faster than an update, which looks up each key. Returns whether it did.
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
        // The server would choose nested loops, since it does not know how many keys there are.
        const NO_LOOPS: &str = "set local enable_nestloop = off";
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
            transaction.batch_execute(NO_LOOPS)?;
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
