import type { Labels, MetricFamily } from './metric-family.ts';

/** The media type of the text format. */
export const textFormatType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Encodes a family in Prometheus' text format 0.0.4: help, type and a line for each series. Empty
 * if it has no series.
 */
export function encodeFamily(family: MetricFamily): string {
  const { name, help, type, stability } = family;
  const lines: string[] = [];
  for (const { suffix = '', labels, value } of family.samples()) {
    lines.push(`${name}${suffix}${encodeLabels(labels)} ${encodeValue(value)}\n`);
  }
  if (lines.length === 0) return '';
  const helpText = stability === undefined ? help : `[${stability}] ${help}`;
  return `# HELP ${name} ${escapeHelp(helpText)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function encodeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeHelp(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join()}}`;
}

function encodeValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`);
}
