import { createServer } from 'node:http';
import { hostname } from 'node:os';
import {
  builtInResources,
  createClient,
  createQueueMetrics,
  findClientConfig,
  runLeaderElection,
} from 'cl-apiserver/client';
import { formatMetrics } from './format-metrics.js';
import { runGreeter } from './greeter.js';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const metrics = createQueueMetrics();
const metricsServer = createServer((_, response) => response.end(formatMetrics(metrics.families))).listen(
  9090,
  '127.0.0.1',
);

const client = createClient(await findClientConfig());
// Of several copies of this program one works, and another takes over when it is gone.
const end = await runLeaderElection(
  {
    leases: client.resource(builtInResources().leases),
    namespace: 'default',
    name: 'greeter',
    identity: `${hostname()}-${process.pid}`,
    lead: (signal) => runGreeter(client, signal, metrics),
    onError: console.error,
  },
  stop.signal,
);
metricsServer.close();
await client.close();
// A leader that lost its lease ends, and is started again as a candidate.
process.exitCode = end === 'lost' ? 1 : 0;
