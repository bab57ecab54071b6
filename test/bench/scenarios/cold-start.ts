import { configMap, paths } from '../collection.ts';
import type { Figures } from '../figures.ts';
import type { Lab } from '../lab.ts';
import { isJsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { openEtcdStore } from '../../../src/storage/etcd/etcd-store.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { eachOf } from '../load/press.ts';
import { cpuSeconds, residentBytes } from '../process-usage.ts';
import { responseOf, type Bench, type Scenario } from './scenario.ts';

/** A server that starts on a full store: until it has answered a list of all objects. Beside it etcd3 alone, which reads the same keys. */
export const coldStart: Scenario = {
  name: 'cold-start',
  run: (bench) => start(bench, bench.lab.settings.coldObjects, 'cold-start'),
};

/** Resident memory after such a start, beside what it may be: the stored bytes, 1 KB for each object, and 100 MB. */
export const memory: Scenario = {
  name: 'memory',
  run: (bench) => start(bench, 10_000, 'memory'),
};

/** Bytes that the stored objects may cost besides themselves. */
const perObjectBytes = 1_000;
const fixedBytes = 100_000_000;

async function start({ lab, report }: Bench, objects: number, name: string): Promise<void> {
  const prefix = `/${name}-${objects}`;
  const storedBytes = await fillStore(lab, prefix, objects);
  const begin = performance.now();
  const server = await lab.startServer(prefix);
  const readyMs = performance.now() - begin;
  const page = await responseOf({ contender: 'ours', ...server }, `${paths.all}?limit=1`);
  if (!page.includes(`"remainingItemCount":${objects - 1}`)) throw new Error('the new server does not see all objects');
  const filledMs = performance.now() - begin;
  const ours: Figures = {
    operationsPerSecond: objects / (filledMs / 1000),
    p99Ms: filledMs,
    cpuMicros: (cpuSeconds(server.pid) / objects) * 1e6,
    residentBytes: residentBytes(server.pid),
  };
  await lab.stopSubject(server);
  const range = JSON.parse(
    await lab.run('bare/etcd.js', lab.etcd.endpoint, 'range', '1', String(objects), '0', `${prefix}/`),
  ) as { readonly cpuMicros: number }; // The program's own output.
  const allowed = storedBytes + objects * perObjectBytes + fixedBytes;
  const note = `ready after ${readyMs.toFixed(0)} ms; operations are objects`;
  const figures = { ours, bare: { cpuMicros: range.cpuMicros, residentBytes: allowed } };
  if (name === 'cold-start')
    report({ scenario: `cold-start, ${objects} objects`, figures, compared: 'cpuMicros', note });
  const allowance = "'bare' is what the objects may cost";
  report({ scenario: `memory, ${objects} objects`, figures, compared: 'residentBytes', bar: 1, note: allowance });
}

/** Writes objects as a server would, but straight into the store. Answers the bytes that their values have. */
async function fillStore(lab: Lab, prefix: string, objects: number): Promise<number> {
  const store = await openEtcdStore({ endpoints: [lab.etcd.endpoint], prefix });
  let bytes = 0;
  await eachOf(objects, 128, async (index) => {
    const name = `object-${String(index).padStart(6, '0')}`;
    // What JSON.parse answers is a JSON value.
    const object = JSON.parse(configMap(name)) as JsonValue;
    if (!isJsonObject(object) || !isJsonObject(object['metadata'])) throw new TypeError('the sample is no object');
    Object.assign(object['metadata'], { namespace: 'default', uid: crypto.randomUUID() });
    const value = encodeStoredObject({ ...object, data: { text: 'x'.repeat(800) } });
    bytes += value.length;
    await store.create(`${prefix}/configmaps/default/${name}`, value);
  });
  await store.close();
  return bytes;
}
