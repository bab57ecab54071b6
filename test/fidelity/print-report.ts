import type { Difference } from './compare.ts';
import { liveBefore } from './known/live-object.ts';
import type { FidelityReport, FindingGroup } from './run-fidelity.ts';
import type { SequenceStep } from './sequence.ts';

/** Characters of a request, and of a value that differs. */
const longestStep = 3_000;
const longestValue = 240;
const shownDifferences = 6;

/** A finding: the requests that show it, and both answers. */
export function groupText({ finding, sequence, seeds, kinds }: FindingGroup): string {
  const { reference, ours } = finding.exchange;
  const before = liveBefore(finding.exchange);
  return [
    `=== ${finding.signature}`,
    `    ${[...kinds].join(', ')}, seed ${seeds.join(', ')}`,
    ...(sequence.watch
      ? [`    watch ${sequence.watch.path}?${new URLSearchParams(sequence.watch.query).toString()}`]
      : []),
    ...sequence.steps.map((step) => `    ${stepText(step)}`),
    `    reference had  ${JSON.stringify(before.reference).slice(0, longestStep)}`,
    `    ours had       ${JSON.stringify(before.ours).slice(0, longestStep)}`,
    `    reference ${reference.status} ${messageOf(reference.body)}`,
    `    ours      ${ours.status} ${messageOf(ours.body)}`,
    ...finding.differences.slice(0, shownDifferences).map((difference) => `      ${differenceText(difference)}`),
  ].join('\n');
}

/** What was done, which differences that are meant were met, and how often each other one. */
export function summaryText({ sequences, steps, accepted, groups, known }: FidelityReport): string {
  const rows = [...known].map(([row, count]) => `  known: ${row} in ${count} sequences`);
  const found = groups.toSorted((a, b) => b.seeds.length - a.seeds.length).map(countText);
  const counts = `${sequences} sequences, ${steps} steps (${accepted} accepted), ${groups.length} differences`;
  return [...rows.toSorted(), ...found, counts].join('\n');
}

function countText({ finding, seeds, kinds }: FindingGroup): string {
  return `  ${seeds.length}x ${finding.signature} (${kinds.size} kinds, seeds ${seeds.slice(0, 5).join(', ')})`;
}

function stepText({ method, path, query, type, accept, userAgent, text, edits, body }: SequenceStep): string {
  const parameters = Object.entries(query ?? {}).map(([key, value]) => `${key}=${value}`);
  const content = text ?? (edits ? `live object with ${JSON.stringify(edits)}` : body && JSON.stringify(body));
  const parts = [
    `${method} ${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`,
    type && `(${type})`,
    accept && `[${accept}]`,
    userAgent && `[${userAgent}]`,
    content,
  ];
  return parts.filter(Boolean).join(' ').slice(0, longestStep);
}

function differenceText({ path, reference, ours }: Difference): string {
  return `${path.join('.').slice(0, longestValue)}: reference ${shown(reference)}, ours ${shown(ours)}`;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, longestValue);
}

function messageOf(body: unknown): string {
  const isError = typeof body === 'object' && body !== null && 'message' in body;
  return isError ? String(body.message).slice(0, 400) : '';
}
