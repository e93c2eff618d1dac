//! The OpenAPI document, made of the table of operations and of the types.

use serde_json::{Value, json};
use utoipa::openapi::path::{HttpMethod, OperationBuilder, ParameterBuilder, ParameterIn, PathItemBuilder};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::AnyOfBuilder;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, InfoBuilder, KnownFormat, ObjectBuilder, OpenApi, OpenApiBuilder,
    PathsBuilder, Ref, RefOr, Required, ResponseBuilder, Schema, SchemaFormat, Type,
};
use utoipa::{PartialSchema, ToSchema};

use super::operations::{Answers, Carries, Kind, OPERATIONS, Operation, Param, Verb};
use super::problem::{PROBLEM_JSON, Problem};
use super::types;
use crate::event::MAX_SPACE_CHARS;
use crate::graph::IntentStatus;
use crate::serve::code;

const BEARER: &str = "token";

/// Errors that every operation may give.
const COMMON: [&str; 8] = [
    code::INVALID_PARAMS,
    code::UNAUTHORIZED,
    code::FORBIDDEN,
    code::WRONG_HOST,
    code::RATE_LIMITED,
    code::OVERLOADED,
    code::TIMEOUT,
    code::INTERNAL,
];

/// The document as JSON, of a server with or without tokens.
pub fn document(tokens: bool) -> Value {
    let mut out = serde_json::to_value(open_api(tokens)).unwrap_or_default();
    // The rules of the decoder for names.
    let event: Value = serde_json::from_str(types::CONTRACTS[0].1).unwrap_or_default();
    let pattern = event["properties"]["space"]["pattern"].clone();
    for path in out["paths"]
        .as_object_mut()
        .into_iter()
        .flat_map(|p| p.values_mut())
    {
        for op in path.as_object_mut().into_iter().flat_map(|p| p.values_mut()) {
            let parameters = op.get_mut("parameters").and_then(Value::as_array_mut);
            for p in parameters.into_iter().flatten().filter(|p| p["in"] == "path") {
                p["schema"]["pattern"] = pattern.clone();
            }
        }
    }
    let event_id = &mut out["components"]["schemas"]["Forget"]["properties"]["event_id"];
    event_id["type"] = json!(["string", "array", "null"]);
    // At least one of these; the derive has no word for it.
    out["components"]["schemas"]["Forget"]["anyOf"] = json!([
        {"required": ["event_id"], "properties": {"event_id": {"type": ["string", "array"], "minItems": 1}}},
        {"required": ["actor"], "properties": {"actor": {"type": "string"}}},
        {"required": ["before"], "properties": {"before": {"type": "string"}}},
        {"required": ["all"], "properties": {"all": {"const": true}}},
    ]);
    for (name, text) in types::CONTRACTS {
        // The files in `schemas/` are tested to be JSON.
        let mut schema: Value = serde_json::from_str(text).unwrap_or_default();
        if let Some(s) = schema.as_object_mut() {
            // Within the document the schema has another address.
            s.shift_remove("$id");
            s.shift_remove("$schema");
        }
        out["components"]["schemas"][name] = schema;
    }
    out
}

fn open_api(tokens: bool) -> OpenApi {
    let mut paths = PathsBuilder::new();
    for op in OPERATIONS {
        let verb = match op.verb {
            Verb::Get => HttpMethod::Get,
            Verb::Post => HttpMethod::Post,
        };
        paths = paths.path(
            op.path,
            PathItemBuilder::new()
                .operation(verb, operation(op, tokens))
                .build(),
        );
    }
    for (path, id, summary, media) in [
        ("/healthz", "healthz", "The process answers", "application/json"),
        (
            "/readyz",
            "readyz",
            "The daemon takes events and makes progress",
            "application/json",
        ),
        (
            "/metrics",
            "metrics",
            "Figures for Prometheus (OpenMetrics text)",
            super::health::OPEN_METRICS,
        ),
        ("/openapi.json", "openapi", "This document", "application/json"),
    ] {
        let op = plain(id, summary, media, tokens);
        paths = paths.path(
            path,
            PathItemBuilder::new().operation(HttpMethod::Get, op).build(),
        );
    }
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("Gyrus")
                .version(env!("CARGO_PKG_VERSION"))
                .description(Some(
                    "An always-on memory: events in, a typed graph, intents out, questions answered.",
                ))
                .build(),
        )
        .paths(paths.build())
        .components(Some(components()))
        .build()
}

fn components() -> utoipa::openapi::Components {
    let mut all = Vec::new();
    add::<types::RecallRequest>(&mut all);
    add::<types::Settle>(&mut all);
    add::<types::Ack>(&mut all);
    add::<types::FeedbackRequest>(&mut all);
    add::<types::Forget>(&mut all);
    add::<types::Import>(&mut all);
    add::<types::Receipts>(&mut all);
    add::<types::Settled>(&mut all);
    add::<types::Recalled>(&mut all);
    add::<types::Answered>(&mut all);
    add::<types::Window>(&mut all);
    add::<types::Intents>(&mut all);
    add::<types::Acknowledged>(&mut all);
    add::<types::FeedbackDone>(&mut all);
    add::<types::Story>(&mut all);
    add::<types::Forgotten>(&mut all);
    add::<types::Export>(&mut all);
    add::<types::Status>(&mut all);
    add::<types::ProblemDetails>(&mut all);
    ComponentsBuilder::new()
        .schemas_from_iter(all)
        .security_scheme(
            BEARER,
            SecurityScheme::Http(
                HttpBuilder::new()
                    .scheme(HttpAuthScheme::Bearer)
                    .description(Some("Needed when the daemon has tokens"))
                    .build(),
            ),
        )
        .build()
}

fn add<T: ToSchema + PartialSchema>(all: &mut Vec<(String, RefOr<Schema>)>) {
    T::schemas(all);
    all.push((T::name().into_owned(), T::schema()));
}

fn operation(op: &Operation, tokens: bool) -> utoipa::openapi::path::Operation {
    let id = if op.of_a_space() {
        op.name.to_owned()
    } else {
        format!("{}_of_all", op.name)
    };
    let mut b = OperationBuilder::new()
        .operation_id(Some(id))
        .tag(op.scope.name())
        .summary(Some(op.summary))
        .description(Some(op.about));
    if tokens {
        b = b.security(SecurityRequirement::new(BEARER, Vec::<String>::new()));
    }
    if op.of_a_space() {
        b = b.parameter(
            ParameterBuilder::new()
                .name("space")
                .parameter_in(ParameterIn::Path)
                .required(Required::True)
                .description(Some("The space, percent-encoded"))
                .schema(Some(
                    ObjectBuilder::new()
                        .schema_type(Type::String)
                        .min_length(Some(1))
                        .max_length(Some(MAX_SPACE_CHARS)),
                )),
        );
    }
    for p in op.query {
        b = b.parameter(
            ParameterBuilder::new()
                .name(p.name)
                .parameter_in(ParameterIn::Query)
                .required(if p.required {
                    Required::True
                } else {
                    Required::False
                })
                .description(Some(p.about))
                .schema(Some(schema(p))),
        );
    }
    if op.answers == Answers::Stream {
        b = b.parameter(
            ParameterBuilder::new()
                .name("Last-Event-ID")
                .parameter_in(ParameterIn::Header)
                .required(Required::False)
                .description(Some(
                    "The id of the last event that was seen; counts before `after`.",
                ))
                .schema(Some(count())),
        );
    }
    b = b.request_body(body(op.carries));
    let (media, answer): (&str, RefOr<Schema>) = match op.answers {
        Answers::Json(name) => ("application/json", Ref::from_schema_name(name).into()),
        Answers::Stream => (
            "text/event-stream",
            ObjectBuilder::new().schema_type(Type::String).into(),
        ),
    };
    let ok = ResponseBuilder::new()
        .description("Done")
        .content(media, ContentBuilder::new().schema(Some(answer)).build());
    b = b.response("200", ok.build());
    for (status, codes) in errors(op) {
        b = b.response(status, problem(&codes));
    }
    b.build()
}

/// Statuses of an operation's errors, each with its codes.
fn errors(op: &Operation) -> std::collections::BTreeMap<String, Vec<&'static str>> {
    let mut out = std::collections::BTreeMap::<String, Vec<&str>>::new();
    let body: &[&str] = match op.carries {
        Carries::Nothing => &[],
        _ => &[
            code::PARSE,
            code::REQUEST_TIMEOUT,
            code::BODY_TOO_LARGE,
            code::UNSUPPORTED_MEDIA_TYPE,
        ],
    };
    for code in COMMON.iter().chain(body).chain(op.errors) {
        let status = Problem::new(code, "").status().as_str().to_owned();
        out.entry(status).or_default().push(code);
    }
    out
}

fn problem(codes: &[&str]) -> utoipa::openapi::Response {
    ResponseBuilder::new()
        .description(format!("Refused: {}", codes.join(", ")))
        .content(
            PROBLEM_JSON,
            ContentBuilder::new()
                .schema(Some(Ref::from_schema_name("ProblemDetails")))
                .build(),
        )
        .build()
}

fn plain(id: &str, summary: &str, media: &str, tokens: bool) -> utoipa::openapi::path::Operation {
    let content = || {
        let kind = if media.ends_with("json") {
            Type::Object
        } else {
            Type::String
        };
        let any = ObjectBuilder::new().schema_type(kind);
        ContentBuilder::new().schema(Some(any)).build()
    };
    let ok = ResponseBuilder::new()
        .description("Done")
        .content(media, content());
    let mut b = OperationBuilder::new()
        .operation_id(Some(id))
        .tag("operations")
        .summary(Some(summary))
        .response("200", ok.build());
    if id == "readyz" {
        let no = ResponseBuilder::new()
            .description("Not ready; `reasons` says why")
            .content(media, content());
        b = b.response("503", no.build());
    }
    if id == "metrics" {
        if tokens {
            b = b.security(SecurityRequirement::new(BEARER, Vec::<String>::new()));
        }
        for code in [code::UNAUTHORIZED, code::WRONG_HOST, code::RATE_LIMITED] {
            b = b.response(Problem::new(code, "").status().as_str(), problem(&[code]));
        }
    }
    b.build()
}

fn count() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(known(KnownFormat::Int64))
        .minimum(Some(0))
}

fn known(format: KnownFormat) -> Option<SchemaFormat> {
    Some(SchemaFormat::KnownFormat(format))
}

fn schema(p: &Param) -> ObjectBuilder {
    let text = ObjectBuilder::new().schema_type(Type::String);
    match p.kind {
        Kind::Count => count(),
        Kind::Bool => ObjectBuilder::new().schema_type(Type::Boolean),
        Kind::Text => text,
        Kind::Time => text.format(known(KnownFormat::DateTime)),
        Kind::Status => text.enum_values(Some(IntentStatus::ALL.map(|s| s.name()))),
    }
}

fn body(carries: Carries) -> Option<utoipa::openapi::request_body::RequestBody> {
    let content = |schema: RefOr<Schema>| ContentBuilder::new().schema(Some(schema)).build();
    match carries {
        Carries::Nothing => None,
        Carries::Object(name, may_be_empty) => Some(
            RequestBodyBuilder::new()
                .content("application/json", content(Ref::from_schema_name(name).into()))
                .required(Some(if may_be_empty {
                    Required::False
                } else {
                    Required::True
                }))
                .build(),
        ),
        Carries::Events => {
            // What does not fit is refused by its receipt, not by the call.
            let one = |name: &str| {
                let rest = ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::SchemaType::AnyValue)
                    .description(Some("Anything else gets the receipt `rejected`"));
                AnyOfBuilder::new().item(Ref::from_schema_name(name)).item(rest)
            };
            let list = |name: &str| -> RefOr<Schema> {
                utoipa::openapi::ArrayBuilder::new().items(one(name)).into()
            };
            let text: RefOr<Schema> = ObjectBuilder::new()
                .schema_type(Type::String)
                .description(Some("One event a line"))
                .into();
            Some(
                RequestBodyBuilder::new()
                    .description(Some(
                        "Events. In binary mode the attributes stand in ce- headers and the body is the data.",
                    ))
                    .content("application/json", content(one("Event").item(list("Event")).into()))
                    .content("application/x-ndjson", content(text))
                    .content("application/cloudevents+json", content(one("CloudEvent").into()))
                    .content("application/cloudevents-batch+json", content(list("CloudEvent")))
                    .required(Some(Required::True))
                    .build(),
            )
        }
    }
}

/// The parameters that an operation takes by its schema, besides the space; for tests.
pub fn body_fields(document: &Value, schema: &str) -> Vec<String> {
    let fields = &document["components"]["schemas"][schema]["properties"];
    fields
        .as_object()
        .map(|m| m.keys().cloned().collect())
        .unwrap_or_default()
}

/// Every schema that the document refers to and does not hold.
pub fn dangling(document: &Value) -> Vec<String> {
    fn walk(v: &Value, found: &mut Vec<String>) {
        match v {
            Value::Object(m) => {
                if let Some(Value::String(r)) = m.get("$ref") {
                    found.push(r.clone());
                }
                m.values().for_each(|v| walk(v, found));
            }
            Value::Array(a) => a.iter().for_each(|v| walk(v, found)),
            _ => {}
        }
    }
    let mut refs = Vec::new();
    walk(document, &mut refs);
    let here = |r: &String| r.strip_prefix('#').is_some_and(|p| document.pointer(p).is_some());
    refs.retain(|r| !here(r));
    refs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_described_and_every_reference_resolves() {
        let doc = document(true);
        assert_eq!(dangling(&doc), Vec::<String>::new());
        assert_eq!(dangling(&json!({"$ref": "#/components/schemas/None"})).len(), 1);
        for op in OPERATIONS {
            let verb = if op.verb == Verb::Get { "get" } else { "post" };
            let described = &doc["paths"][op.path][verb];
            assert!(described["responses"]["200"].is_object(), "{}", op.path);
            if let Carries::Object(name, _) = op.carries {
                assert!(!body_fields(&doc, name).is_empty(), "{name}");
            }
        }
    }
}
