#!/bin/sh
# Counts files whose code contains a word. Comments, tests and the faces' packages do not count. `tests/figures.sh check` fails if a number is above
# its ceiling.
set -eu
cd "$(dirname "$0")/.."

# Entry points (`murmuration_…`) are generated: their parameters depend on the pass. They are no WGSL functions here.
# A row: what is counted, the word, the paths that count, the feature's own folders, which do not, the ceiling, the goal.
feature='species|lives|food|falcon|lineage'
rows="
species;species;.;crates/core/src/species|crates/gpu/src/species|shaders/species|src/observe/features/species|src/viewer/species;141;60
lives;lives;.;crates/core/src/lives|crates/gpu/src/lives|shaders/lives|src/observe/features/lives|src/viewer/lives;80;35
terrain;terrain;.;crates/core/src/terrain|crates/gpu/src/terrain|shaders/terrain;59;35
falcon;falcon;.;crates/core/src/falcons|crates/gpu/src/falcons|shaders/falcons;49;25
food;food;.;crates/core/src/food|crates/gpu/src/food|shaders/food;21;20
points;points;.;crates/core/src/points|crates/gpu/src/points|crates/gpu/src/look/points|shaders/points;73;30
endless;endless;.;crates/core/src/world/endless;19;19
statistics;statistics;.;crates/core/src/statistics|src/observe/statistics;12;11
provenance;provenance;.;src/provenance;22;21
noise;noise;.;crates/core/src/noise;47;47
trajectories;trajectories;.;src/observe/trajectories;5;4
layers of the core;$feature;^crates/core/src/(state|engine|simulation|chain)[/.].*[.]rs;-;30;3
engines on a GPU;$feature;^crates/gpu/src/(cells|individuals|shader)[/.].*[.]rs;-;14;8
program;$feature;^src/(cli|controller|observe)[/.].*[.]rs;-;7;8
fields taken out;mem::take[(]&mut individuals;.;-;0;0
WGSL functions;[\"n]fn [a-ln-z_{}][a-z_{}]*[(];[.]rs$;-;0;0
"

# The files of the code. A page, a Python module, a C interface and a program for clusters name every feature for their users.
code() {
    git ls-files 'src/*.rs' 'crates/*/src/*.rs' 'shaders/*.wgsl' 'passes/*.toml' |
        grep -vE '(^|/)(tests?|testing)(\.rs|/)|_tests\.rs$|^crates/(web|python|cluster|capi)/'
}

printf '%-18s %8s %8s %8s\n' 'files that name' files ceiling goal
status=0
# shellcheck disable=SC2046 # No path has a space.
awk -v rows="$rows" -v check="${1:-}" '
    BEGIN {
        count = split(rows, row, "\n")
        for (i = 1; i <= count; i++) {
            if (row[i] == "") continue
            split(row[i], part, ";")
            names[++n] = part[1]; word[n] = part[2]; paths[n] = part[3]; ceiling[n] = part[5]; goal[n] = part[6]
            own[n] = "^(" part[4] ")(/|[.]rs)"
        }
    }
    FNR == 1 { is_test = 0 }
    # Unit tests are the end of a file.
    is_test || /^(pub[^ ]* )?mod tests [{]$/ { is_test = 1; next }
    {
        sub(FILENAME ~ /toml$/ ? "#.*" : "//.*", "")
        line = tolower($0)
        for (i = 1; i <= n; i++)
            if (line ~ word[i] && !((i, FILENAME) in seen) && FILENAME ~ paths[i] && FILENAME !~ own[i]) {
                seen[i, FILENAME]
                files[i]++
            }
    }
    END {
        for (i = 1; i <= n; i++) {
            is_above = check == "check" && files[i] > ceiling[i]
            printf "%-18s %8d %8d %8d%s\n", names[i], files[i], ceiling[i], goal[i], is_above ? "  too many" : ""
            if (is_above) status = 1
        }
        exit status
    }
' $(code) || status=1
echo
echo "lines of Rust outside tests: $(code | grep '\.rs$' | xargs cat | wc -l)"
exit $status
