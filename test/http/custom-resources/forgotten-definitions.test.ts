import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { forceFullCollection } from '../../../src/process/force-full-collection.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { useDefinitions } from '../../soak/definitions/use-definitions.ts';
import { request } from '../http-client.ts';

const kinds = 30;
/** Less than a document of OpenAPI, which takes some 4 MiB, in both formats. */
const allowedBytes = 5 * 2 ** 20;
const quietMs = 11 * 60_000;

/** Lets time pass for the program: its clock, and the timers that it started since they are mocked. */
function timeMachine(): { readonly pass: (ms: number) => void } {
  const now = performance.now.bind(performance);
  let passedMs = 0;
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  // A mock of it would keep its calls.
  Object.defineProperty(performance, 'now', { value: () => now() + passedMs, configurable: true });
  return {
    pass(ms) {
      passedMs += ms;
      mock.timers.tick(ms);
    },
  };
}

/** What this process has in its heap and outside, in bytes, once it is collected. */
async function memory(): Promise<{ readonly heap: number; readonly outside: number }> {
  // The upkeep of the caches runs each second.
  for (let turn = 0; turn < 6; turn++) {
    await sleep(500);
    forceFullCollection();
  }
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, outside: external };
}

async function areMeasured(server: TestServer): Promise<boolean> {
  const { text } = await request(server, 'GET', '/metrics');
  return text.includes('resource="kind7s"');
}

describe('definitions that were used and removed', () => {
  afterEach(() => {
    mock.timers.reset();
    Reflect.deleteProperty(performance, 'now');
  });

  it('leave nothing in memory and in the metrics ten minutes later', async () => {
    await using server = await startServer({ store: 'memory', compactionIntervalMs: 100 });
    const { pass } = timeMachine();
    const use = (group: string): Promise<void> => useDefinitions(server, { group: `${group}.example.com`, kinds });
    const atFirst = await memory();
    // The code that they need is compiled.
    for (const group of ['first', 'second']) await use(group);
    pass(quietMs);
    const compiled = await memory();
    for (let round = 0; round < 4; round++) await use(`round${round}`);
    assert.ok(await areMeasured(server), 'the metrics name the kinds for a while');
    pass(quietMs);
    assert.ok(!(await areMeasured(server)), 'the metrics name removed kinds');
    const { heap, outside } = await memory();
    assert.ok(outside - atFirst.outside < allowedBytes, `${outside - atFirst.outside} bytes of buffers`);
    assert.ok(heap - compiled.heap < allowedBytes, `${heap - compiled.heap} bytes of the heap`);
  });
});
