#!/usr/bin/env bash
# @platformatic/promotel 0.2.2 (npm; Prometheus text to OTLP, with "complete metric support" of counters, gauges and
# histograms): valid text loses data without an error.
# - A series with a closing brace in a label value vanishes. Label values of that form are the routes of a REST API, such
#   as /resource_providers/{uuid}: the requests of the fixed routes arrive, and those of all the others do not.
# - Of a histogram only the bucket +Inf is kept, so no quantile can be had from what arrives.
# - A gauge whose name ends in _count or _sum becomes a histogram of another name, its value a number of observations.
# A dashboard that is fed this way shows a server that nearly nobody uses and whose latency is unknown.
#
# Seen on 2026-11-30: one of the two series; "bucket_counts":[9],"explicit_bounds":[] for three buckets; a histogram "hosts".
# Needs Node 20 or later and npm. Fails if the behaviour changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund @platformatic/promotel@0.2.2 > /dev/null
cat > check.mjs <<'JS'
import { convert, parse } from '@platformatic/promotel';

const text = `# TYPE requests_total counter
requests_total{route="/resource_providers"} 5
requests_total{route="/resource_providers/{uuid}"} 7
# TYPE claim_seconds histogram
claim_seconds_bucket{le="0.1"} 3
claim_seconds_bucket{le="1"} 8
claim_seconds_bucket{le="+Inf"} 9
claim_seconds_sum 4.5
claim_seconds_count 9
# TYPE hosts_count gauge
hosts_count 40
`;
const [{ scope_metrics: [{ metrics }] }] = convert(parse(text)).resource_metrics;
const seen = metrics.map(({ name, sum, histogram }) => {
  if (sum !== undefined)
    return `${name}: ${sum.data_points.map((point) => `${point.attributes[0].value.string_value} ${point.as_double}`)}`;
  const { count, bucket_counts, explicit_bounds } = histogram.data_points[0];
  return `${name}: histogram ${JSON.stringify({ count, bucket_counts, explicit_bounds })}`;
});
console.log(seen.join('\n'));
const expected = [
  'requests_total: /resource_providers 5',
  'claim_seconds: histogram {"count":9,"bucket_counts":[9],"explicit_bounds":[]}',
  'hosts: histogram {"count":40,"bucket_counts":[],"explicit_bounds":[]}',
];
if (JSON.stringify(seen) !== JSON.stringify(expected)) {
  console.error('the behaviour has changed');
  process.exit(1);
}
JS
node check.mjs
