//! [`Guard`]: who may use the page.

use std::sync::{Mutex, MutexGuard, PoisonError};

use archive::Error;

/// Admits requests from the page that this command has opened, and from no other.
///
/// Any program of this machine and any site in the browser can reach a port of loopback. So each call must name a
/// secret of 128 bits. A request must also name this server as its host, because a site can let its own name lead to
/// loopback, and its origin must be this page.
pub struct Guard {
    port: u16,
    token: String,
    code: Mutex<Code>,
}

/// The code with which the page gets the token. Other users can read the address with which the browser is started,
/// since it is an argument of a process. So the code works once, and its second use makes the token invalid: one of the
/// two was not the page.
struct Code {
    text: String,
    uses: u32,
}

impl Guard {
    pub fn new(port: u16) -> archive::Result<Guard> {
        let code = Mutex::new(Code { text: secret()?, uses: 0 });
        Ok(Guard { port, token: secret()?, code })
    }

    /// Returns the address of the page, with the token.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#{}", self.port, self.token)
    }

    /// Returns the address of the page that can be opened once.
    pub fn address_once(&self) -> String {
        format!("http://127.0.0.1:{}/#enter={}", self.port, self.code().text)
    }

    fn code(&self) -> MutexGuard<'_, Code> {
        self.code.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a request was sent to this server, and not by another site.
    pub fn is_own(&self, host: &str, origin: Option<&str>) -> bool {
        let port = self.port;
        let is_host = |name: &str| {
            [format!("127.0.0.1:{port}"), format!("localhost:{port}")].contains(&name.to_owned())
        };
        let is_origin =
            |origin: &str| origin.strip_prefix("http://").is_some_and(|name| name == host);
        is_host(host) && origin.is_none_or(is_origin)
    }

    /// Returns whether a request has the token.
    pub fn admits(&self, token: &str) -> bool {
        is_equal(token, &self.token) && self.code().uses < 2
    }

    /// Returns the token for the code, once, or the reason why not.
    pub fn enter(&self, given: &str) -> Result<&str, &'static str> {
        let mut code = self.code();
        if !is_equal(given, &code.text) {
            return Err(NO_TOKEN);
        }
        code.uses = code.uses.saturating_add(1);
        match code.uses {
            1 => Ok(&self.token),
            _ => Err(
                "this address was used before, so nobody has access now: start the command again",
            ),
        }
    }
}

/// The answer to a request without the token.
pub const NO_TOKEN: &str = "open the address that the command printed";

/// Compares secrets in a time that does not depend on where they differ.
fn is_equal(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differences == 0
}

/// Returns 128 random bits as text.
///
/// # Errors
/// An error if the system has no random numbers.
pub fn secret() -> archive::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(Error::custom)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_other_sites_are_not_own() {
        let guard = Guard::new(4000).unwrap();
        for (host, origin, expected) in [
            ("127.0.0.1:4000", None, true),
            ("localhost:4000", None, true),
            ("127.0.0.1:4000", Some("http://127.0.0.1:4000"), true),
            ("localhost:4000", Some("http://localhost:4000"), true),
            ("", None, false),
            ("127.0.0.1", None, false),
            ("127.0.0.1:4001", None, false),
            ("evil.example:4000", None, false),
            ("127.0.0.1:4000.evil.example", None, false),
            ("127.0.0.1:4000", Some("http://127.0.0.1:4001"), false),
            ("127.0.0.1:4000", Some("https://127.0.0.1:4000"), false),
            ("127.0.0.1:4000", Some("http://localhost:4000"), false),
            ("127.0.0.1:4000", Some("http://evil.example"), false),
            ("127.0.0.1:4000", Some("null"), false),
            ("127.0.0.1:4000", Some(""), false),
        ] {
            assert_eq!(guard.is_own(host, origin), expected, "{host} {origin:?}");
        }
    }

    #[test]
    fn a_code_is_used_once() {
        let guard = Guard::new(4000).unwrap();
        let token = guard.address().rsplit('#').next().unwrap().to_owned();
        assert!(token.len() == 32 && guard.admits(&token));
        let code = guard.address_once().rsplit("#enter=").next().unwrap().to_owned();
        assert_ne!(code, token);
        for wrong in ["", &token, &code[1..], &format!("{code}0"), &code.to_uppercase()[..31]] {
            assert!(!guard.admits(wrong) || wrong == token);
            assert_eq!(guard.enter(wrong), Err(NO_TOKEN));
        }
        assert_eq!(guard.enter(&code), Ok(&*token));
        assert!(guard.admits(&token));
        // Somebody else has read the address.
        assert!(guard.enter(&code).is_err());
        assert!(!guard.admits(&token));
    }
}
