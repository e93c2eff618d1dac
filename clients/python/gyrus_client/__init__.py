"""A client for the HTTP interface of Gyrus.

Methods have the names and parameters of the operations in ``/openapi.json``. Answers are the JSON objects as they come;
the types below say what is in them. A client may be shared by threads: each call has a connection of its own.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, TypedDict

__all__ = ["Gyrus", "GyrusError", "Intent", "Item", "Recalled", "Answered", "Receipt", "Verdict"]

Verdict = Literal["accept", "modify", "defer", "reject"]


class Receipt(TypedDict, total=False):
    id: str
    status: Literal["stored", "duplicate", "rejected", "erased"]
    node: str
    reason: str


class Item(TypedDict):
    node: str
    event_id: str | None
    time: str
    lane: str
    score: float
    text: str


class Recalled(TypedDict, total=False):
    mode: str
    procedure: str
    abstain: bool
    note: str | None
    context: str
    tokens: int
    items: list[Item]
    trace_id: str
    trace: dict[str, Any]


class Answered(Recalled, total=False):
    answer: str
    citations: list[str]


class Concept(TypedDict):
    id: str
    title: str


class Intent(TypedDict, total=False):
    id: str
    space: str
    seq: int
    title: str
    description: str
    category: str
    trigger: str
    status: Literal["pending", "action_scheduled", "deferred", "resolved", "rejected", "retracted", "expired"]
    urgency: float
    priority: float
    density: float
    threshold: float
    concepts: list[Concept]
    evidence: list[str]
    deadline: str | None
    reason: str
    emitted_at: str
    updated_at: str
    deferred_until: str | None


class GyrusError(Exception):
    """A refused request. ``code`` is stable; programs may match on it."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(f"{detail} [{code}]")
        self.status = status
        self.code = code
        self.detail = detail


# Refusals after which the same request may succeed; nothing was done.
_AGAIN = {"rate_limited", "overloaded", "closing"}


class Gyrus:
    """The memory of one space.

    ``retries`` bounds how often a request is made again after a refusal that asks for it, or when the daemon cannot be
    reached; only requests whose repetition changes nothing are repeated after a connection was lost.
    """

    def __init__(
        self, url: str, *, space: str = "default", token: str | None = None, timeout: float = 130.0, retries: int = 5
    ) -> None:
        self._url = url.rstrip("/")
        self.space = space
        self._token = token
        self._timeout = timeout
        self._retries = retries

    # -- writing

    def ingest(self, events: Iterable[Mapping[str, Any]]) -> list[Receipt]:
        """Stores native events; the receipts stand in their order. Durable when it returns."""
        return self._call("ingest", list(events))["receipts"]

    def remember(self, text: str, *, id: str, **fields: Any) -> Receipt:
        """Stores one event: ``actor``, ``title``, ``time``, ``type``, ``source`` and ``data`` are known fields."""
        return self.ingest([{"id": id, "text": text, **fields}])[0]

    def import_(self, export: Mapping[str, Any]) -> list[Receipt]:
        return self._call("import", dict(export))["receipts"]

    def feedback(
        self,
        intent: str,
        verdict: Verdict,
        *,
        note: str | None = None,
        title: str | None = None,
        priority: float | None = None,
        category: str | None = None,
        until: str | None = None,
    ) -> Intent:
        body = {"intent": intent, "verdict": verdict, "note": note, "title": title}
        body |= {"priority": priority, "category": category, "until": until}
        return self._call("feedback", body, repeat=False)["intent"]

    def forget(
        self,
        *,
        event_id: str | list[str] | None = None,
        source: str | None = None,
        actor: str | None = None,
        before: str | None = None,
        all: bool | None = None,
        dry_run: bool | None = None,
    ) -> dict[str, Any]:
        body = {"event_id": event_id, "source": source, "actor": actor, "before": before}
        return self._call("forget", body | {"all": all, "dry_run": dry_run})

    def ack(self, cursor: int, *, subscriber: str | None = None) -> int:
        return self._call("ack", {"cursor": cursor, "subscriber": subscriber})["cursor"]

    # -- reading

    def recall(
        self,
        query: str,
        *,
        mode: str | None = None,
        budget_tokens: int | None = None,
        now: str | None = None,
        as_of: str | None = None,
        policy: str | None = None,
        explain: bool | None = None,
    ) -> Recalled:
        body = {"query": query, "mode": mode, "budget_tokens": budget_tokens, "now": now}
        return self._call("recall", body | {"as_of": as_of, "policy": policy, "explain": explain})

    def answer(
        self,
        query: str,
        *,
        mode: str | None = None,
        budget_tokens: int | None = None,
        now: str | None = None,
        as_of: str | None = None,
        policy: str | None = None,
        explain: bool | None = None,
    ) -> Answered:
        body = {"query": query, "mode": mode, "budget_tokens": budget_tokens, "now": now}
        return self._call("answer", body | {"as_of": as_of, "policy": policy, "explain": explain})

    def context(self, *, max_nodes: int | None = None, now: str | None = None) -> dict[str, list[dict[str, Any]]]:
        return self._call("context", query={"max_nodes": max_nodes, "now": now})

    def intents(self, *, status: str | None = None, after: int = 0, page: int = 200) -> Iterator[Intent]:
        """All intents in order of their newest change, fetched page by page."""
        cursor: int | None = after
        while cursor is not None:
            got = self._call("intents", query={"status": status, "after": cursor, "limit": page})
            yield from got["intents"]
            cursor = got.get("next")

    def explain(self, id: str) -> dict[str, Any]:
        return self._call("explain", query={"id": id})

    def export(self) -> dict[str, Any]:
        return self._call("export")

    def settle(self, *, timeout_ms: int | None = None) -> bool:
        return self._call("settle", {"timeout_ms": timeout_ms})["settled"]

    def status(self, *, digest: bool = False) -> dict[str, Any]:
        return self._call("status", query={"digest": digest or None})

    def subscribe(self, *, after: int | None = None, subscriber: str | None = None) -> Iterator[Intent]:
        """Changes of intents as they come, for ever. A lost connection is made again from the last change seen."""
        cursor = after
        misses = 0
        while True:
            query = {"after": cursor, "subscriber": subscriber}
            try:
                for seq, intent in self._events(self._address("subscribe", query)):
                    cursor = seq
                    misses = 0
                    yield intent
            except (urllib.error.URLError, OSError) as lost:
                misses += 1
                if misses > self._retries:
                    raise lost
            except GyrusError as refused:
                misses += 1
                if refused.code not in _AGAIN or misses > self._retries:
                    raise
            time.sleep(min(0.2 * 2**misses, 5.0))

    # -- how

    def _address(self, operation: str, query: Mapping[str, Any] | None = None) -> str:
        space = urllib.parse.quote(self.space, safe="")
        given = {k: (str(v).lower() if isinstance(v, bool) else v) for k, v in (query or {}).items() if v is not None}
        tail = "?" + urllib.parse.urlencode(given) if given else ""
        return f"{self._url}/v1/spaces/{space}/{operation}{tail}"

    def _request(self, address: str, body: Any = None, **headers: str) -> urllib.request.Request:
        request = urllib.request.Request(address, headers=headers)
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        if body is not None:
            if isinstance(body, dict):
                body = {k: v for k, v in body.items() if v is not None}
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        return request

    def _open(self, request: urllib.request.Request) -> Any:
        try:
            return urllib.request.urlopen(request, timeout=self._timeout)
        except urllib.error.HTTPError as refused:
            with refused:
                text = refused.read().decode(errors="replace")
            try:
                problem = json.loads(text)
                code, detail = problem["code"], problem["detail"]
            except (ValueError, KeyError, TypeError):
                code, detail = "unknown", text[:200]
            raise GyrusError(refused.code, code, detail) from None

    def _call(self, operation: str, body: Any = None, *, query: Mapping[str, Any] | None = None, repeat: bool = True) -> Any:
        request = self._request(self._address(operation, query), body)
        for attempt in range(self._retries + 1):
            try:
                with self._open(request) as answer:
                    return json.load(answer)
            except GyrusError as refused:
                if refused.code not in _AGAIN or attempt == self._retries:
                    raise
            except (urllib.error.URLError, OSError) as lost:
                # Refused connections have done nothing; of others that cannot be known.
                untouched = isinstance(getattr(lost, "reason", lost), ConnectionRefusedError)
                if attempt == self._retries or not (repeat or untouched):
                    raise
            time.sleep(min(0.2 * 2**attempt, 5.0))
        raise AssertionError("unreachable")

    def _events(self, address: str) -> Iterator[tuple[int, Intent]]:
        request = self._request(address, Accept="text/event-stream")
        with self._open(request) as stream:
            seq, data = 0, ""
            for raw in stream:
                line = raw.decode().rstrip("\r\n")
                name, _, value = line.partition(":")
                if name == "id":
                    seq = int(value)
                elif name == "data":
                    data += value.strip()
                elif not line and data:
                    yield seq, json.loads(data)
                    data = ""
