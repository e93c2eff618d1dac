"""An agent's loop: hear what needs attention, recall what is known, act, remember, give feedback.

    gyrus serve --data ./mem --http 127.0.0.1:7480
    python3 agent_loop.py http://127.0.0.1:7480 farm
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from gyrus_client import Gyrus, GyrusError, Intent  # noqa: E402


def act(intent: Intent, evidence: str) -> str:
    """Stands for the agent's own work; a model would read the evidence and decide."""
    return f"Looked into: {intent['title']}. Evidence had {len(evidence.split())} words."


def main(url: str, space: str) -> None:
    memory = Gyrus(url, space=space)
    for intent in memory.subscribe(subscriber="agent"):
        if intent["status"] == "pending":
            found = memory.recall(intent["title"], budget_tokens=600)
            if found["abstain"]:
                print("nothing is known about it:", intent["title"])
            done = act(intent, found["context"])
            memory.remember(done, id=f"{intent['id']}-{intent['seq']}", actor="agent", source="agent-loop")
            try:
                memory.feedback(intent["id"], "accept", note=done)
            except GyrusError as refused:
                # It was closed meanwhile.
                print(refused)
            print(time.strftime("%H:%M:%S"), done)
        # Only what was dealt with is acknowledged: after a crash the rest comes again.
        memory.ack(intent["seq"], subscriber="agent")


if __name__ == "__main__":
    main(*sys.argv[1:3])
