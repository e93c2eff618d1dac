//! What the figures were measured on.

use serde_json::{Value, json};

pub fn describe() -> Value {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let (cpu, memory, kernel) = (
        read("/proc/cpuinfo"),
        read("/proc/meminfo"),
        read("/proc/sys/kernel/osrelease"),
    );
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|l| l.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let gib = field(&memory, "MemTotal")
        .and_then(|m| m.split(' ').next()?.parse::<f64>().ok())
        .map(|kib| kib / 1048576.0);
    json!({
        "cpu": field(&cpu, "model name"),
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
        "memory_gib": gib.map(|g| (g * 10.0).round() / 10.0),
        "os": std::env::consts::OS,
        "kernel": kernel.trim(),
    })
}

/// The same in one line.
pub fn line(machine: &Value) -> String {
    format!(
        "{} cores of {}, {} GiB, {} {}",
        machine["cores"],
        machine["cpu"].as_str().unwrap_or("an unknown processor"),
        machine["memory_gib"],
        machine["os"].as_str().unwrap_or_default(),
        machine["kernel"].as_str().unwrap_or_default(),
    )
}
