use archive::{Result, Serialize};

pub struct Foreign(u8);

mod saves_another {
    pub fn save(value: &u32) -> archive::Result<u32> {
        Ok(*value)
    }
    pub fn load(value: u32) -> archive::Result<super::Foreign> {
        Ok(super::Foreign(value as u8))
    }
}

mod loads_another {
    pub fn save(value: &super::Foreign) -> archive::Result<u32> {
        Ok(value.0.into())
    }
    pub fn load(value: String) -> archive::Result<super::Foreign> {
        Ok(super::Foreign(value.len() as u8))
    }
}

mod no_result {
    pub fn save(value: &super::Foreign) -> u8 {
        value.0
    }
    pub fn load(value: u8) -> super::Foreign {
        super::Foreign(value)
    }
}

struct Unsaved(u8);

struct Functions;

impl Functions {
    fn save(value: &Foreign) -> Result<Unsaved> {
        Ok(Unsaved(value.0))
    }
    fn load(value: Unsaved) -> Result<Foreign> {
        Ok(Foreign(value.0))
    }
}

#[derive(Serialize)]
struct Holder {
    #[archive(with = saves_another, default = Foreign(0))]
    a: Foreign,
    #[archive(with = loads_another, default = Foreign(0))]
    b: Foreign,
    #[archive(with = no_result, default = Foreign(0))]
    c: Foreign,
    #[archive(with = Functions, default = Foreign(0))]
    d: Foreign,
}

fn main() {}
