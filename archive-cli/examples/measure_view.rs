//! How long the page of `archive view` needs for its answers, and how much memory the command takes. By hand, on Linux:
//! `cargo build --release -p archive-cli && cargo run --release -p archive-cli --example measure_view [MEGABYTES]`.
//!
//! Prints the table of `docs/VIEWER.md`.

use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// The command on a file.
struct Page {
    process: Child,
    port: u16,
    token: String,
}

impl Page {
    fn open(program: &Path, file: &str) -> Page {
        let mut command = Command::new(program);
        let mut process =
            command.args(["view", file]).stdout(Stdio::piped()).spawn().expect("the command");
        let mut line = String::new();
        let out = process.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("the address");
        let address = line.trim().strip_prefix("http://127.0.0.1:").expect("an address");
        let (port, token) = address.split_once("/#").expect("a token");
        Page { port: port.parse().expect("a port"), token: token.to_owned(), process }
    }

    /// Makes a call, and returns its time in seconds.
    fn call(&self, name: &str, body: &str) -> f64 {
        let start = Instant::now();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the port");
        let (port, token, len) = (self.port, &self.token, body.len());
        let head = format!(
            "POST /call/{name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Token: {token}\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(&[head.as_bytes(), body.as_bytes()].concat()).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200"), "{name} {body}: {answer}");
        start.elapsed().as_secs_f64()
    }

    /// Returns the peak of the memory of the command in megabytes.
    fn peak(&self) -> f64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).expect("Linux");
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a peak");
        let number = line.split_whitespace().nth(1).and_then(|text| text.parse::<f64>().ok());
        number.expect("a number") * 1024.0 / 1e6
    }
}

/// Writes units as JSON of that many megabytes. Returns their number.
fn write_units(path: &str, megabytes: u64) -> u64 {
    let mut file = BufWriter::new(std::fs::File::create(path).expect("a file"));
    let (mut len, mut count) = (0, 0);
    write!(file, "{{\"units\":[").expect("a disk");
    while len < 1_000_000 * megabytes {
        let comma = if count == 0 { "" } else { "," };
        let unit = format!(
            "{comma}{{\"id\":{count},\"name\":\"unit {count}\",\"kind\":\"Scout\",\"hp\":{},\"at\":[{}.5,{}.25,0.5],\"orders\":[{{\"Move\":{{\"x\":{},\"y\":2}}}}],\"inventory\":[[\"apple\",3]]}}",
            count % 100,
            count % 1000,
            count % 777,
            count % 99
        );
        file.write_all(unit.as_bytes()).expect("a disk");
        (len, count) = (len + unit.len() as u64, count + 1);
    }
    file.write_all(b"]}").expect("a disk");
    count
}

fn main() {
    let megabytes = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100);
    let target = std::env::current_exe().expect("a program");
    let program = target.ancestors().nth(2).expect("a folder").join("archive");
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let last = write_units(&path("units.json"), megabytes) - 1;
    println!("{} units; seconds, and megabytes\n", last + 1);
    println!(
        "| file | MB | first items | last items | sizes | search | an edit | peak, MB | save | peak with it, MB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (name, kind) in
        [("units.json", "JSON"), ("units.bin", "binary"), ("units.msgpack", "MessagePack")]
    {
        if kind != "JSON" {
            let convert = ["convert", &path("units.json"), &path(name)];
            let output = Command::new(&program).args(convert).output().expect("the command");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        let size = std::fs::metadata(path(name)).expect("a file").len() as f64 / 1e6;
        let page = Page::open(&program, &path(name));
        let first = page.call("node", r#"{"path":"units"}"#);
        let end = page.call("node", &format!("{{\"path\":\"units\",\"around\":\"[{last}]\"}}"));
        let sizes = page.call("sizes", r#"{"path":"units"}"#);
        let search = page.call("search", &format!("{{\"query\":\"unit {last}\",\"in\":\"both\"}}"));
        // The number of the unit is less than 100, and the other files are conversions of the first one.
        let new = 100 + kind.len();
        let set =
            page.call("set", &format!("{{\"path\":\"units[{last}].hp\",\"text\":\"{new}\"}}"));
        let peak = page.peak();
        let save = page.call("save", r#"{"version":1}"#);
        println!(
            "| {kind} | {size:.0} | {first:.1} | {end:.1} | {sizes:.1} | {search:.1} | {set:.1} | {peak:.0} | {save:.1} | {:.0} |",
            page.peak()
        );
        let Page { mut process, .. } = page;
        process.kill().and_then(|()| process.wait()).expect("the end of the command");
    }
}
