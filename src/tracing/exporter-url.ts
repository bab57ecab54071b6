/** The collector without configuration (the default of OTLP over gRPC). */
export const defaultEndpoint = 'localhost:4317';

/** The least and the largest share of traces that begin here and are recorded, in a million. */
export const samplesInAll = 1_000_000;

const schemes: ReadonlySet<string> = new Set(['dns', 'unix', 'unix-abstract']);

/**
 * Returns the problem of a collector address, with the message of kube-apiserver. Valid forms are
 * `host:port`, `dns://authority/host:port` and `unix:///path`.
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
 * The address for the exporter: `http://host:port` or `unix:///path`. Throws RangeError for an
 * invalid address, and for an abstract socket, which gRPC for Node.js cannot connect to.
 */
export function exporterUrl(endpoint: string): string {
  const [, scheme = '', rest = endpoint] = /^([a-z-]+):\/\/(.*)$/i.exec(endpoint) ?? [];
  if (scheme === 'unix') return `unix://${rest}`;
  if (scheme === 'unix-abstract') throw new RangeError('abstract sockets of a trace collector are not supported');
  // Without the authority, which names the DNS server: gRPC for Node.js uses the system's.
  const host = scheme === 'dns' ? rest.slice(rest.indexOf('/') + 1) : endpoint;
  const url = `http://${host}`;
  if (URL.canParse(url)) return url;
  throw new RangeError(`a trace collector cannot have the address ${JSON.stringify(endpoint)}: use host:port`);
}
