//! Reads what `archive export` wrote: CSV, and with the features SQLite and Parquet.

use std::collections::BTreeMap;
use std::path::Path;

use archive::{Value, json};

/// The rows of a table: the values by column.
pub type Rows = Vec<BTreeMap<String, Value>>;

/// The outputs that this build has.
pub const SINKS: &[&str] = &[
    "--csv",
    #[cfg(feature = "sqlite")]
    "--sqlite",
    #[cfg(feature = "parquet")]
    "--parquet",
];

/// Returns the tables of an output. Cells with JSON are text in SQLite and CSV.
pub fn read(sink: &str, output: &Path) -> BTreeMap<String, Rows> {
    match sink {
        "--csv" => folder(output, csv),
        #[cfg(feature = "sqlite")]
        "--sqlite" => sqlite(output),
        #[cfg(feature = "parquet")]
        "--parquet" => folder(output, parquet),
        _ => panic!("{sink}"),
    }
}

/// Returns a value as JSON. Text that is JSON of a list or an object is that JSON.
pub fn text(value: &Value) -> String {
    match value {
        Value::Str(text) if text.starts_with(['[', '{']) => text.clone(),
        Value::Str(number) if number.parse::<f64>().is_ok() => number.clone(),
        value => json::to_string(value).unwrap(),
    }
}

fn folder(output: &Path, read: impl Fn(&Path) -> Rows) -> BTreeMap<String, Rows> {
    let index = std::fs::read_to_string(output.join("_archive_export.json")).unwrap();
    let index: Value = json::from_str(&index).unwrap();
    let table = |of: &Value| {
        let rows = read(&output.join(of["file"].as_str().unwrap()));
        (of["table"].as_str().unwrap().to_owned(), rows)
    };
    index.as_array().unwrap().iter().map(table).collect()
}

/// Reads CSV, where text is quoted and null is empty.
fn csv(path: &Path) -> Rows {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines: Vec<Vec<Value>> = vec![vec![]];
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let mut cell = Value::Null;
        if let Some(quoted) = rest.strip_prefix('"') {
            let (mut content, mut after) = (String::new(), quoted);
            loop {
                let (before, next) = after.split_once('"').unwrap();
                content += before;
                after = next;
                let Some(next) = after.strip_prefix('"') else { break };
                content.push('"');
                after = next;
            }
            (cell, rest) = (content.into(), after);
        } else {
            let end = rest.find([',', '\n']).unwrap();
            let (plain, after) = rest.split_at(end);
            if !plain.is_empty() {
                cell = json::from_str(plain).unwrap_or_else(|_| plain.into());
            }
            rest = after;
        }
        lines.last_mut().unwrap().push(cell);
        if rest.starts_with('\n') && rest.len() > 1 {
            lines.push(vec![]);
        }
        rest = &rest[1..];
    }
    let names = lines.remove(0);
    let row = |cells: Vec<Value>| {
        assert_eq!(cells.len(), names.len(), "{}", path.display());
        names.iter().map(|name| name.as_str().unwrap().to_owned()).zip(cells).collect()
    };
    lines.into_iter().map(row).collect()
}

#[cfg(feature = "sqlite")]
fn sqlite(path: &Path) -> BTreeMap<String, Rows> {
    use rusqlite::Connection;
    use rusqlite::types::Value as Cell;

    let database = Connection::open(path).unwrap();
    let sql = "select name from sqlite_schema where type = 'table'";
    let mut names = database.prepare(sql).unwrap();
    let names: Vec<String> =
        names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let table = |name: String| {
        let sql = format!("select * from \"{}\"", name.replace('"', "\"\""));
        let mut rows = database.prepare(&sql).unwrap();
        let columns: Vec<String> = rows.column_names().map(str::to_owned).collect();
        let cell = |cell: Cell| match cell {
            Cell::Null => Value::Null,
            Cell::Integer(value) => value.into(),
            Cell::Real(value) => value.into(),
            Cell::Text(text) => text.into(),
            Cell::Blob(bytes) => {
                bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
            }
        };
        let row = |row: &rusqlite::Row<'_>| {
            let named = columns.iter().enumerate();
            named.map(|(at, name)| Ok((name.clone(), cell(row.get(at)?)))).collect()
        };
        let rows = rows.query_map([], row).unwrap().map(Result::unwrap).collect();
        (name, rows)
    };
    names.into_iter().map(table).collect()
}

#[cfg(feature = "parquet")]
fn parquet(path: &Path) -> Rows {
    use archive::value::Number;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{Field, Row};

    fn object(row: &Row) -> BTreeMap<String, Value> {
        row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect()
    }
    fn value(field: &Field) -> Value {
        match field {
            Field::Null => Value::Null,
            Field::Bool(value) => (*value).into(),
            Field::Long(value) => (*value).into(),
            Field::ULong(value) => (*value).into(),
            Field::Float(value) => Value::Number(Number::F32(*value)),
            Field::Double(value) => (*value).into(),
            Field::Str(text) => text.as_str().into(),
            Field::Bytes(bytes) => {
                let hex = bytes.data().iter().map(|byte| format!("{byte:02x}"));
                hex.collect::<String>().into()
            }
            Field::Group(row) => {
                let named = row.get_column_iter();
                Value::Object(named.map(|(name, field)| (name.clone(), value(field))).collect())
            }
            Field::ListInternal(list) => list.elements().iter().map(value).collect(),
            Field::MapInternal(map) => {
                let key = |key: &Field| match value(key) {
                    Value::Str(text) => text,
                    other => other.to_string(),
                };
                let entries = map.entries().iter();
                Value::Object(entries.map(|(name, field)| (key(name), value(field))).collect())
            }
            other => panic!("{other:?}"),
        }
    }
    let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    reader.get_row_iter(None).unwrap().map(|row| object(&row.unwrap())).collect()
}
