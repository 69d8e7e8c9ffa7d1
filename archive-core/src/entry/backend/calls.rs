//! The macro `calls!`: the functions that save and load one root, for [`Backend`](super::Backend)
//! and for `dyn AnyBackend`.

/// Writes these functions in terms of three others: `save(buffer, sink, value, options)`, which
/// returns the bytes that were not sent to the sink, `load(body, shape, input, session, options)`,
/// and `feed`, which loads from a [`Feed`](super::Feed). With `[self]` they are methods, and the
/// three functions take `self` first.
macro_rules! calls {
    ($vis:vis [$($self:ident)?] $save:expr, $load:expr, $feed:expr) => {
        /// Saves a value with the default options. See `to_vec_with`.
        $vis fn to_vec<S: Source>($(&$self,)? value: S) -> Result<Vec<u8>> {
            $save($($self,)? Vec::new(), None, value, &Options::new())
        }

        /// Saves `&value` of a type with [`Save`](crate::Save), or `&mut value` of any type.
        $vis fn to_vec_with<S: Source>(
            $(&$self,)? value: S,
            options: &Options<'_>,
        ) -> Result<Vec<u8>> {
            $save($($self,)? Vec::new(), None, value, options)
        }

        /// Saves a value into the buffer, replacing its content and reusing its memory.
        ///
        /// # Errors
        /// Errors of the value. After an error the buffer is empty.
        $vis fn save_into<S: Source>(
            $(&$self,)? buffer: &mut Vec<u8>,
            value: S,
            options: &Options<'_>,
        ) -> Result {
            let mut memory = std::mem::take(buffer);
            memory.clear();
            *buffer = $save($($self,)? memory, None, value, options)?;
            Ok(())
        }

        /// Saves a value and passes its bytes to `sink` as they are written.
        $vis fn to_sink<S: Source>(
            $(&$self,)? value: S,
            sink: Sink<'_>,
            options: &Options<'_>,
        ) -> Result {
            let rest = $save($($self,)? Vec::new(), Some(&mut *sink), value, options)?;
            if rest.is_empty() { Ok(()) } else { sink(&rest) }
        }

        /// Loads a new value with the default options. See `from_slice_with`.
        $vis fn from_slice<T: Element>($(&$self,)? input: &[u8]) -> Result<T> {
            Self::from_slice_with($($self,)? input, &Options::new())
        }

        /// Loads a new value.
        $vis fn from_slice_with<T: Element>(
            $(&$self,)? input: &[u8],
            options: &Options<'_>,
        ) -> Result<T> {
            let mut new = New(None);
            in_session(options, |session| {
                $load($($self,)? &mut new, shape_of_new::<T>(options), input, session, options)
            })?;
            new.take()
        }

        /// Loads a new value, and returns it with a report of the load.
        $vis fn from_slice_report<T: Element>(
            $(&$self,)? input: &[u8],
            options: &Options<'_>,
        ) -> Result<(T, Report)> {
            let report = Cell::default();
            let options = &options.clone().report(&report);
            let value = Self::from_slice_with($($self,)? input, options)?;
            Ok((value, report.take()))
        }

        /// Loads a new value from bytes as they arrive, up to the end of the feed. A format may
        /// keep only the bytes that it still needs.
        $vis fn from_feed<T: Element>($(&$self,)? feed: Feed<'_>, options: &Options<'_>) -> Result<T> {
            let mut new = New(None);
            in_session(options, |session| {
                $feed($($self,)? &mut new, shape_of_new::<T>(options), feed, session, options)
            })?;
            new.take()
        }

        /// Loads into an existing value: members that the file does not have keep their values. The
        /// function `load_into` of a format lists the effect on each kind of value.
        ///
        /// If the value may hold shared objects, its functions are first run as if it were saved.
        /// The objects that they find are dropped one by one after the load: see
        /// [`dismantle`](crate::dismantle()).
        ///
        /// # Errors
        /// Errors of the input and of the value. After an error the content of the value is
        /// unspecified but valid: each member is old, loaded or blank, and every value with an
        /// `after_load` has passed it, is unchanged or is blank.
        $vis fn load_into<T: Serialize + ?Sized>(
            $(&$self,)? value: &mut T,
            input: &[u8],
            options: &Options<'_>,
        ) -> Result {
            in_session(options, |session| {
                over(value, options, |mut value| {
                    let shape = shape_of_value::<T>(value);
                    $load($($self,)? &mut value, shape, input, session, options)
                })
            })
        }
    };
}

pub(super) use calls;
