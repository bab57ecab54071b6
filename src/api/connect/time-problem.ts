/** The parts of an RFC 3339 time in order: their form, their name in Go, and their range. */
const timeParts: readonly (readonly [form: RegExp, layout: string, part?: string, least?: number, most?: number])[] = [
  [/^\d{4}/, '2006'],
  [/^-/, '-'],
  [/^\d{2}/, '01', 'month', 1, 12],
  [/^-/, '-'],
  [/^\d{2}/, '02', 'day', 1, 31],
  [/^T/, 'T'],
  [/^\d{2}/, '15', 'hour', 0, 23],
  [/^:/, ':'],
  [/^\d{2}/, '04', 'minute', 0, 59],
  [/^:/, ':'],
  [/^\d{2}(?:\.\d+)?/, '05', 'second', 0, 59],
  [/^(?:Z|[+-]\d{2}:\d{2})/, 'Z07:00'],
];

/**
 * Says why a text is no RFC 3339 time, in the words of Go's parser after the quoted text, which
 * kube-apiserver sends to clients.
 */
export function timeProblem(text: string): string {
  let rest = text;
  for (const [form, layout, part, least = 0, most = Infinity] of timeParts) {
    const found = form.exec(rest)?.[0];
    if (found === undefined) {
      return ` as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(layout)}`;
    }
    if (part !== undefined && (Number.parseInt(found, 10) < least || Number.parseInt(found, 10) > most)) {
      return `: ${part} out of range`;
    }
    rest = rest.slice(found.length);
  }
  return rest === '' ? ': day out of range' : `: extra text: ${JSON.stringify(rest)}`;
}
