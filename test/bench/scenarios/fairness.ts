import { paths } from '../collection.ts';
import type { Figures } from '../figures.ts';
import { type Lab, type Subject, withClients } from '../lab.ts';
import { responseOf, compare, pressHttp, type Scenario } from './scenario.ts';

const leases = '/apis/coordination.cl.io/v1/namespaces/default/leases';

/** Connections of the user who lists everything without a pause. */
const hostileClients = '100';

/** The p99 of other users while one lists everything from a hundred connections, beside their quiet value. */
export const fairness: Scenario = {
  name: 'fairness',
  async run({ fill, lab, report, bareResponses }) {
    await fill();
    const body = JSON.stringify({ metadata: { name: 'lock' } });
    await withClients(lab.ours, 1, async ([client]) => client?.send({ method: 'POST', path: leases, body }));
    const rows = [
      { what: 'get', user: lab.oursAs('guest'), path: paths.object, bar: 5 },
      { what: 'lease', user: lab.oursAs('system:cl-scheduler'), path: `${leases}/lock`, bar: 3 },
    ];
    for (const { what, user, path, bar } of rows) {
      const measure = pressHttp(user, { clients: 4, seconds: lab.settings.seconds }, () => ({ path }));
      const figures = await compare(lab.settings.rounds, 'p99Ms', {
        bare: measure,
        ours: () => besideHostileLists(lab, user, paths.all, measure),
      });
      const note = "'bare' is the quiet value of the same user";
      report({ scenario: `fairness: ${what} p99`, figures, compared: 'p99Ms', bar, note });
    }
    await lab.keepResponse('object', await responseOf(lab.ours, paths.object));
    await lab.keepResponse('list-0', await responseOf(lab.ours, paths.all));
    const bare = await bareResponses();
    const measure = pressHttp(bare, { clients: 4, seconds: lab.settings.seconds }, () => ({ path: '/koa/object' }));
    const figures = await compare(lab.settings.rounds, 'p99Ms', {
      bare: measure,
      ours: () => besideHostileLists(lab, bare, '/raw/list-0', measure),
    });
    report({ scenario: 'fairness: get p99, bare', figures, compared: 'p99Ms', note: 'the same of the bare program' });
  },
};

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
