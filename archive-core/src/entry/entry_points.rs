//! The macro `entry_points!`: the functions that every format's module has, and the methods of a
//! format selected at run time.

/// Writes the entry points of a format as functions of its module, in terms of its
/// [`Backend`](crate::Backend). For format crates.
#[macro_export]
macro_rules! entry_points {
    ($Backend:ty) => {
        /// Saves named roots into one file.
        pub type Writer<'o> = $crate::Writer<'o, $Backend>;
        /// Loads named roots from one file.
        pub type Reader<'r, 'o> = $crate::Reader<'r, 'o, $Backend>;

        $crate::entry_points!(@list [] $crate::entry_points [@of $Backend]);
        $crate::entry_points!(@read);
    };
    (@read) => {
        /// Reads bytes from a reader into `room`, and returns their number.
        fn read(reader: &mut impl ::std::io::Read, room: &mut [u8]) -> $crate::Result<usize> {
            loop {
                match reader.read(room) {
                    Err(error) if error.kind() == ::std::io::ErrorKind::Interrupted => {}
                    count => return count.map_err($crate::Error::io),
                }
            }
        }
    };
    (@of $Backend:ty, $name:ident($($arg:expr),*)) => {
        <$Backend as $crate::Backend>::$name($($arg),*)
    };

    // The list of functions. `$call!($to, function(arguments))` calls that function of the backend.
    (@list [$($self:ident)?] $call:path [$($to:tt)*]) => {
        /// Saves `&value` of a type with `Save`, or `&mut value` of any type.
        pub fn to_vec<S: $crate::Source>($(&$self,)? value: S) -> $crate::Result<Vec<u8>> {
            $call!($($to)*, to_vec_with(value, &$crate::Options::new()))
        }

        /// Like `to_vec`, with options.
        pub fn to_vec_with<S: $crate::Source>(
            $(&$self,)? value: S,
            options: &$crate::Options<'_>,
        ) -> $crate::Result<Vec<u8>> {
            $call!($($to)*, to_vec_with(value, options))
        }

        /// Saves a value into the buffer, replacing its content and reusing its memory. This is
        /// useful if values are saved often, such as packets of a server.
        ///
        /// # Errors
        /// Errors of the value. After an error the buffer is empty.
        pub fn save_into<S: $crate::Source>(
            $(&$self,)? buffer: &mut Vec<u8>,
            value: S,
            options: &$crate::Options<'_>,
        ) -> $crate::Result {
            $call!($($to)*, save_into(buffer, value, options))
        }

        /// Saves a value to a writer.
        pub fn to_writer<S: $crate::Source>(
            $(&$self,)? mut writer: impl ::std::io::Write,
            value: S,
        ) -> $crate::Result {
            let sink = &mut |bytes: &[u8]| writer.write_all(bytes).map_err($crate::Error::io);
            $call!($($to)*, to_sink(value, sink, &$crate::Options::new()))
        }

        /// Like `to_writer`, with options.
        pub fn to_writer_with<S: $crate::Source>(
            $(&$self,)? mut writer: impl ::std::io::Write,
            value: S,
            options: &$crate::Options<'_>,
        ) -> $crate::Result {
            let sink = &mut |bytes: &[u8]| writer.write_all(bytes).map_err($crate::Error::io);
            $call!($($to)*, to_sink(value, sink, options))
        }

        /// Loads a new value.
        pub fn from_slice<T: $crate::Element>($(&$self,)? input: &[u8]) -> $crate::Result<T> {
            $call!($($to)*, from_slice_with(input, &$crate::Options::new()))
        }

        /// Like `from_slice`, with options.
        pub fn from_slice_with<T: $crate::Element>(
            $(&$self,)? input: &[u8],
            options: &$crate::Options<'_>,
        ) -> $crate::Result<T> {
            $call!($($to)*, from_slice_with(input, options))
        }

        /// Loads a new value from a reader, which is read to its end.
        pub fn from_reader<T: $crate::Element>(
            $(&$self,)? mut reader: impl ::std::io::Read,
        ) -> $crate::Result<T> {
            let feed = &mut |room: &mut [u8]| read(&mut reader, room);
            $call!($($to)*, from_feed(feed, &$crate::Options::new()))
        }

        /// Like `from_reader`, with options.
        pub fn from_reader_with<T: $crate::Element>(
            $(&$self,)? mut reader: impl ::std::io::Read,
            options: &$crate::Options<'_>,
        ) -> $crate::Result<T> {
            let feed = &mut |room: &mut [u8]| read(&mut reader, room);
            $call!($($to)*, from_feed(feed, options))
        }

        /// Loads a new value, and returns it with a report of the load. The other functions put the
        /// report where [`Options::report`]($crate::Options::report) says.
        pub fn from_slice_report<T: $crate::Element>(
            $(&$self,)? input: &[u8],
            options: &$crate::Options<'_>,
        ) -> $crate::Result<(T, $crate::Report)> {
            $call!($($to)*, from_slice_report(input, options))
        }

        /// Loads into an existing value: members that the file does not have keep their values.
        ///
        /// | type | the old value |
        /// |---|---|
        /// | a struct, a tuple struct, a newtype; a base; a field with `flatten` | loaded member by member; a member that the file does not have keeps its value |
        /// | a type with a hand-written function | the same: the function sees the old value |
        /// | a field with `skip` or `skip(keep)` | kept |
        /// | a member with `skip_if_default` or `skip_if` that the file does not have | its default |
        /// | a member with `with` or `bytes`, a field with `unknown` | replaced |
        /// | a number, text, `Cow`, `Value` | replaced |
        /// | `Option` | `None`, or a new value |
        /// | an enum | the variant of the file with new data, even if it was the same variant |
        /// | a tuple, an array, a slice | each item is new |
        /// | a list, a set, a map | only the elements of the file, each of them new |
        /// | `Box<T>` | its content is new |
        /// | `Box<dyn Trait>` | a new object, of the type in the file |
        /// | `Rc`, `Arc`, with or without a cell | a new object; other pointers still refer to the old one, which is unchanged |
        /// | `Weak` | refers to the new object |
        /// | a cell that is not a shared object: `RefCell`, `Cell`, `Mutex`, `RwLock` | the same as its content |
        ///
        /// A new value starts from its blank value ([`Blank`]($crate::Blank)): a member that the file
        /// does not have is that of the blank value. Only fields with `skip(keep)` may come from the
        /// element that was in the same place; see `Serialize`, the derive. Items of an array or a tuple
        /// may be loaded over the old ones if their types are written by hand.
        ///
        /// The load reuses the memory that lists, text, structs and maps of the old value own, if
        /// the file has all their members. A map is reused if its keys are numbers, characters,
        /// truth values or `String`. In serde formats, structs in lists are new.
        ///
        /// # Errors
        /// Errors of the input and of the value. After an error the content of the value is
        /// unspecified but valid: each member is old, loaded or blank, and every value with an
        /// `after_load` has passed it, is unchanged or is blank.
        pub fn load_into<T: $crate::Serialize + ?Sized>(
            $(&$self,)? value: &mut T,
            input: &[u8],
        ) -> $crate::Result {
            $call!($($to)*, load_into(value, input, &$crate::Options::new()))
        }

        /// Like `load_into`, with options.
        pub fn load_into_with<T: $crate::Serialize + ?Sized>(
            $(&$self,)? value: &mut T,
            input: &[u8],
            options: &$crate::Options<'_>,
        ) -> $crate::Result {
            $call!($($to)*, load_into(value, input, options))
        }
    };
}
