//! Standard input with one event a line.
//!
//! It cannot be read twice: offsets count this run's bytes, no position is asked for, and what the sink
//! did not make durable before a crash is for the writer to send again (ids make that safe).

use std::io::Read;
use std::sync::Arc;

use tokio::sync::{mpsc, watch};

use super::consumer::stopped;
use super::lines::{self, LineCutter};
use super::{FileSettings, RecordSink, SourceKind, StreamError, TopicPartition};

/// Name of the task and of its thread.
pub const STDIN_SOURCE: &str = "gyrus-stdin";

const CHUNK: usize = 64 * 1024;
/// Chunks read ahead.
const AHEAD: usize = 4;

/// Reads standard input (or any reader) into a sink.
///
/// Owner: whoever awaits [`StdinSource::run`]. Ends at the end of input, on the shutdown channel, or when
/// the sink closes. A read cannot be interrupted, so its thread may outlive the run; it holds nothing.
pub struct StdinSource {
    settings: FileSettings,
    sink: Arc<dyn RecordSink>,
    input: Box<dyn Read + Send>,
}

impl StdinSource {
    pub fn new(settings: FileSettings, sink: Arc<dyn RecordSink>) -> StdinSource {
        StdinSource::from_reader(settings, sink, std::io::stdin())
    }

    pub fn from_reader(
        settings: FileSettings,
        sink: Arc<dyn RecordSink>,
        input: impl Read + Send + 'static,
    ) -> StdinSource {
        StdinSource {
            settings,
            sink,
            input: Box::new(input),
        }
    }

    /// Reads until the end of input, or `shutdown`. Then everything accepted has been made durable by the sink.
    pub async fn run(self, mut shutdown: watch::Receiver<bool>) -> Result<(), StreamError> {
        let partition = [TopicPartition::new("stdin", 0)];
        self.sink.assigned(&partition).await?;
        let sink = self.sink.clone();
        let result = self.read(&partition[0].topic, &mut shutdown).await;
        sink.revoked(&partition).await;
        result
    }

    async fn read(self, topic: &Arc<str>, shutdown: &mut watch::Receiver<bool>) -> Result<(), StreamError> {
        let (chunks, mut incoming) = mpsc::channel(AHEAD);
        std::thread::Builder::new()
            .name(STDIN_SOURCE.into())
            .spawn(move || pump(self.input, &chunks))
            .map_err(|e| StreamError::Died {
                name: STDIN_SOURCE,
                reason: e.to_string(),
            })?;
        let mut cutter = LineCutter::new(0, self.settings.max_line_bytes);
        loop {
            let chunk = tokio::select! {
                chunk = incoming.recv() => chunk,
                () = stopped(shutdown) => return Ok(()),
            };
            let (mut found, mut failed) = (Vec::new(), None);
            let ended = match chunk {
                Some(Ok(bytes)) => {
                    cutter.feed(&bytes, &mut found);
                    false
                }
                Some(Err(e)) => {
                    failed = Some(e);
                    true
                }
                None => true,
            };
            if ended {
                found.extend(cutter.finish());
            }
            while !found.is_empty() {
                let rest = found.split_off(found.len().min(self.settings.batch_records.max(1)));
                let kind = SourceKind::Stdin;
                if let Some(batch) = lines::batch(kind, topic, found, self.settings.max_line_bytes, false) {
                    tokio::select! {
                        delivered = self.sink.deliver(batch) => delivered?,
                        () = stopped(shutdown) => return Ok(()),
                    }
                }
                found = rest;
            }
            match failed {
                Some(e) => {
                    return Err(StreamError::File {
                        path: "stdin".into(),
                        doing: "reading it",
                        reason: e.to_string(),
                    });
                }
                None if ended => return Ok(()),
                None => {}
            }
        }
    }
}

/// Reads until the end, an error, or until nobody takes the chunks any more.
fn pump(mut input: Box<dyn Read + Send>, chunks: &mpsc::Sender<std::io::Result<Vec<u8>>>) {
    let mut chunk = vec![0; CHUNK];
    loop {
        let sent = match input.read(&mut chunk) {
            Ok(0) => return,
            Ok(n) => chunks.blocking_send(Ok(chunk[..n].to_vec())),
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(e) => {
                let _ = chunks.blocking_send(Err(e));
                return;
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::testing::MemorySink;

    fn run(settings: FileSettings, text: &'static str) -> Arc<MemorySink> {
        let sink = Arc::new(MemorySink::default());
        let (_stop, shutdown) = watch::channel(false);
        let source = StdinSource::from_reader(settings, sink.clone(), text.as_bytes());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(source.run(shutdown)).unwrap();
        sink
    }

    #[test]
    fn reads_to_the_end_also_without_a_last_line_end() {
        let sink = run(FileSettings::default(), "one\ntwo\n\nthree");
        assert_eq!(sink.values(), ["one", "two", "three"]);
        assert_eq!(sink.kinds(), [SourceKind::Stdin]);
    }

    #[test]
    fn batches_are_bounded_and_long_lines_are_defects() {
        let sink = run(
            FileSettings {
                batch_records: 2,
                max_line_bytes: 4,
                ..FileSettings::default()
            },
            "a\nb\nc\n12345\nd\n",
        );
        assert_eq!(sink.batch_sizes(), [2, 2, 1]);
        assert_eq!(sink.defects(), [false, false, false, true, false]);
    }
}
