/** One value of a family: its labels, the text that they were written as, and the value. */
export interface Sample {
  /** The labels as written; equal for the same series of two responses. */
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of a response by their name: `apiserver_request_total`, `x_bucket`, `x_sum`. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

/** Samples of one name that are kept; a server with more has run away. */
const mostSamples = 50_000;

/**
 * Reads the samples with these names from the text format of Prometheus. Other lines are skipped
 * without being parsed, and so are lines that are no sample.
 */
export function parseMetrics(text: string, names: ReadonlySet<string>): Samples {
  const found = new Map<string, Sample[]>();
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const name = nameAt(text, at, end);
    if (names.has(name)) {
      const sample = readSample(text.slice(at + name.length, end));
      const list = found.get(name);
      if (sample && !list) found.set(name, [sample]);
      else if (sample && list && list.length < mostSamples) list.push(sample);
    }
    at = end + 1;
  }
  return found;
}

function nameAt(text: string, start: number, end: number): string {
  let at = start;
  while (at < end && text[at] !== '{' && text[at] !== ' ') at++;
  return text.slice(start, at);
}

/** Reads what follows the name: `{a="b"} 1.5`, perhaps with a timestamp, which is left out. */
function readSample(rest: string): Sample | undefined {
  const labels: Record<string, string> = {};
  let at = 0;
  if (rest.startsWith('{')) {
    const label = /\s*([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"\s*,?/y;
    label.lastIndex = 1;
    at = 1;
    for (let match = label.exec(rest); match; match = label.exec(rest)) {
      const [, name = '', value = ''] = match;
      labels[name] = value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
      at = label.lastIndex;
    }
    if (rest[at] !== '}') return undefined;
    at++;
  }
  const value = readValue(rest.slice(at).trim().split(/\s/, 1)[0] ?? '');
  return value === undefined ? undefined : { key: rest.slice(0, at), labels, value };
}

const special: Readonly<Record<string, number>> = {
  '+Inf': Number.POSITIVE_INFINITY,
  '-Inf': Number.NEGATIVE_INFINITY,
  NaN: Number.NaN,
};

function readValue(text: string): number | undefined {
  if (Object.hasOwn(special, text)) return special[text];
  const value = Number(text);
  return text === '' || Number.isNaN(value) ? undefined : value;
}
