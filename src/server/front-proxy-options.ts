import type { FrontProxyHeaders } from '../authn/front-proxy.ts';

/** An authenticating proxy in front of this server (spec 5.5). */
export interface FrontProxyOptions {
  /** PEM bundle that verifies the certificate of the proxy. */
  readonly caFile: string;
  /** The common names of proxies; none allows all. */
  readonly allowedNames: readonly string[];
  readonly headers: FrontProxyHeaders;
}
