import assert from 'node:assert/strict';
import { Agent, fetch } from 'undici';
import { createServer, type ServerOptions } from '../../../src/server/index.ts';

// A program in JavaScript often passes options on that it does not have.
const undefinedOptions = {
  port: undefined,
  requestTimeoutMs: undefined,
  strictTransportSecurityDirectives: undefined,
  corsAllowedOrigins: undefined,
  maxRequestsInFlight: undefined,
  logLevel: 'error',
} as unknown as Partial<ServerOptions>;

describe('options that are undefined', () => {
  it('have their defaults', async () => {
    const tokens = [{ token: 't', username: 'admin', groups: ['system:masters'] }];
    const server = await createServer({ ...undefinedOptions, tokens });
    const dispatcher = new Agent({ connect: { ca: server.ca } });
    try {
      const response = await fetch(`${server.url}/api/v1/namespaces`, {
        dispatcher,
        headers: { authorization: 'Bearer t' },
      });
      assert.equal(response.status, 200, await response.text());
    } finally {
      await dispatcher.close();
      await server.close();
    }
  });
});
