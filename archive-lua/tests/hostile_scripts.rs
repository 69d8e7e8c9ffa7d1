//! Scripts that try to take time, memory, or what they were not given.

use archive::ErrorKind;
use archive_lua::{Arguments, Limits, Sandbox};

use crate::on_a_unit::ann;

/// Scripts that never end, or take all memory.
const ENDLESS: &[&str] = &[
    "while true do end",
    "repeat until false",
    "local function f() return f() end f()",
    "while true do pcall(function() while true do end end) end",
    "while true do pcall(error) end",
    "while true do xpcall(function() error() end, function() while true do end end) end",
    "coroutine.wrap(function() while true do end end)()",
    "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
    "while true do coroutine.close(coroutine.create(function() end)) end",
    "local co co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end",
    "local t = {} for i = 1, 1e9 do t[i] = {} end",
    "local s = 'x' while true do s = s .. s end",
    "local s = ('x'):rep(1 << 40)",
    "local s = string.rep('x', 1e9, 'y')",
    "while true do local s = ('x'):rep(1e6) end",
    "local s = ('x'):rep(3e5) while true do local t = s .. 'y' end",
    "local a, b = ('x'):rep(3e5) .. 'a', ('x'):rep(3e5) .. 'b' while true do local c = a < b end",
    "local t = {} while true do t = { t } end",
    "return ('a'):rep(3000):find('.-.-.-b')",
    "return ('x'):rep(1e5):find(('x?'):rep(50))",
    "return ('a'):rep(30):match(('a*'):rep(30) .. 'b')",
    "return ('('):rep(1e5):gsub('%b()', '')",
    "while true do (' '):rep(1000):gsub('.', function() while true do end end) end",
    "local t = {} for i = 1, 3e4 do t[i] = i end while true do table.insert(t, 1, 0) table.remove(t, 1) end",
    "local t = {} for i = 1, 3e4 do t[i] = 3e4 - i end while true do table.sort(t, function(a, b) return a < b end) end",
    "while true do table.move({}, 1, 1e9, 2) end",
    "local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end }) while true do local x = pcall(function() return t[1] end) end",
    "local t = setmetatable({}, { __close = function() while true do end end }) do local x <close> = t end",
    "local t = setmetatable({}, { __tostring = function() while true do end end }) tostring(t)",
    "error(setmetatable({}, { __tostring = function() while true do end end }))",
    "while true do local x = unit.at end",
    "while true do unit.hp = unit.hp end",
    "while true do for _ in pairs(unit) do end end",
    "for i = 1, 1e9 do unit.words[#unit.words + 1] = 'x' end",
    "local t = {} for i = 1, 1e9 do t[i] = unit.at end",
    "while true do unit.bag[tostring(#unit.bag)] = 1 end",
    "while true do tostring(unit) end",
    "while true do local t = copy(unit) end",
    "local s, t = ('x'):rep(1e6), {} for i = 1, 1000 do t[i] = s end unit.any = t",
    "local s, t = ('x'):rep(1e6), {} for i = 1, 1000 do t[i] = s end return t",
    "unit.any = {} while true do unit.any = { unit.any, unit.any } end",
    "unit.any = 'x' while true do unit.any = unit.any .. unit.any end",
    "goto again ::again:: goto again",
    "local f f = function(...) return f(1, ...) end f()",
    "for i = 1, math.maxinteger do string.format('%99d', i) end",
    "while true do local s = ('x'):rep(1e5):upper():lower():reverse() end",
];

/// Scripts that end by an error of their own.
const ERRORS: &[&str] = &[
    "local function f() return 1 + f() end f()",
    "local t = {} for i = 1, 300 do t = { t } end unit.any = t",
    "local t = {} t[1] = t unit.any = t",
    "setmetatable({}, { __gc = function() while true do end end })",
    "os.exit()",
    "io.open('/etc/passwd')",
    "require('os')",
    "load('return 1')()",
    "dofile('/etc/passwd')",
    "debug.getregistry()",
    "collectgarbage('stop')",
    "math.random()",
    "string.dump(function() end)",
    "getmetatable(unit).__index = nil",
    "getmetatable('').__index = nil",
    "setmetatable(unit, {})",
    "rawset(unit, 'hp', 1)",
    "unit.hp = unit",
    "unit.at = coroutine.create(function() end)",
    "unit.words = { unit, unit }",
    "return coroutine.wrap(coroutine.wrap)()",
    "error()",
    "error(nil)",
    "error({})",
    "error(unit)",
    "string.rep()",
    "('x'):rep(-1, {}):find({})",
    "table.concat({ {} })",
    "table.sort({ 3, 2, 1, 5, 4 }, function() return true end) error('sorted')",
    "unit['\\xff'] = 1",
    "return unit['\\xff\\xff']",
    "unit.name = { '\\xff' }",
    "local x <const> = 1 x = 2",
];

fn run(body: &str) -> archive::Result<archive::Value> {
    let sandbox = Sandbox::new(Limits::default().memory(4 << 20))?;
    let script = sandbox.load("hostile.lua", &format!("function run(unit) {body}\nend"))?;
    let mut unit = ann();
    let done = script.call("run", Arguments::new().edit(&mut unit));
    // The sandbox still works.
    let next =
        sandbox.load("next.lua", "function run(unit) unit.hp = unit.hp - 1 return unit.hp end")?;
    unit.hp = 50;
    assert_eq!(next.call("run", Arguments::new().edit(&mut unit))?, 49.into(), "{body}");
    done
}

#[test]
fn what_never_ends_is_ended() {
    for body in ENDLESS {
        let error = match run(body) {
            Err(error) => error,
            Ok(value) => panic!("{body}: {value}"),
        };
        println!("{body}: {error}");
        let own = body.starts_with("error(") || body.starts_with("local f f");
        assert!(error.kind() == ErrorKind::SizeLimit || own, "{body}: {error}");
    }
}

#[test]
fn everything_else_is_an_error() {
    for body in ERRORS {
        let error = match run(body) {
            Err(error) => error,
            Ok(value) => panic!("{body}: {value}"),
        };
        println!("{body}: {error}");
        assert!(!error.to_string().is_empty(), "{body}");
    }
}

/// A limit that Lua itself does not fit.
#[test]
fn too_little_memory_is_an_error() {
    for memory in [1, 1_000, 20_000] {
        let error = Sandbox::new(Limits::default().memory(memory)).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::SizeLimit, "{memory}: {error}");
    }
    // Memory that is just enough, in steps: an error, or a result.
    for memory in (20_000..120_000).step_by(1_700) {
        let Ok(sandbox) = Sandbox::new(Limits::default().memory(memory)) else {
            continue;
        };
        let Ok(script) = sandbox.load("m.lua", "function run(unit) return copy(unit).hp end")
        else {
            continue;
        };
        let _ = script.call("run", Arguments::new().edit(&mut ann()));
    }
}

/// A tree of the program that nests deeper than Lua's stack of calls.
#[test]
fn deep_arguments_are_errors() {
    let mut deep = archive::Value::Null;
    for _ in 0..1_000 {
        deep = archive::Value::Array(vec![deep]);
    }
    let script = Sandbox::new(Limits::default())
        .unwrap()
        .load("d.lua", "function run(x) return x end")
        .unwrap();
    let error = script.call("run", Arguments::new().value(deep)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
}

/// Random bytes and random pieces of programs are an error or run.
#[test]
fn random_programs() {
    use proptest::prelude::*;
    const PIECES: &[&str] = &[
        "unit",
        ".hp",
        ".words",
        "[1]",
        "[#unit.words + 1]",
        ".at",
        ".x",
        " = ",
        "nil",
        "1",
        "'x'",
        "{}",
        "{ 1 }",
        "{ x = 1 }",
        "\n",
        "pairs(",
        ")",
        "for k, v in ",
        " do ",
        " end ",
        "local a = ",
        "a",
        "pcall(",
        "function() ",
        ".stance",
        ".bag",
        ".tags",
        ".squad",
        ".any",
        "copy(",
        "variant(",
        "#",
        " + ",
        " .. ",
        "true",
        "tostring(",
        ".by_number",
        "[7]",
        ".grid",
        "-1",
        "1e300",
        "0/0",
    ];
    let sandbox = Sandbox::new(Limits::default().instructions(20_000)).unwrap();
    proptest!(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() }, |(choices in prop::collection::vec(0..PIECES.len(), 1..30))| {
        let body: String = choices.iter().map(|choice| PIECES[*choice]).collect();
        let mut unit = ann();
        if let Ok(script) = sandbox.load("random.lua", &format!("function run(unit) {body}\nend")) {
            let _ = script.call("run", Arguments::new().edit(&mut unit));
        }
        // What is in the unit can be saved and loaded.
        let text = archive::json::to_string(&unit).unwrap();
        let again: crate::on_a_unit::Unit = archive::json::from_str(&text).unwrap();
        prop_assert_eq!(archive::json::to_string(&again).unwrap(), text);
    });
}
