import type { JsonObject } from '../../../src/meta/json-value.ts';
import { configMap, configMapsPath, ensureNamespace } from '../collection.ts';
import type { Figures } from '../figures.ts';
import { type Subject, withClients } from '../lab.ts';
import { press } from '../load/press.ts';
import { type Bench, compareClosely, type Scenario } from './scenario.ts';

const clients = 32;
const namespace = 'bench-policies';
const release = '--emulated-release=1.36';
const bareFlags = [release, '--disable-admission-plugins=MutatingAdmissionPolicy,ValidatingAdmissionPolicy'];

/** A number of equal policies, and the CPU in microseconds that they may add to a write. */
interface PolicyLoad {
  readonly name: string;
  readonly count: number;
  readonly resource: string;
  readonly surplus: number;
  readonly note: string;
}

const loads: readonly PolicyLoad[] = [
  {
    name: 'policies-that-do-not-match',
    count: 1_000,
    resource: 'secrets',
    surplus: 2,
    note: '1,000 policies with bindings for another resource',
  },
  {
    name: 'policy-with-three-rules',
    count: 1,
    resource: 'configmaps',
    surplus: 20,
    note: 'a variable, and three rules that hold, on each write',
  },
];

/** Creates beside policies; the bare program is a server that runs none. */
export const policies: readonly Scenario[] = loads.map((load) => ({
  name: load.name,
  async run({ lab, report }: Bench) {
    const judged = await lab.startServer(`/bench-${load.name}`, release);
    const bare = await lab.startServer('/bench-no-policies', ...bareFlags);
    for (const server of [judged, bare]) await ensureNamespace({ contender: 'ours', ...server }, namespace);
    await configure(judged, load);
    const figures = await compareClosely(lab.settings, 'cpuMicros', (seconds) => ({
      ours: () => createsOf(judged, seconds),
      bare: () => createsOf(bare, seconds),
    }));
    await lab.stopSubject(judged);
    await lab.stopSubject(bare);
    const { name, surplus, note } = load;
    report({ scenario: `${name}, ${clients} clients`, figures, compared: 'cpuMicros', surplus, note });
  },
}));

function policyFor(resource: string): JsonObject {
  return {
    matchConstraints: {
      resourceRules: [
        { operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: [resource] },
      ],
    },
    variables: [{ name: 'labels', expression: 'has(object.metadata.labels) ? object.metadata.labels : {}' }],
    validations: [
      { expression: 'object.metadata.name.size() < 200' },
      { expression: '!("example.com/frozen" in variables.labels)' },
      { expression: 'request.userInfo.username != "" && variables.labels.size() < 20' },
    ],
  };
}

async function configure(server: Subject, { count, resource }: PolicyLoad): Promise<void> {
  const group = '/apis/admissionregistration.cl.io/v1';
  await withClients(server, 1, async ([client]) => {
    for (let index = 0; index < count; index++) {
      const metadata = { name: `p${index}` };
      const policy = { metadata, spec: policyFor(resource) };
      const binding = { metadata, spec: { policyName: metadata.name, validationActions: ['Deny'] } };
      await client?.send({
        method: 'POST',
        path: `${group}/validatingadmissionpolicies`,
        body: JSON.stringify(policy),
      });
      await client?.send({
        method: 'POST',
        path: `${group}/validatingadmissionpolicybindings`,
        body: JSON.stringify(binding),
      });
    }
  });
}

async function createsOf(server: Subject, seconds: number): Promise<Figures> {
  // Names are used once, over all rounds.
  const round = Date.now().toString(36);
  const path = configMapsPath(namespace);
  return withClients(server, clients, (connections) =>
    press({ pid: server.pid, clients, seconds }, (client, turn) =>
      Promise.resolve(
        connections[client % clients]?.send({ method: 'POST', path, body: configMap(`c-${round}-${turn}`) }),
      ),
    ),
  );
}
