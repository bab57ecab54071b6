import { badRequest, type StatusError } from '../../status/status-error.ts';

/** What a path under `/api/{version}/` or `/apis/{group}/{version}/` is about; every part is decoded. */
export interface ResourceTarget {
  readonly group: string;
  readonly version: string;
  /** The word before the resource: '', the deprecated `watch`, or `proxy` (which is never served). */
  readonly prefix: '' | 'watch' | 'proxy';
  /** For namespaces themselves their own name, as authorization has it. */
  readonly namespace: string;
  /** Whether the resource stands behind `namespaces/{namespace}/`. */
  readonly nested: boolean;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  /** Segments behind the sub-resource. Of the paths of spec 4.1 only those of a proxy have any. */
  readonly depth: number;
  /**
   * The path behind the sub-resource, as it was sent: '', or with its first slash. Never
   * decoded.
   */
  readonly rest: string;
}

/** A request path, taken apart once. */
export interface RequestPath {
  /** As sent, without query and without one trailing slash: what routes match on. Never decoded. */
  readonly raw: string;
  /** Decoded: what authorization of non-resource requests sees. */
  readonly decoded: string;
  /** Everything behind the `?`, undecoded. */
  readonly query: string;
  /** Undefined for non-resource requests. */
  readonly target: ResourceTarget | undefined;
}

/**
 * Takes a request target apart. The path is split on the raw `/` and each segment is decoded once, so that neither
 * `%2F` nor `%2e%2e` can move a request to another resource. Throws 400 for a bad escape.
 */
export function parseRequestPath(url: string): RequestPath {
  const originForm = url.charCodeAt(0) === slash ? url : withoutAuthority(url);
  const mark = originForm.indexOf('?');
  const sent = mark < 0 ? originForm : originForm.slice(0, mark);
  const query = mark < 0 ? '' : originForm.slice(mark + 1);
  const raw = sent.length > 1 && sent.endsWith('/') ? sent.slice(0, -1) : sent;
  const encoded = raw.includes('%');
  const segments = raw.split('/').slice(1);
  if (!encoded) return { raw, decoded: raw, query, target: targetOf(segments, sent) };
  const decoded = segments.map(decodeSegment);
  const parts = decoded.map((part, index) => part ?? segments[index] ?? '');
  const target = targetOf(parts, sent);
  // Behind a sub-resource only the syntax of escapes counts: what they stand for is not read here.
  const unreadable = decoded.indexOf(undefined);
  if (unreadable >= 0 && unreadable < parts.length - (target?.depth ?? 0)) {
    throw invalidEscape(segments[unreadable] ?? '');
  }
  return { raw, decoded: `/${parts.join('/')}`, query, target };
}

const slash = 47;

/** An absolute-form target (RFC 9112, 3.2.2) names a host, which is not used for anything. */
function withoutAuthority(url: string): string {
  const authority = /^https?:\/\/[^/?#]*/i.exec(url);
  if (!authority) return url;
  const rest = url.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Undefined for bytes that are no UTF-8. Throws 400 for a percent sign that begins no escape. */
function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  if (brokenEscape.test(segment)) throw invalidEscape(segment);
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

const brokenEscape = /%(?![0-9A-Fa-f]{2})/;

function invalidEscape(segment: string): StatusError {
  const escape = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(segment)?.[0] ?? segment.slice(0, 64);
  return badRequest(`invalid URL escape ${JSON.stringify(escape)}`);
}

/** Sub-resources of a namespace; any other word behind a namespace's name is a resource in it. */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

/**
 * The parts of a path that name a resource, an object and a sub-resource have no empty ones; `sent`
 * is the whole path.
 */
function targetOf(parts: readonly string[], sent: string): ResourceTarget | undefined {
  const core = parts[0] === 'api';
  if (!core && parts[0] !== 'apis') return undefined;
  const head = core ? 2 : 3;
  if (parts.length <= head) return undefined;
  const first = parts[head];
  const prefix = first === 'watch' || first === 'proxy' ? first : '';
  const rest = parts.slice(prefix ? head + 1 : head);
  if (rest.length === 0) return undefined;
  const inNamespace = rest[0] === 'namespaces' && rest.length > 1;
  const nested = inNamespace && rest.length > 2 && !namespaceSubresources.has(rest[2] ?? '');
  const behind = nested ? rest.slice(2) : rest;
  const depth = Math.max(0, behind.length - 3);
  const named = parts.length - depth;
  const empty = parts.indexOf('');
  if (empty >= 0 && empty < named) return undefined;
  return {
    group: core ? '' : (parts[1] ?? ''),
    version: parts[head - 1] ?? '',
    prefix,
    namespace: inNamespace ? (rest[1] ?? '') : '',
    nested,
    resource: behind[0] ?? '',
    name: behind[1] ?? '',
    subresource: behind[2] ?? '',
    depth,
    rest: behind.length < 3 ? '' : behindSegments(sent, named),
  };
}

/** The path behind a number of its segments. */
function behindSegments(sent: string, segments: number): string {
  let end = 0;
  for (let count = 0; count < segments && end >= 0; count++) end = sent.indexOf('/', end + 1);
  return end < 0 ? '' : sent.slice(end);
}
