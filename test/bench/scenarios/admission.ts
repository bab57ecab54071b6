import type { JsonObject } from '../../../src/meta/json-value.ts';
import { configMap, ensureNamespace } from '../collection.ts';
import type { Figures } from '../figures.ts';
import { type ApiServer, type Subject, withClients } from '../lab.ts';
import type { LoadRequest } from '../load/http-client.ts';
import { press } from '../load/press.ts';
import { type Bench, compareClosely, responseOf, type Scenario } from './scenario.ts';

/** A create in a namespace with quotas and limit ranges. */
interface AdmittedCreate {
  readonly name: string;
  readonly namespace: string;
  /** The body, with a name. */
  readonly body: (name: string) => string;
  readonly resource: 'configmaps' | 'pods';
  /** True: both servers are sent the object as plugins complete it, so that they store the same. */
  readonly isComplete?: boolean;
  /** CPU in microseconds that admission may add. */
  readonly surplus: number;
  readonly note: string;
}

const clients = 32;
/** It has quotas and limit ranges. */
const counted = 'bench-admission';
/** It has limit ranges alone, so that the part of the quotas can be told from that of a larger Pod. */
const limited = 'bench-limits';

const creates: readonly AdmittedCreate[] = [
  {
    name: 'admit-complete-pod',
    surplus: 40,
    namespace: counted,
    resource: 'pods',
    isComplete: true,
    body: pod,
    note: 'what plugins add has been sent; all quotas count it',
  },
  {
    name: 'admit-configmap',
    surplus: 40,
    namespace: counted,
    resource: 'configmaps',
    body: configMap,
    note: 'the quotas count Pods alone',
  },
  {
    name: 'admit-pod',
    surplus: 40,
    namespace: counted,
    resource: 'pods',
    body: pod,
    note: 'all quotas count it: 32 clients share the writes of their statuses',
  },
  {
    name: 'admit-pod-without-quotas',
    surplus: 40,
    namespace: limited,
    resource: 'pods',
    body: pod,
    note: 'limit ranges and the default plugins, which make the Pod larger',
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
 * Creates in a namespace with three quotas and two limit ranges, or the latter alone, with the default plugins; the bare
 * program is this server without any plugin, where the namespace has nothing.
 */
export const admission: readonly Scenario[] = creates.map((create) => ({
  name: create.name,
  async run({ lab, report }: Bench) {
    await prepare(lab.ours, create.namespace);
    const bare = await lab.startServer('/bench-no-admission', '--admission-control=AlwaysAdmit');
    await ensureNamespace({ contender: 'ours', ...bare }, create.namespace);
    const sent = create.isComplete ? { ...create, body: await completed(lab.ours, create) } : create;
    const figures = await compareClosely(lab.settings, 'cpuMicros', (seconds) => ({
      ours: () => createsOf(lab.ours, sent, seconds),
      bare: () => createsOf(bare, sent, seconds),
    }));
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

async function prepare(server: ApiServer, namespace: string): Promise<void> {
  const at = `/api/v1/namespaces/${namespace}`;
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
  if (namespace !== counted) return;
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

/** Returns the body of a create with the spec that the plugins of a server make of it. */
async function completed(server: ApiServer, { namespace, resource, body }: AdmittedCreate): Promise<typeof body> {
  const path = `/api/v1/namespaces/${namespace}/${resource}?dryRun=All`;
  const response = await responseOf(server, { method: 'POST', path, body: body('complete') });
  const { spec } = JSON.parse(response.toString()) as JsonObject;
  return (name) => JSON.stringify({ ...(JSON.parse(body(name)) as JsonObject), spec });
}

/** Sends a request whose object may exist already, from an earlier scenario. */
function sendOnce(server: Subject, request: LoadRequest): Promise<void> {
  return withClients(server, 1, async ([client]) => {
    await client?.send(request).catch((error: unknown) => {
      if (!String(error).includes(' 409 ')) throw error;
    });
  });
}

async function createsOf(
  server: Subject,
  { name, namespace, resource, body }: AdmittedCreate,
  seconds: number,
): Promise<Figures> {
  // Names are used once, over all rounds.
  const round = Date.now().toString(36);
  const path = `/api/v1/namespaces/${namespace}/${resource}`;
  return withClients(server, clients, (connections) =>
    press({ pid: server.pid, clients, seconds }, (client, turn) =>
      Promise.resolve(
        connections[client % clients]?.send({ method: 'POST', path, body: body(`${name}-${round}-${turn}`) }),
      ),
    ),
  );
}
