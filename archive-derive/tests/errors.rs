//! What the derive says of mistakes: `ui/*.rs` do not compile, `ui/*.stderr` hold the messages.

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
