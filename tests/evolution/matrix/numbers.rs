//! Numbers.

use archive::ErrorKind::*;

use super::table::{Section, fails, loads, row};

pub fn section() -> Section {
    Section {
        title: "Numbers",
        intro: "A number becomes another type if its value survives; else it is an error. A number that \
                becomes a float is the exception: it is rounded to the nearest one, once, and the report \
                says so; only a number beyond the largest float is an error. The report also says where a \
                float became an integer. Wider and narrower integers leave no note, since nothing is \
                lost. In text a number is read at the width of the member, however it is spelled: \
                `16777217` and `16777217.0` are the same `f32`. A spelling is noted if the float, rounded \
                to as many digits, is another number; so `0.1` is not. An integer in text is what its digits \
                say, in every spelling, such as `1e3`.",
        rows: vec![
            row!("widened": u8 = 200, u32, loads("200")),
            row!("widened, signed": i8 = -3, i64, loads("-3")),
            row!("narrowed": u32 = 200, u8, loads("200")),
            row!("narrowed, too large": u32 = 300, u8, fails(OutOfRange, "")),
            row!("signed": u8 = 200, i16, loads("200")),
            row!("unsigned": i32 = 7, u8, loads("7")),
            row!("unsigned, below zero": i32 = -1, u32, fails(OutOfRange, "")),
            row!("the largest": u64 = u64::MAX, u128, loads("18446744073709551615")),
            row!("the largest, signed": u64 = u64::MAX, i64, fails(OutOfRange, "")),
            row!("128 bits narrowed": u128 = 7, u8, loads("7")),
            row!("an integer that became a float": i32 = 3, f32, loads("3.0")),
            row!("an integer that `f32` cannot hold": i32 = 16_777_217, f32,
                loads("16777216.0").converted("")),
            row!("an integer that `f64` cannot hold": u64 = 9_007_199_254_740_993, f64,
                loads("9007199254740992.0").converted("")),
            row!("the largest, as a float": u64 = u64::MAX, f32, loads("1.8446744e19").converted("")),
            row!("the same, held": u64 = 9_007_199_254_740_992, f64, loads("9007199254740992.0")),
            row!("a float that became an integer": f32 = 3.0, i32, loads("3").converted("")),
            row!("a float that became an integer, `f64`": f64 = -3.0, i8, loads("-3").converted("")),
            row!("a float with a fraction": f32 = 1.5, i32, fails(WrongType, "")),
            row!("the same, in front of a float that stays":
                { struct Pos { x: f64, y: f32 } } Pos = Pos { x: 1.5, y: 0.5 },
                { struct Pos { x: u8, y: f32 } } Pos,
                fails(WrongType, "x").keeps("Pos { x: 0, y: 0.5 }")),
            row!("a float too large": f64 = 1e20, i32, fails(OutOfRange, "")),
            row!("NaN into an integer": f32 = f32::NAN, i32, fails(WrongType, "")),
            row!("`f32` widened": f32 = 0.5, f64, loads("0.5")),
            row!("`f32` widened, endless in binary": f32 = 0.1, f64,
                loads("0.10000000149011612").except(&["json", "json, converted"], loads("0.1"),
                    "text has no width: it is the shortest that names the `f32`, and is read as an `f64`")),
            row!("`f64` narrowed": f64 = 1.5, f32, loads("1.5")),
            row!("`f64` narrowed, rounded": f64 = 0.1, f32,
                loads("0.1").converted("").except(&["json", "json, converted"], loads("0.1"),
                    "text has no width: `0.1` is what an `f32` writes as well")),
            row!("`f64` narrowed, rounded, in any format": f64 = 16_777_217.0, f32,
                loads("16777216.0").converted("")),
            row!("`f64` narrowed to nothing": f64 = 1e-300, f32, loads("0.0").converted("")),
            row!("`f64` narrowed, too large": f64 = 1e300, f32, fails(OutOfRange, "")),
            row!("infinity": f64 = f64::INFINITY, f32, loads("inf")),
            row!("`bool` into a number": bool = true, u8, fails(WrongType, "")),
            row!("a number into `bool`": u8 = 1, bool, fails(WrongType, "")),
            row!("a number into text": u8 = 1, String, fails(WrongType, "")),
            row!("text into a number": String = "1".into(), u8, fails(WrongType, "")),
            row!("text into 128 bits": String = "170141183460469231731687303715884105727".into(), i128,
                loads("170141183460469231731687303715884105727").remark("other programs keep wide integers as text")),
            row!("128 bits into text": i128 = 7, String, fails(WrongType, "")),
            row!("a number into a list": u64 = 1 << 40, Vec<u64>, fails(WrongType, "")),
            row!("a number of 32 bits into a list": i32 = 7, Vec<i32>,
                fails(WrongType, "").except(&["blob", "blob, converted"], loads("[7]").unplaced(),
                    "files of the original program do not tell a member from an array of one")),
            row!("a list of 32 bits into a number": Vec<i32> = vec![7], i32, fails(WrongType, "")),
            row!("a list into a number": Vec<u8> = vec![7], u8, fails(WrongType, "")),
            row!("a character into a number": char = 'a', u32, fails(WrongType, "")),
            row!("elements": Vec<u8> = vec![1, 2], Vec<f32>, loads("[1.0, 2.0]")),
            row!("elements, one too large": Vec<u16> = vec![1, 300, 3], Vec<u8>,
                fails(OutOfRange, "[1]").keeps("[1, 3]")),
            row!("elements of an array, one too large": [u16; 3] = [1, 300, 3], [u8; 3],
                fails(OutOfRange, "[1]").keeps("[1, 0, 3]")),
            row!("elements of a tuple, one too large": (u16, u16) = (1, 300), (u8, u8),
                fails(OutOfRange, "[1]").keeps("(1, 0)")),
        ],
    }
}
