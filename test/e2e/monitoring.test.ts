import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { shellLines } from '../../hack/docs/shell-lines.ts';
import { readPage } from '../../hack/docs/markdown.ts';
import { freePort } from '../free-ports.ts';
import { runCl } from '../http/cl/cl-runner.ts';
import type { Target } from '../http/http-client.ts';
import { until } from '../http/until.ts';
import { type MonitoredQuery, queriesOfDashboards, queriesOfRules } from './monitoring/monitored-queries.ts';
import { ruleGroups } from './monitoring/rule-groups.ts';
import { type RunningPrometheus, startPrometheus } from './monitoring/running-prometheus.ts';
import { prepareTraffic, sendTraffic } from './monitoring/traffic.ts';
import { UpProcess } from './up-process.ts';

const folder = 'deploy/monitoring';

/** A query that must have series. */
type NeededQuery = Pick<MonitoredQuery, 'place' | 'isIdle'> & { readonly needed: string };

describe('deploy/monitoring beside a control plane under traffic', () => {
  let scratch: string;
  let up: UpProcess;
  let prometheus: RunningPrometheus;
  let server: Target;
  let missing: readonly string[] = [];
  let queries: readonly MonitoredQuery[];

  before(async () => {
    const programs = execFileSync('hack/prometheus.sh', { encoding: 'utf8' }).trim();
    scratch = await mkdtemp(path.join(tmpdir(), 'cl-monitoring-'));
    await writeFile(path.join(scratch, 'tokens.csv'), 'admin-token,admin,,system:masters\n', { mode: 0o600 });
    await writeFile(
      path.join(scratch, 'policy.yaml'),
      'apiVersion: audit.cl.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n',
    );
    const port = await freePort();
    up = await new UpProcess(scratch, [
      `--secure-port=${port}`,
      '--nodes=1',
      '--token-auth-file=tokens.csv',
      '--audit-policy-file=policy.yaml',
      '--audit-log-path=audit.log',
    ]).ready();
    const ca = await readFile(path.join(scratch, '.cl/pki/ca.crt'), 'utf8');
    server = { url: /https:\S+\d/.exec(up.out)?.[0] ?? '', ca, token: 'admin-token' };
    await makeCredentials();
    await writeConfiguration();
    await prepareTraffic(server);
    prometheus = await startPrometheus(programs, path.join(scratch, 'prometheus.yml'));
    queries = [...(await queriesOfDashboards(folder)), ...queriesOfRules(await ruleGroups(folder))];
    await moveUntilSeen();
  });
  after(async () => {
    await prometheus?.[Symbol.asyncDispose]();
    await up?.end('SIGTERM');
    await rm(scratch, { recursive: true, force: true });
  });

  /** Runs the commands of the page that make the credentials. */
  async function makeCredentials(): Promise<void> {
    await cp(path.join(scratch, '.cl/pki/ca.crt'), path.join(scratch, 'ca.crt'));
    await cp(path.join(scratch, '.cl/admin.clientconfig'), path.join(scratch, 'config'));
    const text = await readFile(`${folder}/README.md`, 'utf8');
    const { blocks } = readPage({ path: `${folder}/README.md`, text });
    const lines = blocks.flatMap((block) => shellLines(block.text, block.line)).map((line) => line.text);
    const ours = lines.filter((line) => line.startsWith('cl '));
    assert.ok(ours.length > 3, 'the page has the commands');
    for (const line of ours) {
      const [command = '', file] = line.split(' > ');
      const { code, out, err } = await runCl(command.split(' ').slice(1), { directory: scratch });
      assert.equal(code, 0, `${line}: ${err}`);
      if (file !== undefined) await writeFile(path.join(scratch, file), out, { mode: 0o600 });
    }
  }

  /** The configuration and the rules, with the addresses of the servers and no time to lose. */
  async function writeConfiguration(): Promise<void> {
    const addressOf = (part: string): string =>
      new RegExp(`^${part}\\s+https?://([\\d.:]+)`, 'm').exec(up.out)?.[1] ?? assert.fail(up.out);
    const addresses: Readonly<Record<string, string>> = {
      '127.0.0.1:6443': addressOf('apiserver'),
      '127.0.0.1:10257': addressOf('controllers'),
      '127.0.0.1:2379': addressOf('etcd'),
    };
    const text = await readFile(`${folder}/prometheus.yml`, 'utf8');
    const changed = text
      .replaceAll(/127\.0\.0\.1:\d+/g, (address) => addresses[address] ?? assert.fail(address))
      .replaceAll(/_interval: 30s/g, '_interval: 1s');
    await writeFile(path.join(scratch, 'prometheus.yml'), changed);
    const groups = (await ruleGroups(folder)).map((group) => ({ ...group, interval: '1s' }));
    await cp(`${folder}/rules`, path.join(scratch, 'rules'), { recursive: true });
    for (const name of await readdir(path.join(scratch, 'rules'))) await rm(path.join(scratch, 'rules', name));
    await writeFile(path.join(scratch, 'rules/all.yaml'), JSON.stringify({ groups }));
  }

  /** Sends traffic until each query has series, or for so long that it never will. */
  async function moveUntilSeen(): Promise<void> {
    let unseen = queries.flatMap(({ needed, ...query }) => needed.map((one) => ({ ...query, needed: one })));
    for (let round = 0; round < 40 && unseen.length > 0; round++) {
      await sendTraffic(server, round);
      await new Promise((resolve) => setTimeout(resolve, 700));
      const seen = await Promise.all(unseen.map(hasSeries));
      unseen = unseen.filter((_, index) => !seen[index]);
    }
    missing = unseen.map(({ place, needed }) => `${place}: ${needed}`);
  }

  async function hasSeries({ needed, isIdle = false }: NeededQuery): Promise<boolean> {
    const series = await prometheus.query(needed);
    return series.some(({ value: [, value] }) => isIdle || value !== 'NaN');
  }

  it('has series for each query', () => assert.deepEqual(missing, []));

  it('has rules that Prometheus evaluates without an error', async () => {
    const { groups } = (await prometheus.get('rules')) as {
      readonly groups: readonly {
        readonly rules: readonly { readonly name: string; readonly health: string; readonly lastError?: string }[];
      }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    assert.ok(rules.length > 50);
    assert.deepEqual(
      rules.filter(({ health }) => health !== 'ok'),
      [],
    );
  });

  it('fires no alert of a healthy control plane but those that the traffic causes', async () => {
    const { alerts } = (await prometheus.get('alerts')) as {
      readonly alerts: readonly {
        readonly state: string;
        readonly labels: { readonly alertname: string };
        readonly annotations: object;
      }[];
    };
    const firing = alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    assert.deepEqual(firing, []);
    const texts = alerts.map(({ annotations }) => JSON.stringify(annotations));
    assert.deepEqual(
      texts.filter((text) => /<error|<no value>|NaN/.test(text)),
      [],
    );
    const due = [
      'AggregatedApiUnavailable',
      'ApiServerConversionFails',
      'ApiServerWebhookFails',
      'ApiServerWebhookSkipped',
    ];
    await until('the traffic is noticed', async () => {
      const pending = await prometheus.query('count by (alertname) (ALERTS)');
      const names = new Set(pending.map(({ metric }) => metric['alertname']));
      return due.every((name) => names.has(name));
    });
  });
});
