//! `glam`: vectors, quaternions, matrices and affine transforms, stored as fixed sequences of
//! numbers. Formats with blocks store each as one block.

use crate::stored_as;

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

vectors! {
    f32: Vec2, Vec3, Vec4;
    f64: DVec2, DVec3, DVec4;
    i8: I8Vec2, I8Vec3, I8Vec4;
    u8: U8Vec2, U8Vec3, U8Vec4;
    i16: I16Vec2, I16Vec3, I16Vec4;
    u16: U16Vec2, U16Vec3, U16Vec4;
    i32: IVec2, IVec3, IVec4;
    u32: UVec2, UVec3, UVec4;
    i64: I64Vec2, I64Vec3, I64Vec4;
    u64: U64Vec2, U64Vec3, U64Vec4;
    isize: ISizeVec2, ISizeVec3, ISizeVec4;
    usize: USizeVec2, USizeVec3, USizeVec4;
    bool: BVec2, BVec3, BVec4;
}
vector!(f32, 3, Vec3A);
vector!(bool, 3, BVec3A);
vector!(bool, 4, BVec4A);

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
components!("an affine transform" f32, 12, to_cols_array, from_cols_array: Affine3, Affine3A);
components!("an affine transform" f64, 12, to_cols_array, from_cols_array: DAffine3);
