//! The text of paths, which is the same on all platforms: a relative path has `/` between its names. A path
//! that begins at a root or with a prefix, such as `C:`, is kept unchanged, because it means nothing on
//! another machine.

use std::borrow::Cow;

/// Returns whether a path begins at a root or with a prefix, on any platform.
pub(super) fn is_rooted(path: &str) -> bool {
    match path.as_bytes() {
        [b'/' | b'\\', ..] => true,
        [drive, b':', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Returns the text to save for a path with the separator `native`.
pub(super) fn to_portable(path: Cow<'_, str>, native: char) -> Cow<'_, str> {
    exchange(path, native, '/')
}

/// Returns the path with the separator `native` that a text represents.
pub(super) fn to_native(path: String, native: char) -> String {
    exchange(path.into(), '/', native).into_owned()
}

fn exchange(path: Cow<'_, str>, from: char, to: char) -> Cow<'_, str> {
    if from == to || !path.contains(from) || is_rooted(&path) {
        return path;
    }
    path.replace(from, to.encode_utf8(&mut [0; 4])).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_are_the_same_everywhere() {
        for (windows, text) in [
            ("", ""),
            ("a", "a"),
            (r"saves\a.sav", "saves/a.sav"),
            (r"..\a\\b\", "../a//b/"),
            // Escaped parts, which are not Unicode, contain no separators.
            ("a\\\0ud800", "a/\0ud800"),
        ] {
            assert_eq!(to_portable(windows.into(), '\\'), text);
            assert_eq!(to_native(text.to_owned(), '\\'), windows);
            assert_eq!(to_portable(text.into(), '/'), text);
            assert_eq!(to_native(text.to_owned(), '/'), text);
        }
        // On such a platform, a backslash is part of a name.
        assert_eq!(to_portable(r"a\b".into(), '/'), r"a\b");
    }

    #[test]
    fn rooted_paths_are_kept() {
        for path in
            ["/a/b", r"\a/b", "c:a/b", r"C:\a/b", r"\\?\C:\a/b", r"\\server/share", r"\\.\COM1/"]
        {
            assert!(is_rooted(path), "{path}");
            for separator in ['/', '\\'] {
                assert_eq!(to_portable(path.into(), separator), path);
                assert_eq!(to_native(path.to_owned(), separator), path);
            }
        }
        for path in ["", "a", ":", "1:a", "é:a", "ab:c", "./c:"] {
            assert!(!is_rooted(path), "{path}");
        }
    }
}
