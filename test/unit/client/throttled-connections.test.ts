import assert from 'node:assert/strict';
import type { Connections } from '../../../src/client/connections.ts';
import { throttledConnections } from '../../../src/client/throttled-connections.ts';

/** Connections that note the paths of requests. */
function noted(): { readonly sent: string[]; readonly connections: Connections } {
  const sent: string[] = [];
  const connections = {
    send: async (_kind: string, _credentials: unknown, { path }: { readonly path: string }) => void sent.push(path),
    close: async () => undefined,
  };
  return { sent, connections: connections as unknown as Connections };
}

const send = (connections: Connections, path: string, signal?: AbortSignal) =>
  connections.send(
    'requests',
    {},
    { method: 'GET', path, headers: {}, body: undefined, idleTimeoutMs: undefined, signal },
  );

describe('connections with a rate', () => {
  it('send a burst immediately, and delay further requests', async () => {
    const { sent, connections } = noted();
    const throttled = throttledConnections(connections, { perSecond: 0.001, burst: 2 });
    await send(throttled, '/a');
    await send(throttled, '/b');
    const given = new AbortController();
    const third = send(throttled, '/c', given.signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
    given.abort(new Error('given up'));
    await assert.rejects(third, /given up/);
    assert.deepEqual(sent, ['/a', '/b']);
  });

  it('send later requests in their order', async () => {
    const { sent, connections } = noted();
    const throttled = throttledConnections(connections, { perSecond: 200, burst: 1 });
    await Promise.all(['/1', '/2', '/3'].map((path) => send(throttled, path)));
    assert.deepEqual(sent, ['/1', '/2', '/3']);
  });
});
