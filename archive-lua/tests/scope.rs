//! A script reaches what it is called with, and only during the call.

use archive::ErrorKind;
use archive_lua::Arguments;

use crate::on_a_unit::{ann, sandbox};

#[test]
fn an_object_that_is_kept_is_an_error() {
    let script = sandbox()
        .load(
            "keep.lua",
            "function keep(unit) kept, part, method = unit, unit.at, function() return unit.hp end end
             function object() return kept.hp end
             function nested() return part.x end
             function closure() return method() end
             function write() kept.hp = 1 end
             function length() return #kept end
             function all() for _ in pairs(kept) do end end
             function text() return tostring(kept) end
             function thread() co = coroutine.wrap(function() return kept.hp end) return co() end
             function given(unit) unit.at = part end
             function returned() return kept end",
        )
        .unwrap();
    let mut unit = ann();
    script.call("keep", Arguments::new().edit(&mut unit)).unwrap();
    for name in [
        "object", "nested", "closure", "write", "length", "all", "text", "thread", "given",
        "returned",
    ] {
        let error = script.call(name, Arguments::new().edit(&mut ann())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{name}: {error}");
        assert!(error.to_string().contains("has ended"), "{name}: {error}");
    }
    assert_eq!(unit.hp, 50);
}

#[test]
fn an_object_to_view_is_not_changed() {
    let script = sandbox()
        .load("view.lua", "function run(unit) assert(unit.hp == 50) unit.hp = 1 end")
        .unwrap();
    let unit = ann();
    let error = script.call("run", Arguments::new().view(&unit)).unwrap_err();
    assert_eq!((error.kind(), unit.hp), (ErrorKind::ReadOnly, 50));
}

#[test]
fn several_objects() {
    let script = sandbox()
        .load("two.lua", "function run(a, n, b) a.hp, b.hp = b.hp + n, a.hp a.at = b.trail[1] b.words = a.words end")
        .unwrap();
    let (mut one, mut other) = (ann(), ann());
    (one.hp, other.hp) = (10, 20);
    one.words.push("three".into());
    script.call("run", Arguments::new().edit(&mut one).value(5).edit(&mut other)).unwrap();
    assert_eq!((one.hp, other.hp, one.at.x, other.words.len()), (25, 10, 3, 3));
}

#[test]
fn scripts_have_their_own_globals() {
    let sandbox = sandbox();
    let one = sandbox
        .load("one.lua", "x = 1 string.rep = nil function get() return x end pcall = nil _G.y = 3")
        .unwrap();
    let other = sandbox
        .load("two.lua", "x = 2 function get() return x, y end assert(y == nil and pcall and string.rep('a', 2) == 'aa')")
        .unwrap();
    assert_eq!(one.call("get", Arguments::new()).unwrap(), 1.into());
    assert_eq!(other.call("get", Arguments::new()).unwrap(), 2.into());
    let nested =
        sandbox.load("nested.lua", "Kitchen = { tick = function() return 7 end }").unwrap();
    assert_eq!(nested.call("Kitchen.tick", Arguments::new()).unwrap(), 7.into());
    assert!(
        !nested.has("Kitchen")
            && !nested.has("Kitchen.tock")
            && !nested.has("Kitchen.tick.x")
            && !nested.has(".")
    );
    assert!(one.has("get") && !one.has("x") && !one.has("put"));
    assert_eq!(one.call("put", Arguments::new()).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn tables_are_arguments_and_results() {
    let tree: archive::Value =
        archive::json::from_str(r#"{"a":[1,2.5,"x",true],"b":{"c":{"d":[3]}}}"#).unwrap();
    let script = sandbox().load("t.lua", "function same(x) return x end").unwrap();
    assert_eq!(script.call("same", Arguments::new().value(tree.clone())).unwrap(), tree);
    let done = script.call("same", Arguments::new().edit(&mut ann().at)).unwrap();
    assert_eq!(done.to_string(), r#"{"x":1,"y":2}"#);
}

/// The thread is as before after a panic in a method.
#[test]
fn a_panic_ends_the_call() {
    let sandbox = sandbox();
    sandbox.function("panic", |_| panic!("in a function")).unwrap();
    let script = sandbox
        .load("p.lua", "function run(unit) pcall(panic) end function read(unit) return unit.hp end")
        .unwrap();
    let mut unit = ann();
    let run = std::panic::AssertUnwindSafe(|| script.call("run", Arguments::new().edit(&mut unit)));
    assert!(std::panic::catch_unwind(run).is_err());
    assert_eq!(script.call("read", Arguments::new().edit(&mut unit)).unwrap(), 50.into());
}
