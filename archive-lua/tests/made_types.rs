//! Objects whose types are made from schemas.

use archive::types::{Made, Methods, Record, RegisterSchema, Schema};
use archive::{Options, Registry, json};
use archive_lua::Arguments;

use crate::on_a_unit::sandbox;

trait Command: archive::Polymorphic {}
archive::polymorphic!(dyn Command);
impl Command for Made {}

const SCHEMA: &[u8] = br#"{"types":{
    "Spell":{"implements":["Command"],"members":[
        {"name":"power","type":"u16","default":3,"range":[0,10]},
        {"name":"words","type":"Vec<String>"},
        {"name":"school","type":"School"},
        {"name":"costs","type":"BTreeMap<String, u8>"}]},
    "School":{"variants":[{"name":"Fire"},{"name":"Ice","members":[{"name":"cold","type":"f32"}]}]}}}"#;

#[test]
fn records() {
    let schema = Schema::from_slice(SCHEMA).unwrap();
    let mut record = Record::new(schema.get("Spell").unwrap());
    let script = sandbox()
        .load(
            "record.lua",
            "function run(spell)
                assert(spell.power == 3 and spell.school == 'Fire')
                spell.power = spell.power + 4
                spell.words[1] = 'hocus'
                spell.words[2] = 'pocus'
                spell.school = { Ice = { cold = 1.5 } }
                spell.school.cold = spell.school.cold * 2
                spell.costs.mana = 9
             end
             function far(spell) spell.power = 11 end",
        )
        .unwrap();
    script.call("run", Arguments::new().edit(&mut record)).unwrap();
    let text = r#"{"power":7,"words":["hocus","pocus"],"school":{"Ice":{"cold":3.0}},"costs":[["mana",9]]}"#;
    assert_eq!(json::to_string(&record).unwrap(), text);
    let error = script.call("far", Arguments::new().edit(&mut record)).unwrap_err();
    assert_eq!(error.to_string(), "record.lua:10: power: 11 is not in the range from 0 to 10");
}

#[test]
fn trait_objects_in_a_list_and_their_methods() {
    let methods = Methods::new().add("Spell", "double", |this, call| {
        let power: u16 = this.get_as("power")?;
        this.set("power", power * 2)?;
        *call.host::<u32>()? += 1;
        Ok((power * 2).into())
    });
    let mut registry = Registry::new();
    registry.schema::<dyn Command>(Schema::from_slice(SCHEMA).unwrap(), &methods).unwrap();
    let options = Options::new().registry(&registry);
    let sandbox = sandbox();
    let known = registry.clone();
    sandbox.constructor(move |id| registry_make(&known, id)).unwrap();
    let script = sandbox
        .load(
            "made.lua",
            "function add(list) list[#list + 1] = new('Spell', { power = 5 }) list[1].words[1] = 'abra' end
             function double(spell) return spell:double() end",
        )
        .unwrap();
    let mut list: Vec<Box<dyn Command>> = Vec::new();
    script.call("add", Arguments::new().edit(&mut list).options(&options)).unwrap();
    let text = json::to_string_with(&list, &options).unwrap();
    assert_eq!(
        text,
        r#"[{"$type":"Spell","$value":{"power":5,"words":["abra"],"school":"Fire","costs":[]}}]"#
    );
    let (object, mut calls): (&mut dyn std::any::Any, _) = (&mut *list[0], 0_u32);
    let made: &mut Made = object.downcast_mut().unwrap();
    let done = script.call("double", Arguments::new().edit(made).host(&mut calls)).unwrap();
    assert_eq!((done, calls), (10.into(), 1));
}

fn registry_make(registry: &Registry, id: &str) -> archive::Result<Box<dyn Command>> {
    registry.make(id, &Options::new().registry(registry))
}
