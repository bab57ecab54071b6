import type { Labels, MetricFamily, Sample } from './metric-family.ts';

/** A format of `/metrics`. */
export interface ExpositionFormat {
  readonly mediaType: string;
  /**
   * Encodes a family with its present values, in pieces that take about a millisecond. Yields
   * nothing for a family without series.
   */
  encode(family: MetricFamily): Iterable<string>;
  /** The text after the last family. */
  readonly end: string;
}

/** The text format of Prometheus, 0.0.4. */
export const textFormat: ExpositionFormat = {
  mediaType: 'text/plain; version=0.0.4; charset=utf-8',
  encode(family) {
    const { name, type } = family;
    const header = headerOf(`${name} ${escapeText(helpOf(family))}`, `${name} ${type}`);
    return piecesOf(header, family, formatNumber);
  },
  end: '',
};

/**
 * OpenMetrics 1.0.0. The family of a counter is named without `_total`. A counter whose name lacks
 * `_total` has the type `unknown`, because its name would change otherwise.
 */
export const openMetricsFormat: ExpositionFormat = {
  mediaType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  encode(family) {
    const { name, type } = family;
    const isTotal = type === 'counter' && name.endsWith(total);
    const familyName = isTotal ? name.slice(0, -total.length) : name;
    const shownType = type === 'counter' && !isTotal ? 'unknown' : type;
    const help = escapeQuotes(escapeText(helpOf(family)));
    return piecesOf(headerOf(`${familyName} ${help}`, `${familyName} ${shownType}`), family, withPoint);
  },
  end: '# EOF\n',
};

const total = '_total';

function headerOf(help: string, type: string): string {
  return `# HELP ${help}\n# TYPE ${type}\n`;
}

/** The help with the stability level and the deprecation (spec 9.2). */
function helpOf({ help, stability, deprecated }: MetricFamily): string {
  const level = stability === 'none' ? '' : `[${stability ?? 'ALPHA'}] `;
  return `${level}${deprecated === undefined ? '' : `(Deprecated from ${deprecated}) `}${help}`;
}

/** The characters of a piece: some 1,000 lines of a histogram. */
const pieceLength = 128 * 1024;

function* piecesOf(header: string, family: MetricFamily, formatBound: (bound: number) => string): Generator<string> {
  const { name } = family;
  let piece = header;
  let isEmpty = true;
  for (const sample of family.samples()) {
    piece += `${name}${seriesOf(sample, formatBound)} ${formatNumber(sample.value)}\n`;
    isEmpty = false;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (!isEmpty && piece !== '') yield piece;
}

function seriesOf({ suffix = '', labels, upTo }: Sample, formatBound: (bound: number) => string): string {
  const pairs = pairsOf(labels);
  if (upTo === undefined) return pairs === '' ? suffix : `${suffix}{${pairs}}`;
  return `${suffix}{${pairs}${pairs === '' ? '' : ','}le="${formatBound(upTo)}"}`;
}

/** The encoded labels of series, sorted by name as in kube-apiserver. */
const encoded = new WeakMap<Labels, string>();

function pairsOf(labels: Labels): string {
  let pairs = encoded.get(labels);
  if (pairs === undefined) {
    pairs = Object.entries(labels)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}="${escapeQuotes(escapeText(value))}"`)
      .join();
    encoded.set(labels, pairs);
  }
  return pairs;
}

/**
 * Formats a number as Go does: `1e+06`, `5e-07`. Dashboards compare the bounds of buckets as text.
 */
function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e6) || Number.isNaN(value)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Formats a bound as OpenMetrics demands: never as an integer. */
function withPoint(value: number): string {
  const text = formatNumber(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function escapeText(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`);
}

function escapeQuotes(text: string): string {
  return text.replaceAll('"', String.raw`\"`);
}
