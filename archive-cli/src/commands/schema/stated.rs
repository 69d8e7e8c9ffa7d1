//! The types that a binary file states, for programs.

use archive::Value;
use archive::binary::{MemberInfo, PayloadInfo, TypeContent, TypesInfo};

use crate::json_output::object;

/// Returns the types in the tables of a file.
pub fn as_value(types: &TypesInfo<'_>) -> Value {
    let all = types.types.iter().map(|of| {
        let signature = of.signature.map(|signature| Value::from(format!("{signature:016x}")));
        let (members, variants, version) = match &of.content {
            TypeContent::Class { version, members, .. } => {
                let version = if *version == 0 { Value::Null } else { (*version).into() };
                (self::members(members), Value::Null, version)
            }
            TypeContent::Enum { variants, .. } => {
                let variant = variants.iter().map(|variant| {
                    let (values, members) = match &variant.payload {
                        PayloadInfo::Values(values) => (Value::from(values.as_str()), Value::Null),
                        PayloadInfo::Members(members) => (Value::Null, self::members(members)),
                        _ => (Value::Null, Value::Null),
                    };
                    object([
                        ("name", variant.name.into()),
                        ("values", values),
                        ("members", members),
                    ])
                });
                (Value::Null, variant.collect(), Value::Null)
            }
            _ => (Value::Null, Value::Null, Value::Null),
        };
        object([
            ("name", of.name.as_str().into()),
            ("version", version),
            ("signature", signature.unwrap_or_default()),
            ("members", members),
            ("variants", variants),
        ])
    });
    let registered = types
        .registered
        .iter()
        .map(|of| object([("id", of.id.into()), ("type", of.ty.as_str().into())]));
    object([
        ("format_version", u64::from(types.format_version).into()),
        ("root", types.root.as_str().into()),
        ("objects", (types.objects as u64).into()),
        ("types", all.collect()),
        ("registered", registered.collect()),
    ])
}

fn members(members: &[MemberInfo<'_>]) -> Value {
    let member = |member: &MemberInfo<'_>| {
        object([("name", member.name.into()), ("type", member.ty.as_str().into())])
    };
    members.iter().map(member).collect()
}
