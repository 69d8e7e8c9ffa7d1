//! Many enums with many variants that contain each other: the search visits each only a few times.

use super::*;

/// Enums that contain each other, each in a variant of its own. Their last variant is given.
macro_rules! wide {
    ($all:tt => $($name:ident ends $end:ty),* $(,)?) => { $( wide!(@one $name $end, $all); )* };
    (@one $name:ident $end:ty, [$($other:ident)*]) => {
        #[derive(Serialize, Debug)]
        #[allow(clippy::enum_variant_names)] // `L` has a variant for `T`, and `Last`
        enum $name {
            $($other(Box<$other>),)*
            Last($end),
        }
    };
}

wide! { [A B C D E F G H I J K L M N O P Q R S T] =>
    A ends Box<B>, B ends Box<C>, C ends Box<D>, D ends Box<E>, E ends Box<F>, F ends Box<G>,
    G ends Box<H>, H ends Box<I>, I ends Box<J>, J ends Box<K>, K ends Box<L>, L ends Box<M>,
    M ends Box<N>, N ends Box<O>, O ends Box<P>, P ends Box<Q>, Q ends Box<R>, R ends Box<S>,
    S ends Box<T>, T ends u8,
}

mod none {
    use super::*;
    wide! { [A B C D E F G H I J K L M N O P Q R S T] =>
        A ends Box<B>, B ends Box<C>, C ends Box<D>, D ends Box<E>, E ends Box<F>, F ends Box<G>,
        G ends Box<H>, H ends Box<I>, I ends Box<J>, J ends Box<K>, K ends Box<L>, L ends Box<M>,
        M ends Box<N>, N ends Box<O>, O ends Box<P>, P ends Box<Q>, Q ends Box<R>, R ends Box<S>,
        S ends Box<T>, T ends Box<A>,
    }

    #[test]
    fn none_ends() {
        on_stack(|| {
            let error = A::try_blank(&Options::new()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Endless, "{error}");
            for format in forgiving() {
                let bytes = format.to_vec(&7_u8).unwrap();
                let error = format.from_slice::<K>(&bytes).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Endless, "{format}: {error}");
            }
        });
    }
}

#[test]
fn one_ends() {
    on_stack(|| {
        let value = || A::K(Box::new(K::B(Box::new(B::T(Box::new(T::Last(7)))))));
        for format in formats() {
            let bytes = format.to_vec(&value()).unwrap();
            let loaded: A = format.from_slice(&bytes).unwrap();
            assert_eq!(format!("{loaded:?}"), format!("{:?}", value()), "{format}");
            if forgives(format) {
                let mut old = T::A(Box::new(value()));
                format.load_into(&mut old, &format.to_vec(&T::Last(3)).unwrap()).unwrap();
                assert!(matches!(old, T::Last(3)), "{format}");
            }
        }
    });
}
