//! Reading rows. Each answer also has the id of the last commit of the save, so that no two answers mix two versions.

use std::collections::VecDeque;

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
/// A larger value is not in the page of its row. It is requested by its key, with others up to the limit of bytes. A sum of sizes
/// over all rows would take the server longer than the rows themselves.
const SMALL: i64 = BYTES / ROWS;

const ONE: &str = "select s.commit_id, r.key, r.value, r.checksum
    from archive_saves s left join archive_rows r on r.generation = s.generation and r.key = $2
    where s.save = $1";

/// The id of the last commit in a row of its own, and then the rows of a range.
macro_rules! range {
    ($value:literal, $end:literal) => {
        concat!(
            "select commit_id, null::bytea as key, null::bytea, null::int from archive_saves where save = $1
            union all (select null, key, ",
            $value,
            ", checksum from archive_rows
            where generation = (select generation from archive_saves where save = $1) and key >= $2 and ",
            $end,
            " order by key limit $4)"
        )
    };
}
const RANGE: &str =
    range!("case when octet_length(value) <= $5::bigint then value end", "key < $3");
const RANGE_TO_END: &str =
    range!("case when octet_length(value) <= $5::bigint then value end", "$3 = ''::bytea");
const KEYS_OF_RANGE: &str = range!("case when $5::bigint < 0 then ''::bytea end", "key < $3");
const KEYS_TO_END: &str = range!("case when $5::bigint < 0 then ''::bytea end", "$3 = ''::bytea");

/// The innermost `lateral` makes the server look up each key, where a join may read all rows of the save.
const MANY: &str = "select s.commit_id, p.key, p.value, p.checksum
    from archive_saves s left join lateral (
        select k.at, r.key, r.value, r.checksum, sum(coalesce(octet_length(r.value), 0)) over
            (order by k.at rows unbounded preceding) - coalesce(octet_length(r.value), 0) as before
        from unnest($2::bytea[]) with ordinality k (key, at)
        left join lateral (
            select * from archive_rows r where r.generation = s.generation and r.key = k.key limit 1
        ) r on true
    ) p on p.before < $3
    where s.save = $1 order by p.at";

/// The columns of a row, after the id of the last commit of the save.
const KEY: usize = 1;
const VALUE: usize = 2;
const CHECKSUM: usize = 3;

impl Postgres {
    /// Checks that an answer is of the commit that was read or made last. Its first row has the id.
    fn check_answer(&self, rows: &[Row]) -> Result {
        match rows.first() {
            Some(row) if row.get::<_, Option<&str>>(0) == Some(&self.commit_id.borrow()) => Ok(()),
            _ => Err(self.conflict()),
        }
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

    /// Returns the rows of the first keys, up to the limit of bytes.
    fn some_of(&self, keys: &[&[u8]]) -> Result<Vec<Row>> {
        let keys = &keys[..keys.len().min(ROWS as usize)];
        let rows = self.read(|connection| {
            let many = connection.prepared(MANY)?;
            connection.client.query(&many, &[&self.save, &keys, &BYTES])
        })?;
        self.check_answer(&rows)?;
        Ok(rows)
    }

    pub(crate) fn read_many(
        &self,
        keys: &[&[u8]],
        each: &mut dyn FnMut(usize, Option<&[u8]>) -> Result,
    ) -> Result {
        let mut next = 0;
        while next < keys.len() {
            for row in self.some_of(&keys[next..])? {
                each(next, self.value(keys[next], &row)?)?;
                next += 1;
            }
        }
        Ok(())
    }

    #[allow(clippy::type_complexity, reason = "it is that of `Storage::scan`")]
    pub(crate) fn read_range(
        &self,
        range: (&[u8], &[u8]),
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result {
        self.pages(range, [RANGE, RANGE_TO_END], FIRST_ROWS, &mut |page| {
            let is_large = |row: &&Row| row.get::<_, Option<&[u8]>>(VALUE).is_none();
            let large: Vec<&[u8]> = page.iter().filter(is_large).map(|row| row.get(KEY)).collect();
            let (mut large, mut rows) = (&large[..], VecDeque::new());
            for row in page {
                let key = row.get(KEY);
                let continues = match self.value(key, row)? {
                    Some(value) => each(key, value)?,
                    None => {
                        if rows.is_empty() {
                            rows.extend(self.some_of(large)?);
                            large = &large[rows.len()..];
                        }
                        let row: Option<Row> = rows.pop_front();
                        let value = row.as_ref().map(|row| self.value(key, row)).transpose()?;
                        each(key, value.flatten().ok_or_else(|| damaged(&self.name))?)?
                    }
                };
                if !continues {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    pub(crate) fn read_keys(
        &self,
        range: (&[u8], &[u8]),
        each: &mut dyn FnMut(&[u8]) -> Result<bool>,
    ) -> Result {
        self.pages(range, [KEYS_OF_RANGE, KEYS_TO_END], ROWS, &mut |page| {
            for row in page {
                if !each(row.get(KEY))? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// Reads rows in pages until `each` returns `false`.
    fn pages(
        &self,
        (from, to): (&[u8], &[u8]),
        [range, to_end]: [&'static str; 2],
        first: i64,
        each: &mut dyn FnMut(&[Row]) -> Result<bool>,
    ) -> Result {
        if !to.is_empty() && from >= to {
            return Ok(());
        }
        let statement = if to.is_empty() { to_end } else { range };
        let (mut from, mut limit) = (from.to_vec(), first);
        loop {
            let rows = self.read(|connection| {
                let page = connection.prepared(statement)?;
                connection.client.query(&page, &[&self.save, &from, &to, &limit, &SMALL])
            })?;
            self.check_answer(&rows)?;
            let rows = &rows[1..];
            if !each(rows)? || (rows.len() as i64) < limit {
                return Ok(());
            }
            from.clear();
            from.extend(rows.last().map(|row| row.get::<_, &[u8]>(KEY)).unwrap_or_default());
            from.push(0);
            limit = ROWS;
        }
    }
}
