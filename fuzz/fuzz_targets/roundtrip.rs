//! Values that are saved and loaded in every format, and damaged files of them.
#![no_main]

use archive_fuzz::round_trip::{Input, round_trip};

libfuzzer_sys::fuzz_target!(|input: Input| {
    round_trip::<archive::json::Json>(&input);
    round_trip::<archive::binary::Binary>(&input);
    round_trip::<archive::blob::Blob>(&input);
    round_trip::<archive::msgpack::MessagePack>(&input);
    round_trip::<archive::bins::Bins>(&input);
});
