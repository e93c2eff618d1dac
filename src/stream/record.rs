//! Records as they come from a source, before anything is decoded.

use std::fmt;
use std::sync::Arc;

/// One partition of one topic. Files and standard input have the one partition 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicPartition {
    pub topic: Arc<str>,
    pub partition: i32,
}

impl TopicPartition {
    pub fn new(topic: impl Into<Arc<str>>, partition: i32) -> TopicPartition {
        TopicPartition {
            topic: topic.into(),
            partition,
        }
    }
}

impl fmt::Display for TopicPartition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.topic, self.partition)
    }
}

/// Where records come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SourceKind {
    #[default]
    Kafka,
    /// The topic is the path; positions are byte offsets.
    File,
    /// Offsets count bytes of this run only: they must not be stored or compared with earlier runs.
    Stdin,
}

impl SourceKind {
    pub fn name(self) -> &'static str {
        match self {
            SourceKind::Kafka => "kafka",
            SourceKind::File => "file",
            SourceKind::Stdin => "stdin",
        }
    }
}

/// One record, verbatim.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    pub topic: Arc<str>,
    pub partition: i32,
    /// Kafka's offset; for a line, the byte offset of its last byte (its line end). In both cases
    /// [`Record::next_offset`] is where reading resumes.
    pub offset: i64,
    pub key: Option<Vec<u8>>,
    /// `None` is a tombstone.
    pub value: Option<Vec<u8>>,
    pub headers: Vec<(String, Vec<u8>)>,
    /// Time of receipt in milliseconds since 1970: the broker's timestamp. Lines have none that a
    /// replay would repeat.
    pub timestamp_ms: Option<i64>,
    /// Set when the source itself could not hand over the record whole (a line over the limit);
    /// such a record is poison and `value` holds only its beginning.
    pub defect: Option<String>,
}

impl Record {
    /// The position to store once this record's effect is stored.
    pub fn next_offset(&self) -> i64 {
        self.offset.saturating_add(1)
    }

    /// First header of this name, names compared without case.
    pub fn header(&self, name: &str) -> Option<&[u8]> {
        self.headers
            .iter()
            .find(|(k, _)| k.eq_ignore_ascii_case(name))
            .map(|(_, v)| v.as_slice())
    }

    /// Bytes that the record holds in memory, about.
    pub fn bytes(&self) -> usize {
        let headers: usize = self.headers.iter().map(|(k, v)| k.len() + v.len()).sum();
        self.key.as_ref().map_or(0, Vec::len) + self.value.as_ref().map_or(0, Vec::len) + headers + 96
    }
}

/// Records of one partition with rising offsets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordBatch {
    pub kind: SourceKind,
    pub topic: Arc<str>,
    pub partition: i32,
    /// Never empty.
    pub records: Vec<Record>,
    /// The position went back on purpose (offset out of range, file rotated or truncated): the
    /// stored position is to be overwritten although it is higher.
    pub rewound: bool,
}

impl RecordBatch {
    pub fn topic_partition(&self) -> TopicPartition {
        TopicPartition {
            topic: self.topic.clone(),
            partition: self.partition,
        }
    }

    /// Position after the last record.
    pub fn next_offset(&self) -> Option<i64> {
        self.records.last().map(Record::next_offset)
    }
}
