import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as send } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { configMaps, listOf } from './world.ts';

/** Together more than the buffers of a connection take, on both of its sides. */
const objects = 120;
const data = { filler: 'x'.repeat(300_000) };
/** A list of which little is read. */
interface StuckList {
  readonly response: IncomingMessage;
  readonly timeoutMs: number;
}

/** Begins to read the list; a slow machine is given more time for the beginning. */
async function beginList(server: TestServer, timeoutMs = 2_000): Promise<StuckList> {
  const headers = { authorization: `Bearer ${server.token}` };
  const url = `${server.url}${configMaps}?timeout=${timeoutMs}ms`;
  const outgoing = send(url, { ca: server.ca, headers, agent: false }).end();
  outgoing.on('error', () => undefined);
  // Answers of node:https are such messages.
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  if (response.statusCode === 200) return { response, timeoutMs };
  response.destroy();
  return beginList(server, timeoutMs * 2);
}

describe('readers of a list that stop in its midst', () => {
  it('are cut off when the time of their request is over, and the list is whole for others', async () => {
    await using server = await startServer();
    for (let i = 0; i < objects; i++) {
      assert.equal((await request(server, 'POST', configMaps, { metadata: { name: `o${i}` }, data })).status, 201);
    }
    const { response, timeoutMs } = await beginList(server);
    await sleep(timeoutMs * 2);
    let bytes = 0;
    response.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
    response.on('error', () => undefined);
    await once(response, 'close').catch(() => undefined);
    const promised = Number(response.headers['content-length']);
    assert.ok(bytes > 0 && bytes < promised, `${bytes} of ${promised} bytes came`);
    // On a new connection: the idle one may be closed at this moment.
    assert.equal(listOf(await request({ ...server }, 'GET', configMaps)).items.length, objects);
  });
});
