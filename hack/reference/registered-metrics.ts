import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInformerMetrics, createQueueMetrics } from '../../src/client/index.ts';
import { webhookDefaults } from '../../src/config/flags/authorization-options.ts';
import type { FamilySnapshot } from '../../src/metrics/family-snapshot.ts';
import type { MetricFamily } from '../../src/metrics/metric-family.ts';
import { nodeMetrics } from '../../src/metrics/node-metrics.ts';
import { processMetrics } from '../../src/metrics/process-metrics.ts';
import { createServer } from '../../src/server/index.ts';

/** A family as its registry has it, without its series. */
export type RegisteredFamily = Omit<MetricFamily, 'samples' | 'forget'>;

/** The families of each program, by name. */
export interface RegisteredMetrics {
  readonly server: readonly RegisteredFamily[];
  readonly controllerManager: readonly RegisteredFamily[];
  /** The families whose series have other labels than their family says. */
  readonly findings: readonly string[];
}

/** The metrics that the programs register, with all parts of the server in use. */
export async function registeredMetrics(): Promise<RegisteredMetrics> {
  const [queues, informers] = [createQueueMetrics(), createInformerMetrics()];
  const ofManager = [...processMetrics, ...nodeMetrics(), ...queues.families, ...informers.families];
  const server = await serverFamilies();
  return { server: byName(server), controllerManager: byName(ofManager), findings: server.flatMap(labelFaults) };
}

function labelFaults({ name, labelNames = [], series: [sample] }: FamilySnapshot): readonly string[] {
  const labels = Object.keys(sample?.labels ?? {});
  const isTrue = sample === undefined || labels.join() === labelNames.join();
  return isTrue ? [] : [`${name} says that its labels are ${labelNames.join()}, but they are ${labels.join()}`];
}

function byName(families: readonly RegisteredFamily[]): readonly RegisteredFamily[] {
  return families.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const webhook = `apiVersion: v1
kind: Config
clusters: [{name: a, cluster: {server: 'https://127.0.0.1:1'}}]
contexts: [{name: a, context: {cluster: a}}]
current-context: a
`;

/** Starts a server that nobody can reach, and takes what it offers to processes beside it. */
async function serverFamilies(): Promise<readonly FamilySnapshot[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cl-metrics-'));
  const clientConfigFile = path.join(folder, 'webhook.yaml');
  const auditPolicyFile = path.join(folder, 'policy.yaml');
  writeFileSync(clientConfigFile, webhook);
  writeFileSync(auditPolicyFile, 'apiVersion: audit.cl.io/v1\nkind: Policy\nrules: [{level: None}]\n');
  let take: () => readonly FamilySnapshot[] = () => [];
  const server = await createServer({
    tokens: [{ token: 'unused', username: 'unused' }],
    authorizationMode: [
      { type: 'Webhook', name: 'a', clientConfigFile, version: 'v1', onFailure: 'deny', ...webhookDefaults },
    ],
    auditPolicyFile,
    auditLog: { path: path.join(folder, 'audit.log') },
    siblings: {
      listen: async () => 1,
      offerMetrics: (offered) => (take = offered),
      gatherMetrics: async () => [],
      start: '1',
      number: '1',
      remain: false,
    },
  });
  try {
    await server.started;
    return take();
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
}
