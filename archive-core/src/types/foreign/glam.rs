//! `glam`: vectors, quaternions, matrices and affine transforms, stored as fixed sequences of
//! numbers. Formats with blocks store each as one block.
//!
//! Every version of glam has its own types, so each version has its own module and feature. In each
//! module `glam` is that version. The types of all versions are stored alike.

/// Implements the traits for types that are an array of `$N` components. `$to` and `$from` are
/// glam's conversions.
macro_rules! components {
    ($meaning:literal $component:ty, $N:literal, $to:ident, $from:ident: $($ty:ident),*) => { $(
        stored_as! {
            glam::$ty as [$component; $N] {
                save: |value| Ok(value.$to()),
                load: |components| Ok(glam::$ty::$from(&components)),
                blank: |_| glam::$ty::default(),
                meaning: $meaning,
            }
        }
    )* };
}

macro_rules! vectors {
    ($($component:ty: $two:ident, $three:ident, $four:ident;)*) => { $(
        vector!($component, 2, $two);
        vector!($component, 3, $three);
        vector!($component, 4, $four);
    )* };
}

macro_rules! vector {
    ($component:ty, $N:literal, $ty:ident) => {
        stored_as! {
            glam::$ty as [$component; $N] {
                save: |value| Ok((*value).into()),
                load: |components| Ok(glam::$ty::from(components)),
                blank: |_| glam::$ty::default(),
                meaning: "a vector",
            }
        }
    };
}

macro_rules! quaternion {
    ($component:ty, $ty:ident) => {
        stored_as! {
            glam::$ty as [$component; 4] {
                save: |value| Ok(value.to_array()),
                load: |components| Ok(glam::$ty::from_array(components)),
                blank: |_| glam::$ty::default(),
                meaning: "a quaternion",
            }
        }
    };
}

/// The types of each version, listed with the first version that has them.
macro_rules! types {
    (0.27) => {
        vectors! {
            f32: Vec2, Vec3, Vec4;
            f64: DVec2, DVec3, DVec4;
            i16: I16Vec2, I16Vec3, I16Vec4;
            u16: U16Vec2, U16Vec3, U16Vec4;
            i32: IVec2, IVec3, IVec4;
            u32: UVec2, UVec3, UVec4;
            i64: I64Vec2, I64Vec3, I64Vec4;
            u64: U64Vec2, U64Vec3, U64Vec4;
            bool: BVec2, BVec3, BVec4;
        }
        vector!(f32, 3, Vec3A);
        vector!(bool, 3, BVec3A);
        vector!(bool, 4, BVec4A);
        quaternion!(f32, Quat);
        quaternion!(f64, DQuat);
        components!("a matrix" f32, 4, to_cols_array, from_cols_array: Mat2);
        components!("a matrix" f64, 4, to_cols_array, from_cols_array: DMat2);
        components!("a matrix" f32, 9, to_cols_array, from_cols_array: Mat3, Mat3A);
        components!("a matrix" f64, 9, to_cols_array, from_cols_array: DMat3);
        components!("a matrix" f32, 16, to_cols_array, from_cols_array: Mat4);
        components!("a matrix" f64, 16, to_cols_array, from_cols_array: DMat4);
        components!("an affine transform" f32, 6, to_cols_array, from_cols_array: Affine2);
        components!("an affine transform" f64, 6, to_cols_array, from_cols_array: DAffine2);
        components!("an affine transform" f32, 12, to_cols_array, from_cols_array: Affine3A);
        components!("an affine transform" f64, 12, to_cols_array, from_cols_array: DAffine3);
    };
    (0.29) => {
        types!(0.27);
        vectors! {
            i8: I8Vec2, I8Vec3, I8Vec4;
            u8: U8Vec2, U8Vec3, U8Vec4;
        }
    };
    (0.30) => {
        types!(0.29);
        vectors! { usize: USizeVec2, USizeVec3, USizeVec4; }
    };
    (0.31) => {
        types!(0.30);
        vectors! { isize: ISizeVec2, ISizeVec3, ISizeVec4; }
        components!("an affine transform" f32, 12, to_cols_array, from_cols_array: Affine3);
    };
}

/// A module for each version: its feature, its crate, and its types.
macro_rules! versions {
    ($($feature:literal $module:ident: $glam:ident, $types:tt;)*) => { $(
        #[cfg(feature = $feature)]
        mod $module {
            use ::$glam as glam;

            use crate::stored_as;

            types!($types);

            #[cfg(test)]
            #[test]
            fn is_stored_as_numbers() {
                super::tests::is_stored_as(glam::Vec2::new(0.5, -1.0), [0.5_f32, -1.0]);
                super::tests::is_stored_as(glam::Vec3A::ONE, [1.0_f32; 3]);
                super::tests::is_stored_as(glam::I64Vec4::splat(-3), [-3_i64; 4]);
                super::tests::is_stored_as(glam::BVec4A::splat(true), [true; 4]);
                super::tests::is_stored_as(glam::Quat::IDENTITY, [0.0_f32, 0.0, 0.0, 1.0]);
                super::tests::is_stored_as(glam::DMat2::IDENTITY, [1.0, 0.0, 0.0, 1.0]);
                super::tests::is_stored_as(glam::Affine2::IDENTITY, [1.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0]);
            }
        }
    )* };
}

// A new version is a line here, a dependency and a feature in the manifests of this package and of
// `archive`, and a line in the table of `foreign`.
versions! {
    "glam-0-27" v0_27: glam_0_27, 0.27;
    "glam-0-29" v0_29: glam_0_29, 0.29;
    "glam-0-30" v0_30: glam_0_30, 0.30;
    "glam-0-31" v0_31: glam_0_31, 0.31;
    "glam-0-32" v0_32: glam_0_32, 0.31;
    "glam-0-33" v0_33: glam_0_33, 0.31;
    "glam" newest: glam, 0.31;
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use crate::{Blank, Save, Value};

    /// The value is stored like the components, which load as the same value.
    pub(super) fn is_stored_as<T, C>(value: T, components: C)
    where
        T: Save + Blank + PartialEq + Debug,
        C: Save,
    {
        let tree = Value::of(&value).unwrap();
        assert_eq!(tree, Value::of(&components).unwrap());
        assert_eq!(tree.to::<T>().unwrap(), value);
    }
}
