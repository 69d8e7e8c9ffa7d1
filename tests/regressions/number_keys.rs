//! Keys of maps were numbers in spellings that are not numbers.

use std::collections::BTreeMap;

use archive::json;

#[test]
fn number_keys_follow_the_grammar_of_numbers() {
    for key in ["+5", "007", "", "-", "1_0", " 1"] {
        let text = format!("{{{:?}:1}}", key);
        assert!(json::from_str::<BTreeMap<i32, u8>>(&text).is_err(), "{key}");
    }
    let map: BTreeMap<i32, u8> = json::from_str(r#"{"0":1,"-5":2}"#).unwrap();
    assert_eq!(map, [(0, 1), (-5, 2)].into());
}
