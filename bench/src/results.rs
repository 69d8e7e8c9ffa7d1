//! [`Results`]: the measurements of one workload.

use crate::entry::{Entry, Operation, Size};
use crate::measure::{Plan, Times, measure};
use crate::peer::Group;

/// The measurements of one contestant.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its group, for comparisons.
    pub group: Group,
    /// Its times.
    pub times: Times,
    /// The number of bytes that it writes.
    pub size: Option<Size>,
}

impl Row {
    /// How long an operation takes, in seconds.
    pub fn time(&self, operation: Operation) -> Option<f64> {
        self.times[operation as usize]
    }
}

/// The measurements of all contestants.
#[derive(Clone, Debug)]
pub struct Results {
    /// In the order of the tables.
    pub rows: Vec<Row>,
}

impl Results {
    /// Measures.
    pub fn of(mut entries: Vec<Entry>, plan: Plan) -> Self {
        let times = measure(&mut entries, plan);
        let rows = entries.into_iter().zip(times).map(|(entry, times)| Row {
            name: entry.name,
            group: entry.group,
            times,
            size: entry.size,
        });
        Results { rows: rows.collect() }
    }

    /// A contestant by its name.
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// How long an operation takes a contestant, in seconds.
    pub fn time(&self, name: &str, operation: Operation) -> Option<f64> {
        self.row(name)?.time(operation)
    }

    /// How many bytes a contestant writes.
    pub fn size(&self, name: &str) -> Option<usize> {
        Some(self.row(name)?.size?.plain)
    }

    /// The rivals that write row by row.
    pub fn row_wise(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.group == Group::RowWise)
    }

    /// The fastest rival that writes row by row, and its time. Loading in place is compared with
    /// loading a new value, because the rivals cannot load in place.
    pub fn fastest(&self, operation: Operation) -> Option<(&Row, f64)> {
        let operation = match operation {
            Operation::Save => Operation::Save,
            Operation::Load | Operation::InPlace => Operation::Load,
        };
        let times = self.row_wise().filter_map(|row| Some((row, row.time(operation)?)));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The smallest output of a rival that writes row by row.
    pub fn smallest(&self) -> Option<usize> {
        self.row_wise().filter_map(|row| Some(row.size?.plain)).min()
    }
}
