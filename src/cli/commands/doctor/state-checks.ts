import { StatusError } from '../../../client/error-of-response.ts';
import { type Check, type Examination, type Finding, ok, warning } from './finding.ts';

type StateRow = Readonly<Record<string, string | number>>;

/** How long after its expiry a lease counts as abandoned. */
const overdueSeconds = 60;
const slowMs = 20_000;
const manyWatches = 1_000;
/** The size from which an object is reported; etcd refuses values of 1.5 MiB. */
const largeBytes = 1_000_000;
const busyRequests = 10_000;
const busyShare = 0.9;

/** The findings from the server's pages under `/debug`. */
export const checkState: Check = async (examination) => {
  const found: Finding[] = [];
  for (const [path, find] of pages) {
    const rows = await rowsOf(examination, path);
    if (!rows) return [];
    found.push(...find(rows));
  }
  if (found.length > 0) return found;
  return [ok('no slow requests, large objects, busy users, overdue leases or failed compactions')];
};

/** The rows of a page; undefined if the server does not have it or the user may not read it. */
async function rowsOf({ client, io }: Examination, path: string): Promise<readonly StateRow[] | undefined> {
  try {
    const body = await client.transport.request({ method: 'GET', path, signal: io.signal });
    // A page of a server has rows of strings and numbers.
    return (JSON.parse(body.toString()) as { readonly rows: readonly StateRow[] }).rows;
  } catch (error) {
    if (error instanceof StatusError && (error.code === 403 || error.code === 404)) return undefined;
    throw error;
  }
}

const pages: readonly (readonly [path: string, find: (rows: readonly StateRow[]) => readonly Finding[]])[] = [
  ['/debug/requests', slowRequests],
  ['/debug/objects', largeObjects],
  ['/debug/users', busyUsers],
  ['/debug/watches', watchingClients],
  ['/debug/leases', overdueLeases],
  ['/debug/store', storeState],
];

function slowRequests(rows: readonly StateRow[]): readonly Finding[] {
  const slow = rows.filter(({ ms }) => Number(ms) > slowMs);
  const [worst] = slow;
  if (!worst) return [];
  const step = worst['slowestStep'] ? `, mostly in "${worst['slowestStep']}"` : '';
  return [
    warning(
      `${slow.length} requests of the last hour took longer than ${slowMs / 1000} s; the slowest was ${worst['verb']} ${worst['path']} of ${worst['user']} with ${worst['ms']} ms${step}`,
      `the log has its steps under the audit ID ${worst['auditId']}; "cl get --raw /debug/requests" lists the others`,
    ),
  ];
}

function largeObjects(rows: readonly StateRow[]): readonly Finding[] {
  return rows
    .filter(({ bytes }) => Number(bytes) > largeBytes)
    .slice(0, 3)
    .map(({ key, bytes }) =>
      warning(
        `${key} has ${bytes} bytes`,
        'make it smaller: etcd refuses objects of 1.5 MiB, and each list carries it',
      ),
    );
}

function busyUsers(rows: readonly StateRow[]): readonly Finding[] {
  const total = rows.reduce((sum, { requests }) => sum + Number(requests), 0);
  const [first] = rows;
  if (!first || total < busyRequests || Number(first['requests']) < total * busyShare) return [];
  return [
    warning(
      `${first['user']} sent ${first['requests']} of the ${total} requests of this half hour`,
      'see what the program does; a flow schema of its own limits it',
    ),
  ];
}

function watchingClients(rows: readonly StateRow[]): readonly Finding[] {
  return rows
    .filter(({ watches }) => Number(watches) > manyWatches)
    .map(({ user, userAgent, resource, watches }) =>
      warning(
        `${user} (${userAgent}) has ${watches} watches of ${resource}`,
        'a program needs one for each resource: it may leave watches open',
      ),
    );
}

function overdueLeases(rows: readonly StateRow[]): readonly Finding[] {
  return rows
    .filter(({ overdueSeconds: late, holder }) => Number(late) > overdueSeconds && holder !== '')
    .slice(0, 3)
    .map(({ namespace, name, holder, overdueSeconds: late }) =>
      warning(
        `the lease ${namespace}/${name} of ${holder} is overdue for ${late} s`,
        'its holder has stopped or cannot reach the server',
      ),
    );
}

/** The name of a row; rows of another etcd than the main one begin with its name. */
const compactionFailure = /^(?:(.+): )?failure of the last compaction$/;

function storeState(rows: readonly StateRow[]): readonly Finding[] {
  return rows.flatMap(({ name, value }) => {
    const found = compactionFailure.exec(String(name));
    if (!found || value === undefined || value === '') return [];
    const store = found[1] ?? 'the store';
    return [warning(`${store} could not be compacted: ${value}`, 'its history grows until it is: see its log')];
  });
}
