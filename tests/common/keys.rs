//! [`key!`](crate::key): keys of sets and maps that are compared by what a function returns.

/// Declares a key of the type `$Of`, which is compared by `$by(&of)`.
#[macro_export]
macro_rules! key {
    ($Key:ident, $Of:ty, $by:expr) => {
        #[derive(::archive::Serialize)]
        struct $Key($Of);
        impl PartialEq for $Key {
            fn eq(&self, other: &Self) -> bool {
                $by(&self.0) == $by(&other.0)
            }
        }
        impl Eq for $Key {}
        impl PartialOrd for $Key {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }
        impl Ord for $Key {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                $by(&self.0).cmp(&$by(&other.0))
            }
        }
        impl std::hash::Hash for $Key {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                $by(&self.0).hash(state);
            }
        }
    };
}
