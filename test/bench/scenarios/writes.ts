import { configMap, configMapsPath, ensureNamespace } from '../collection.ts';
import type { Figures } from '../figures.ts';
import { type ApiServer, type Lab, withClients } from '../lab.ts';
import type { LoadRequest } from '../load/http-client.ts';
import { eachOf, press } from '../load/press.ts';
import { answerOf, type Bench, compare, ofServers, pressHttp, type Scenario } from './scenario.ts';

type Operation = 'create' | 'update' | 'delete';

const operations: readonly { readonly operation: Operation; readonly bar?: number }[] = [
  { operation: 'create', bar: 1.5 },
  { operation: 'update' },
  { operation: 'delete' },
];
const clients = 32;
const path = configMapsPath('bench-writes');

/** Objects that are updated, each by one client at a time. */
const updated = 256;

/** Writes at concurrency 32, beside the sum of a minimal Koa request and the same etcd transaction through etcd3 alone. */
export const writes: Scenario = {
  name: 'write',
  async run(bench) {
    const { lab, report } = bench;
    for (const server of lab.servers) await ensureNamespace(server, 'bench-writes');
    const body = configMap('sample');
    await withClients(
      lab.ours,
      1,
      ([client]) => client?.send({ method: 'POST', path, body }).catch(() => {}) ?? Promise.resolve(),
    );
    await lab.keepAnswer('object', await answerOf(lab.ours, `${path}/sample`));
    for (const { operation, bar } of operations) {
      const figures = await compare(lab.settings.rounds, 'cpuMicros', {
        ...ofServers(lab, (server) => () => writesOf(lab, server, operation)),
        bare: () => bareWrites(bench, operation),
      });
      report({
        scenario: `write: ${operation}, ${clients} clients`,
        figures,
        compared: 'cpuMicros',
        ...(bar ? { bar } : {}),
      });
    }
  },
};

async function writesOf({ settings }: Lab, server: ApiServer, operation: Operation): Promise<Figures> {
  // Names are used once, over all rounds.
  const round = Date.now().toString(36);
  const name = (turn: number): string => `${operation}-${round}-${turn}`;
  const prepared = operation === 'create' ? 0 : operation === 'update' ? updated : Math.ceil(6_000 * settings.seconds);
  return withClients(server, clients, async (connections) => {
    const send = (client: number, request: LoadRequest): Promise<Buffer | undefined> =>
      Promise.resolve(connections[client % clients]?.send(request));
    await eachOf(prepared, clients, (index, worker) =>
      send(worker, { method: 'POST', path, body: configMap(name(index)) }),
    );
    const requests: Readonly<Record<Operation, (turn: number) => LoadRequest>> = {
      create: (turn) => ({ method: 'POST', path, body: configMap(name(turn)) }),
      update: (turn) => {
        const target = name(turn % updated);
        return { method: 'PUT', path: `${path}/${target}`, body: configMap(target, {}, `${turn} `) };
      },
      delete: (turn) => ({ method: 'DELETE', path: `${path}/${name(turn)}` }),
    };
    const load = { pid: server.pid, clients, seconds: settings.seconds };
    return press(load, (client, turn) => {
      if (operation === 'delete' && turn >= prepared) throw new RangeError('more is deleted than was prepared');
      return send(client, requests[operation](turn));
    });
  });
}

async function bareWrites({ lab, bareAnswers }: Bench, operation: Operation): Promise<Figures> {
  const { seconds } = lab.settings;
  const koa = await pressHttp(await bareAnswers(), { clients, seconds }, () => ({
    method: 'POST',
    path: '/koa/object',
    body: configMap('bare'),
  }))();
  const count = String(Math.ceil(2_000 * seconds));
  const printed = await lab.run('bare/etcd.js', lab.etcd.endpoint, operation, String(clients), count, '940');
  // The program's own output.
  const etcd = JSON.parse(printed) as { readonly cpuMicros: number };
  return { cpuMicros: (koa.cpuMicros ?? 0) + etcd.cpuMicros };
}
