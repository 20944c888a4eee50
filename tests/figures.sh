#!/bin/sh
# The number of files outside a feature's own folders whose code contains the feature's name. Comments, tests and the faces' packages
# do not count. `tests/figures.sh check` fails if a number is above its ceiling.
#
# A row: the feature, its name in lower case, the feature's own folders, the ceiling, the goal.
set -eu
cd "$(dirname "$0")/.."

rows='
species|species|crates/core/src/species crates/gpu/src/species shaders/species src/observe/species src/viewer/species|146|60
lives|lives|crates/core/src/lives crates/gpu/src/lives shaders/lives src/viewer/lives|86|35
terrain|terrain|crates/core/src/terrain crates/gpu/src/terrain shaders/terrain|60|35
falcon|falcon|crates/core/src/falcons crates/gpu/src/falcons shaders/falcons|51|25
food|food|crates/core/src/food crates/gpu/src/food shaders/food src/viewer/food|44|20
points|points|crates/core/src/points crates/gpu/src/points crates/gpu/src/look/points shaders/points|68|30
endless|endless|crates/core/src/world/endless|19|20
statistics|statistics|crates/core/src/statistics src/observe/statistics|11|11
provenance|provenance|src/provenance|21|21
noise|noise|crates/core/src/noise|50|50
trajectories|trajectories|src/observe/trajectories|6|6
'

# The files of the code. A page, a Python module, a C interface and a program for clusters name every feature for their users.
code() {
    git ls-files 'src/*.rs' 'crates/*/src/*.rs' 'shaders/*.wgsl' 'passes/*.toml' |
        grep -vE '(^|/)(tests?|testing)(\.rs|/)|_tests\.rs$|^crates/(web|python|cluster|capi)/'
}

printf '%-13s %8s %8s %8s\n' feature files ceiling goal
status=0
# shellcheck disable=SC2046 # No path has a space.
awk -v rows="$rows" -v check="${1:-}" '
    BEGIN {
        count = split(rows, row, "\n")
        for (i = 1; i <= count; i++) {
            if (row[i] == "") continue
            split(row[i], part, "|")
            features[++n] = part[1]; word[n] = part[2]; ceiling[n] = part[4]; goal[n] = part[5]
            gsub(" ", "|", part[3]); own[n] = "^(" part[3] ")(/|[.]rs)"
        }
    }
    FNR == 1 { is_test = 0 }
    # Unit tests are the end of a file.
    is_test || /^(pub[^ ]* )?mod tests [{]$/ { is_test = 1; next }
    {
        sub(FILENAME ~ /toml$/ ? "#.*" : "//.*", "")
        line = tolower($0)
        for (i = 1; i <= n; i++)
            if (index(line, word[i]) && !((i, FILENAME) in seen) && FILENAME !~ own[i]) { seen[i, FILENAME]; files[i]++ }
    }
    END {
        for (i = 1; i <= n; i++) {
            is_above = check == "check" && files[i] > ceiling[i]
            printf "%-13s %8d %8d %8d%s\n", features[i], files[i], ceiling[i], goal[i], is_above ? "  too many" : ""
            if (is_above) status = 1
        }
        exit status
    }
' $(code) || status=1

# Files of layers that name a feature, and words that are gone. A row: what is counted, the paths, the words, the ceiling, the goal.
counted='
layers of the core|^crates/core/src/(state|engine|simulation|chain)[/.]|species|lives|food|falcon|lineage|30|3
engines on a GPU|^crates/gpu/src/(cells|individuals|shader)[/.]|species|lives|food|falcon|lineage|19|8
program|^src/(cli|controller|observe)[/.]|species|lives|food|falcon|lineage|19|8
taken out|.|mem::take[(]&mut individuals|0|0
'
echo
printf '%-20s %8s %8s %8s\n' 'files that name' files ceiling goal
# shellcheck disable=SC2046 # No path has a space.
awk -v rows="$counted" -v check="${1:-}" '
    BEGIN {
        count = split(rows, row, "\n")
        for (i = 1; i <= count; i++) {
            if (row[i] == "") continue
            parts = split(row[i], part, "|")
            names[++n] = part[1]; first = 2; paths[n] = part[2]
            # The paths have alternatives of their own, up to the closing bracket.
            while (paths[n] ~ /[(]/ && paths[n] !~ /[)]/) paths[n] = paths[n] "|" part[++first]
            words[n] = part[first + 1]
            for (j = first + 2; j <= parts - 2; j++) words[n] = words[n] "|" part[j]
            ceiling[n] = part[parts - 1]; goal[n] = part[parts]
        }
    }
    FNR == 1 { is_test = 0 }
    is_test || /^(pub[^ ]* )?mod tests [{]$/ { is_test = 1; next }
    {
        sub("//.*", "")
        line = tolower($0)
        for (i = 1; i <= n; i++)
            if (FILENAME ~ paths[i] && line ~ words[i] && !((i, FILENAME) in seen)) { seen[i, FILENAME]; files[i]++ }
    }
    END {
        for (i = 1; i <= n; i++) {
            is_above = check == "check" && files[i] > ceiling[i]
            printf "%-20s %8d %8d %8d%s\n", names[i], files[i], ceiling[i], goal[i], is_above ? "  too many" : ""
            if (is_above) status = 1
        }
        exit status
    }
' $(code | grep '\.rs$') || status=1
echo
echo "lines of Rust outside tests: $(code | grep '\.rs$' | xargs cat | wc -l)"
exit $status
