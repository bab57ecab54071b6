import { paths } from '../collection.ts';
import type { Figures } from '../figures.ts';
import { type ApiServer, type Lab, withClients } from '../lab.ts';
import { compare, pressHttp, type Scenario } from './scenario.ts';

const leases = '/apis/coordination.cl.io/v1/namespaces/default/leases';

/** Connections of the user who lists everything without a pause. */
const hostileClients = '100';

/** The p99 of other users while one lists everything from a hundred connections, beside their quiet value. */
export const fairness: Scenario = {
  name: 'fairness',
  async run({ fill, lab, report }) {
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
        ours: () => besideHostileLists(lab, user, measure),
      });
      const note = "'bare' is the quiet value of the same user";
      report({ scenario: `fairness: ${what} p99`, figures, compared: 'p99Ms', bar, note });
    }
  },
};

async function besideHostileLists(lab: Lab, { url }: ApiServer, measure: () => Promise<Figures>): Promise<Figures> {
  const storm = lab.start('load/list-storm.js', url, paths.all, 'hostile-token', hostileClients);
  try {
    return await measure();
  } finally {
    await storm.stop();
  }
}
