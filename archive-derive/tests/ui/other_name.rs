use archive::Serialize;

#[derive(Serialize)]
enum OtherName {
    #[archive(other)]
    Number(u8),
}

fn main() {}
