//! Serves the page and its calls over HTTP, to this machine alone.

use std::io::Read as _;
use std::net::Ipv4Addr;
use std::panic::{AssertUnwindSafe, catch_unwind};

use archive::{Error, ErrorKind, Result, Value, json};
use tiny_http::{Header, Method, Request, Response, Server};

use super::calls::{Answer, Body, MAX_FILE, call};
use super::guard::{Guard, NO_TOKEN, secret};
use super::{STACK, Viewer, page};
use crate::json_output::object;
use crate::output;
use crate::{Outcome, complaint};

/// The maximum number of bytes of the body of a call.
const MAX_CALL: u64 = 16 << 20;
/// The maximum number of bytes of a body without the token.
const MAX_FOREIGN: u64 = 1 << 20;
/// The number of requests that are answered at the same time.
const THREADS: usize = 2;

/// Runs a function on a thread whose stack is large enough for files with many levels.
pub fn with_stack<R: Send>(run: impl FnOnce() -> Result<R> + Send) -> Result<R> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        let ended = thread.map_err(Error::io)?.join();
        ended.unwrap_or_else(|_| Err(Error::custom("the thread of the page has panicked")))
    })
}

/// Serves the page until the process ends.
///
/// # Errors
/// An error if the port is in use.
pub fn serve(viewer: &Viewer, port: u16, opens: bool) -> Result<Outcome> {
    let server = Server::http((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        let message = format_args!("cannot serve the page at port {port}: {error}");
        Error::new(ErrorKind::Io, message)
    })?;
    let port = server.server_addr().to_ip().map_or(port, |address| address.port());
    let guard = Guard::new(port)?;
    output::print(&format!("{}\n", guard.address()))?;
    if opens && std::io::IsTerminal::is_terminal(&std::io::stdout()) {
        complaint::note("the page is open until Ctrl+C ends this command");
        if let Err(error) = open::that_detached(guard.address_once()) {
            complaint::warn(&format!("cannot open the browser ({error}): open the address"));
        }
    }
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            let thread = std::thread::Builder::new().stack_size(STACK);
            let thread = thread.spawn_scoped(scope, || {
                while let Ok(request) = server.recv() {
                    // A fault in one answer does not end the page and its pending edits.
                    let respond = AssertUnwindSafe(|| respond(viewer, &guard, request));
                    let _ = catch_unwind(respond);
                }
            });
            thread.map_err(Error::io)?;
        }
        Ok(Outcome::Done)
    })
}

/// Answers a request.
fn respond(viewer: &Viewer, guard: &Guard, mut request: Request) {
    let Ok(nonce) = secret() else { return };
    let token = header(&request, "X-Token").unwrap_or_default();
    let is_admitted = guard.admits(&token);
    let most = if is_admitted { MAX_FILE } else { MAX_FOREIGN };
    if request.body_length().is_some_and(|len| len as u64 > most) {
        // When `tiny_http` drops a request, it reads the rest of the body into memory.
        std::mem::forget(request);
        return;
    }
    let address = request.url().to_owned();
    let host = header(&request, "Host").unwrap_or_default();
    let answer = match (request.method(), &*address) {
        _ if !guard.is_own(&host, header(&request, "Origin").as_deref()) => {
            Answer::refused(403, "this page belongs to another address")
        }
        (Method::Get, "/") => Answer::page(page::served(&nonce)),
        (Method::Post, "/call/enter") => enter(guard, &token),
        (Method::Post, _) if !is_admitted => Answer::refused(403, NO_TOKEN),
        (Method::Post, _) => answer(viewer, &mut request, &address),
        _ => Answer::refused(404, "there is no such page"),
    };
    let policy = page::policy(&nonce);
    let mut response = Response::from_data(answer.body)
        .with_status_code(answer.status)
        .with_chunked_threshold(usize::MAX);
    for (name, value) in [
        ("Content-Type", answer.content_type),
        ("Content-Security-Policy", &policy),
        ("Cache-Control", "no-store"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
    ] {
        response.add_header(Header::from_bytes(name, value).expect("a header of plain text"));
    }
    // The browser may have closed the connection.
    let _ = request.respond(response);
}

/// Returns a header of a request, if it has it.
fn header(request: &Request, name: &'static str) -> Option<String> {
    let found = request.headers().iter().find(|header| header.field.equiv(name));
    found.map(|header| header.value.as_str().to_owned())
}

/// Answers a request that has the token.
fn answer(viewer: &Viewer, request: &mut Request, name: &str) -> Answer {
    if name == "/upload" {
        let name = header(request, "X-Name").unwrap_or_default();
        return call(viewer, "compare", Body::File(&name, &mut request.as_reader()));
    }
    match (name.strip_prefix("/call/"), body(request)) {
        (Some(name), Ok(body)) => call(viewer, name, body),
        (None, _) => Answer::refused(404, "there is no such page"),
        (_, Err(refused)) => refused,
    }
}

/// Returns the token for the code of an address that is opened once.
fn enter(guard: &Guard, code: &str) -> Answer {
    match guard.enter(code) {
        Ok(token) => Answer::json(&object([("token", token.into())])),
        Err(message) => Answer::refused(403, message),
    }
}

/// Reads the body of a call.
fn body(request: &mut Request) -> std::result::Result<Body<'static>, Answer> {
    let mut text = Vec::new();
    let read = request.as_reader().take(MAX_CALL + 1).read_to_end(&mut text);
    if text.len() as u64 > MAX_CALL {
        return Err(Answer::refused(413, "the value is larger than 16 MB"));
    }
    match read.map_err(Error::io).and_then(|_| json::from_slice::<Value>(&text)) {
        Ok(value) => Ok(Body::Call(value)),
        Err(error) => Err(Answer::refused(400, &error.to_string())),
    }
}
