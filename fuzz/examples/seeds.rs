//! Writes the seeds of every corpus: `cargo run --example seeds`.

fn main() -> std::io::Result<()> {
    archive_fuzz::corpus::write()
}
