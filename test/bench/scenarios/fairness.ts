import { paths } from '../collection.ts';
import type { Figures } from '../figures.ts';
import { type Lab, type Subject, withClients } from '../lab.ts';
import type { LoadRequest } from '../load/http-client.ts';
import { press } from '../load/press.ts';
import { responseOf, compare, pressHttp, type Scenario } from './scenario.ts';

const leases = '/apis/coordination.cl.io/v1/namespaces/default/leases';

/** Connections of the user who lists everything without a pause. */
const hostileClients = '100';

/** Connections of the other user; each leader has one, and a lease of its own. */
const clients = 4;

/** The p99 of other users while one lists everything from a hundred connections, beside their quiet value. */
export const fairness: Scenario = {
  name: 'fairness',
  async run({ fill, lab, report, bareResponses }) {
    await fill();
    await withClients(lab.ours, 1, async ([client]) => {
      for (let holder = 0; holder < clients; holder++) {
        const body = JSON.stringify({ metadata: { name: `lock-${holder}` } });
        await client?.send({ method: 'POST', path: leases, body });
      }
    });
    const { seconds } = lab.settings;
    const leader = lab.oursAs('system:cl-scheduler');
    const rows = [
      {
        what: 'get',
        bar: 5,
        measure: pressHttp(lab.oursAs('guest'), { clients, seconds }, () => ({ path: paths.object })),
      },
      {
        // A GET as any other; leaders hold their leases by renewing them.
        what: 'lease read',
        bar: 5,
        measure: pressHttp(leader, { clients, seconds }, () => ({ path: `${leases}/lock-0` })),
      },
      { what: 'lease renewal', bar: 3, measure: () => renewLeases(leader, seconds) },
    ];
    for (const { what, bar, measure } of rows) {
      const figures = await compare(lab.settings.rounds, 'p99Ms', {
        bare: measure,
        ours: () => besideHostileLists(lab, lab.ours, paths.all, measure),
      });
      const note = "'bare' is the quiet value of the same user";
      report({ scenario: `fairness: ${what} p99`, figures, compared: 'p99Ms', bar, note });
    }
    await lab.keepResponse('object', await responseOf(lab.ours, paths.object));
    await lab.keepResponse('list-0', await responseOf(lab.ours, paths.all));
    const bare = await bareResponses();
    const measure = pressHttp(bare, { clients, seconds }, () => ({ path: '/koa/object' }));
    const figures = await compare(lab.settings.rounds, 'p99Ms', {
      bare: measure,
      ours: () => besideHostileLists(lab, bare, '/raw/list-0', measure),
    });
    report({ scenario: 'fairness: get p99, bare', figures, compared: 'p99Ms', note: 'the same of the bare program' });
  },
};

/** Renews leases as leader election does: each PUT has the version of the answer to the one before. */
function renewLeases(leader: Subject, seconds: number): Promise<Figures> {
  return withClients(leader, clients, async (connections) => {
    const versions = new Map<number, string>();
    const renew = async (holder: number, turn: number): Promise<void> => {
      const name = `lock-${holder}`;
      const path = `${leases}/${name}`;
      const send = async (request: LoadRequest): Promise<Lease> =>
        JSON.parse((await connections[holder]?.send(request))?.toString() ?? '{}');
      const resourceVersion = versions.get(holder) ?? (await send({ path })).metadata.resourceVersion;
      const spec = { holderIdentity: 'bench', leaseDurationSeconds: 15, leaseTransitions: turn };
      const body = JSON.stringify({ metadata: { name, resourceVersion }, spec });
      versions.set(holder, (await send({ method: 'PUT', path, body })).metadata.resourceVersion);
    };
    return press({ pid: leader.pid, clients, seconds }, renew);
  });
}

/** The part of a Lease that its next renewal needs. */
interface Lease {
  readonly metadata: { readonly resourceVersion: string };
}

async function besideHostileLists(
  lab: Lab,
  { url }: Subject,
  path: string,
  measure: () => Promise<Figures>,
): Promise<Figures> {
  const storm = lab.start('load/list-storm.js', url, path, 'hostile-token', hostileClients);
  try {
    return await measure();
  } finally {
    await storm.stop();
  }
}
