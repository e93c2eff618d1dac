//! Records by which a core room keeps its own state across restarts.
//!
//! A room with state beyond the graph (concept formation, intent calibration) hands out what
//! changed as opaque records and takes them back at restart. The store writes them in the same
//! atomic batch as the graph; it never looks inside. Values are versioned by the room.

/// One record of one room, unique by `key` within (space, room). `value: None` deletes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRecord {
    pub key: Vec<u8>,
    pub value: Option<Vec<u8>>,
}
