import { yamlCodec } from '../../codec/yaml-codec.ts';
import { documentOf } from '../../codec/document.ts';
import { type MediaRange, parseAccept } from '../../http-protocol/messages/parse-accept.ts';
import { sendBytes } from '../../http-protocol/responses/send-bytes.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { formatTime } from '../../meta/time.ts';
import { methodNotAllowed, StatusError } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';

/** The content of the pages `/statusz` and `/flagz` of a server. */
export interface ComponentFacts {
  readonly identifiers: Identifiers;
  /** The name of the program on the pages. */
  readonly name: string;
  /** The start of the process, in milliseconds since 1970. */
  readonly startedMs: number;
  /** The version of the program, and the release that it emulates. */
  readonly binaryVersion: string;
  readonly emulationVersion: string;
  readonly goVersion: string;
  /** The paths of other pages, which `/statusz` lists. */
  readonly paths: readonly string[];
  /** The flags and their values; absent: there is no page `/flagz`. */
  readonly flags?: Readonly<Record<string, string>>;
  readonly hasStatus: boolean;
  /** The versions of the structured form, oldest first; empty: the pages are only text. */
  readonly versions: readonly string[];
}

type PageHandler = (exchange: Exchange) => Promise<void> | void;

/** The handlers of the pages by path. */
export function componentPages(facts: ComponentFacts): readonly (readonly [string, PageHandler])[] {
  const { hasStatus, flags } = facts;
  const status = { kind: 'Statusz', fields: () => statusFields(facts), text: () => statusText(facts) };
  const flagged = flags && {
    kind: 'Flagz',
    fields: () => ({ flags: { ...flags } }),
    text: () => flagText(facts, flags),
  };
  return [
    ...(hasStatus ? [['/statusz', handlePage(facts, status)] as const] : []),
    ...(flagged ? [['/flagz', handlePage(facts, flagged)] as const] : []),
  ];
}

/** The two forms of a page. */
interface ComponentPage {
  readonly kind: string;
  readonly fields: () => JsonObject;
  readonly text: () => string;
}

function handlePage(facts: ComponentFacts, page: ComponentPage): PageHandler {
  const group = `config.${facts.identifiers.apiDomain}`;
  return async (exchange) => {
    const { method, headers } = exchange.request;
    if (method !== 'GET') throw methodNotAllowed();
    const ranges = parseAccept(headers.accept?.trim() || 'text/plain');
    for (const range of ranges) {
      if (isText(range)) {
        const body = Buffer.from(page.text());
        return sendBytes(exchange, { status: 200, contentType: 'text/plain; charset=utf-8', body });
      }
      const version = structuredVersion(range, { group, kind: page.kind, versions: facts.versions });
      if (version === undefined) continue;
      const warning = `299 - "This version of the ${page.kind.toLowerCase()} endpoint is deprecated. Please use a newer version."`;
      const isNewest = version === facts.versions.at(-1);
      const object = {
        kind: page.kind,
        apiVersion: `${group}/${version}`,
        metadata: { name: facts.name },
        ...page.fields(),
      };
      const isYaml = range.subtype === 'yaml';
      const body = isYaml
        ? Buffer.concat([...yamlCodec.encodeObject(documentOf(object))])
        : Buffer.from(JSON.stringify(object));
      const contentType = `application/${isYaml ? 'yaml' : 'json'};g=${group};v=${version};as=${page.kind}`;
      return sendBytes(exchange, {
        status: 200,
        contentType,
        body,
        ...(isNewest ? {} : { headers: { Warning: warning } }),
      });
    }
    throw notAcceptable(facts.versions.length > 0);
  };
}

function isText({ type, subtype }: MediaRange): boolean {
  return (type === 'text' || type === '*') && (subtype === 'plain' || subtype === '*');
}

interface StructuredKind {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
}

function structuredVersion(range: MediaRange, { group, kind, versions }: StructuredKind): string | undefined {
  const { type, subtype, parameters } = range;
  if (type !== 'application' || (subtype !== 'json' && subtype !== 'yaml')) return undefined;
  if (parameters.get('as') !== kind || parameters.get('g') !== group) return undefined;
  return versions.find((version) => version === parameters.get('v'));
}

function notAcceptable(isStructured: boolean): StatusError {
  const accepted = isStructured ? 'application/json, application/yaml, text/plain' : 'text/plain';
  return new StatusError('NotAcceptable', `only the following media types are accepted: ${accepted}`);
}

function statusFields(facts: ComponentFacts): JsonObject {
  const { startedMs, goVersion, binaryVersion, emulationVersion, paths } = facts;
  return {
    startTime: formatTime(startedMs),
    uptimeSeconds: Math.floor((Date.now() - startedMs) / 1000),
    goVersion,
    binaryVersion,
    emulationVersion,
    paths: [...paths],
  };
}

function header(facts: ComponentFacts, title: string): string {
  return `\n${facts.name} ${title}\nWarning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.\n`;
}

const twoDigits = (value: number): string => String(value % 60).padStart(2, '0');

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A time in the format of `date` on Unix. */
function unixDate(ms: number): string {
  const date = new Date(ms);
  const [time] = date.toISOString().slice('2026-01-01T'.length).split('.');
  const day = String(date.getUTCDate()).padStart(2, ' ');
  return `${days[date.getUTCDay()]} ${months[date.getUTCMonth()]} ${day} ${time} UTC ${date.getUTCFullYear()}`;
}

function statusText(facts: ComponentFacts): string {
  const { startedMs, goVersion, binaryVersion, emulationVersion, paths } = facts;
  const seconds = Math.floor((Date.now() - startedMs) / 1000);
  const up = `${Math.floor(seconds / 3600)} hr ${twoDigits(Math.floor(seconds / 60))} min ${twoDigits(seconds)} sec`;
  return [
    header(facts, 'statusz'),
    `Started: ${unixDate(startedMs)}`,
    `Up: ${up}`,
    `Go version: ${goVersion}`,
    `Binary version: ${binaryVersion}`,
    `Emulation version: ${emulationVersion}`,
    `Paths: ${paths.join(' ')}`,
    '',
  ].join('\n');
}

function flagText(facts: ComponentFacts, flags: Readonly<Record<string, string>>): string {
  const lines = Object.entries(flags).map(([name, value]) => `${name}=${value}`);
  return [header(facts, 'flagz'), ...lines.toSorted(), ''].join('\n');
}
