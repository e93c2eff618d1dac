"""Checks the client against a running daemon without tokens: python3 test_client.py http://127.0.0.1:7480"""

import inspect
import json
import sys
import threading
import urllib.request
import uuid

from gyrus_client import Gyrus, GyrusError

TOLD = [
    "The ferry timetable is wrong on the pier sign. Please replace the ferry timetable by Friday.",
    "A second complaint about the ferry timetable on the pier; it must be replaced before Friday.",
    "Who orders the new ferry timetable for the pier? It is needed by Friday.",
]


def main(url: str) -> None:
    document = json.load(urllib.request.urlopen(f"{url}/openapi.json"))
    for path, verbs in document["paths"].items():
        for op in verbs.values():
            name = op["operationId"]
            if "{space}" not in path:
                continue
            method = getattr(Gyrus, "import_" if name == "import" else name)
            takes = set(inspect.signature(method).parameters)
            content = op.get("requestBody", {}).get("content", {}).get("application/json", {})
            reference = content.get("schema", {}).get("$ref", "")
            fields = set(document["components"]["schemas"].get(reference.rsplit("/", 1)[-1], {}).get("properties", {}))
            fields |= {p["name"] for p in op.get("parameters", []) if p["in"] == "query"}
            if name not in ("import", "ingest"):
                missing = fields - takes - {"limit"}
                assert not missing, f"{name} lacks {missing}"

    memory = Gyrus(url, space=f"test/{uuid.uuid4()}")
    heard: list = []
    told = threading.Event()

    def listen() -> None:
        for change in memory.subscribe():
            heard.append(change)
            told.set()

    threading.Thread(target=listen, daemon=True).start()
    receipts = memory.ingest(
        {"id": f"f{n}", "time": f"2033-05-02T0{n + 7}:00:00Z", "actor": "Ivo", "text": text} for n, text in enumerate(TOLD)
    )
    assert [r["status"] for r in receipts] == ["stored"] * 3, receipts
    assert memory.remember(TOLD[0], id="f0")["status"] == "duplicate"
    assert memory.settle()
    assert told.wait(20), "no intent was heard of"
    found = memory.recall("What is wrong with the timetable?", budget_tokens=100, explain=True)
    assert found["tokens"] <= 100 and found["items"] and "trace" in found, found
    assert memory.answer("Who complains?")["citations"]
    assert memory.context(max_nodes=5)["immediate"]
    all_of_them = list(memory.intents(page=1))
    assert all_of_them and all_of_them[0]["id"] == heard[0]["id"]
    assert memory.feedback(heard[0]["id"], "accept")["status"] == "action_scheduled"
    assert memory.explain(heard[0]["id"])["why"]
    assert memory.ack(heard[0]["seq"]) == heard[0]["seq"]
    copy = Gyrus(url, space=memory.space + "/copy")
    assert len(copy.import_(memory.export())) == 3
    assert memory.status(digest=True)["digest"]
    assert len(memory.forget(event_id=["f0"], dry_run=True)["erased"]) == 1
    assert len(memory.forget(all=True)["erased"]) == 3
    copy.forget(all=True)
    try:
        Gyrus(url, space="never-heard-of").recall("x")
        raise AssertionError("an unknown space answered")
    except GyrusError as refused:
        assert (refused.status, refused.code) == (404, "unknown_space")
    print("all is well")


if __name__ == "__main__":
    main(sys.argv[1])
