import type { JsonObject } from '../../../src/meta/json-value.ts';
import { configMap, configMapsPath, ensureNamespace } from '../collection.ts';
import type { Figures } from '../figures.ts';
import { type Subject, withClients } from '../lab.ts';
import type { LoadRequest } from '../load/http-client.ts';
import { press } from '../load/press.ts';
import { type Bench, compare, type Scenario } from './scenario.ts';

/** A create in a namespace with quotas and limit ranges. */
interface AdmittedCreate {
  readonly name: string;
  readonly send: (name: string) => LoadRequest;
  /** CPU in microseconds that admission may add. */
  readonly surplus: number;
  readonly note: string;
}

const clients = 32;
const namespace = 'bench-admission';
const at = `/api/v1/namespaces/${namespace}`;

const creates: readonly AdmittedCreate[] = [
  {
    name: 'admit-configmap',
    surplus: 40,
    send: (name) => ({ method: 'POST', path: configMapsPath(namespace), body: configMap(name) }),
    note: 'the quotas count Pods alone',
  },
  {
    name: 'admit-pod',
    surplus: 40,
    send: (name) => ({ method: 'POST', path: `${at}/pods`, body: pod(name) }),
    note: 'all quotas count it: 32 clients share the writes of their statuses',
  },
];

function pod(name: string): string {
  const container = { name: 'c', image: 'example.com/app:1', resources: { limits: { memory: '64Mi' } } };
  return JSON.stringify({
    metadata: { name, labels: { app: 'bench' } },
    spec: { containers: [container, { ...container, name: 'd' }] },
  });
}

/**
 * Creates in a namespace with three quotas and two limit ranges, with the default plugins; the bare
 * program is this server without any plugin, where the namespace has nothing.
 */
export const admission: readonly Scenario[] = creates.map((create) => ({
  name: create.name,
  async run({ lab, report }: Bench) {
    await prepare(lab.ours);
    const bare = await lab.startServer('/bench-no-admission', '--admission-control=AlwaysAdmit');
    await ensureNamespace({ contender: 'ours', ...bare }, namespace);
    const measures = {
      ours: () => createsOf(lab.ours, create, lab.settings.seconds),
      bare: () => createsOf(bare, create, lab.settings.seconds),
    };
    await compare(1, 'cpuMicros', measures);
    const figures = await compare(lab.settings.rounds, 'cpuMicros', measures);
    await lab.stopSubject(bare);
    const { name, surplus, note } = create;
    report({ scenario: `${name}, ${clients} clients`, figures, compared: 'cpuMicros', surplus, note });
  },
}));

const containerLimits: JsonObject = { type: 'Container', defaultRequest: { cpu: '10m' }, default: { cpu: '100m' } };
const podLimits: JsonObject = { type: 'Pod', max: { cpu: '64', memory: '64Gi' } };

const many = '1000000000';
const quotas: Readonly<Record<string, JsonObject>> = {
  requests: { pods: many, 'requests.cpu': many },
  limits: { 'limits.cpu': many, 'limits.memory': many + many },
  counts: { 'count/pods': many },
};

async function prepare(server: Subject & { readonly contender: 'ours' | 'peer' }): Promise<void> {
  await ensureNamespace(server, namespace);
  const make = (resource: string, name: string, rest: JsonObject = {}) =>
    sendOnce(server, {
      method: 'POST',
      path: `${at}/${resource}`,
      body: JSON.stringify({ metadata: { name }, ...rest }),
    });
  await make('serviceaccounts', 'default');
  await make('limitranges', 'containers', { spec: { limits: [containerLimits] } });
  await make('limitranges', 'pods', { spec: { limits: [podLimits] } });
  for (const [name, hard] of Object.entries(quotas)) {
    await make('resourcequotas', name, { spec: { hard } });
    const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']));
    await sendOnce(server, {
      method: 'PATCH',
      path: `${at}/resourcequotas/${name}/status`,
      type: 'application/merge-patch+json',
      body: JSON.stringify({ status: { hard, used } }),
    });
  }
}

/** Sends a request whose object may exist already, from an earlier scenario. */
function sendOnce(server: Subject, request: LoadRequest): Promise<void> {
  return withClients(server, 1, async ([client]) => {
    await client?.send(request).catch((error: unknown) => {
      if (!String(error).includes(' 409 ')) throw error;
    });
  });
}

async function createsOf(server: Subject, { name, send }: AdmittedCreate, seconds: number): Promise<Figures> {
  // Names are used once, over all rounds.
  const round = Date.now().toString(36);
  return withClients(server, clients, (connections) =>
    press({ pid: server.pid, clients, seconds }, (client, turn) =>
      Promise.resolve(connections[client % clients]?.send(send(`${name}-${round}-${turn}`))),
    ),
  );
}
