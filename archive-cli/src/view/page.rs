//! The page: one document from the files of `page/`.

use super::guard::secret;
use archive::Result;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
/// The scripts, in the order in which they are joined.
const SCRIPTS: [&str; 17] = [
    include_str!("page/api.js"),
    include_str!("page/text.js"),
    include_str!("page/dom.js"),
    include_str!("page/row.js"),
    include_str!("page/tree.js"),
    include_str!("page/keys.js"),
    include_str!("page/edit.js"),
    include_str!("page/edits.js"),
    include_str!("page/search.js"),
    include_str!("page/squarify.js"),
    include_str!("page/sizes.js"),
    include_str!("page/compare.js"),
    include_str!("page/about.js"),
    include_str!("page/tabs.js"),
    include_str!("page/slots.js"),
    include_str!("page/local.js"),
    include_str!("page/main.js"),
];

/// Returns the policy of a page: its own scripts and styles run, and nothing is loaded from elsewhere.
pub fn policy(nonce: &str) -> String {
    format!("{}; frame-ancestors 'none'", policy_in_page(nonce))
}

/// Returns the part of the policy that a page itself can state.
fn policy_in_page(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; \
         img-src blob: data:; base-uri 'none'; form-action 'none'"
    )
}

/// Returns the page that is served.
pub fn served(nonce: &str) -> String {
    joined(nonce, "")
}

/// Returns the page for a file, with the data in JSON.
///
/// # Errors
/// An error if the system has no random numbers.
pub fn exported(data: &str) -> Result<String> {
    let nonce = secret()?;
    // In JSON, the character occurs in texts only.
    let data = data.replace('<', "\\u003c");
    let policy = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">",
        policy_in_page(&nonce)
    );
    let data =
        format!("<script type=\"application/json\" id=\"data\" nonce=\"{nonce}\">{data}</script>");
    Ok(joined(&nonce, &data).replacen("<head>", &format!("<head>{policy}"), 1))
}

/// Returns the length of a page without data.
///
/// # Errors
/// As [`exported`].
pub fn len() -> Result<usize> {
    exported("").map(|page| page.len())
}

fn joined(nonce: &str, data: &str) -> String {
    // The data come last, since they may contain the marks.
    PAGE.replace("NONCE", nonce)
        .replacen("/*STYLE*/", STYLE, 1)
        .replacen("/*SCRIPT*/", &SCRIPTS.join("\n"), 1)
        .replacen("<!--DATA-->", data, 1)
}
