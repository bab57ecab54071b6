import { configMap, configMapsPath, ensureNamespace } from '../collection.ts';
import { deployment, deploymentsPath } from '../deployment.ts';
import type { Figures } from '../figures.ts';
import { type ApiServer, type Lab, withClients } from '../lab.ts';
import type { LoadRequest } from '../load/http-client.ts';
import { eachOf, press } from '../load/press.ts';
import { responseOf, type Bench, compare, type Measures, ofServers, pressHttp, type Scenario } from './scenario.ts';

/** One kind of write. */
interface Write {
  readonly name: string;
  readonly bar?: number;
  /** The transaction that it comes to. */
  readonly transaction: 'create' | 'update' | 'delete';
  /** Where its objects stand. */
  readonly path: string;
  /** Makes an object that it works on; without, the write itself makes it. */
  readonly prepare?: (name: string) => LoadRequest;
  readonly send: (name: string, turn: number) => LoadRequest;
}

const clients = 32;
const namespace = 'bench-writes';
const [configMaps, deployments] = [configMapsPath(namespace), deploymentsPath(namespace)];

/** Objects that are changed again and again, each by one client at a time. */
const changed = 256;

const applyType = 'application/apply-patch+yaml';
const manager = '?fieldManager=bench';

const makeConfigMap = (name: string): LoadRequest => ({ method: 'POST', path: configMaps, body: configMap(name) });
const makeDeployment = (name: string): LoadRequest => ({ method: 'POST', path: deployments, body: deployment(name) });
const apply = (name: string, replicas: number): LoadRequest => ({
  method: 'PATCH',
  path: `${deployments}/${name}${manager}`,
  type: applyType,
  body: deployment(name, replicas),
});

const kinds: readonly Write[] = [
  { name: 'create', bar: 1.5, transaction: 'create', path: configMaps, send: makeConfigMap },
  {
    name: 'update',
    transaction: 'update',
    path: configMaps,
    prepare: makeConfigMap,
    send: (name, turn) => ({ method: 'PUT', path: `${configMaps}/${name}`, body: configMap(name, {}, `${turn} `) }),
  },
  {
    name: 'delete',
    transaction: 'delete',
    path: configMaps,
    prepare: makeConfigMap,
    send: (name) => ({ method: 'DELETE', path: `${configMaps}/${name}` }),
  },
  {
    name: 'status-patch',
    bar: 2,
    transaction: 'update',
    path: deployments,
    prepare: makeDeployment,
    send: (name, turn) => ({
      method: 'PATCH',
      path: `${deployments}/${name}/status`,
      type: 'application/merge-patch+json',
      body: JSON.stringify({ status: { observedGeneration: 1, replicas: turn, readyReplicas: turn } }),
    }),
  },
  {
    name: 'apply-new',
    bar: 3,
    transaction: 'create',
    path: deployments,
    send: (name) => apply(name, 1),
  },
  {
    name: 'apply-again',
    bar: 3,
    transaction: 'update',
    path: deployments,
    prepare: (name) => apply(name, 1),
    send: (name, turn) => apply(name, turn),
  },
];

/** Writes at concurrency 32, beside the sum of the same request to a minimal Koa and the same transaction through etcd3 alone. */
export const writes: readonly Scenario[] = kinds.map((write) => ({
  name: `write-${write.name}`,
  async run(bench) {
    const { lab, report } = bench;
    for (const server of lab.servers) await ensureNamespace(server, namespace);
    const sample = await sampleOf(lab, write);
    const measures: Measures = {
      ...ofServers(lab, (server) => () => writesOf(lab, server, write)),
      bare: () => bareWrites(bench, write, sample),
    };
    // A write's bar is about programs that are warm, and its code is long: what compiles it takes seconds.
    await compare(1, 'cpuMicros', measures);
    const figures = await compare(lab.settings.rounds, 'cpuMicros', measures);
    const { bar } = write;
    report({
      scenario: `write-${write.name}, ${clients} clients`,
      figures,
      compared: 'cpuMicros',
      ...(bar ? { bar } : {}),
    });
  },
}));

/** What such a write answers, for the bare program to answer too, and the bytes of the object that it stores. */
interface Sample {
  readonly response: string;
  readonly objectBytes: number;
}

async function sampleOf(lab: Lab, write: Write): Promise<Sample> {
  const name = `sample-${write.name}-${Date.now().toString(36)}`;
  const response = `write-${write.name}`;
  const send = (request: LoadRequest): Promise<Buffer> =>
    withClients(lab.ours, 1, async ([client]) => (await client?.send(request)) ?? Buffer.alloc(0));
  if (write.prepare) await send(write.prepare(name));
  if (write.transaction !== 'delete') {
    await lab.keepResponse(response, await send(write.send(name, 1)));
    return { response, objectBytes: (await responseOf(lab.ours, `${write.path}/${name}`)).length };
  }
  const { length } = await responseOf(lab.ours, `${write.path}/${name}`);
  await lab.keepResponse(response, await send(write.send(name, 1)));
  return { response, objectBytes: length };
}

async function writesOf({ settings }: Lab, server: ApiServer, write: Write): Promise<Figures> {
  const { prepare, transaction } = write;
  // Names are used once, over all rounds.
  const round = Date.now().toString(36);
  const name = (turn: number): string => `${write.name}-${round}-${turn}`;
  const prepared = !prepare ? 0 : transaction === 'delete' ? Math.ceil(6_000 * settings.seconds) : changed;
  return withClients(server, clients, async (connections) => {
    const send = (client: number, request: LoadRequest): Promise<Buffer | undefined> =>
      Promise.resolve(connections[client % clients]?.send(request));
    if (prepare) await eachOf(prepared, clients, (index, worker) => send(worker, prepare(name(index))));
    const load = { pid: server.pid, clients, seconds: settings.seconds };
    return press(load, (client, turn) => {
      if (transaction === 'delete' && turn >= prepared) throw new RangeError('more is deleted than was prepared');
      return send(client, write.send(name(transaction === 'update' ? turn % changed : turn), turn));
    });
  });
}

async function bareWrites(
  { lab, bareResponses }: Bench,
  write: Write,
  { response, objectBytes }: Sample,
): Promise<Figures> {
  const { seconds } = lab.settings;
  const koa = await pressHttp(await bareResponses(), { clients, seconds }, (turn) => ({
    ...write.send('sample-0000000000-0000', turn),
    path: `/koa/${response}`,
  }))();
  const count = String(Math.ceil(2_000 * seconds));
  const { transaction } = write;
  const bytes = String(objectBytes);
  const printed = await lab.run('bare/etcd.js', lab.etcd.endpoint, transaction, String(clients), count, bytes);
  // The program's own output.
  const etcd = JSON.parse(printed) as { readonly cpuMicros: number };
  return { cpuMicros: (koa.cpuMicros ?? 0) + etcd.cpuMicros };
}
