use archive::Serialize;

#[derive(Serialize)]
#[archive(deny_unknown_fields, from = "Old", into = "Old", rename_all(serialize = "camelCase"))]
struct Unit {
    #[archive(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[archive(serialize_with = "seconds", deserialize_with = "seconds")]
    age: u32,
    #[archive(skip_serializing)]
    #[archive(rename(serialize = "hitpoints", deserialize = "hp"))]
    hp: u32,
    #[archive(borrow)]
    title: String,
}

#[derive(Serialize)]
#[archive(untagged)]
enum Order {
    Go(u8),
    #[archive(skip_deserializing)]
    Stop,
}

fn main() {}
