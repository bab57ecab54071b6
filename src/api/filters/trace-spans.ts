import { isSince } from '../../scheme/api-release.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import { headerValues } from '../../http-protocol/forward/end-to-end-headers.ts';
import { sourceAddresses } from '../../http-protocol/messages/source-addresses.ts';
import type { SpanAttributes, Tracing } from '../../tracing/span.ts';
import type { Exchange } from '../request/exchange.ts';
import { shownPath } from '../request/shown-path.ts';
import type { Filter } from './filter.ts';

/** The groups whose members may continue a trace, as in kube-apiserver. */
const trustedGroups: ReadonlySet<string> = new Set(['system:masters', 'system:monitoring']);

/** The first release that continues the traces of all clients. Earlier ones only link to them. */
const trustSince = '1.33';

/** The emulated release, and the tracing of the process. */
interface SpanContext {
  readonly tracing: Tracing;
  readonly release: string;
}

/**
 * Wraps the authentication filter. The span of a request starts once its user is known, because
 * only trusted users may continue their trace. A request that fails authentication has a span too.
 */
export function tracedAuthentication(authenticate: Filter, { tracing, release }: SpanContext): Filter {
  const continues = isSince(release, trustSince);
  const isTrusted = ({ groups }: UserInfo): boolean => continues && groups.some((group) => trustedGroups.has(group));
  return (exchange) => {
    const startMs = performance.now();
    const passed = (): void => open(tracing, exchange, { startMs, isTrusted: isTrusted(exchange.user) });
    const refused = (error: unknown): never => {
      open(tracing, exchange, { startMs, isTrusted: false });
      throw error;
    };
    let pending: Promise<void> | void;
    try {
      pending = authenticate(exchange);
    } catch (error) {
      return refused(error);
    }
    return pending ? pending.then(passed, refused) : passed();
  };
}

interface Authenticated {
  readonly startMs: number;
  readonly isTrusted: boolean;
}

/** Starts the span of a request; it ends with the response. */
function open(tracing: Tracing, exchange: Exchange, { startMs, isTrusted }: Authenticated): void {
  const { headers } = exchange.request;
  const [traceparent, tracestate] = [headers['traceparent'], headers['tracestate']];
  const span = tracing.root({
    name: spanName(exchange),
    kind: 'server',
    startMs: exchange.openedMs,
    attributes: () => requestAttributes(exchange),
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    tracestate: typeof tracestate === 'string' ? tracestate : undefined,
    isTrusted,
  });
  exchange.span = span;
  if (!span.isRecorded) return;
  span.add('authentication', startMs, performance.now());
  exchange.onEnd(({ status, bytes, aborted }) => {
    const { encoding } = exchange;
    if (encoding) {
      span.add(
        'SerializeObject',
        encoding.startMs,
        performance.now(),
        serializeAttributes(exchange, encoding.mediaType),
      );
    }
    span.set({ 'http.response.status_code': status, 'http.response.body.size': bytes });
    if (status >= 500 || aborted) span.fail();
    span.end();
  });
}

/** The name of the span: the method, and for resources the path pattern. */
function spanName({ request, path: { target } }: Exchange): string {
  const method = request.method ?? 'GET';
  if (!target) return method;
  const { group, version, namespace, resource, name, subresource } = target;
  const parts = [
    ...(group === '' ? ['api'] : ['apis', group]),
    version,
    ...(namespace === '' ? [] : ['namespaces', '{:namespace}']),
    resource,
    ...(name === '' ? [] : ['{:name}']),
    ...(subresource === '' ? [] : [subresource]),
  ];
  return `${method} /${parts.join('/')}`;
}

/**
 * The attributes without the query, which may contain tokens, and without the path of a proxied
 * server.
 */
function requestAttributes(exchange: Exchange): SpanAttributes {
  const { request, auditId } = exchange;
  const path = shownPath(exchange);
  const [client = ''] = sourceAddresses(request);
  const [host = ''] = headerValues(request.rawHeaders, 'host');
  return {
    'http.request.method': request.method ?? 'GET',
    'url.scheme': 'https',
    'url.path': path,
    'http.target': path,
    'server.address': request.headers[':authority']?.toString() ?? host,
    'user_agent.original': request.headers['user-agent'] ?? '',
    'client.address': client,
    'network.protocol.name': 'http',
    'network.protocol.version': request.httpVersion,
    'audit-id': auditId,
  };
}

function serializeAttributes(exchange: Exchange, mediaType: string): SpanAttributes {
  const { request, auditId } = exchange;
  return {
    'audit-id': auditId,
    method: request.method ?? 'GET',
    url: shownPath(exchange),
    protocol: `HTTP/${request.httpVersion}`,
    mediaType,
  };
}
