//! Charts: time against size, both on logarithmic scales, as SVG.

use std::fmt::Write;

use crate::entry::Operation;
use crate::peer::Group;
use crate::results::{Results, Row};

const PANEL: (f64, f64) = (440.0, 360.0);
const MARGIN: f64 = 56.0;

/// One point.
struct Point<'r> {
    row: &'r Row,
    size: f64,
    time: f64,
}

/// A logarithmic scale onto a stretch of pixels.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn over(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min) / 1.2;
        let high = values.fold(0.0, f64::max) * 1.2;
        Scale { low, high, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        self.from + share * (self.to - self.from)
    }

    /// Round values: 1, 2 and 5 times the powers of ten.
    fn ticks(&self) -> Vec<f64> {
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        let all = (first..=last).flat_map(|power| [1.0, 2.0, 5.0].map(|d| d * 10_f64.powi(power)));
        all.filter(|tick| (self.low..=self.high).contains(tick)).collect()
    }
}

/// The chart of a workload: saving on the left, loading on the right.
pub fn svg(name: &str, results: &Results) -> String {
    let (width, height) = (2.0 * PANEL.0, PANEL.1 + 30.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"16\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{name}: time against size, \
         lower left is better</text>\n"
    );
    panel(&mut svg, results, Operation::Save, "save, ms", 0.0);
    panel(&mut svg, results, Operation::Load, "load, ms", PANEL.0);
    svg += "</svg>\n";
    svg
}

fn panel(svg: &mut String, results: &Results, operation: Operation, label: &str, left: f64) {
    let points: Vec<Point<'_>> = results
        .rows
        .iter()
        .filter(|row| row.group != Group::Variant)
        .filter_map(|row| {
            let size = row.size?.plain as f64;
            Some(Point { row, size, time: row.time(operation)? * 1e3 })
        })
        .collect();
    if points.is_empty() {
        return;
    }
    let (top, bottom) = (36.0, PANEL.1 - 12.0);
    let x = Scale::over(points.iter().map(|p| p.size), left + MARGIN, left + PANEL.0 - 20.0);
    let y = Scale::over(points.iter().map(|p| p.time), bottom, top);
    axes(svg, &x, &y, label);
    let mut labels: Vec<(f64, f64)> = Vec::new();
    for point in points {
        let (px, py) = (x.place(point.size), y.place(point.time));
        let color = match point.row.group {
            Group::Ours => "#c2410c",
            Group::Columnar => "#7c3aed",
            Group::Floor => "#64748b",
            Group::RowWise | Group::Variant => "#1d4ed8",
        };
        let (anchor, shift) = if px > x.to - 110.0 { ("end", -7.0) } else { ("start", 7.0) };
        // A label that would overlap another one moves down.
        let mut label = py + 4.0;
        while labels.iter().any(|&(lx, ly)| (lx - px).abs() < 120.0 && (ly - label).abs() < 11.0) {
            label += 2.0;
        }
        labels.push((px, label));
        writeln!(
            svg,
            "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"4\" fill=\"{color}\"/>\
             <text x=\"{:.1}\" y=\"{label:.1}\" text-anchor=\"{anchor}\" fill=\"{color}\">{}</text>",
            px + shift,
            point.row.name
        )
        .expect("memory can be written");
    }
}

fn axes(svg: &mut String, x: &Scale, y: &Scale, label: &str) {
    let mut add = |line: String| {
        svg.push_str(&line);
        svg.push('\n');
    };
    for tick in x.ticks() {
        let at = x.place(tick);
        add(format!(
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#e2e8f0\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            y.to,
            y.from,
            y.from + 16.0,
            bytes(tick)
        ));
    }
    for tick in y.ticks() {
        let at = y.place(tick);
        add(format!(
            "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#e2e8f0\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            x.from,
            x.to,
            x.from - 6.0,
            at + 4.0
        ));
    }
    let (middle, low) = ((x.from + x.to) / 2.0, y.from + 32.0);
    add(format!("<text x=\"{middle:.1}\" y=\"{low:.1}\" text-anchor=\"middle\">size</text>"));
    let (left, middle) = (x.from - 42.0, (y.from + y.to) / 2.0);
    add(format!(
        "<text x=\"{left:.1}\" y=\"{middle:.1}\" text-anchor=\"middle\" \
         transform=\"rotate(-90 {left:.1} {middle:.1})\">{label}</text>"
    ));
}

fn bytes(size: f64) -> String {
    if size >= 1e6 { format!("{} MB", size / 1e6) } else { format!("{} kB", size / 1e3) }
}
