import type { NodeAgentSettings } from '../resources/core/nodes/node-agent-location.ts';

/** How this server connects to node agents, and to what clients reach through it. */
export interface NodeAgentOptions extends NodeAgentSettings {
  /** The port of node agents without TLS that do not report theirs. */
  readonly readOnlyPort: number;
  /** PEM bundle that verifies node agents; undefined: their certificates are not verified. */
  readonly certificateAuthorityFile?: string;
  /** The client certificate that node agents are shown, and its key. */
  readonly clientCertificateFile?: string;
  readonly clientKeyFile?: string;
  /** How long it may take to connect. */
  readonly timeoutMs: number;
}

/** The defaults of kube-apiserver. */
export const defaultNodeAgentOptions: NodeAgentOptions = Object.freeze({
  preferredAddressTypes: ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'] as const,
  port: 10_250,
  readOnlyPort: 10_255,
  https: true,
  timeoutMs: 5_000,
});
