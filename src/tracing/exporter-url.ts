/** The collector if a configuration names none (the default of OTLP over gRPC). */
export const defaultEndpoint = 'localhost:4317';

/** The least and the largest share of traces that begin here and are recorded, in a million. */
export const samplesInAll = 1_000_000;

const schemes: ReadonlySet<string> = new Set(['dns', 'unix', 'unix-abstract']);

/**
 * Returns the problem of the address of a collector, in the words of kube-apiserver: `host:port`,
 * `dns://authority/host:port`, `unix:///path`.
 */
export function endpointError(endpoint: string): string | undefined {
  const [, scheme] =
    /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(endpoint.includes('//') ? endpoint : `dns://${endpoint}`) ?? [];
  if (scheme !== undefined && schemes.has(scheme.toLowerCase())) return undefined;
  const options =
    'Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md';
  return `unsupported scheme: ${scheme ?? ''}.  ${options}`;
}

/**
 * The address as the exporter takes it: `http://host:port` or `unix:///path`. Throws RangeError for
 * one that is none, and for an abstract socket, which gRPC for Node.js cannot reach.
 */
export function exporterUrl(endpoint: string): string {
  const [, scheme = '', rest = endpoint] = /^([a-z-]+):\/\/(.*)$/i.exec(endpoint) ?? [];
  if (scheme === 'unix') return `unix://${rest}`;
  if (scheme === 'unix-abstract') throw new RangeError('abstract sockets of a trace collector are not supported');
  // After the authority of the name server, which is not asked by its name here.
  const host = scheme === 'dns' ? rest.slice(rest.indexOf('/') + 1) : endpoint;
  const url = `http://${host}`;
  if (URL.canParse(url)) return url;
  throw new RangeError(`a trace collector cannot have the address ${JSON.stringify(endpoint)}: use host:port`);
}
