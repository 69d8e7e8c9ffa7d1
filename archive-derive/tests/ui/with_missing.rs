use archive::Serialize;

struct Foreign(u8);

mod no_load {
    pub fn save(value: &super::Foreign) -> archive::Result<u8> {
        Ok(value.0)
    }
}

mod no_save {
    pub fn load(value: u8) -> archive::Result<super::Foreign> {
        Ok(super::Foreign(value))
    }
}

#[derive(Serialize)]
struct Holder {
    #[archive(with = no_load, default = Foreign(0))]
    a: Foreign,
    #[archive(with = no_save, default = Foreign(0))]
    b: Foreign,
    #[archive(with = nowhere, default = Foreign(0))]
    c: Foreign,
}

fn main() {}
