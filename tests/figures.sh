#!/bin/sh
# How far each feature is spread over the code: the files outside its own folders that name it, tests apart. `tests/figures.sh check` fails
# where a number is above its ceiling.
#
# A row: the feature, the pattern (whole words, `grep -wE`), the folders of its own, the ceiling, the goal.
set -eu
cd "$(dirname "$0")/.."

rows='
species|species|crates/core/src/species crates/gpu/src/species shaders/species src/observe/species src/viewer/species|142|60
points|points?|crates/core/src/points crates/gpu/src/points shaders/points|49|45
lives|lives|crates/core/src/lives crates/gpu/src/lives shaders/lives src/viewer/lives|90|40
falcon|falcons?|crates/core/src/falcon crates/gpu/src/falcons shaders/falcon|60|35
food|food|crates/core/src/food crates/gpu/src/food shaders/food src/viewer/food|64|30
terrain|terrain|crates/core/src/terrain crates/gpu/src/terrain shaders/terrain|45|35
endless|endless|crates/core/src/endless|35|33
statistics|statistics|crates/core/src/statistics src/observe/statistics|10|9
sweep|crate::sweep|src/sweep src/cli/sweep|1|0
provenance|provenance|src/provenance|23|21
noise|crate::noise|crates/core/src/noise|10|10
trajectories|trajectories|src/observe/trajectories|6|5
'

# The files of the code, tests apart. A page, a Python module, a C interface and a program for clusters name every feature for their users.
code() {
    git ls-files 'src/*.rs' 'crates/*/src/*.rs' 'shaders/*.wgsl' 'passes/*.toml' | grep -vE '(^|/)(tests?|testing)(\.rs|/)|_tests\.rs$|^crates/(web|python|cluster|capi)/'
}

status=0
printf '%-10s %8s %8s %8s\n' feature files ceiling goal
while IFS='|' read -r feature pattern own ceiling goal; do
    [ -n "$feature" ] || continue
    folders=$(echo "$own" | sed 's/ /|/g')
    files=$(code | grep -vE "^($folders)(/|\.rs)" | xargs grep -lwiE "$pattern" | wc -l)
    mark=""
    if [ "${1:-}" = check ] && [ "$files" -gt "$ceiling" ]; then
        mark="  too many"
        status=1
    fi
    printf '%-10s %8s %8s %8s%s\n' "$feature" "$files" "$ceiling" "$goal" "$mark"
done <<END
$rows
END
echo
echo "lines of Rust outside tests: $(code | grep '\.rs$' | xargs cat | wc -l)"
exit $status
