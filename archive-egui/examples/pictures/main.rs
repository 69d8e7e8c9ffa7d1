//! Draws the pictures of the README: `cargo run --example pictures`. With `--check` it only compares them with the existing ones.

mod paint;
mod scenes;

use std::error::Error;
use std::fs::File;
use std::path::Path;

use egui::{Color32, ColorImage};
use egui_kittest::Harness;

use paint::Painter;

/// The pixels per point.
const SCALE: f32 = 1.5;

/// The share of the pixels that another machine may draw differently.
const OTHER: f64 = 0.001;

fn main() -> Result<(), Box<dyn Error>> {
    let only_checks = std::env::args().any(|argument| argument == "--check");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pictures");
    for (name, image) in
        [("unit", scenes::unit()), ("lists", scenes::lists()), ("refused", scenes::refused())]
    {
        let path = folder.join(name).with_extension("png");
        if only_checks {
            let other = difference(&read(&path)?, &image);
            if other > OTHER {
                return Err(format!(
                    "{}: {:.2} % of the pixels differ; `cargo run --example pictures` draws it again",
                    path.display(),
                    other * 100.0
                )
                .into());
            }
        } else {
            std::fs::create_dir_all(&folder)?;
            write(&path, &image)?;
        }
    }
    Ok(())
}

/// Draws what an inspector shows.
fn draw<S>(shown: &Harness<'_, S>, painter: &Painter) -> ColorImage {
    let output = shown.output();
    let shapes = shown.ctx.tessellate(output.shapes.clone(), output.pixels_per_point);
    let size = shown.ctx.content_rect().size() * SCALE;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is small")]
    let size = [size.x as usize, size.y as usize];
    let mut image = ColorImage::filled(size, Color32::from_gray(27));
    painter.paint(&mut image, &shapes, SCALE);
    image
}

/// Returns the share of the pixels that differ.
fn difference(one: &ColorImage, other: &ColorImage) -> f64 {
    if one.size != other.size {
        return 1.0;
    }
    let is_other = |(one, other): &(&Color32, &Color32)| {
        one.to_array().iter().zip(other.to_array()).any(|(one, other)| one.abs_diff(other) > 8)
    };
    let count = one.pixels.iter().zip(&other.pixels).filter(is_other).count();
    count as f64 / one.pixels.len() as f64
}

fn write(path: &Path, image: &ColorImage) -> Result<(), Box<dyn Error>> {
    let size = image.size.map(u32::try_from);
    let mut encoder = png::Encoder::new(File::create(path)?, size[0]?, size[1]?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    let bytes: Vec<u8> =
        image.pixels.iter().flat_map(|color| [color.r(), color.g(), color.b()]).collect();
    encoder.write_header()?.write_image_data(&bytes)?;
    Ok(())
}

fn read(path: &Path) -> Result<ColorImage, Box<dyn Error>> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info()?;
    let mut bytes = vec![0; reader.output_buffer_size().ok_or("the picture is too large")?];
    let info = reader.next_frame(&mut bytes)?;
    Ok(ColorImage::from_rgb([info.width as usize, info.height as usize], &bytes))
}
