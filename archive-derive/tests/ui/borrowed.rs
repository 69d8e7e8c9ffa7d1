use archive::{Result, json};

fn load(text: &str) -> Result {
    json::from_str::<&str>(text)?;
    json::from_str::<Vec<&str>>(text)?;
    json::from_slice::<&[u8]>(text.as_bytes())?;
    Ok(())
}

fn main() {}
