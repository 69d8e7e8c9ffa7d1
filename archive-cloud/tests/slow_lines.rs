//! A slow line, and the answers of a server that are not about the save.

use std::io::{Read, Write};
use std::time::Duration;

use archive::save::SaveFile;
use archive::{ErrorKind, Format, Result};
use archive_cloud::Synced;

use crate::canned_server::{Request, serve};

/// The parts of a body, and the pause before each. Together they take longer than the limit of 30
/// seconds that `object_store` has for a whole request.
const PARTS: usize = 8;
const PAUSE: Duration = Duration::from_millis(4_200);

/// A save of a megabyte, which cannot be compressed.
fn large() -> Vec<u8> {
    let numbers: Vec<u64> =
        (0..130_000).map(|number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    SaveFile::new("slow").to_bytes(&numbers, Format::Binary).unwrap()
}

/// Sends an object, or a range of it. A whole object is sent slowly.
fn download(request: &mut Request, object: &[u8]) {
    let Some(range) = request.header("range") else {
        request.answer(
            "200 OK",
            object.len(),
            "ETag: \"1\"\r\nLast-Modified: Sat, 28 Nov 2026 12:00:00 GMT\r\n",
        );
        for part in object.chunks(object.len().div_ceil(PARTS)) {
            std::thread::sleep(PAUSE);
            _ = request.stream.write_all(part);
        }
        return;
    };
    let (from, to) = range.strip_prefix("bytes=").unwrap().split_once('-').unwrap();
    let (from, to) = (from.parse::<usize>().unwrap(), to.parse::<usize>().unwrap());
    let part = &object[from..(to + 1).min(object.len())];
    let (end, len) = (from + part.len() - 1, object.len());
    let headers = format!(
        "Content-Range: bytes {from}-{end}/{len}\r\nETag: \"1\"\r\nLast-Modified: Sat, 28 Nov 2026 12:00:00 GMT\r\n"
    );
    request.answer("206 Partial Content", part.len(), &headers);
    request.stream.write_all(part).unwrap();
}

/// Takes an object slowly.
fn upload(request: &mut Request) {
    let len: usize = request.header("content-length").unwrap().parse().unwrap();
    let (mut left, part) = (len - request.body.len(), len.div_ceil(PARTS));
    let mut bytes = vec![0; part];
    while left > 0 {
        std::thread::sleep(PAUSE);
        let some = left.min(part);
        if request.stream.read_exact(&mut bytes[..some]).is_err() {
            return;
        }
        left -= some;
    }
    request.answer("200 OK", 0, "ETag: \"2\"\r\n");
}

#[test]
fn a_save_may_take_longer_than_half_a_minute() {
    let object = large();
    let stored = object.clone();
    let cloud = serve(move |mut request| {
        if request.head.starts_with("PUT ") {
            upload(&mut request);
        } else if request.head.starts_with("GET /canned/new.sav") {
            request.refuse("404 Not Found", "NoSuchKey");
        } else {
            download(&mut request, &stored);
        }
    });
    let uploads = cloud.clone();
    let bytes = object.clone();
    let upload = std::thread::spawn(move || uploads.put("new", bytes));
    assert!(cloud.get("old").unwrap().unwrap() == object);
    assert_eq!(upload.join().unwrap().unwrap(), Synced::Created);
}

#[test]
fn a_wrong_clock_is_named() {
    let cloud = serve(|mut request| request.refuse("403 Forbidden", "RequestTimeTooSkewed"));
    let error = cloud.meta("campaign").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(
        error.message(),
        "cannot read the save `campaign` in s3://canned: the clock of this device is wrong"
    );
    let cloud = serve(|mut request| request.refuse("403 Forbidden", "AccessDenied"));
    assert!(cloud.list().unwrap_err().message().ends_with("the store denies the permission"));
}

/// An empty object has no first byte, which is an answer, and not a failure to be repeated.
#[test]
fn an_empty_object_is_two_requests() -> Result {
    let requests = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    let count = requests.clone();
    let cloud = serve(move |mut request| {
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if request.head.starts_with("HEAD ") {
            request.answer(
                "200 OK",
                0,
                "ETag: \"1\"\r\nLast-Modified: Sat, 28 Nov 2026 12:00:00 GMT\r\n",
            );
        } else {
            request.refuse("416 Range Not Satisfiable", "InvalidRange");
        }
    });
    let error = cloud.retry(5, Duration::ZERO).meta("campaign").unwrap_err();
    assert_eq!(error.message(), "the save `campaign` in s3://canned is damaged: it is empty");
    assert_eq!(requests.load(std::sync::atomic::Ordering::Relaxed), 2);
    Ok(())
}
