import { badRequest, type StatusError } from '../../status/status-error.ts';

/** The decoded parts of a path below `/api/{version}/` or `/apis/{group}/{version}/`. */
export interface ResourceTarget {
  readonly group: string;
  readonly version: string;
  /**
   * The segment before the resource: '', the deprecated `watch`, or `proxy`, which is never served.
   */
  readonly prefix: '' | 'watch' | 'proxy';
  /** The namespace; for a namespace object its own name, as authorization expects. */
  readonly namespace: string;
  /** True if the resource follows `namespaces/{namespace}/`. */
  readonly nested: boolean;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  /**
   * False if a part before the sub-resource's end is empty, as in `/api/v1//pods`. Such a path is
   * authorized by its parts, and nothing is served there.
   */
  readonly isComplete: boolean;
  /**
   * The number of segments after the sub-resource. Of the paths in spec 4.1, only the paths of a
   * proxy have such segments.
   */
  readonly depth: number;
  /** The raw path after the sub-resource: '', or a path with its first slash. Never decoded. */
  readonly rest: string;
}

/** A parsed request path: the only source for authorization, routing, records and forwarding. */
export interface RequestPath {
  /** The path as sent, without host and query. For records: nothing is decided by it. */
  readonly sent: string;
  /**
   * The decoded path with all of its slashes. Rights on paths, routes, audit policies and flow
   * schemas match on it.
   */
  readonly decoded: string;
  /**
   * The decoded segments, without the empty ones after slashes at the end. A segment may contain a
   * slash that was sent encoded; segments of `target.rest` are as sent if they are not UTF-8.
   */
  readonly segments: readonly string[];
  /** The part of the URL after the `?`, not decoded. */
  readonly query: string;
  /** The resource; undefined for non-resource requests. */
  readonly target: ResourceTarget | undefined;
}

/**
 * Parses a request target. The path is split at raw slashes and each segment is decoded once, so
 * that neither `%2F` nor `%2e%2e` can lead to another resource. Throws 400 for an invalid escape,
 * and for a target without a path. Bytes that should have been encoded are read as if they were.
 */
export function parseRequestPath(requested: string): RequestPath {
  const url = requested.search(beyondAscii) < 0 ? requested : requested.replace(beyondAscii, escapeByte);
  const originForm = url.charCodeAt(0) === slash ? url : withoutAuthority(url);
  const mark = originForm.indexOf('?');
  const sent = mark < 0 ? originForm : originForm.slice(0, mark);
  const query = mark < 0 ? '' : originForm.slice(mark + 1);
  const raw = withoutSlashesAtEnd(sent).split('/').slice(1);
  if (!sent.includes('%')) return { sent, decoded: sent, segments: raw, query, target: targetOf(raw, sent) };
  const decoded = raw.map(decodeSegment);
  const segments = decoded.map((part, index) => part ?? raw[index] ?? '');
  const target = targetOf(segments, sent);
  // After a sub-resource only the syntax of escapes is checked: these segments are not decoded
  // here.
  const unreadable = decoded.indexOf(undefined);
  if (unreadable >= 0 && unreadable < segments.length - (target?.depth ?? 0)) {
    throw invalidEscape(raw[unreadable] ?? '');
  }
  const slashesAtEnd = '/'.repeat(sent.length - withoutSlashesAtEnd(sent).length);
  return { sent, decoded: `${segments.map((part) => `/${part}`).join('')}${slashesAtEnd}`, segments, query, target };
}

const slash = 47;

/** Bytes of a target that are not ASCII: over HTTP/2 Node gives each as a character. */
const beyondAscii = /[\x80-\xff]/g;

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (end > 0 && path.charCodeAt(end - 1) === slash) end--;
  return path.slice(0, end);
}

/** Removes the host of an absolute-form target (RFC 9112, 3.2.2), which is not used. */
function withoutAuthority(url: string): string {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url);
  if (!authority) throw badRequest('the target of the request is not a path');
  const rest = url.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The first segments of a path up to the end of its sub-resource: those that are authorized. */
export function namedSegments({ segments, target }: RequestPath): readonly string[] {
  return target ? segments.slice(0, segments.length - target.depth) : segments;
}

/**
 * Decodes a segment. Undefined if it is not UTF-8. Throws 400 for a percent sign that does not
 * start an escape.
 */
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

/**
 * The sub-resources of a namespace. Any other segment after the name of a namespace is a resource.
 */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

/** Returns the target of a resource path; undefined for others. `sent` is the whole path. */
function targetOf(parts: readonly string[], sent: string): ResourceTarget | undefined {
  const core = parts[0] === 'api';
  if (!core && parts[0] !== 'apis') return undefined;
  const head = core ? 2 : 3;
  if (parts.length <= head) return undefined;
  const first = parts[head];
  const prefix = first === 'watch' || first === 'proxy' ? first : '';
  const rest = parts.slice(prefix ? head + 1 : head);
  const inNamespace = rest[0] === 'namespaces' && rest.length > 1;
  const nested = inNamespace && rest.length > 2 && !namespaceSubresources.has(rest[2] ?? '');
  const behind = nested ? rest.slice(2) : rest;
  // As in kube-apiserver, after the prefix `proxy` no segment is a sub-resource.
  const own = prefix === 'proxy' ? 2 : 3;
  const depth = Math.max(0, behind.length - own);
  const named = parts.length - depth;
  const empty = parts.indexOf('');
  return {
    group: core ? '' : (parts[1] ?? ''),
    version: parts[head - 1] ?? '',
    prefix,
    namespace: inNamespace ? (rest[1] ?? '') : '',
    nested,
    resource: behind[0] ?? '',
    name: behind[1] ?? '',
    subresource: own === 3 ? (behind[2] ?? '') : '',
    isComplete: behind.length > 0 && (empty < 0 || empty >= named),
    depth,
    rest: behind.length < own ? '' : behindSegments(sent, named),
  };
}

/** Returns the path after a number of segments. */
function behindSegments(sent: string, segments: number): string {
  let end = 0;
  for (let count = 0; count < segments && end >= 0; count++) end = sent.indexOf('/', end + 1);
  return end < 0 ? '' : sent.slice(end);
}
