"""Compares the tables of `archive export` with `archive get`, value by value: `check.py ARCHIVE FOLDER`.

DuckDB reads Parquet and CSV, and the sqlite3 of Python reads SQLite.
"""

import csv as csv_module
import json
import math
import sqlite3
import struct
import subprocess
import sys
from pathlib import Path

import duckdb

ARCHIVE, FOLDER = sys.argv[1], Path(sys.argv[2])
compared = 0


def archive(*args):
    return subprocess.run([ARCHIVE, *map(str, args)], check=True, capture_output=True, text=True).stdout


def short(value):
    """A float of four bytes as the float of eight bytes with the same text."""
    return float(f"{value:.9g}") if value == value and abs(value) != math.inf else value


def same(found, expected, what):
    """Compares a value that was read with one of `archive get`."""
    global compared
    compared += 1
    if isinstance(expected, str) and isinstance(found, float):
        expected = {"NaN": math.nan, "inf": math.inf, "-inf": -math.inf}[expected]
    if isinstance(expected, bool) and isinstance(found, int):
        found = bool(found)
    if isinstance(found, float) and isinstance(expected, (int, float)):
        if math.isnan(found) and math.isnan(expected) or found == expected:
            return
        # DuckDB has floats of four bytes.
        if struct.pack("f", found) == struct.pack("f", expected):
            return
    if isinstance(expected, int) and not isinstance(expected, bool) and isinstance(found, str):
        found = int(found)
    assert type(found) is type(expected) and found == expected, f"{what}: {found!r} is not {expected!r}"


def key_of(value):
    """A pointer as its key."""
    if isinstance(value, dict):
        for name in ("$id", "$weak"):
            if name in value:
                return value[name]
    return value


def is_map(value, pairs):
    return isinstance(value, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in value) and pairs


# The members that are maps and enums with data: JSON does not say so.
MAPS = {"scores", "slots"}
ENUMS = {"orders", "current"}


def shaped(name, value):
    """A value of `archive get` as JSON in a table has it."""
    value = key_of(value)
    if name in MAPS:
        # Maps with other keys than text are pairs in JSON.
        pairs = value.items() if isinstance(value, dict) else value
        return {str(key): shaped("", item) for key, item in pairs}
    if name in ENUMS and isinstance(value, str):
        return {"variant": value}
    if name in ENUMS and isinstance(value, dict):
        ((variant, payload),) = value.items()
        return {"variant": variant, variant: shaped("", payload)}
    if isinstance(value, list):
        return [shaped(name, item) for item in value]
    if isinstance(value, dict):
        return {inner: shaped(inner, item) for inner, item in value.items()}
    return value


def flat(members, around=""):
    """The columns of an object in SQLite and CSV."""
    for name, value in members.items():
        column = around + {"save": "save_2", "path": "path_2", "key": "key_2"}.get(name, name)
        value = key_of(value)
        if name == "pair":
            value = {str(index): item for index, item in enumerate(value)}
        if name == "current":
            value = shaped(name, value)
            yield column, value["variant"]
            yield column + ".data", value.get(value["variant"])
        elif isinstance(value, dict) and name not in MAPS:
            yield from flat(value, column + ".")
        elif name == "home" and value is None:
            yield column + ".x", None
            yield column + ".y", None
        else:
            yield column, shaped(name, value)


def check_flat(row, expected, what, older):
    """Compares a row of SQLite or CSV."""
    for column, value in flat(expected):
        if older and column == "hp":
            column = "hp_text"
        if older and column not in row:
            raise AssertionError(f"{what}: no column {column}")
        found = row[column]
        if isinstance(value, (list, dict)) or column.endswith(".data") and value is not None:
            found = json.loads(found)
            deep(found, value, f"{what}.{column}")
        else:
            same(found, value, f"{what}.{column}")


def deep(found, expected, what):
    if isinstance(expected, list):
        assert len(found) == len(expected), f"{what}: {found!r} is not {expected!r}"
        for index, (one, other) in enumerate(zip(found, expected)):
            deep(one, other, f"{what}[{index}]")
    elif isinstance(expected, dict):
        assert list(found) == list(expected), f"{what}: {found!r} is not {expected!r}"
        for name in expected:
            deep(found[name], expected[name], f"{what}.{name}")
    else:
        same(found, expected, what)


def check_parquet(found, name, expected, what):
    """Compares a value of DuckDB: structs, lists and maps."""
    expected = key_of(expected)
    if expected is None:
        same(found, None, what)
    elif name in MAPS:
        pairs = list(expected.items()) if isinstance(expected, dict) else expected
        assert len(found) == len(pairs), what
        for key, item in pairs:
            check_parquet(found[key], "", item, f"{what}.{key}")
    elif name in ENUMS and not isinstance(expected, list):
        variant, payload = (expected, None) if isinstance(expected, str) else next(iter(expected.items()))
        same(found["variant"], variant, what)
        for other, value in found.items():
            if other == variant and payload is not None:
                check_parquet(value, "", payload, f"{what}.{variant}")
            elif other != "variant":
                same(value, None, f"{what}.{other}")
    elif isinstance(expected, dict):
        if isinstance(found, str):
            deep(json.loads(found), expected, what)
            return
        assert len(found) == len(expected), f"{what}: {found!r} is not {expected!r}"
        for inner, item in expected.items():
            check_parquet(found[inner], inner, item, f"{what}.{inner}")
    elif isinstance(expected, list) and isinstance(found, dict):
        # A tuple.
        for index, item in enumerate(expected):
            check_parquet(found[str(index)], "", item, f"{what}.{index}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), f"{what}: {found!r} is not {expected!r}"
        for index, (one, other) in enumerate(zip(found, expected)):
            check_parquet(one, name, other, f"{what}[{index}]")
    else:
        same(found, expected, what)


def rows_of(saves):
    """The objects of each save by table and path, from `archive get`."""
    for save in saves:
        if save.suffix == ".store":
            classes = json.loads(archive("get", save, "--compact"))
            for name, rows in classes.items():
                for key, row in rows.items():
                    yield save, name, int(key), f"{name}[{key}]", row
            continue
        world = json.loads(archive("get", save, "--compact"))
        for index, unit in enumerate(world["units"]):
            yield save, "Unit", None, f"units[{index}]", unit
        heroes = world.get("heroes", {})
        for name, unit in heroes.items() if isinstance(heroes, dict) else heroes:
            path = f"heroes.{name}" if name.isidentifier() else f'heroes["{name}"]'
            yield save, "Unit", None, path, unit
        for agent in world.get("agents", []):
            yield save, "Agent", agent["$id"], f"${agent['$id']}", agent["$value"]
        rest = {name: value for name, value in world.items() if name not in ("units", "heroes")}
        if "agents" in rest:
            rest["agents"] = [agent["$id"] for agent in rest["agents"]]
        yield save, "World", None, "", rest


def check(name, saves):
    outputs = {kind: FOLDER / f"{name}.{kind}" for kind in ("sqlite", "parquet", "csv")}
    for kind, output in outputs.items():
        archive("export", *saves, f"--{kind}", output)
    sqlite = sqlite3.connect(outputs["sqlite"])
    sqlite.row_factory = sqlite3.Row
    assert sqlite.execute("pragma integrity_check").fetchone()[0] == "ok"
    duck = duckdb.connect()
    count = {}
    tables = {}
    for save, table, key, path, expected in rows_of(saves):
        if table not in tables:
            parquet = duck.execute(f"select * from '{outputs['parquet'] / table}.parquet'")
            names = [column[0] for column in parquet.description]
            tables[table] = (
                {(row["save"], row["path"]): row for row in sqlite.execute(f'select * from "{table}"')},
                {(row[0], row[2]): dict(zip(names, row)) for row in parquet.fetchall()},
                read_csv(duck, outputs["csv"] / f"{table}.csv"),
            )
        what = f"{save} {table} {path}"
        in_sqlite, in_parquet, in_csv = (of[(str(save), path)] for of in tables[table])
        for row in (in_sqlite, in_parquet, in_csv):
            same(row["key"], key, what)
        older = "old" in expected
        check_flat(dict(in_sqlite), expected, what, older)
        check_flat(in_csv, expected, what, older)
        for member, value in expected.items():
            column = {"save": "save_2", "path": "path_2"}.get(member, member)
            column = "hp_text" if older and member == "hp" else column
            check_parquet(in_parquet[column], member, value, f"{what}.{member}")
        count[table] = count.get(table, 0) + 1
    for table, rows in count.items():
        assert all(len(of) == rows for of in tables[table]), f"{table}: {[len(of) for of in tables[table]]} rows, not {rows}"
    print(f"{name}: {len(saves)} saves, {sum(count.values())} rows")


def read_csv(duck, path):
    """Reads a CSV file with DuckDB, whose types it finds itself except those of integers above 64 bits."""
    columns = duck.execute(
        f"select * from read_csv('{path}', header = true, delim = ',', quote = '\"', escape = '\"', all_varchar = true, "
        "allow_quoted_nulls = false, max_line_size = 100000000)"
    )
    names = [column[0] for column in columns.description]
    rows = {}
    for row in columns.fetchall():
        rows[(row[0], row[2])] = dict(zip(names, row))
    text = {"save", "path", "name", "note", "path_2", "state", "level", "current", "hp_text"}
    for row in rows.values():
        for column, value in row.items():
            if value is not None and column not in text and value[:1] not in "[{\"" and not column.endswith(".data"):
                row[column] = {"true": True, "false": False}.get(value) if value in ("true", "false") else number(value)
    return rows


def number(text):
    try:
        return int(text)
    except ValueError:
        return float(text)


def main():
    check("typed", [FOLDER / "typed.bin"])
    check("versions", [FOLDER / "typed.bin", FOLDER / "old.bin", FOLDER / "slot.sav"])
    check("store", [FOLDER / "fleet.store"])
    many = sorted((FOLDER / "many").glob("*.sav"))
    check("many", many[:20])
    archive("export", *many, "--parquet", FOLDER / "all")
    duck = duckdb.connect()
    sql = "select state, count(*), sum(hp) from {} group by state order by state"
    by_duck = duck.execute(sql.format(f"'{FOLDER / 'all' / 'Unit.parquet'}'")).fetchall()
    by_query = list(csv_module.reader(archive("query", *many, sql.format("Unit"), "--csv").splitlines()))[1:]
    assert [[str(cell) for cell in row] for row in by_duck] == by_query, (by_duck, by_query)
    print(f"all: {len(many)} saves, the same answer from DuckDB and `archive query`")
    print(f"{compared} values are equal")


main()
