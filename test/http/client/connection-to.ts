import type { ConnectionSettings } from '../../../src/client/index.ts';
import type { TestServer } from '../../../src/testing/index.ts';

/** The settings of the administrator's client of a server, optionally through a proxy's port. */
export function connectionTo({ connection, port }: TestServer, throughPort = port): ConnectionSettings {
  return { ...connection, server: `https://127.0.0.1:${throughPort}` };
}
