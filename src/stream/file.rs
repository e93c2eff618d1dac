//! A file with one event a line, read to its end or followed.
//!
//! The topic is the path and a fingerprint of the first line, so a file that was replaced under the
//! same name (rotation) is another topic with a position of its own, also when that happened while
//! nobody looked. Offsets are those of line ends: reading resumes exactly.

use std::io::SeekFrom;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio::sync::watch;

use super::consumer::stopped;
use super::lines::{self, LineCutter};
use super::{Anomaly, FileSettings, RecordSink, SourceKind, StreamError, TopicPartition};

/// Name of the task.
pub const FILE_SOURCE: &str = "gyrus-file";

const CHUNK: usize = 64 * 1024;
/// Bytes of the first line that identify a file.
const FINGERPRINT_BYTES: usize = 4096;

/// Reads one file into a sink.
///
/// Owner: whoever awaits [`FileSource::run`]. Ends at the end of the file unless it is followed, on the
/// shutdown channel, when the sink closes, or when the file cannot be read.
pub struct FileSource {
    path: PathBuf,
    settings: FileSettings,
    sink: Arc<dyn RecordSink>,
}

/// Why reading of an open file ended.
enum End {
    Shutdown,
    Finished,
    /// Another file has the name now, or this one became shorter.
    Replaced,
}

impl FileSource {
    pub fn new(path: impl Into<PathBuf>, settings: FileSettings, sink: Arc<dyn RecordSink>) -> FileSource {
        FileSource {
            path: path.into(),
            settings,
            sink,
        }
    }

    /// Reads until the end, or `shutdown`. Then everything accepted has been made durable by the sink.
    pub async fn run(self, mut shutdown: watch::Receiver<bool>) -> Result<(), StreamError> {
        loop {
            let Some((file, topic)) = self.open(&mut shutdown).await? else {
                return Ok(());
            };
            let partition = [TopicPartition {
                topic: topic.into(),
                partition: 0,
            }];
            self.sink.assigned(&partition).await?;
            let ended = self.read(file, &partition[0], &mut shutdown).await;
            self.sink.revoked(&partition).await;
            match ended? {
                End::Shutdown | End::Finished => return Ok(()),
                End::Replaced => {
                    tracing::info!(target: "gyrus::stream", path = %self.path.display(), "replaced; read anew")
                }
            }
        }
    }

    fn error(&self, doing: &'static str, e: &std::io::Error) -> StreamError {
        StreamError::File {
            path: self.path.display().to_string(),
            doing,
            reason: e.to_string(),
        }
    }

    /// Opens the file and identifies it. A followed file may be missing or empty for now. `None`: stopped
    /// meanwhile, or nothing there to read.
    async fn open(
        &self,
        shutdown: &mut watch::Receiver<bool>,
    ) -> Result<Option<(File, String)>, StreamError> {
        loop {
            match File::open(&self.path).await {
                Ok(mut file) => {
                    if let Some(print) = self.fingerprint(&mut file).await? {
                        return Ok(Some((file, format!("{}#{print}", self.path.display()))));
                    }
                    if !self.settings.follow {
                        return Ok(None);
                    }
                }
                Err(e) if self.settings.follow && e.kind() == std::io::ErrorKind::NotFound => {}
                Err(e) => return Err(self.error("opening it", &e)),
            }
            if self.pause(shutdown).await {
                return Ok(None);
            }
        }
    }

    /// Eight digits from the first line. `None`: there is none yet (of a file that ends here, the part
    /// without a line end counts).
    async fn fingerprint(&self, file: &mut File) -> Result<Option<String>, StreamError> {
        let mut head = Vec::with_capacity(FINGERPRINT_BYTES);
        file.take(FINGERPRINT_BYTES as u64)
            .read_to_end(&mut head)
            .await
            .map_err(|e| self.error("reading it", &e))?;
        let line = match head.iter().position(|b| *b == b'\n') {
            Some(end) => &head[..=end],
            None if head.len() == FINGERPRINT_BYTES => &head[..],
            None if !self.settings.follow && !head.is_empty() => &head[..],
            None => return Ok(None),
        };
        Ok(Some(blake3::hash(line).to_hex()[..8].to_owned()))
    }

    async fn read(
        &self,
        mut file: File,
        partition: &TopicPartition,
        shutdown: &mut watch::Receiver<bool>,
    ) -> Result<End, StreamError> {
        let length = file
            .metadata()
            .await
            .map_err(|e| self.error("looking at it", &e))?
            .len() as i64;
        let stored = self
            .sink
            .position(&partition.topic, partition.partition)
            .unwrap_or(0);
        let mut rewound = stored > length;
        if rewound {
            let anomaly = Anomaly::FileRestarted {
                partition: partition.clone(),
                position: stored,
                reason: "it is shorter than what was read of it",
            };
            tracing::error!(target: "gyrus::stream", "{anomaly}");
            self.sink.anomaly(&anomaly);
        }
        let start = if rewound { 0 } else { stored };
        file.seek(SeekFrom::Start(start as u64))
            .await
            .map_err(|e| self.error("seeking in it", &e))?;
        let mut cutter = LineCutter::new(start, self.settings.max_line_bytes);
        let mut chunk = vec![0; CHUNK];
        let mut replaced_before = false;
        loop {
            let n = file
                .read(&mut chunk)
                .await
                .map_err(|e| self.error("reading it", &e))?;
            if n > 0 {
                let mut found = Vec::new();
                cutter.feed(&chunk[..n], &mut found);
                if self
                    .deliver(&partition.topic, found, &mut rewound, shutdown)
                    .await?
                {
                    return Ok(End::Shutdown);
                }
                continue;
            }
            let end = if !self.settings.follow {
                Some(End::Finished)
            } else if self.shorter(&file, cutter.at()).await? {
                // What was held back of a line is gone from the file.
                return Ok(End::Replaced);
            } else if self.replaced(&file).await {
                // Its writer may still hold the old file: one more look before it is left.
                std::mem::replace(&mut replaced_before, true).then_some(End::Replaced)
            } else {
                None
            };
            if let Some(end) = end {
                let rest = cutter.finish().into_iter().collect();
                let stop = self
                    .deliver(&partition.topic, rest, &mut rewound, shutdown)
                    .await?;
                return Ok(if stop { End::Shutdown } else { end });
            }
            if self.pause(shutdown).await {
                return Ok(End::Shutdown);
            }
        }
    }

    /// Hands lines on in batches. True when told to stop meanwhile.
    async fn deliver(
        &self,
        topic: &Arc<str>,
        mut found: Vec<lines::Line>,
        rewound: &mut bool,
        shutdown: &mut watch::Receiver<bool>,
    ) -> Result<bool, StreamError> {
        let max = self.settings.batch_records.max(1);
        while !found.is_empty() {
            let rest = found.split_off(found.len().min(max));
            let kind = SourceKind::File;
            let Some(batch) = lines::batch(
                kind,
                topic,
                found,
                self.settings.max_line_bytes,
                std::mem::take(rewound),
            ) else {
                break;
            };
            tokio::select! {
                delivered = self.sink.deliver(batch) => delivered?,
                () = stopped(shutdown) => return Ok(true),
            }
            found = rest;
        }
        Ok(*shutdown.borrow())
    }

    async fn shorter(&self, file: &File, at: i64) -> Result<bool, StreamError> {
        let length = file
            .metadata()
            .await
            .map_err(|e| self.error("looking at it", &e))?
            .len();
        Ok((length as i64) < at)
    }

    /// True when the path leads to another file now. A path that leads nowhere is waited for.
    async fn replaced(&self, file: &File) -> bool {
        match (file.metadata().await, tokio::fs::metadata(&self.path).await) {
            (Ok(ours), Ok(theirs)) => !same_file(&ours, &theirs),
            _ => false,
        }
    }

    /// Waits for the next look. True when told to stop.
    async fn pause(&self, shutdown: &mut watch::Receiver<bool>) -> bool {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(self.settings.poll_interval_ms.max(1))) => false,
            () = stopped(shutdown) => true,
        }
    }
}

#[cfg(unix)]
fn same_file(a: &std::fs::Metadata, b: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Elsewhere the time of creation stands for the identity.
#[cfg(not(unix))]
fn same_file(a: &std::fs::Metadata, b: &std::fs::Metadata) -> bool {
    matches!((a.created(), b.created()), (Ok(a), Ok(b)) if a == b)
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
