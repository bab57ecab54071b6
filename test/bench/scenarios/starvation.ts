import { paths } from '../collection.ts';
import type { Figures } from '../figures.ts';
import type { Lab, Subject } from '../lab.ts';
import { responseOf, type Bench, compare, pressHttp, type Scenario } from './scenario.ts';

/** The p99 of a GET while two others list everything without a pause, beside its quiet value on the same server. */
export const starvation: Scenario = {
  name: 'starvation',
  async run(bench) {
    await bench.fill();
    const { lab, report, bareResponses } = bench;
    await lab.keepResponse('object', await responseOf(lab.ours, paths.object));
    await lab.keepResponse('list-0', await responseOf(lab.ours, paths.all));
    const note = "'bare' is this server's own quiet value";
    for (const server of lab.servers) {
      const figures = await contrast(bench, server, paths.object, paths.all);
      report({ scenario: `starvation: get p99, ${server.contender}`, figures, compared: 'p99Ms', bar: 5, note });
    }
    const bare = await contrast(bench, await bareResponses(), '/koa/object', '/raw/list-0');
    report({
      scenario: 'starvation: get p99, bare',
      figures: bare,
      compared: 'p99Ms',
      note: 'the same of the bare program',
    });
  },
};

async function contrast(
  { lab }: Bench,
  subject: Subject,
  path: string,
  listPath: string,
): Promise<Awaited<ReturnType<typeof compare>>> {
  const measure = pressHttp(subject, { clients: 4, seconds: lab.settings.seconds }, () => ({ path }));
  return compare(lab.settings.rounds, 'p99Ms', {
    bare: measure,
    ours: () => duringLists(lab, subject, listPath, measure),
  });
}

async function duringLists(
  lab: Lab,
  subject: Subject,
  path: string,
  measure: () => Promise<Figures>,
): Promise<Figures> {
  const token = subject.headers['authorization']?.replace('Bearer ', '') ?? '';
  const storm = lab.start('load/list-storm.js', subject.url, path, token);
  try {
    return await measure();
  } finally {
    await storm.stop();
  }
}
