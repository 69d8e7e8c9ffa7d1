//! A server of S3 on this machine: moto, from PyPI.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use archive_cloud::Cloud;

/// The server of a process.
pub struct Server {
    address: String,
    _process: Child,
}

/// The server. moto compares an ETag and replaces the object in two steps, so two uploads could both succeed, which S3 rules
/// out: here it has one request at a time. It stops when the standard input ends.
const RUN: &str = "
import os, sys, threading
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple
application, lock = DomainDispatcherApplication(create_backend_app), threading.Lock()
def one(environ, start_response):
    with lock:
        return list(application(environ, start_response))
def end():
    sys.stdin.read()
    os._exit(0)
threading.Thread(target=end, daemon=True).start()
run_simple('127.0.0.1', int(sys.argv[1]), one, threaded=True)
";

impl Server {
    /// Returns the server of all tests, or says that they are skipped.
    pub fn get() -> Option<&'static Server> {
        static SERVER: OnceLock<Option<Server>> = OnceLock::new();
        SERVER.get_or_init(Server::start).as_ref()
    }

    fn start() -> Option<Server> {
        let python = std::env::var("MOTO_PYTHON").unwrap_or("python3".to_owned());
        let moto = Command::new(&python).args(["-c", "import moto.server"]).output();
        if !moto.is_ok_and(|done| done.status.success()) {
            println!(
                "skipped: {python} has no moto (`pip install 'moto[server]'`, or set MOTO_PYTHON)"
            );
            return None;
        }
        // Somebody else may take the port first.
        for _ in 0..5 {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let mut server = Command::new(&python);
            server.args(["-c", RUN, &port.to_string()]).stdin(Stdio::piped());
            let server = server.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let server = Server { address: format!("127.0.0.1:{port}"), _process: server };
            for _ in 0..600 {
                if server.request("GET", "/moto-api/data.json").is_some() {
                    return Some(server);
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        }
        panic!("moto does not start");
    }

    /// Makes a request, and returns the answer.
    fn request(&self, method: &str, path: &str) -> Option<String> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        let host = &self.address;
        let head = "Content-Length: 0\r\nConnection: close\r\n\r\n";
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{head}").ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        Some(answer).filter(|answer| answer.starts_with("HTTP/1.1 200"))
    }

    /// Returns the saves in a new bucket.
    pub fn cloud(&self, bucket: &str) -> Cloud {
        self.request("PUT", &format!("/{bucket}")).expect("a bucket is created");
        self.open(bucket, "test")
    }

    /// Stores an empty object, whose key is encoded as in an address.
    pub fn put(&self, bucket: &str, key: &str) {
        self.request("PUT", &format!("/{bucket}/{key}")).expect("an object is created");
    }

    pub fn open(&self, bucket: &str, key: &str) -> Cloud {
        let endpoint = format!("http://{}", self.address);
        let options = [
            ("endpoint", &*endpoint),
            ("region", "us-east-1"),
            ("access_key_id", key),
            ("secret_access_key", key),
            ("allow_http", "true"),
        ];
        Cloud::open(&format!("s3://{bucket}/players/ann"), &options).unwrap()
    }
}
