# Two commands for everything: `make run` shows Gyrus at work, `make test` checks all of it.
# One profile and one set of features for both, so that the second one finds the first one's build.

CARGO ?= cargo

.PHONY: run test build check fmt deny release kafka-up kafka-down clean

## Build, and play a bundled story into an embedded daemon
run: build
	./target/debug/gyrus demo

## Every check and test; starts its own Kafka
test:
	@scripts/need test
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	scripts/deny
	$(CARGO) build --workspace --bins
	$(CARGO) test --workspace

build:
	@scripts/need build
	$(CARGO) build --workspace --bins

## Dependencies: licences, sources, bans
deny:
	scripts/deny --install

## The fast binary: target/release/gyrus
release:
	@scripts/need build
	$(CARGO) build --release --workspace --bins

fmt:
	$(CARGO) fmt --all

kafka-up:
	scripts/kafka up

kafka-down:
	scripts/kafka down

clean:
	$(CARGO) clean
