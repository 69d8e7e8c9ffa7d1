//! Of several times in one member, it was not noted that one was clamped.

use std::time::Duration;

use archive::time::Clock;
use archive::{Options, Report, Result, Serialize, json};

mod pair {
    use archive::{Options, Result, time};

    use super::Duration;

    pub fn save(pair: &(Duration, Duration), options: &Options<'_>) -> Result<(i64, i64)> {
        Ok((time::save(&pair.0, options)?, time::save(&pair.1, options)?))
    }
    pub fn load(pair: (i64, i64), options: &Options<'_>) -> Result<(Duration, Duration)> {
        Ok((time::load(pair.0, options)?, time::load(pair.1, options)?))
    }
}

#[test]
fn each_of_several_times_is_noted_as_clamped_where_it_was() {
    #[derive(Default, Serialize)]
    #[archive(after_load = look)]
    struct Early {
        at: i64,
    }
    fn look(early: &mut Early, options: &Options<'_>) -> Result {
        archive::time::load::<Duration>(early.at, options).map(drop)
    }
    mod same {
        pub fn save(number: &u8) -> archive::Result<u8> {
            Ok(*number)
        }
        pub fn load(number: u8) -> archive::Result<u8> {
            Ok(number)
        }
    }
    #[derive(Default, Serialize)]
    struct Times {
        early: Early,
        #[archive(with = same)]
        number: u8,
        #[archive(with = pair)]
        pair: (Duration, Duration),
        #[archive(with = pair)]
        good: (Duration, Duration),
    }
    let options = Options::new().provide(Clock(Duration::from_nanos(1)));
    let text = br#"{"early":{"at":-9},"number":1,"pair":[-9,0],"good":[0,0]}"#;
    let (_, report): (Times, Report) = json::from_slice_report(text, &options).unwrap();
    assert!(report.clamped().eq(["pair"]), "{report}");
}
