// `make fidelity`: the same random requests to kube-apiserver and to this server; fails on each difference that docs/differences.md does not explain.
import { parseArgs } from 'node:util';
import { connectTarget } from './api-target.ts';
import { areas } from './areas/areas.ts';
import { knownDifferencesOf } from './known/known-differences.ts';
import { groupText, summaryText } from './print-report.ts';
import { runFidelity } from './run-fidelity.ts';
import { releaseOf, servedSubjects } from './served-subjects.ts';

const usage = `make fidelity ARGS="REF_URL REF_TOKEN OUR_URL OUR_TOKEN [options]"

Sends the same random requests to kube-apiserver (REF) and to this server (OUR), and reports every difference that
docs/differences.md does not explain. Both must run with the same options: test/fidelity/README.md has them.
An interrupt ends the run after the sequences that have begun.

  --seed N         seed of the first sequence (default: another one each time)
  --steps N        requests to send (default: 10000)
  --areas a,b      of ${areas.map(({ area }) => area.name).join(', ')} (default: all)
  --kinds a,b      parts of the names of kinds, such as apps/v1 (default: all)
  --workers N      sequences at a time (default: 8)
  --texts          compare the texts of errors as well
  --minimise N     seconds for making the first finding of a cause small (default: 10; 0 for more than 20000 steps)`;

/** A run with more steps makes nothing small unless asked to. */
const longSteps = 20_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    steps: { type: 'string', default: '10000' },
    areas: { type: 'string', default: '' },
    kinds: { type: 'string', default: '' },
    workers: { type: 'string', default: '8' },
    minimise: { type: 'string' },
    texts: { type: 'boolean', default: false },
  },
});
const [referenceUrl, referenceToken, ourUrl, ourToken] = positionals;
if (!referenceUrl || !referenceToken || !ourUrl || !ourToken) {
  console.log(usage);
  process.exit(2);
}
const servers = {
  reference: connectTarget(referenceUrl, referenceToken),
  ours: connectTarget(ourUrl, ourToken),
};
const steps = Number(values.steps);
const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
const started = performance.now();
const releases = await Promise.all([servers.reference, servers.ours].map(releaseOf));
if (releases[0] !== releases[1]) console.log(`the reference is of release 1.${releases[0]}, ours of 1.${releases[1]}`);
const served = await servedSubjects(servers);
const subjects = served.filter(({ key }) => isNamed(values.kinds, (part) => key.includes(part)));
const report = await runFidelity({
  servers,
  seed: Number(values.seed),
  steps,
  areas: areas.filter(
    ({ area }) =>
      isNamed(values.areas, (part) => area.name === part) && subjects.some((subject) => area.takes?.(subject) ?? true),
  ),
  subjects,
  comparison: { meant: knownDifferencesOf(releases[0] ?? 0), texts: values.texts },
  workers: Number(values.workers),
  minimiseMs: Number(values.minimise ?? (steps > longSteps ? 0 : 10)) * 1000,
  run: `${Date.now().toString(36)}-`,
  onFinding: (group) => console.log(groupText(group)),
  signal: interrupted.signal,
});
console.log(summaryText(report));
const perSecond = (report.steps * 1000) / (performance.now() - started);
console.log(`seed ${values.seed}, release 1.${releases[0]}, ${served.length} kinds, ${perSecond.toFixed(0)} steps/s`);
process.exit(report.groups.length === 0 ? 0 : 1);

function isNamed(list: string, isMeant: (part: string) => boolean): boolean {
  return list === '' || list.split(',').some(isMeant);
}
