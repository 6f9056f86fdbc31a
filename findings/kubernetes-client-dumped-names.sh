#!/usr/bin/env bash
# @kubernetes/client-node 1.4.0 with js-yaml 4.3.2 (npm; the newest js-yaml that its range ^4.1.0 admits): dumpYaml() writes
# names of digits and underscores without quotes, and Kubernetes reads them as numbers of YAML 1.1. The position "01_02" of a
# rack is written as 01_02 and read as 66, since it is octal without its underscore. js-yaml quotes what YAML 1.1 reads
# otherwise ("yes", "1:20"), and its option noCompatMode is documented for that, but from 4.2.0 on it forgets these. An
# update of the lock file is enough: with js-yaml 4.1.1 they are quoted. A label or an annotation of that form makes
# kubectl refuse the manifest; a field of a custom resource that admits any value just changes.
#
# Seen on 2026-11-30: "01_02" comes back as 66, "1_2" as 12, "3_4.5" as 34.5. kubectl 1.32.4 reads the same three numbers.
# The reader here is yaml 2.9.1 (npm) with version 1.1. Needs Node 20 or later and npm. Fails if the behaviour changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > check.mjs <<'JS'
import { dumpYaml } from '@kubernetes/client-node';
import { parse } from 'yaml';

const read = Object.fromEntries(
  ['01_02', '1_2', '3_4.5', 'yes', '1:20'].map((position) => {
    const text = dumpYaml({ position });
    return [text.trim(), parse(text, { version: '1.1' }).position];
  }),
);
console.log(JSON.stringify(read));
JS
isAsExpected=true
check() { # a version of js-yaml, what is written and what is read of it
  local found
  rm -rf node_modules package.json package-lock.json
  npm init -y > /dev/null
  npm install --silent --no-audit --no-fund @kubernetes/client-node@1.4.0 "js-yaml@$1" yaml@2.9.1 > /dev/null
  found="$(node check.mjs)"
  echo "js-yaml $1: $found"
  if [ "$found" != "$2" ]; then isAsExpected=false; fi
}
quoted="\"position: 'yes'\":\"yes\",\"position: '1:20'\":\"1:20\""
check 4.1.1 \
  "{\"position: '01_02'\":\"01_02\",\"position: '1_2'\":\"1_2\",\"position: '3_4.5'\":\"3_4.5\",$quoted}"
check 4.3.2 "{\"position: 01_02\":66,\"position: 1_2\":12,\"position: 3_4.5\":34.5,$quoted}"
"$isAsExpected"
