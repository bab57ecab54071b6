import { createClient } from '../../../src/client/index.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { until } from '../until.ts';
import { accountStories } from './accounts.ts';
import { budgetStories } from './budgets.ts';
import { collectorStories } from './collector.ts';
import { cronJobStories } from './cron-jobs.ts';
import { daemonSetStories } from './daemon-sets.ts';
import { deploymentStories } from './deployments.ts';
import { endpointStories } from './endpoints.ts';
import { jobStories } from './jobs.ts';
import { namespaceStories } from './namespaces.ts';
import { quotaStories } from './quotas.ts';
import { replicaSetStories } from './replica-sets.ts';
import { schedulingStories } from './scheduling.ts';
import { statefulSetStories } from './stateful-sets.ts';
import { taintStories } from './taints.ts';
import { identifiers, resources, type World } from './world.ts';

/**
 * The conformance tests of the field that need no containers, each retold by one story. All run on
 * one server.
 */
describe('conformance of the controllers', () => {
  let server: TestServer;
  const world = {} as { -readonly [Name in keyof World]: World[Name] };
  let namespaces = 0;
  before(async () => {
    server = await startServer({
      identifiers,
      controllers: true,
      nodes: 2,
      advertiseAddress: '10.0.0.9',
      // The first release in which a Job has a policy for failed pods.
      emulatedRelease: '1.26',
    });
    const client = createClient(server.connection);
    world.client = client;
    world.newNamespace = async () => {
      const name = `story-${++namespaces}`;
      await client.resource(resources.namespaces).create({ metadata: { name } });
      const { items } = await client.resource(resources.serviceaccounts).list({ namespace: name });
      if (items.length > 0) return name;
      await until('the default account', async () => {
        const found = await client.resource(resources.serviceaccounts).list({ namespace: name });
        return found.items.length > 0;
      });
      return name;
    };
  });
  after(async () => {
    await world.client.close();
    await server.stop();
  });
  describe('deployments', () => deploymentStories(world));
  describe('replica sets and replication controllers', () => replicaSetStories(world));
  describe('stateful sets', () => statefulSetStories(world));
  describe('daemon sets', () => daemonSetStories(world));
  describe('jobs', () => jobStories(world));
  describe('cron jobs', () => cronJobStories(world));
  describe('disruption budgets', () => budgetStories(world));
  describe('the garbage collector', () => collectorStories(world));
  describe('quotas', () => quotaStories(world));
  describe('namespaces', () => namespaceStories(world));
  describe('endpoints', () => endpointStories(world));
  describe('accounts', () => accountStories(world));
  describe('scheduling', () => schedulingStories(world));
  describe('taints', () => taintStories(world));
});
