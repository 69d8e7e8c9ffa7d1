//! `archive query`: a question in SQL about saves.

use archive::Result;

use crate::Outcome;
use crate::args::Query;

#[cfg(feature = "sqlite")]
mod names;
#[cfg(feature = "sqlite")]
mod rows;

#[cfg(not(feature = "sqlite"))]
pub fn query(_: &Query) -> Result<Outcome> {
    Err(super::without("sqlite"))
}

/// Reads the tables that the question names into SQLite in memory, and prints the answer.
#[cfg(feature = "sqlite")]
pub fn query(args: &Query) -> Result<Outcome> {
    use crate::tables::Saves;
    use crate::tables::sqlite::{Sqlite, create, create_tables, failed};

    let saves = Saves::new(&args.saves)?;
    let tables = saves.tables()?;
    let mut connection = create(None)?;
    let named = names::named(&args.sql, &tables);
    create_tables(&connection, named.iter().map(|table| &tables.all[*table]))?;
    let read = names::read_by(&mut connection, &args.sql, &tables, &named)?;
    {
        let mut sqlite = Sqlite::begin(&connection, &tables)?;
        for (table, columns) in &read {
            sqlite.take(*table, |name| columns.as_ref().is_none_or(|all| all.contains(name)))?;
        }
        saves.rows(&tables, &mut sqlite)?;
        sqlite.finish()?;
    }
    names::allow_only_reading(&mut connection)?;
    let mut answer = connection.prepare(&args.sql).map_err(failed)?;
    rows::print(&mut answer, args)?;
    Ok(Outcome::Done)
}
