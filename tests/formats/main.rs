//! The bytes of each format, the code that is compiled for it, and tools that visit values.
//! `.ci/run` also builds this theme with the feature `static-formats`.

use archive_test_support as common;

mod bins;
mod blocks;
mod columns;
mod document;
mod fast_path;
mod golden;
mod json;
mod json_doc;
mod level_example;
mod own_formats;
mod rows;
mod saves_loads;
mod tool_steps;
mod tool_writes;
