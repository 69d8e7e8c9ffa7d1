//! `Color`, as an object that names the color space: `{"Srgba":[1.0,0.5,0.0,1.0]}`. The components are
//! those of Bevy's constructors, such as `Color::hsla(hue, saturation, lightness, alpha)`.

use archive::{Result, Serialize};
use bevy_color::{
    Color, Hsla, Hsva, Hwba, Laba, Lcha, LinearRgba, Okhsla, Okhsva, Okhwba, Oklaba, Oklcha, Srgba,
    Xyza,
};

macro_rules! spaces {
    ($($Space:ident($a:ident, $b:ident, $c:ident))*) => {
        /// What is saved.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        pub enum Stored {
            $(
                #[doc = concat!("A `", stringify!($Space), "`, with its alpha.")]
                $Space(f32, f32, f32, f32),
            )*
        }

        /// Returns what is saved.
        ///
        /// # Errors
        /// None.
        pub fn save(color: &Color) -> Result<Stored> {
            Ok(match *color {
                $(Color::$Space($Space { $a, $b, $c, alpha }) => Stored::$Space($a, $b, $c, alpha),)*
            })
        }

        /// Returns the color.
        ///
        /// # Errors
        /// None.
        pub fn load(stored: Stored) -> Result<Color> {
            Ok(match stored {
                $(Stored::$Space($a, $b, $c, alpha) => Color::$Space($Space { $a, $b, $c, alpha }),)*
            })
        }
    };
}
spaces! {
    Srgba(red, green, blue)
    LinearRgba(red, green, blue)
    Hsla(hue, saturation, lightness)
    Hsva(hue, saturation, value)
    Hwba(hue, whiteness, blackness)
    Laba(lightness, a, b)
    Lcha(lightness, chroma, hue)
    Oklaba(lightness, a, b)
    Oklcha(lightness, chroma, hue)
    Okhsla(hue, saturation, lightness)
    Okhsva(hue, saturation, value)
    Okhwba(hue, whiteness, blackness)
    Xyza(x, y, z)
}
