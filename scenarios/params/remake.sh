#!/bin/sh
# Calibrates the shipped parameter files again from the recordings that tests/validation/data holds.
# usage: scenarios/params/remake.sh [DLSIM]   (from the repository root; DLSIM defaults to build/dlsim)
set -eu
dlsim=${1:-build/dlsim}
data=tests/validation/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# NAME RECORDING RECORDING: the last recording's batch and order are those of the table.
remake() {
    name=$1
    shift
    set -- "$@"
    for recording in "$@"; do
        "$dlsim" import spans "$data/$recording.spans.csv.gz" --batches "$data/$recording.batches.csv.gz" \
            --config "$data/$recording.json" -o "$work/$name.db" --quiet
    done
    "$dlsim" import micro "$data/micro.csv" -o "$work/$name.db" --quiet
    "$dlsim" calibrate "$work/$name.db" -o "scenarios/params/$name.yaml" --quiet
    echo "scenarios/params/$name.yaml: $*"
}

remake monai_3d medical-w0 medical-w2
remake imagenet_pytorch image-w0 image-w2
remake speech_librispeech speech-w0 speech-w2
remake nlp_pretrain text-w0 text-w2
