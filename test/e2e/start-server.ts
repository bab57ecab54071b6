import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { TestServer, TestServerOptions } from '../../src/testing/index.ts';
import { readEvents, startAuditedServer } from '../http/audit/audited-server.ts';
import { request } from '../http/http-client.ts';
import { readMetrics } from '../http/read-metrics.ts';
import { checkEvents } from './audit-check.ts';

const policy = { rules: [{ level: 'Metadata' }] };

/**
 * Starts a server of the library, with an audit log. Whatever clients have done with it meanwhile, its end checks that the log has each
 * request once, no credential, and no value of a Secret.
 */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const audited = await startAuditedServer({ ...options, policy });
  const { server, logPath } = audited;
  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    const values = await secretValues(server);
    const counted = await countedRequests(server);
    await server.stop();
    try {
      const [events, text] = await Promise.all([readEvents(logPath), readFile(logPath, 'utf8')]);
      const ended = checkEvents(events);
      assert.ok(ended >= counted, `the log has ${ended} of ${counted} requests`);
      // A token that is also the name of its user is no secret.
      const secret = (options.tokens ?? []).filter(({ token, username }) => token !== username);
      for (const { token } of [server, ...secret]) assert.ok(!text.includes(token), 'the audit log has a token');
      for (const value of values) assert.ok(!text.includes(value), 'the audit log has a value of a Secret');
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

/** Shorter values, and such without a digit, may be in a log as names. */
const tellingValue = /^(?=.*\d).{6,}$/;

/** The values of the Secrets that are there, as they are and in Base64; none if the store is down. */
async function secretValues(server: TestServer): Promise<readonly string[]> {
  const { status, body, text } = await request(server, 'GET', '/api/v1/secrets');
  if (status >= 500) return [];
  assert.equal(status, 200, text);
  const { items } = body as { readonly items: readonly { readonly data?: Readonly<Record<string, string>> }[] };
  const encoded = items.flatMap(({ data = {} }) => Object.values(data));
  return encoded.flatMap((value) => {
    const plain = Buffer.from(value, 'base64').toString();
    return tellingValue.test(plain) ? [value, plain] : [];
  });
}
