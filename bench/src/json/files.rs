//! The types of three files that JSON parsers are commonly measured with. The members are named as
//! in the files.
#![allow(missing_docs)] // what the members are called says it

use std::collections::BTreeMap;
use std::path::Path;

/// The text of one of the files, unless it is absent here.
pub fn read(name: &str) -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/fixtures/json-files");
    std::fs::read_to_string(folder.join(format!("{name}.json"))).ok()
}

macro_rules! data {
    ($($item:item)*) => {
        $(
            #[derive(Clone, Debug, PartialEq, archive::Serialize, serde::Serialize, serde::Deserialize)]
            #[derive(nanoserde::DeJson, nanoserde::SerJson)]
            $item
        )*
    };
}

data! {
/// As the file has it.
pub struct Twitter { pub statuses: Vec<Status>, pub search_metadata: SearchMetadata }
/// As the file has it.
pub struct SearchMetadata { pub completed_in: f64, pub max_id: u64, pub max_id_str: String, pub next_results: String, pub query: String, pub refresh_url: String, pub count: u32, pub since_id: u64, pub since_id_str: String }
/// As the file has it.
pub struct Metadata { pub result_type: String, pub iso_language_code: String }
/// As the file has it.
pub struct Status {
 pub metadata: Option<Metadata>, pub created_at: String, pub id: u64, pub id_str: String, pub text: String, pub source: String, pub truncated: bool,
 pub in_reply_to_status_id: Option<u64>, pub in_reply_to_status_id_str: Option<String>, pub in_reply_to_user_id: Option<u64>, pub in_reply_to_user_id_str: Option<String>, pub in_reply_to_screen_name: Option<String>,
 pub user: User, pub geo: Option<String>, pub coordinates: Option<String>, pub place: Option<String>, pub contributors: Option<String>,
 pub retweeted_status: Option<Box<Status>>,
 pub retweet_count: u32, pub favorite_count: u32, pub entities: StatusEntities, pub favorited: bool, pub retweeted: bool,
 pub possibly_sensitive: Option<bool>, pub lang: String }
/// As the file has it.
pub struct User { pub id: u64, pub id_str: String, pub name: String, pub screen_name: String, pub location: String, pub description: String, pub url: Option<String>, pub entities: UserEntities, pub protected: bool, pub followers_count: u32, pub friends_count: u32, pub listed_count: u32, pub created_at: String, pub favourites_count: u32, pub utc_offset: Option<i32>, pub time_zone: Option<String>, pub geo_enabled: bool, pub verified: bool, pub statuses_count: u32, pub lang: String, pub contributors_enabled: bool, pub is_translator: bool, pub is_translation_enabled: bool, pub profile_background_color: String, pub profile_background_image_url: String, pub profile_background_image_url_https: String, pub profile_background_tile: bool, pub profile_image_url: String, pub profile_image_url_https: String, pub profile_banner_url: Option<String>, pub profile_link_color: String, pub profile_sidebar_border_color: String, pub profile_sidebar_fill_color: String, pub profile_text_color: String, pub profile_use_background_image: bool, pub default_profile: bool, pub default_profile_image: bool, pub following: bool, pub follow_request_sent: bool, pub notifications: bool }
/// As the file has it.
pub struct UserEntities { pub url: Option<Urls>, pub description: Option<Urls> }
/// As the file has it.
pub struct Urls { pub urls: Vec<Url> }
/// As the file has it.
pub struct Url { pub url: String, pub expanded_url: String, pub display_url: String, pub indices: (u32, u32) }
/// As the file has it.
pub struct StatusEntities { pub hashtags: Vec<Hashtag>, pub symbols: Vec<Hashtag>, pub urls: Vec<Url>, pub user_mentions: Vec<Mention>, pub media: Option<Vec<Media>> }
/// As the file has it.
pub struct Hashtag { pub text: String, pub indices: (u32, u32) }
/// As the file has it.
pub struct Mention { pub screen_name: String, pub name: String, pub id: u64, pub id_str: String, pub indices: (u32, u32) }
/// As the file has it.
pub struct Media { pub id: u64, pub id_str: String, pub indices: (u32, u32), pub media_url: String, pub media_url_https: String, pub url: String, pub display_url: String, pub expanded_url: String,
 #[serde(rename = "type")] #[archive(rename = "type")] #[nserde(rename = "type")] pub kind: String, pub sizes: Sizes, pub source_status_id: Option<u64>, pub source_status_id_str: Option<String> }
/// As the file has it.
pub struct Sizes { pub medium: Size, pub small: Size, pub thumb: Size, pub large: Size }
/// As the file has it.
pub struct Size { pub w: u32, pub h: u32, pub resize: String }

/// As the file has it.
pub struct Citm {
 #[archive(as_object)] #[serde(rename = "areaNames")] #[archive(rename = "areaNames")] #[nserde(rename = "areaNames")] pub area_names: BTreeMap<String,String>,
 #[archive(as_object)] #[serde(rename = "audienceSubCategoryNames")] #[archive(rename = "audienceSubCategoryNames")] #[nserde(rename = "audienceSubCategoryNames")] pub audience_sub_category_names: BTreeMap<String,String>,
 #[archive(as_object)] #[serde(rename = "blockNames")] #[archive(rename = "blockNames")] #[nserde(rename = "blockNames")] pub block_names: BTreeMap<String,String>,
 #[archive(as_object)] pub events: BTreeMap<String,Event>,
 pub performances: Vec<Performance>,
 #[archive(as_object)] #[serde(rename = "seatCategoryNames")] #[archive(rename = "seatCategoryNames")] #[nserde(rename = "seatCategoryNames")] pub seat_category_names: BTreeMap<String,String>,
 #[archive(as_object)] #[serde(rename = "subTopicNames")] #[archive(rename = "subTopicNames")] #[nserde(rename = "subTopicNames")] pub sub_topic_names: BTreeMap<String,String>,
 #[archive(as_object)] #[serde(rename = "subjectNames")] #[archive(rename = "subjectNames")] #[nserde(rename = "subjectNames")] pub subject_names: BTreeMap<String,String>,
 #[archive(as_object)] #[serde(rename = "topicNames")] #[archive(rename = "topicNames")] #[nserde(rename = "topicNames")] pub topic_names: BTreeMap<String,String>,
 #[archive(as_object)] #[serde(rename = "topicSubTopics")] #[archive(rename = "topicSubTopics")] #[nserde(rename = "topicSubTopics")] pub topic_sub_topics: BTreeMap<String,Vec<u64>>,
 #[archive(as_object)] #[serde(rename = "venueNames")] #[archive(rename = "venueNames")] #[nserde(rename = "venueNames")] pub venue_names: BTreeMap<String,String>,
}
/// As the file has it.
pub struct Event { pub description: Option<String>, pub id: u64, pub logo: Option<String>, pub name: String, #[serde(rename = "subTopicIds")] #[archive(rename = "subTopicIds")] #[nserde(rename = "subTopicIds")] pub sub_topic_ids: Vec<u64>, #[serde(rename = "subjectCode")] #[archive(rename = "subjectCode")] #[nserde(rename = "subjectCode")] pub subject_code: Option<String>, pub subtitle: Option<String>, #[serde(rename = "topicIds")] #[archive(rename = "topicIds")] #[nserde(rename = "topicIds")] pub topic_ids: Vec<u64> }
/// As the file has it.
pub struct Performance { #[serde(rename = "eventId")] #[archive(rename = "eventId")] #[nserde(rename = "eventId")] pub event_id: u64, pub id: u64, pub logo: Option<String>, pub name: Option<String>, pub prices: Vec<Price>, #[serde(rename = "seatCategories")] #[archive(rename = "seatCategories")] #[nserde(rename = "seatCategories")] pub seat_categories: Vec<SeatCategory>, #[serde(rename = "seatMapImage")] #[archive(rename = "seatMapImage")] #[nserde(rename = "seatMapImage")] pub seat_map_image: Option<String>, pub start: u64, #[serde(rename = "venueCode")] #[archive(rename = "venueCode")] #[nserde(rename = "venueCode")] pub venue_code: String }
/// As the file has it.
pub struct Price { pub amount: u32, #[serde(rename = "audienceSubCategoryId")] #[archive(rename = "audienceSubCategoryId")] #[nserde(rename = "audienceSubCategoryId")] pub audience_sub_category_id: u64, #[serde(rename = "seatCategoryId")] #[archive(rename = "seatCategoryId")] #[nserde(rename = "seatCategoryId")] pub seat_category_id: u64 }
/// As the file has it.
pub struct SeatCategory { pub areas: Vec<Area>, #[serde(rename = "seatCategoryId")] #[archive(rename = "seatCategoryId")] #[nserde(rename = "seatCategoryId")] pub seat_category_id: u64 }
/// As the file has it.
pub struct Area { #[serde(rename = "areaId")] #[archive(rename = "areaId")] #[nserde(rename = "areaId")] pub area_id: u64, #[serde(rename = "blockIds")] #[archive(rename = "blockIds")] #[nserde(rename = "blockIds")] pub block_ids: Vec<u64> }

/// As the file has it.
pub struct Canada { #[serde(rename = "type")] #[archive(rename = "type")] #[nserde(rename = "type")] pub kind: String, pub features: Vec<Feature> }
/// As the file has it.
pub struct Feature { #[serde(rename = "type")] #[archive(rename = "type")] #[nserde(rename = "type")] pub kind: String, pub properties: Properties, pub geometry: Geometry }
/// As the file has it.
pub struct Properties { pub name: String }
/// As the file has it.
pub struct Geometry { #[serde(rename = "type")] #[archive(rename = "type")] #[nserde(rename = "type")] pub kind: String, pub coordinates: Vec<Vec<(f64,f64)>> }
}
