import { X509Certificate } from 'node:crypto';
import { readdir, readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { findRun, isRunning, type RunRecord } from '../../up/run-record.ts';
import type { Plane } from './examined-plane.ts';
import { error, expiry, type Finding, ok, warning } from './finding.ts';

const mebibyte = 1024 * 1024;
/** etcd refuses to start with less than room for a piece of its log, which has 64 MiB. */
const leastFreeMiB = 256;
const lowFreeMiB = 2048;
/** etcd's default limit, at which it refuses all writes. */
const databaseLimitMiB = 2048;
const nearLimit = 0.8;
const answerTimeoutMs = 5000;

/** The findings about a control plane of this machine that need no server. Never rejects. */
export async function checkPlane(plane: Plane, nowMs: number): Promise<readonly Finding[]> {
  const run = await findRun(plane.dataDir);
  const found = await Promise.all([
    partFindings(plane, run),
    diskFindings(plane),
    certificateFindings(plane, nowMs),
    etcdFindings(plane, run?.etcd),
  ]);
  return found.flat();
}

async function partFindings({ dataDir, chosen }: Plane, run: RunRecord | undefined): Promise<Finding[]> {
  if (!run) return [error(`no control plane runs on ${dataDir}`, `start it with "cl up${chosen}"`)];
  const ended = Object.entries(run.parts).filter(([, pid]) => !isRunning(pid));
  if (ended.length === 0) return [ok(`the parts of the control plane run: ${Object.keys(run.parts).join(', ')}`)];
  return ended.map(([name, pid]) =>
    error(`${name} (process ${pid}) has ended`, `"cl up logs ${name}${chosen}" may say why; start it again`),
  );
}

async function diskFindings({ dataDir }: Plane): Promise<Finding[]> {
  const stats = await statfs(dataDir).catch(() => undefined);
  if (!stats) return [warning(`the disk of ${dataDir} cannot be looked at`, 'see whether the folder can be read')];
  const { bavail, bsize } = stats;
  const freeMiB = Math.floor((bavail * bsize) / mebibyte);
  const text = `the disk of ${dataDir} has ${freeMiB} MiB left`;
  if (freeMiB < leastFreeMiB) return [error(text, 'make room, or move the data: etcd ends when it cannot write')];
  return [freeMiB < lowFreeMiB ? warning(text, 'make room before etcd cannot write') : ok(text)];
}

async function certificateFindings({ dataDir, chosen }: Plane, nowMs: number): Promise<Finding[]> {
  const names = await readdir(join(dataDir, 'pki')).catch(() => []);
  const files = ['admin.crt', ...names.filter((name) => name.endsWith('.crt')).map((name) => join('pki', name))];
  const found = await Promise.all(
    files.map(async (file) => {
      const end = await endOf(join(dataDir, file));
      const advice = `start it again with "cl up${chosen}", which renews what expires soon`;
      return end === undefined
        ? error(`${file} cannot be read`, advice)
        : expiry(`the certificate ${file}`, end, nowMs, advice);
    }),
  );
  const wrong = found.filter(({ level }) => level !== 'ok');
  return wrong.length > 0 ? wrong : [ok(`the ${files.length} certificates in ${dataDir} do not expire soon`)];
}

async function endOf(file: string): Promise<number | undefined> {
  try {
    return Date.parse(new X509Certificate(await readFile(file)).validTo);
  } catch {
    return undefined;
  }
}

const adviceByAlarm: Readonly<Record<string, string>> = {
  NOSPACE: 'compact and defragment etcd, then disarm the alarm: writes are refused until then',
  CORRUPT: 'restore a snapshot into a new control plane: "cl snapshot restore"',
};

async function etcdFindings({ chosen }: Plane, endpoint: string | undefined): Promise<Finding[]> {
  if (endpoint === undefined) return [];
  try {
    const { version, databaseBytes, alarms } = await etcdMember(endpoint);
    const sizeMiB = Math.ceil(databaseBytes / mebibyte);
    const text = `etcd ${version} answers at ${endpoint}; its database has ${sizeMiB} MiB`;
    const advice = `delete what is not needed, then compact and defragment it: it refuses writes at ${databaseLimitMiB} MiB`;
    return [
      sizeMiB > databaseLimitMiB * nearLimit ? warning(text, advice) : ok(text),
      ...alarms.map((alarm) => error(`etcd has the alarm ${alarm}`, adviceByAlarm[alarm] ?? 'see the log of etcd')),
    ];
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return [error(`etcd does not answer at ${endpoint}: ${why}`, `see "cl up logs etcd${chosen}"`)];
  }
}

/** Asked directly, since the server may be the part that is down. */
async function etcdMember(endpoint: string) {
  const { connectEtcd } = await import('../../../etcd/etcd-client.ts');
  const etcd = await connectEtcd({ endpoints: [endpoint] });
  try {
    return await etcd.member(AbortSignal.timeout(answerTimeoutMs));
  } finally {
    etcd.close();
  }
}
