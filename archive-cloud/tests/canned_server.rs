//! A server of S3 with answers that a test writes.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use archive_cloud::Cloud;

/// A request: its first line and its headers. The body is read from the stream.
pub struct Request {
    pub head: String,
    pub stream: TcpStream,
    /// The bytes of the body that came with the head.
    pub body: Vec<u8>,
}

impl Request {
    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let (_, rest) = self.head.split_once(&format!("\r\n{name}: "))?;
        rest.split("\r\n").next()
    }

    /// Sends the head of an answer, with headers that each end in a line break.
    pub fn answer(&mut self, status: &str, length: usize, headers: &str) {
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n"
        );
        self.stream.write_all(head.as_bytes()).unwrap();
    }

    /// Sends an error with a code of S3.
    pub fn refuse(&mut self, status: &str, code: &str) {
        let body = format!("<Error><Code>{code}</Code><Message>no</Message></Error>");
        self.answer(status, body.len(), "");
        self.stream.write_all(body.as_bytes()).unwrap();
    }
}

/// Starts a server whose requests `serve` answers, each on a thread of its own. It runs until the
/// tests end.
pub fn serve(serve: impl Fn(Request) + Send + Sync + 'static) -> Cloud {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let serve = Arc::new(serve);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let serve = serve.clone();
            std::thread::spawn(move || {
                let Some(request) = read(stream.unwrap()) else { return };
                serve(request);
            });
        }
    });
    let options = [
        ("endpoint", &*endpoint),
        ("region", "us-east-1"),
        ("access_key_id", "test"),
        ("secret_access_key", "test"),
        ("allow_http", "true"),
    ];
    Cloud::open("s3://canned", &options).unwrap().retry(1, std::time::Duration::ZERO)
}

/// Reads the head of a request.
fn read(mut stream: TcpStream) -> Option<Request> {
    let (mut bytes, mut some) = (Vec::new(), [0; 4096]);
    loop {
        let read = stream.read(&mut some).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&some[..read]);
        if let Some(at) = bytes.windows(4).position(|end| end == b"\r\n\r\n") {
            let body = bytes.split_off(at + 4);
            return Some(Request { head: String::from_utf8(bytes).unwrap(), stream, body });
        }
    }
}
