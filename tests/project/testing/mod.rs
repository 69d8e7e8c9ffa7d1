//! The assertions of `archive::testing`: they pass where they should, and fail where they should.

mod assert_layout;
mod covers;
mod describe;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message of the failed `assertion`.
fn failure(assertion: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(assertion)).expect_err("it should have failed");
    match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(payload) => panic!("no message but {:?}", payload.downcast::<&str>()),
    }
}

/// Checks that a message contains all of `parts`.
#[track_caller]
fn says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "no {part:?} in:\n{message}");
    }
}
