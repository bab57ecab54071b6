import { libraryTypes } from '../../identifiers/expression-types.ts';
import { type CelMap, type CelValue, Failure, listFrom, mapFrom, Opaque } from '../values/cel-value.ts';
import { spend, type WorkMeter } from '../values/work-meter.ts';
import { type Library, Metered } from './library.ts';
import { appendTo } from '../../meta/group-by.ts';

/** The parts of an absolute URL, as they were written. */
interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

const absolute = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/(?:[^@/?#]*@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/s;
const host = /^(?:\[[0-9a-fA-F:.]+(?:%25[^\]]+)?\]|[^:[\]\s<>"]*)(?::\d*)?$/;
const badEscape = /%(?![0-9a-fA-F]{2})/;

/** Reads an absolute URL, or a path that begins with a slash. */
function readUrl(text: string): UrlParts | Failure {
  const wrong = new Failure(
    `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
  );
  const found = /[^\u0021-\u007e\u0080-\u{10ffff}]/u.test(text) ? null : absolute.exec(text);
  if (!found) return wrong;
  const [, scheme = '', authority = '', path = '', query = ''] = found;
  if (scheme === '' && (authority !== '' || !path.startsWith('/'))) return wrong;
  if (!host.test(authority) || badEscape.test(path) || badEscape.test(authority)) return wrong;
  return { scheme: scheme.toLowerCase(), host: authority, path, query };
}

function url(text: string): CelValue {
  const parts = readUrl(text);
  return parts instanceof Failure ? parts : new Opaque(`${libraryTypes}URL`, text, parts);
}

function partsOf(value: Opaque): UrlParts {
  return value.content as UrlParts;
}

/** The units for a character of a query, which may be a name and a list. */
const queryWork = 24;

const port = /:(\d*)$/;

/** The path, with escapes for the characters that are invalid in a URL. */
function escapedPath(path: string): string {
  return path.replaceAll(/[^!#$%&'()*+,/:;=?@[\]A-Za-z0-9._~-]/gu, encodeURIComponent);
}

/** The values of each name, in the order of the query. */
function queryOf(meter: WorkMeter, { query }: UrlParts): CelMap {
  spend(meter, query.length * queryWork);
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    appendTo(values, name, value);
  }
  return mapFrom(new Map([...values].map(([name, list]) => [`s${name}`, [name, listFrom(list)] as const])));
}

/** Absolute URLs. */
export const urls: Library = {
  functions: [
    ['url(string): URL', url],
    ['isURL(string): bool', (text: string) => !(readUrl(text) instanceof Failure)],
    ['string(URL): string', ({ identity }: Opaque) => identity],
  ],
  methods: [
    ['getScheme(URL): string', (value: Opaque) => partsOf(value).scheme],
    ['getHost(URL): string', (value: Opaque) => partsOf(value).host],
    [
      'getHostname(URL): string',
      (value: Opaque) =>
        partsOf(value)
          .host.replace(port, '')
          .replaceAll(/^\[|\]$/g, ''),
    ],
    ['getPort(URL): string', (value: Opaque) => port.exec(partsOf(value).host)?.[1] ?? ''],
    ['getEscapedPath(URL): string', (value: Opaque) => escapedPath(partsOf(value).path)],
    ['getQuery(URL): map<string, list<string>>', new Metered((meter, value: Opaque) => queryOf(meter, partsOf(value)))],
  ],
};
