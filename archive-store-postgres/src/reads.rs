//! Reading rows. Each request also returns the version of the save, so that no answer mixes two versions.

use archive::Result;
use archive::store::storage::checksum;
use postgres::Row;

use crate::Postgres;
use crate::failure::damaged;

/// How many bytes of values a request returns at most, besides its last row.
const BYTES: i64 = 4 << 20;
/// How many rows a request returns at most. The first one of a scan is small, since many scans end early.
const ROWS: i64 = 4096;
const FIRST_ROWS: i64 = 64;
/// How many keys a request returns or looks up at most.
const KEYS: usize = 4096;

const ONE: &str = "select s.version, s.writer, r.key, r.value, r.checksum
    from archive_saves s left join archive_rows r on r.generation = s.generation and r.key = $2
    where s.save = $1";

/// Rows in an order, with the sum of the sizes of the values up to each.
macro_rules! range {
    ($columns:literal, $end:literal) => {
        concat!(
            "select s.version, s.writer, p.* from archive_saves s left join lateral (select ",
            $columns,
            " from archive_rows r where r.generation = s.generation and r.key >= $2 and ",
            $end,
            " order by r.key limit $4) p on p.before < $5 where s.save = $1 order by p.key"
        )
    };
}
macro_rules! whole_rows {
    ($end:literal) => {
        range!(
            "r.key, r.value, r.checksum, sum(octet_length(r.value)) over (order by r.key rows unbounded preceding)
                - octet_length(r.value) as before",
            $end
        )
    };
}
const RANGE: &str = whole_rows!("r.key < $3");
const RANGE_TO_END: &str = whole_rows!("$3 = ''::bytea");
const KEYS_OF_RANGE: &str = range!("r.key, 0::bigint as before", "r.key < $3");
const KEYS_TO_END: &str = range!("r.key, 0::bigint as before", "$3 = ''::bytea");

const MANY: &str = "select s.version, s.writer, p.key, p.value, p.checksum
    from archive_saves s left join lateral (
        select k.at, r.key, r.value, r.checksum, sum(coalesce(octet_length(r.value), 0)) over
            (order by k.at rows unbounded preceding) - coalesce(octet_length(r.value), 0) as before
        from unnest($2::bytea[]) with ordinality k (key, at)
        left join archive_rows r on r.generation = s.generation and r.key = k.key
    ) p on p.before < $3
    where s.save = $1 order by p.at";

/// The columns of a row: those of the save come first.
const KEY: usize = 2;
const VALUE: usize = 3;
const CHECKSUM: usize = 4;

impl Postgres {
    /// Checks the version of the save in an answer.
    fn check_answer(&self, rows: &[Row]) -> Result {
        self.check_version(rows.first().map(|row| (row.get(0), row.get(1))))
    }

    /// Returns the value of a row after its checksum was compared.
    fn value<'r>(&self, key: &[u8], row: &'r Row) -> Result<Option<&'r [u8]>> {
        let Some(value) = row.get::<_, Option<&[u8]>>(VALUE) else { return Ok(None) };
        match row.get::<_, i32>(CHECKSUM) == checksum(key, value) as i32 {
            true => Ok(Some(value)),
            false => Err(damaged(&self.name)),
        }
    }

    pub(crate) fn read_one(
        &self,
        key: &[u8],
        found: &mut dyn FnMut(&[u8]) -> Result,
    ) -> Result<bool> {
        let rows = self.read(|connection| {
            let one = connection.prepared(ONE)?;
            connection.client.query(&one, &[&self.save, &key])
        })?;
        self.check_answer(&rows)?;
        match self.value(key, &rows[0])? {
            Some(value) => found(value).map(|()| true),
            None => Ok(false),
        }
    }

    pub(crate) fn read_many(
        &self,
        keys: &[&[u8]],
        each: &mut dyn FnMut(usize, Option<&[u8]>) -> Result,
    ) -> Result {
        let mut next = 0;
        while next < keys.len() {
            let part = &keys[next..keys.len().min(next + KEYS)];
            let rows = self.read(|connection| {
                let many = connection.prepared(MANY)?;
                connection.client.query(&many, &[&self.save, &part, &BYTES])
            })?;
            self.check_answer(&rows)?;
            for (row, key) in rows.iter().zip(part) {
                each(next, self.value(key, row)?)?;
                next += 1;
            }
        }
        Ok(())
    }

    pub(crate) fn read_range(
        &self,
        range: (&[u8], &[u8]),
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result {
        self.pages(range, [RANGE, RANGE_TO_END], (FIRST_ROWS, ROWS), &mut |key, row| {
            let value = self.value(key, row)?.unwrap_or_default();
            Ok(each(key, value)?.then_some(value.len()))
        })
    }

    pub(crate) fn read_keys(
        &self,
        range: (&[u8], &[u8]),
        each: &mut dyn FnMut(&[u8]) -> Result<bool>,
    ) -> Result {
        let statements = [KEYS_OF_RANGE, KEYS_TO_END];
        self.pages(range, statements, (KEYS as i64, KEYS as i64), &mut |key, _| {
            Ok(each(key)?.then_some(0))
        })
    }

    /// Reads rows in pages. `each` gets a key and its row, and returns the size of its value, or `None` to end.
    fn pages(
        &self,
        (from, to): (&[u8], &[u8]),
        [range, to_end]: [&'static str; 2],
        (first, then): (i64, i64),
        each: &mut dyn FnMut(&[u8], &Row) -> Result<Option<usize>>,
    ) -> Result {
        if !to.is_empty() && from >= to {
            return Ok(());
        }
        let statement = if to.is_empty() { to_end } else { range };
        let (mut from, mut limit) = (from.to_vec(), first);
        loop {
            let rows = self.read(|connection| {
                let page = connection.prepared(statement)?;
                connection.client.query(&page, &[&self.save, &from, &to, &limit, &BYTES])
            })?;
            self.check_answer(&rows)?;
            let mut size = 0;
            for row in &rows {
                // A page without rows has the version alone.
                let Some(key) = row.get::<_, Option<&[u8]>>(KEY) else { return Ok(()) };
                match each(key, row)? {
                    Some(bytes) => size += bytes as i64,
                    None => return Ok(()),
                }
            }
            if (rows.len() as i64) < limit && size < BYTES {
                return Ok(());
            }
            from.clear();
            from.extend(rows.last().map(|row| row.get::<_, &[u8]>(KEY)).unwrap_or_default());
            from.push(0);
            limit = then;
        }
    }
}
