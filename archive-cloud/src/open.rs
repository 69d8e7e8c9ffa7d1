//! [`Cloud::open`]: a store from its address.

use std::fmt::Display;
use std::sync::Arc;
#[cfg(any(feature = "aws", feature = "gcp", feature = "azure"))]
use std::time::Duration;

use archive::{Error, ErrorKind, Result};
use object_store::list::PaginatedListStore;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreScheme};
use url::Url;

use crate::Cloud;

/// Adds options to a builder of `object_store`, and builds the store.
#[cfg(any(feature = "aws", feature = "gcp", feature = "azure"))]
macro_rules! build {
    ($builder:expr, $address:expr, $options:expr) => {{
        // A call is repeated by this package alone, which also finds out what a lost answer was.
        let retry = object_store::RetryConfig {
            max_retries: 0,
            retry_timeout: Duration::from_secs(30),
            ..Default::default()
        };
        let mut builder = $builder.with_url($address).with_retry(retry);
        // A large save over a slow line takes long. A silent store is an error of this package.
        if let Ok(key) = "timeout".parse() {
            builder = builder.with_config(key, "7 days");
        }
        for (key, value) in $options {
            match key.to_ascii_lowercase().parse() {
                Ok(key) => builder = builder.with_config(key, *value),
                Err(_) => return Err(unknown($address, key)),
            }
        }
        let store = Arc::new(builder.build().map_err(|failure| cannot($address, failure))?);
        let pages = store.clone() as Arc<dyn PaginatedListStore>;
        (store as Arc<dyn ObjectStore>, Some(pages))
    }};
}

/// A store, and the same one if it can list its keys in pages.
type Stores = (Arc<dyn ObjectStore>, Option<Arc<dyn PaginatedListStore>>);

impl Cloud {
    /// Opens a store by its address, with options of `object_store`. Nothing is sent yet.
    ///
    /// | address | store | feature |
    /// |---|---|---|
    /// | `s3://bucket/folder` | S3, and servers with its interface (option `endpoint`) | `aws`, the default |
    /// | `gs://bucket/folder` | Google Cloud Storage | `gcp` |
    /// | `az://container/folder` | Azure Blob Storage | `azure` |
    /// | `memory:///` | memory, for tests | |
    /// | `file:///folder` | a local folder, in which saves can be created, but not replaced | |
    ///
    /// Credentials come from the environment, such as `AWS_ACCESS_KEY_ID`, or from options. A game
    /// that players have must not contain the key of a bucket: let a server of the game create
    /// credentials for the folder of one player that expire.
    ///
    /// ```no_run
    /// use archive_cloud::Cloud;
    ///
    /// let options = [("region", "eu-central-1"), ("endpoint", "https://s3.example.com")];
    /// let cloud = Cloud::open("s3://saves/players/ann", &options)?;
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the address or an option is unknown, or the feature is not
    /// enabled; [`ErrorKind::Io`] if an option is invalid or missing.
    pub fn open(address: &str, options: &[(&str, &str)]) -> Result<Cloud> {
        let url = Url::parse(address).map_err(|failure| cannot(address, failure))?;
        let (scheme, folder) =
            ObjectStoreScheme::parse(&url).map_err(|failure| cannot(address, failure))?;
        let ((store, pages), folder): (Stores, Path) = match scheme {
            #[cfg(feature = "aws")]
            ObjectStoreScheme::AmazonS3 => {
                let builder = object_store::aws::AmazonS3Builder::from_env();
                (build!(builder, address, options), folder)
            }
            #[cfg(feature = "gcp")]
            ObjectStoreScheme::GoogleCloudStorage => {
                let builder = object_store::gcp::GoogleCloudStorageBuilder::from_env();
                (build!(builder, address, options), folder)
            }
            #[cfg(feature = "azure")]
            ObjectStoreScheme::MicrosoftAzure => {
                let builder = object_store::azure::MicrosoftAzureBuilder::from_env();
                (build!(builder, address, options), folder)
            }
            ObjectStoreScheme::Memory | ObjectStoreScheme::Local if !options.is_empty() => {
                return Err(unknown(address, options[0].0));
            }
            ObjectStoreScheme::Memory => ((Arc::new(InMemory::new()), None), folder),
            ObjectStoreScheme::Local => ((Arc::new(LocalFileSystem::new()), None), folder),
            _ => {
                let message = format_args!(
                    "{address} needs a feature of archive-cloud that is not enabled, or is not the \
                     address of a store"
                );
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
        };
        let bucket = format!("{}://{}", url.scheme(), url.host_str().unwrap_or_default());
        Ok(Cloud::named(store, pages, bucket)?.folder_at(folder))
    }
}

#[cold]
fn unknown(address: &str, key: &str) -> Error {
    let message = format_args!("cannot open {address}: the option `{key}` is unknown");
    Error::new(ErrorKind::Unsupported, message)
}

#[cold]
fn cannot(address: &str, reason: impl Display) -> Error {
    let kind = ErrorKind::Io;
    Error::new(kind, format_args!("cannot open {address}: {reason}"))
}
