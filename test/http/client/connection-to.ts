import type { ConnectionSettings } from '../../../src/client/index.ts';
import type { TestServer } from '../../../src/testing/index.ts';

/** The settings of the administrator's client of a server, optionally through a proxy's port. */
export function connectionTo({ ca, token, port }: TestServer, throughPort = port): ConnectionSettings {
  return { server: `https://127.0.0.1:${throughPort}`, ca, token, namespace: 'default' };
}
