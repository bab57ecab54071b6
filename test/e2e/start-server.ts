import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { TestServer, TestServerOptions } from '../../src/testing/index.ts';
import { readEvents, startAuditedServer } from '../http/audit/audited-server.ts';
import { readMetrics } from '../http/read-metrics.ts';
import { checkEvents } from './audit-check.ts';

const policy = { rules: [{ level: 'Metadata' }] };

/**
 * Starts a server of the library, with an audit log. Whatever clients have done with it meanwhile, its end checks that the log has each
 * request once, and no credential.
 */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const audited = await startAuditedServer({ ...options, policy });
  const { server, logPath } = audited;
  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    const counted = await countedRequests(server);
    await server.stop();
    try {
      const [events, text] = await Promise.all([readEvents(logPath), readFile(logPath, 'utf8')]);
      const ended = checkEvents(events);
      assert.ok(ended >= counted, `the log has ${ended} of ${counted} requests`);
      // A token that is also the name of its user is no secret.
      const secret = (options.tokens ?? []).filter(({ token, username }) => token !== username);
      for (const { token } of [server, ...secret]) assert.ok(!text.includes(token), 'the audit log has a token');
    } finally {
      await audited[Symbol.asyncDispose]();
    }
  };
  const stop = (): Promise<void> => (ending ??= end());
  return { ...server, stop, [Symbol.asyncDispose]: stop };
}

/** The requests that have ended, as the server counts them for its metrics. */
async function countedRequests(server: TestServer): Promise<number> {
  let count = 0;
  for (const [series, value] of await readMetrics(server)) {
    if (series.startsWith('apiserver_request_total{')) count += value;
  }
  return count;
}
