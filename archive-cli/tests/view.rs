//! `archive view`: the calls of the page, with a plain client in place of a browser.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use archive::{Value, json};

use crate::run_command::folder;

/// The running command.
pub struct Page {
    process: Child,
    port: u16,
    token: String,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Page {
    /// Starts the command on a file.
    pub fn open(file: &Path, args: &[&str]) -> Page {
        let mut process = Command::new(env!("CARGO_BIN_EXE_archive"))
            .arg("view")
            .arg(file)
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command");
        let mut line = String::new();
        let out = process.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("the address");
        let address = line.trim().strip_prefix("http://127.0.0.1:").expect("an address");
        let (port, token) = address.split_once("/#").expect("a token");
        Page { port: port.parse().expect("a port"), token: token.to_owned(), process }
    }

    /// Sends a request with these headers, and returns the status, the headers and the body.
    pub fn request(&self, head: &str, body: &[u8]) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the port");
        let end = format!("Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
        stream.write_all(&[head.as_bytes(), end.as_bytes(), body].concat()).expect("a request");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let at = answer.windows(4).position(|part| part == b"\r\n\r\n").expect("headers");
        let head = String::from_utf8(answer[..at].to_vec()).expect("text");
        let status = head.split(' ').nth(1).and_then(|text| text.parse().ok()).expect("a status");
        (status, head, answer[at + 4..].to_vec())
    }

    pub fn head(&self, name: &str) -> String {
        format!(
            "POST /call/{name} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Token: {}\r\n",
            self.port, self.token
        )
    }

    /// Makes a call, and returns the status and the answer.
    pub fn try_call(&self, name: &str, body: &str) -> (u16, Value) {
        let (status, _, answer) = self.request(&self.head(name), body.as_bytes());
        (status, json::from_slice(&answer).expect("JSON"))
    }

    /// Makes a call that must succeed.
    pub fn call(&self, name: &str, body: &str) -> Value {
        let (status, answer) = self.try_call(name, body);
        assert_eq!(status, 200, "{name} {body}: {answer}");
        answer
    }

    /// Makes a call that must be refused, and returns the message.
    pub fn refused(&self, name: &str, body: &str) -> String {
        let (status, answer) = self.try_call(name, body);
        assert_eq!(status, 422, "{name} {body}: {answer}");
        answer.get("error").and_then(Value::as_str).expect("a message").to_owned()
    }

    pub fn set(&self, path: &str, text: &str) -> Value {
        let (path, text) = (Value::from(path), Value::from(text));
        self.call("set", &format!("{{\"path\":{path},\"text\":{text}}}"))
    }

    pub fn save(&self) -> (u16, Value) {
        let version =
            self.call("state", "{}").get("version").and_then(Value::as_u64).expect("a version");
        self.try_call("save", &format!("{{\"version\":{version}}}"))
    }
}

/// Returns the value in an answer on the way of these names and indexes.
pub fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('.').fold(value, |value, step| {
        let found = match step.parse::<usize>() {
            Ok(index) => value.as_array().and_then(|items| items.get(index)),
            Err(_) => value.get(step),
        };
        found.unwrap_or_else(|| panic!("{path} in {value}"))
    })
}

pub const LEVEL: &str = r#"{
  // The first level.
  "title": "Old Arena",
  "units": [{"name": "Ann", "hp": 70}, {"name": "Bob", "hp": 7}],
  "big": 18446744073709551615
}"#;

pub fn level(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("level.json");
    std::fs::write(&path, LEVEL).expect("a file");
    path
}

#[test]
fn only_the_page_of_this_command_is_admitted() {
    let folder = folder();
    let page = Page::open(&level(folder.path()), &[]);
    let (port, token) = (page.port, &page.token);
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    let (status, head, body) = page.request(&format!("GET / HTTP/1.1\r\n{own}"), b"");
    let body = String::from_utf8(body).expect("text");
    assert_eq!(status, 200);
    for header in
        ["Content-Security-Policy: default-src 'none'", "nosniff", "no-store", "no-referrer"]
    {
        assert!(head.contains(header), "{head}");
    }
    assert!(!body.contains(token) && !body.contains("NONCE") && !body.contains("Old Arena"));
    for (head, expected) in [
        (format!("POST /call/node HTTP/1.1\r\n{own}"), 403),
        (format!("POST /call/node HTTP/1.1\r\n{own}X-Token: \r\n"), 403),
        (format!("POST /call/node HTTP/1.1\r\n{own}X-Token: {}\r\n", &token[1..]), 403),
        (format!("POST /call/node HTTP/1.1\r\n{own}X-Token: {}0\r\n", &token[1..]), 403),
        (format!("POST /upload HTTP/1.1\r\n{own}"), 403),
        (format!("POST /call/node HTTP/1.1\r\nHost: evil.example\r\nX-Token: {token}\r\n"), 403),
        (
            format!(
                "POST /call/node HTTP/1.1\r\n{own}Origin: http://evil.example\r\nX-Token: {token}\r\n"
            ),
            403,
        ),
        (format!("GET / HTTP/1.1\r\nHost: evil.example:{port}\r\n"), 403),
        (format!("POST /call/enter HTTP/1.1\r\n{own}"), 403),
        (format!("GET /call/node HTTP/1.1\r\n{own}X-Token: {token}\r\n"), 404),
        (format!("GET /../../etc/passwd HTTP/1.1\r\n{own}X-Token: {token}\r\n"), 404),
        (format!("OPTIONS /call/node HTTP/1.1\r\n{own}Origin: http://evil.example\r\n"), 403),
        (format!("POST /call/nothing HTTP/1.1\r\n{own}X-Token: {token}\r\n"), 404),
        (format!("POST /call/node HTTP/1.1\r\n{own}X-Token: {token}\r\n"), 200),
    ] {
        let (status, _, body) = page.request(&head, b"{}");
        assert_eq!(status, expected, "{head}");
        assert!(expected == 200 || !String::from_utf8_lossy(&body).contains("Ann"), "{head}");
    }
    let (status, _, _) = page.request(&page.head("node"), b"{\"path\": ");
    assert_eq!(status, 400);
    // The length of a body without the token takes no memory, and does not end the command.
    for len in [100_000_000_000_000_u64, u64::MAX >> 1] {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the port");
        let head = format!("POST /call/node HTTP/1.1\r\n{own}Content-Length: {len}\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("a request");
    }
    page.call("node", "{}");
}

#[test]
fn the_tree_is_read_in_parts() {
    let folder = folder();
    let page = Page::open(&level(folder.path()), &[]);
    let root = page.call("node", "{}");
    assert_eq!(at(&root, "kind").as_str(), Some("JSON"));
    assert_eq!(at(&root, "node.count").as_u64(), Some(3));
    assert_eq!(at(&root, "node.children.1.step").as_str(), Some(".units"));
    // The page has no integers of 64 bits.
    assert_eq!(at(&root, "node.children.2.text").as_str(), Some("18446744073709551615"));
    let ann = page.call("node", r#"{"path": "units[0].name"}"#);
    assert_eq!(at(&ann, "node.text").as_str(), Some("\"Ann\""));
    assert_eq!(at(&ann, "crumbs.1").to_string(), r#"{"label":"[0]","path":"units[0]"}"#);
    assert!(page.refused("node", r#"{"path": "units[2]"}"#).contains("there are 2 items"));
    assert!(page.refused("node", r#"{"path": "units["}"#).contains('['));

    let long: Vec<String> = (0..1050)
        .map(|at| format!("{{\"n{at}\":\"{}\"}}", "x".repeat(20_000 * usize::from(at == 3))))
        .collect();
    std::fs::write(folder.path().join("long.json"), format!("[{}]", long.join(",")))
        .expect("a file");
    let page = Page::open(&folder.path().join("long.json"), &[]);
    let last = page.call("node", r#"{"from": 1000}"#);
    assert_eq!(at(&last, "node.count").as_u64(), Some(1050));
    assert_eq!(at(&last, "node.children").as_array().map(|all| all.len()), Some(50));
    assert_eq!(at(&last, "node.children.49.step").as_str(), Some("[1049]"));
    let around = page.call("node", r#"{"around": "[777]"}"#);
    assert_eq!(at(&around, "from").as_u64(), Some(600));
    assert_eq!(at(&around, "node.children.177.label").as_str(), Some("[777]"));
    let cut = page.call("node", r#"{"path": "[3].n3"}"#);
    assert_eq!(
        (at(&cut, "node.cut").as_bool(), at(&cut, "node.count").as_u64()),
        (Some(true), Some(20_000))
    );
    assert!(at(&cut, "node.text").as_str().is_some_and(|text| text.len() < 11_000));
    let whole = page.call("value", r#"{"path": "[3].n3"}"#);
    assert!(at(&whole, "text").as_str().is_some_and(|text| text.len() == 20_002));
    let boxes = page.call("sizes", "{}");
    let boxes = at(&boxes, "boxes").as_array().expect("boxes");
    assert!(boxes.len() <= 120 && at(&boxes[0], "size").as_u64() > Some(20_000), "{boxes:?}");
    let zoomed = page.call("sizes", r#"{"from": 0, "to": 5}"#);
    assert_eq!(at(&zoomed, "boxes.3.label").as_str(), Some("[3]"));
}

#[test]
fn the_whole_file_is_searched() {
    let folder = folder();
    let page = Page::open(&level(folder.path()), &[]);
    let hits = |query: &str, place: &str| {
        let query = Value::from(query);
        let found = page.call("search", &format!("{{\"query\":{query},\"in\":\"{place}\"}}"));
        let hits = at(&found, "hits").as_array().expect("hits").to_vec();
        assert_eq!(at(&found, "total").as_u64(), Some(hits.len() as u64));
        hits.iter()
            .map(|hit| at(hit, "path").as_str().expect("a path").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(hits("ann", "values"), ["units[0].name"]);
    assert_eq!(hits("ANN", "both"), ["units[0].name"]);
    assert_eq!(hits("Ann", "names"), [""; 0]);
    assert_eq!(hits("hp", "names"), ["units[0].hp", "units[1].hp"]);
    assert_eq!(hits("7", "values"), ["units[1].hp"]);
    assert_eq!(hits("18446744073709551615", "values"), ["big"]);
    assert_eq!(hits("18446744073709551614", "values"), [""; 0]);
    assert_eq!(hits("units[*].name", "path"), ["units[0].name", "units[1].name"]);
    assert_eq!(hits("", "both"), [""; 0]);
    // Paths do not show pointers, and an object of another program may have a member `$id`.
    let odd = r#"{"a":{"$id":1,"$value":{"x":[{"$id":2,"$type":"T","$value":{"hp":5}}]}},"b":{"$id":1},"c":{"$id":9,"hp":{"hp":5}},"$id":3,"d e":{"hp":5}}"#;
    std::fs::write(folder.path().join("odd.json"), odd).expect("a file");
    let page = Page::open(&folder.path().join("odd.json"), &[]);
    let found = page.call("search", r#"{"query": "5", "in": "values"}"#);
    let paths: Vec<_> = at(&found, "hits")
        .as_array()
        .expect("hits")
        .iter()
        .map(|hit| at(hit, "path").as_str())
        .collect();
    assert_eq!(paths, [Some("a.x[0].hp"), Some("c.hp.hp"), Some("[\"d e\"].hp")]);
    // A search that ends at damage has the hits before it.
    std::fs::write(folder.path().join("cut.json"), &LEVEL[..LEVEL.len() - 30]).expect("a file");
    let page = Page::open(&folder.path().join("cut.json"), &[]);
    let found = page.call("search", r#"{"query": "Ann", "in": "both"}"#);
    assert_eq!(at(&found, "hits.0.path").as_str(), Some("units[0].name"));
    assert!(at(&found, "error").as_str().is_some());
}

/// Keys of maps are names in paths, and their entries are items.
#[test]
fn entries_of_maps_and_many_items_are_shown() {
    let folder = folder();
    let path = folder.path().join("map.json");
    let pairs: Vec<String> = (0..300).map(|at| format!("[\"k{at}\", {at}]")).collect();
    let zeros = "0,".repeat(1_000_000) + "0";
    std::fs::write(&path, format!("{{\"m\": [{}], \"zeros\": [{zeros}]}}", pairs.join(",")))
        .unwrap();
    let page = Page::open(&path, &[]);
    let found = page.call("node", r#"{"path": "m", "around": ".k250"}"#);
    assert_eq!((at(&found, "at").as_u64(), at(&found, "from").as_u64()), (Some(250), Some(200)));
    assert_eq!(at(&found, "node.children.50.step").as_str(), Some("[250]"));
    let boxes = page.call("sizes", r#"{"path": "zeros", "from": 1}"#);
    let boxes = at(&boxes, "boxes").as_array().expect("boxes");
    let size: u64 = boxes.iter().filter_map(|one| at(one, "size").as_u64()).sum();
    assert!((60..=120).contains(&boxes.len()) && size == 1_000_000, "{} {size}", boxes.len());
    let edges: Vec<_> =
        boxes.iter().flat_map(|one| [at(one, "from").as_u64(), at(one, "to").as_u64()]).collect();
    assert!(edges[1..edges.len() - 1].chunks(2).all(|pair| pair[0] == pair[1]), "{edges:?}");
    assert_eq!((edges[0], edges[edges.len() - 1]), (Some(1), Some(1_000_001)));
}

/// Files that nest deep, and long texts, are shown like others.
#[test]
fn hostile_files_are_shown() {
    let folder = folder();
    let path = folder.path().join("deep.json");
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let script = "</script><script>alert(1)</script>\u{202e}";
    let name = Value::from(script);
    std::fs::write(
        &path,
        format!("{{{name}: {name}, \"deep\": {deep}, \"long\": \"{}\"}}", "x".repeat(5 << 20)),
    )
    .unwrap();
    let page = Page::open(&path, &[]);
    let root = page.call("node", "{}");
    assert_eq!(at(&root, "node.children.0.label").as_str(), Some(script));
    assert_eq!(at(&root, "node.children.1.count").as_u64(), Some(1));
    let inner = page.call("node", &format!("{{\"path\": \"deep{}\"}}", "[0]".repeat(9_999)));
    assert_eq!(at(&inner, "node.count").as_u64(), Some(0));
    page.call("sizes", "{}");
    page.call("search", r#"{"query": "alert", "in": "both"}"#);
    page.refused("value", r#"{"path": "long"}"#);
    // Deeper than the page shows: an error.
    std::fs::write(&path, "[".repeat(1_000_000)).unwrap();
    let page = Page::open(&path, &[]);
    for call in ["node", "sizes", "value"] {
        assert!(page.refused(call, "{}").contains("nested"), "{call}");
    }
    let found = page.call("search", r#"{"query": "x", "in": "both"}"#);
    assert!(at(&found, "error").as_str().is_some());
    // A text of 16 MB is too long for a call.
    let (status, _, _) = page.request(&page.head("set"), &vec![b' '; (16 << 20) + 1]);
    assert_eq!(status, 413);
}
