import type { JsonObject } from '../../../meta/json-value.ts';
import { stringAt } from '../../../meta/read-field.ts';
import { readObject } from '../../../client/read-object.ts';
import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { once } from 'node:events';
import type { TLSSocket } from 'node:tls';
import { packageVersion } from '../../../package/package-root.ts';
import { StatusError } from '../../../client/error-of-response.ts';
import { type Check, error, type Examination, expiry, type Finding, ok, warning } from './finding.ts';

/** More than a request takes, and less than what tokens and leases suffer from. */
const skewLimitMs = 5000;
const timeoutMs = 5000;

/** The certificate of the server, and its clock. */
export const checkServerCertificate: Check = async ({ client, nowMs }) => {
  const { server, ca, serverName: servername, insecure } = client.settings;
  if (!server.startsWith('https:')) return [error(`${server} is not encrypted`, 'use an https:// address')];
  const asked = httpsRequest(`${server}/version`, {
    ca,
    servername,
    rejectUnauthorized: !insecure,
    signal: AbortSignal.timeout(timeoutMs),
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const { valid_to: end } = (response.socket as TLSSocket).getPeerCertificate();
  response.resume();
  const found: Finding[] = [
    expiry(
      'the certificate of the server',
      Date.parse(end),
      nowMs,
      'issue a new one; the server reads its files again',
    ),
  ];
  if (insecure) found.push(error('the certificate of the server is not verified', 'set certificate-authority-data'));
  const skewMs = Date.parse(response.headers.date ?? '') - nowMs;
  const seconds = Math.round(skewMs / 1000);
  if (Number.isNaN(skewMs)) return found;
  if (Math.abs(skewMs) < skewLimitMs) return [...found, ok('the clocks of the server and of this machine agree')];
  const apart = `the clock of the server is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this one`;
  return [...found, error(apart, 'synchronize the clocks: tokens and certificates depend on them')];
};

/** The certificate or the token of the client. */
export const checkCredentials: Check = async ({ client, nowMs }) => {
  const { cert, token } = client.settings;
  const found: Finding[] = [];
  if (cert) {
    const end = Date.parse(new X509Certificate(cert).validTo);
    found.push(
      expiry('the certificate of the client', end, nowMs, 'get a new client config; "cl up" writes one at each start'),
    );
  }
  const end = token && expiryOf(token);
  if (end) found.push(expiry('the token of the client', end, nowMs, 'get a new one with "cl create token"'));
  return found;
};

/** The time in a JWT; undefined for other tokens. */
function expiryOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const isDated = typeof claims === 'object' && claims !== null && 'exp' in claims && typeof claims.exp === 'number';
    return isDated ? (claims.exp as number) * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** The versions of the server and of this program. */
export const checkVersion: Check = async ({ client, io }) => {
  const request = { method: 'GET', path: '/version', signal: io.signal };
  const gitVersion = stringAt(
    readObject(client.codec, await client.transport.request(request), request) as JsonObject,
    'gitVersion',
  );
  const own = packageVersion();
  const served = /\+cl\.(.+)$/.exec(gitVersion)?.[1];
  if (served === undefined || served === own) return [ok(`the server has version ${gitVersion}`)];
  return [warning(`the server is of version ${served}, cl of ${own}`, 'install the same version of both')];
};

/** Advice for the checks of the server, by their names. */
const adviceByCheck: Readonly<Record<string, string>> = {
  etcd: 'see whether etcd runs, and the log of the server',
  'etcd-alarm-nospace': 'compact and defragment etcd, then disarm the alarm: writes are refused until then',
  'etcd-alarm-corrupt': 'replace the member of etcd that has other data than the rest',
  log: 'see whether the disk of the log is full',
  'storage-watch': 'see whether etcd runs: caches are not up to date while its watch is broken',
  'informer-sync': 'wait: caches are being loaded; else see the log of the server',
};

/** The checks that the server makes itself. */
export const checkReadiness: Check = async (examination) => {
  const report = await askCheck(examination, '/readyz').then(String, unready);
  if (report === undefined) return failedChecks(examination);
  const made = parts.filter(({ checks }) => checks.every((name) => report.includes(`[+]${name} ok`)));
  return [ok('the server is ready'), ...made.map(({ says }) => ok(says))];
};

/** Each is asked for: the report of all may be too long for the message of an error. */
async function failedChecks(examination: Examination): Promise<Finding[]> {
  const found = await Promise.all(
    Object.entries(adviceByCheck).map(async ([name, advice]) => {
      const answer = await askCheck(examination, `/readyz/${name}`).catch(ignoreUnserved);
      return answer === undefined ? [error(`the check ${name} of the server fails`, advice)] : [];
    }),
  );
  const failed = found.flat();
  return failed.length > 0 ? failed : [error('the server is not ready', 'see "cl get --raw /readyz" and its log')];
}

function askCheck({ client, io }: Examination, path: string) {
  return client.transport.request({ method: 'GET', path, query: { verbose: true }, accept: '*/*', signal: io.signal });
}

/** Checks that users ask about, in words. */
const parts = [
  { checks: ['etcd'], says: 'its store answers' },
  { checks: ['etcd-alarm-nospace', 'etcd-alarm-corrupt'], says: 'its store has no alarms' },
  { checks: ['informer-sync', 'storage-watch'], says: 'its caches are up to date' },
] as const;

function unready(failure: unknown): undefined {
  if (!(failure instanceof StatusError) || failure.code !== 500) throw failure;
}

/** A server without the check does not fail it. */
function ignoreUnserved(failure: unknown): undefined | '' {
  return failure instanceof StatusError && failure.code === 404 ? '' : unready(failure);
}
