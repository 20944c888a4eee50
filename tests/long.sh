#!/bin/sh
# Plays the checks that take minutes in their large size, and those that no other run plays. Their small size is in `sh tests/run.sh`. Then it
# deletes a feature from a copy of the tree, and tests the rest.
set -eu
cd "$(dirname "$0")/.."
export MURMURATION_TEST_LONG=1 GALLIVM_PERF=nopt
cargo test --test integration
cargo test --release --test integration -- --ignored a_million_steps
status=0
sh web/test.sh shaders || status=$?
[ $status = 0 ] || [ $status = 77 ] || exit $status
sh tests/without.sh food
