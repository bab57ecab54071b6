import { libraryTypes } from '../../identifiers/expression-types.ts';
import { appendTo } from '../../meta/group-by.ts';
import { parseRequestUri, parseUrl, type RequestUri } from '../../meta/request-uri.ts';
import { type CelMap, type CelValue, Failure, listFrom, mapFrom, Opaque } from '../values/cel-value.ts';
import { spend, type WorkMeter } from '../values/work-meter.ts';
import { type Library, Metered } from './library.ts';

/** Parses an absolute URL or an absolute path, without its fragment. */
function readUrl(text: string): RequestUri | Failure {
  const asTarget = parseRequestUri(text);
  const parts = 'problem' in asTarget ? asTarget : parseUrl(text);
  if (!('problem' in parts)) return parts;
  const why = `parse ${JSON.stringify(text)}: ${parts.problem}`;
  return new Failure(`URL parse error during conversion from string: ${why}`);
}

function url(text: string): CelValue {
  const parts = readUrl(text);
  return parts instanceof Failure ? parts : new Opaque(`${libraryTypes}URL`, text, parts);
}

function partsOf(value: Opaque): RequestUri {
  return value.content as RequestUri;
}

/** The units for a character of a query, which may be a name and a list. */
const queryWork = 24;

function decode(text: string): string {
  return Buffer.from(
    text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  ).toString();
}

/** The host name, with percent escapes decoded. */
function hostOf({ host }: RequestUri): string {
  return host.includes('%') ? decode(Buffer.from(host).toString('latin1')) : host;
}

const port = /:(\d*)$/;

/** The characters of a path that need no escape. */
const pathCharacters = /^[-!$&'()*+,/:;=@[\]%A-Za-z0-9._~]*$/;

/** The path as written if it is valid, otherwise escaped. */
function escapedPath(path: string): string {
  if (path === '*' || pathCharacters.test(path)) return path;
  return [...Buffer.from(decode(Buffer.from(path).toString('latin1')))].map(escapedByte).join('');
}

function escapedByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (/[-$&+,/:;=@A-Za-z0-9._~]/.test(character)) return character;
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The query values by name, in the order of the query. Invalid pairs are left out. */
function queryOf(meter: WorkMeter, { query }: RequestUri): CelMap {
  spend(meter, query.length * queryWork);
  const values = new Map<string, string[]>();
  for (const part of query.split('&')) {
    if (part === '' || part.includes(';') || /%(?![0-9a-fA-F]{2})/.test(part)) continue;
    const at = part.indexOf('=');
    const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    appendTo(values, queryText(name), queryText(value));
  }
  return mapFrom(new Map([...values].map(([name, list]) => [`s${name}`, [name, listFrom(list)] as const])));
}

function queryText(text: string): string {
  return decode(Buffer.from(text.replaceAll('+', ' ')).toString('latin1'));
}

/** Absolute URLs. */
export const urls: Library = {
  functions: [
    ['url(string): URL', url],
    ['isURL(string): bool', (text: string) => !('problem' in parseRequestUri(text))],
  ],
  methods: [
    ['getScheme(URL): string', (value: Opaque) => partsOf(value).scheme],
    ['getHost(URL): string', (value: Opaque) => hostOf(partsOf(value))],
    [
      'getHostname(URL): string',
      (value: Opaque) =>
        hostOf(partsOf(value))
          .replace(port, '')
          .replace(/^\[(.*)\]$/s, '$1'),
    ],
    ['getPort(URL): string', (value: Opaque) => port.exec(hostOf(partsOf(value)))?.[1] ?? ''],
    ['getEscapedPath(URL): string', (value: Opaque) => escapedPath(partsOf(value).path)],
    ['getQuery(URL): map<string, list<string>>', new Metered((meter, value: Opaque) => queryOf(meter, partsOf(value)))],
  ],
};
