//! Methods and functions of the program, and objects that scripts create.

use std::cell::RefCell;
use std::rc::Rc;

use archive::reflect::Factory;
use archive::{Error, ErrorKind, Options, Registry, Serialize, json};
use archive_lua::Arguments;

use crate::on_a_unit::{Unit, ann, sandbox};

trait Order: archive::Polymorphic {}
archive::polymorphic!(dyn Order);

#[derive(Default, Serialize)]
struct Wait {
    #[archive(default = 3, range = 1..=9)]
    ticks: u32,
}
impl Order for Wait {}
#[derive(Default, Serialize)]
struct Walk {
    to: (i32, i32),
    then: Option<Box<dyn Order>>,
}
impl Order for Walk {}

fn registry() -> Registry {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Order { Wait as "wait", Walk as "walk" }).unwrap();
    registry
}

#[test]
fn methods_change_their_object() {
    let sandbox = sandbox();
    sandbox.method::<Unit, _>("heal", |unit, call| {
        let by: u16 = call.argument(0)?;
        unit.hp += by;
        *call.host::<u32>()? += 1;
        Ok(unit.hp.into())
    });
    sandbox.method::<Unit, _>("fail", |_, _| Err(Error::new(ErrorKind::Io, "no luck")));
    let script = sandbox
        .load(
            "m.lua",
            "function run(unit)
                local heal = unit.heal
                assert(heal(unit, 1) == 51)
                return unit:heal(4)
             end
             function fail(unit) unit:fail() end
             function dot(unit) unit.heal(4) end
             function wrong(unit) unit:heal('four') end
             function part(unit) unit.at:heal(4) end",
        )
        .unwrap();
    let (mut unit, mut calls) = (ann(), 0_u32);
    let done = script.call("run", Arguments::new().edit(&mut unit).host(&mut calls));
    assert_eq!((done.unwrap(), unit.hp, calls), (55.into(), 55, 2));
    let mut error = |name| {
        let error = script.call(name, Arguments::new().edit(&mut unit)).unwrap_err();
        (error.kind(), error.to_string())
    };
    assert_eq!(error("fail"), (ErrorKind::Io, "m.lua:6: no luck".into()));
    assert_eq!(error("dot").1, "m.lua:7: a method is called with a colon: `object:method()`");
    assert_eq!(error("wrong").0, ErrorKind::WrongType);
    assert_eq!(error("part").0, ErrorKind::NotFound);
    let viewed = script.call("run", Arguments::new().view(&unit)).unwrap_err();
    assert_eq!(viewed.kind(), ErrorKind::ReadOnly);
}

#[test]
fn functions_of_the_program() {
    let sandbox = sandbox();
    sandbox
        .function("sum", |call| {
            let numbers: Vec<i64> = call.argument(0)?;
            Ok(numbers.iter().sum::<i64>().into())
        })
        .unwrap();
    let script =
        sandbox.load("f.lua", "function run(unit) return sum({1, 2, 3}) + sum(unit.grid[1]) end");
    let done = script.unwrap().call("run", Arguments::new().edit(&mut ann())).unwrap();
    assert_eq!(done, 9.into());
}

#[test]
fn scripts_create_objects_by_type_id() {
    let (registry, sandbox) = (registry(), sandbox());
    let known = registry.clone();
    sandbox
        .constructor(move |id| {
            Factory::<dyn Order>::new(&Options::new().registry(&known)).create(id)
        })
        .unwrap();
    let script = sandbox
        .load(
            "new.lua",
            "function run(orders)
                local wait = new('wait')
                assert(wait.ticks == 3)
                wait.ticks = 5
                orders[1] = wait
                wait.ticks = 6
                orders[2] = new('walk', { to = { 1, 2 }, ['then'] = wait })
                orders[2].to[1] = 7
                assert(orders[2]['then'].ticks == 6)
             end
             function unknown() new('fly') end
             function wrong() new('wait', { ticks = 10 }) end",
        )
        .unwrap();
    let options = Options::new().registry(&registry);
    let mut orders: Vec<Box<dyn Order>> = Vec::new();
    script.call("run", Arguments::new().edit(&mut orders).options(&options)).unwrap();
    assert_eq!(
        json::to_string_with(&orders, &options).unwrap(),
        r#"[{"$type":"wait","$value":{"ticks":5}},{"$type":"walk","$value":{"to":[7,2],"then":{"$type":"wait","$value":{"ticks":6}}}}]"#
    );
    let error = |name| script.call(name, Arguments::new().options(&options)).unwrap_err();
    assert_eq!(error("unknown").kind(), ErrorKind::UnknownType);
    assert_eq!(error("wrong").kind(), ErrorKind::OutOfRange);
}

#[test]
fn a_call_within_a_call_has_its_own_objects() {
    let sandbox = Rc::new(sandbox());
    let inner = sandbox.load("inner.lua", "function run(unit) unit.hp = 1 end").unwrap();
    sandbox
        .function("inner", move |_| {
            let mut other = ann();
            inner.call("run", Arguments::new().edit(&mut other))?;
            Ok(other.hp.into())
        })
        .unwrap();
    let script =
        sandbox.load("outer.lua", "function run(unit) unit.hp = 2 return inner() + unit.hp end");
    let done = script.unwrap().call("run", Arguments::new().edit(&mut ann())).unwrap();
    assert_eq!(done, 3.into());
}

#[test]
fn shared_objects_outlive_the_call() {
    let (sandbox, unit) = (sandbox(), Rc::new(RefCell::new(ann())));
    let script = sandbox
        .load(
            "kept.lua",
            "function keep(unit) kept = unit end function use() kept.hp = kept.hp + 1 end",
        )
        .unwrap();
    script.call("keep", Arguments::new().shared(&unit)).unwrap();
    script.call("use", Arguments::new()).unwrap();
    assert_eq!(unit.borrow().hp, 51);
    let borrowed = unit.borrow();
    let error = script.call("use", Arguments::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Borrowed);
    drop(borrowed);
}
