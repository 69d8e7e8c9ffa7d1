//! The bytes of each format, and the code that is compiled for it. `.ci/run` builds this theme with the feature `static-formats` as well.

use archive_test_support as common;

mod bins;
mod blocks;
mod document;
mod fast_path;
mod golden;
mod json;
mod json_doc;
mod level;
mod own_formats;
mod rows;
mod saves_loads;
