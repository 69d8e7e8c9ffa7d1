//! `archive query`, and the databases of `archive export --sqlite`.

use crate::run_command::{fails, folder, ok};

#[cfg(not(feature = "sqlite"))]
#[test]
fn a_build_without_sqlite_says_so() {
    let folder = folder();
    let save = folder.path().join("a.json");
    std::fs::write(&save, "[{\"a\":1}]").unwrap();
    let save = save.to_str().unwrap();
    for args in [&["query", save, "select 1"][..], &["export", save, "--sqlite", "a.db"]] {
        assert!(fails(args, 2).contains("--features sqlite"));
    }
    assert!(
        ok(&["export", save, "--csv", folder.path().join("out").to_str().unwrap()])
            .contains("root")
    );
}

#[cfg(feature = "sqlite")]
mod with_sqlite {
    use super::{fails, folder, ok};

    const UNITS: &str = r#"{"units":[{"name":"Ann","hp":7,"State":"Idle"},{"name":"\u001b[31m\n","hp":18446744073709551615},{"name":"Bob","hp":-5}],
        "other\" (a); --":[{"select":1,"b\"c":2}]}"#;

    fn save(folder: &tempfile::TempDir) -> String {
        let path = folder.path().join("a.json");
        std::fs::write(&path, UNITS).unwrap();
        path.to_str().unwrap().to_owned()
    }

    #[test]
    fn answers_are_tables_csv_or_json() {
        let folder = folder();
        let save = save(&folder);
        let sql = "select name, hp, state from units";
        let table = "name              hp                    State\n\
                     Ann                                  7  Idle\n\
                     \\u001b[31m\\u000a  18446744073709551615\n\
                     Bob                                 -5\n";
        assert_eq!(ok(&["query", &save, sql]), table);
        let csv = "\"name\",\"hp\",\"state\"\n\"Ann\",7,\"Idle\"\n\"\u{1b}[31m\n\",\"18446744073709551615\",\n\"Bob\",-5,\n";
        let lines = ok(&["query", &save, sql, "--csv"]);
        assert_eq!(lines.replace("\"State\"", "\"state\""), csv);
        let json = ok(&[
            "query",
            &save,
            "select name, hp from units where hp = 7 union all select 1, null",
            "--json",
        ]);
        assert_eq!(json, "[\n{\"name\":\"Ann\",\"hp\":7},\n{\"name\":1,\"hp\":null}\n]\n");
        assert_eq!(ok(&["query", &save, "select 1 where 0", "--json"]), "[]\n");
        // Each save has its rows.
        let both = ok(&[
            "query",
            &save,
            &save,
            "select count(*), count(distinct save) c from units",
            "--json",
        ]);
        assert_eq!(both, "[\n{\"count(*)\":6,\"c\":1}\n]\n");
        let names =
            ok(&["query", &save, r#"select "select", "b""c" from "other"" (a); --""#, "--csv"]);
        assert_eq!(names, "\"select\",\"b\"\"c\"\n1,2\n");
    }

    #[test]
    fn a_question_only_reads() {
        let folder = folder();
        let save = save(&folder);
        let other = folder.path().join("other.db");
        let other = other.to_str().unwrap();
        for sql in [
            "delete from units",
            "drop table units",
            "insert into units (hp) values (1)",
            "create table t (a)",
            &format!("attach '{other}' as other"),
            &format!("vacuum into '{other}'"),
            "pragma journal_mode = wal",
            "select 1; drop table units",
            "",
            "select load_extension('x')",
        ] {
            fails(&["query", &save, sql], 2);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// SQLite does not say which columns these joins compare.
    #[test]
    fn joins_by_equal_names_compare_the_columns() {
        let folder = folder();
        let path = folder.path().join("j.json");
        let text =
            r#"{"a":[{"id":1,"x":"p"},{"id":2,"x":"q"}],"b":[{"id":2,"y":"r"},{"id":3,"y":"s"}]}"#;
        std::fs::write(&path, text).unwrap();
        let save = path.to_str().unwrap();
        for sql in [
            "select x, y from a join b using (id)",
            "select x, y from a join b on a.id = b.id",
            "select x, y from (select id, x from a) NATURAL join (select id, y from b)",
        ] {
            let rows = ok(&["query", save, sql, "--csv"]);
            assert_eq!(rows, "\"x\",\"y\"\n\"q\",\"r\"\n", "{sql}");
        }
        assert_eq!(
            ok(&["query", save, "select count(*) n from a natural join b", "--csv"]),
            "\"n\"\n0\n"
        );
        let names = ok(&["query", save, "select name from sqlite_schema order by 1", "--csv"]);
        assert_eq!(names, "\"name\"\n\"a\"\n\"b\"\n\"root\"\n");
    }

    /// A quoted name is not text.
    #[test]
    fn a_quoted_name_that_does_not_exist_is_an_error() {
        let folder = folder();
        let save = save(&folder);
        let errors = fails(&["query", &save, "select \"nam\" from units"], 2);
        assert!(errors.contains("no such column: \"nam\""), "{errors}");
        assert!(errors.contains("did you mean `name`?"), "{errors}");
        assert_eq!(ok(&["query", &save, "select 'nam' n", "--csv"]), "\"n\"\n\"nam\"\n");
    }

    #[test]
    fn errors_name_what_exists() {
        let folder = folder();
        let save = save(&folder);
        let errors = fails(&["query", &save, "select nam from units"], 2);
        assert!(errors.contains("no such column: nam, did you mean `name`?"), "{errors}");
        assert!(errors.contains("`units` has `save`, `key`, `path`, `name`, `hp`"), "{errors}");
        let errors = fails(&["query", &save, "select * from unit"], 2);
        assert!(errors.contains("no such table: unit, did you mean `units`?"), "{errors}");
        assert!(fails(&["query", &save, "select from"], 2).contains("syntax error"));
        assert!(fails(&["query", "absent.bin", "select 1"], 2).contains("absent.bin"));
    }

    #[test]
    fn a_database_appears_once_it_is_complete() {
        let folder = folder();
        let save = save(&folder);
        let database = folder.path().join("a.db");
        let text = database.to_str().unwrap();
        ok(&["export", &save, "--sqlite", text]);
        let bytes = std::fs::read(&database).unwrap();
        assert!(bytes.starts_with(b"SQLite format 3\0"));
        let bad = folder.path().join("bad.json");
        std::fs::write(&bad, "[{").unwrap();
        fails(&["export", &save, bad.to_str().unwrap(), "--sqlite", text], 2);
        assert_eq!(std::fs::read(&database).unwrap(), bytes);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
        std::fs::write(folder.path().join("a.db-wal"), "").unwrap();
        assert!(fails(&["export", &save, "--sqlite", text], 2).contains("another program"));
    }
}
