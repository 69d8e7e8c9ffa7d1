//! The types of `log`, and their values.

use skirmish::Random;

use crate::data::data;
use crate::workload::random::Draw;

/// How many records there are.
const RECORDS: u32 = 10_000;

data! {
    /// An address of the Internet.
    pub struct Address {
        /// The first number.
        pub x0: u8,
        /// The second.
        pub x1: u8,
        /// The third.
        pub x2: u8,
        /// The fourth.
        pub x3: u8,
    }

    /// One request.
    pub struct Log {
        /// The client.
        pub address: Address,
        /// The identity that the client claims.
        pub identity: String,
        /// The user.
        pub userid: String,
        /// The time.
        pub date: String,
        /// The request.
        pub request: String,
        /// The status.
        pub code: u16,
        /// The number of bytes sent.
        pub size: u64,
    }

    /// All requests.
    pub struct Logs {
        /// In the order in which they came.
        pub logs: Vec<Log>,
    }
}

/// The value.
pub fn generate() -> Logs {
    let random = &mut Random::new(1);
    Logs { logs: (0..RECORDS).map(|_| record(random)).collect() }
}

fn record(random: &mut Random) -> Log {
    const USERS: [&str; 9] =
        ["-", "-", "alice", "bob", "carmen", "david", "eric", "frank", "george"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    const ZONES: [&str; 5] = ["-0500", "-0400", "+0000", "+0100", "+0200"];
    const METHODS: [&str; 5] = ["GET", "POST", "PUT", "UPDATE", "DELETE"];
    const ROUTES: [&str; 7] = [
        "/favicon.ico",
        "/css/index.css",
        "/css/font-awesome.min.css",
        "/img/logo-full.svg",
        "/img/splash.jpg",
        "/api/login",
        "/api/logout",
    ];
    const PROTOCOLS: [&str; 4] = ["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"];
    const CODES: [u16; 12] = [200, 200, 200, 201, 204, 301, 304, 400, 401, 403, 404, 500];
    let byte = |random: &mut Random| random.below(256) as u8;
    Log {
        address: Address { x0: byte(random), x1: byte(random), x2: byte(random), x3: byte(random) },
        identity: "-".to_owned(),
        userid: random.pick(&USERS).to_owned(),
        date: format!(
            "{}/{}/{}:{}:{}:{} {}",
            random.range(1, 29),
            random.pick(&MONTHS),
            random.range(1970, 2026),
            random.below(24),
            random.below(60),
            random.below(60),
            random.pick(&ZONES),
        ),
        request: format!(
            "{} {} {}",
            random.pick(&METHODS),
            random.pick(&ROUTES),
            random.pick(&PROTOCOLS)
        ),
        code: random.pick(&CODES),
        size: u64::from(random.below(100_000_000)),
    }
}
