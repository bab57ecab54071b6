import type { JsonObject } from '../../../src/meta/json-value.ts';
import { configMap, configMapsPath, ensureNamespace } from '../collection.ts';
import type { Figures } from '../figures.ts';
import { type Subject, withClients } from '../lab.ts';
import { press } from '../load/press.ts';
import { type Bench, compareClosely, type Scenario } from './scenario.ts';

const clients = 32;
const namespace = 'bench-webhooks';

/** CPU in microseconds that webhooks which do not match may add to a write. */
const surplus = 5;

const plugins = ['MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook'];

/** The fields for which webhooks do not match: a third of them each. */
const misses: readonly JsonObject[] = [
  { rules: [ruleFor('secrets')] },
  { rules: [ruleFor('*')], namespaceSelector: { matchLabels: { 'example.com/hooked': 'true' } } },
  { rules: [ruleFor('*')], objectSelector: { matchLabels: { 'example.com/hooked': 'true' } } },
];

const webhooksOfEachKind = 50;

/** Creates beside a hundred webhooks that do not match; the bare program is a server that calls none. */
export const webhooks: readonly Scenario[] = [
  {
    name: 'webhooks-that-do-not-match',
    async run({ lab, report }: Bench) {
      const hooked = await lab.startServer('/bench-webhooks');
      const bare = await lab.startServer('/bench-no-webhooks', `--disable-admission-plugins=${plugins.join(',')}`);
      for (const server of [hooked, bare]) await ensureNamespace({ contender: 'ours', ...server }, namespace);
      for (const kind of ['mutating', 'validating']) await configure(hooked, kind);
      const figures = await compareClosely(lab.settings, 'cpuMicros', (seconds) => ({
        ours: () => createsOf(hooked, seconds),
        bare: () => createsOf(bare, seconds),
      }));
      await lab.stopSubject(hooked);
      await lab.stopSubject(bare);
      const note = `${2 * webhooksOfEachKind} webhooks for other resources, namespaces and labels`;
      report({
        scenario: `webhooks-that-do-not-match, ${clients} clients`,
        figures,
        compared: 'cpuMicros',
        surplus,
        note,
      });
    },
  },
];

function ruleFor(resource: string): JsonObject {
  return { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: [resource] };
}

function configure(server: Subject, kind: string): Promise<void> {
  const hooks = Array.from({ length: webhooksOfEachKind }, (_, index) => ({
    name: `h${index}.example.com`,
    ...misses[index % misses.length],
    clientConfig: { url: 'https://127.0.0.1:1/' },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }));
  const path = `/apis/admissionregistration.cl.io/v1/${kind}webhookconfigurations`;
  const body = JSON.stringify({ metadata: { name: 'bench' }, webhooks: hooks });
  return withClients(server, 1, async ([client]) => {
    await client?.send({ method: 'POST', path, body });
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
