import { type CustomKindShape, customDefinition, customObjectsPath } from '../custom-kind.ts';
import { quantile } from '../figures.ts';
import { withClients } from '../lab.ts';
import type { HttpClient } from '../load/http-client.ts';
import type { Scenario } from './scenario.ts';

const definitions = 20;

/** The most that may pass between the answer to a creation and the first list, on an idle machine. */
const allowedMs = 50;

/**
 * The time from the response to the creation of a definition until its resource is served, on the
 * same server and on another one of the same etcd.
 */
export const servedDefinitions: Scenario = {
  name: 'definitions-served',
  async run({ lab, report }) {
    const one = await lab.startServer('/definitions-served');
    const other = await lab.startServer('/definitions-served');
    const times = await withClients(one, 2, ([own, poller]) =>
      withClients(other, 1, ([remote]) => measure(own, [poller, remote])),
    );
    for (const [index, title] of ['its own server', 'another server'].entries()) {
      const taken = times.map((each) => each[index] ?? Number.NaN);
      report({
        scenario: `definitions-served, ${title}`,
        figures: { ours: { p50Ms: quantile(taken, 0.5), p99Ms: quantile(taken, 0.99) }, bare: { p50Ms: allowedMs } },
        compared: 'p50Ms',
        bar: 1,
        note: "after the response to the creation; 'bare' is what it may take",
      });
    }
    await lab.stopSubject(one);
    await lab.stopSubject(other);
  },
};

/** The times of each definition, in the order of the clients that poll. The first definition warms up. */
async function measure(
  creator: HttpClient | undefined,
  pollers: readonly (HttpClient | undefined)[],
): Promise<readonly (readonly number[])[]> {
  const times: (readonly number[])[] = [];
  for (let index = 0; index <= definitions; index++) {
    const shape: CustomKindShape = {
      group: `served${index}.example.com`,
      plural: 'gadgets',
      versions: 2,
      schemaBytes: 20_000,
    };
    const path = '/apis/apiextensions.cl.io/v1/customresourcedefinitions';
    await creator?.send({ method: 'POST', path, body: JSON.stringify(customDefinition(shape)) });
    const begin = performance.now();
    const taken = await Promise.all(
      pollers.map(async (poller) => {
        await untilServed(poller, customObjectsPath(shape, 'default'));
        return performance.now() - begin;
      }),
    );
    if (index > 0) times.push(taken);
  }
  return times;
}

async function untilServed(client: HttpClient | undefined, path: string): Promise<void> {
  for (;;) {
    const isServed = await client?.send({ path }).then(
      () => true,
      () => false,
    );
    if (isServed) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
