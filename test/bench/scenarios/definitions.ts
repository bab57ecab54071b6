import { openEtcdStore } from '../../../src/storage/etcd/etcd-store.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { type CustomKindShape, customObjectsPath, storedDefinition } from '../custom-kind.ts';
import { type Lab, type Subject, withClients } from '../lab.ts';
import { eachOf } from '../load/press.ts';
import { residentBytes } from '../process-usage.ts';
import type { Bench, Scenario } from './scenario.ts';

const definitions = 1_000;
const versions = 10;

/** What a start with all of them may take on an idle machine, and what they may cost besides their stored bytes. */
const allowedMs = 3_000;
const allowedBytes = 150_000_000;

/** The bytes of a schema: of a small kind, and of an operator's that has a pod template. */
const schemaSizes: readonly number[] = [2_000, 20_000];

/** A server that starts with a thousand definitions of ten versions each, beside one that starts with none. */
export const manyDefinitions: Scenario = {
  name: 'definitions',
  async run(bench) {
    for (const schemaBytes of schemaSizes) await measure(bench, schemaBytes);
  },
};

async function measure({ lab, report }: Bench, schemaBytes: number): Promise<void> {
  const prefix = `/definitions-${schemaBytes}`;
  const shapeOf = (index: number): CustomKindShape => ({
    group: `g${index % 100}.example.com`,
    plural: `k${index}s`,
    versions,
    schemaBytes,
  });
  const storedBytes = await fillStore(lab, prefix, shapeOf);
  const without = await start(lab, '/definitions-none');
  await lab.stopSubject(without.server);
  const { server, readyMs, startBytes } = await start(lab, prefix);
  const name = `definitions, ${definitions} of ${Math.round(storedBytes / definitions / 1000)} KB`;
  const started = `${without.readyMs.toFixed(0)} ms without; 'bare' is what it may take`;
  report({
    scenario: `${name}: start`,
    figures: { ours: { p50Ms: readyMs }, bare: { p50Ms: allowedMs } },
    compared: 'p50Ms',
    bar: 1,
    note: started,
  });
  report({
    scenario: `${name}: memory`,
    figures: { ours: { residentBytes: startBytes }, bare: { residentBytes: without.startBytes + storedBytes } },
    compared: 'residentBytes',
    surplus: allowedBytes,
    note: `'bare' has none; their ${Math.round(storedBytes / 1e6)} MB in the store are added`,
  });
  const first: readonly (readonly [title: string, path: string])[] = [
    ['first list', customObjectsPath(shapeOf(7), 'default')],
    ['OpenAPI of a group version', `/openapi/v3/apis/${shapeOf(7).group}/v1`],
  ];
  for (const [title, path] of first) {
    report({
      scenario: `${name}: ${title}`,
      figures: { ours: { p50Ms: await timeOf(server, path) } },
      compared: 'p50Ms',
    });
  }
  await lab.stopSubject(server);
}

function timeOf(subject: Subject, path: string): Promise<number> {
  return withClients(subject, 1, async ([client]) => {
    await client?.send({ path: '/readyz' });
    const begin = performance.now();
    await client?.send({ path });
    return performance.now() - begin;
  });
}

/** A server that has started, how long that took, and its memory then. */
interface Started {
  readonly server: Subject;
  readonly readyMs: number;
  readonly startBytes: number;
}

async function start(lab: Lab, prefix: string): Promise<Started> {
  const begin = performance.now();
  const server = await lab.startServer(prefix);
  return { server, readyMs: performance.now() - begin, startBytes: residentBytes(server.pid) };
}

/** Writes definitions as a server would, but straight into the store. Answers the bytes that their values have. */
async function fillStore(lab: Lab, prefix: string, shapeOf: (index: number) => CustomKindShape): Promise<number> {
  const store = await openEtcdStore({ endpoints: [lab.etcd.endpoint], prefix });
  let bytes = 0;
  await eachOf(definitions, 8, async (index) => {
    const shape = shapeOf(index);
    const value = encodeStoredObject(storedDefinition(shape));
    bytes += value.length;
    const name = `${shape.plural}.${shape.group}`;
    await store.create(`${prefix}/customresourcedefinitions.apiextensions.cl.io/${name}`, value);
  });
  await store.close();
  return bytes;
}
