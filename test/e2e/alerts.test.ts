import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { absentMetrics } from './monitoring/absent-metrics.ts';
import { alertCases } from './monitoring/alert-cases.ts';
import { queriesOfDashboards, queriesOfRules } from './monitoring/monitored-queries.ts';
import { type PrometheusRule, type RuleGroup, ruleGroups } from './monitoring/rule-groups.ts';
import { ruleTests } from './monitoring/rule-tests.ts';

const folder = 'deploy/monitoring';
const run = promisify(execFile);

/** The part of the model of a dashboard that is checked. */
interface DashboardModel {
  readonly uid: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly PanelModel[];
}

interface PanelModel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: object;
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly datasource: object }[];
}

describe('the alerts of deploy/monitoring', () => {
  let groups: readonly RuleGroup[];
  let alerts: readonly PrometheusRule[];
  before(async () => {
    groups = await ruleGroups(folder);
    alerts = groups.flatMap(({ rules }) => rules.filter(({ alert }) => alert !== undefined));
  });

  it('fire when they should, and not before', async () => {
    const program = path.join(execFileSync('hack/prometheus.sh', { encoding: 'utf8' }).trim(), 'promtool');
    const scratch = await mkdtemp(path.join(tmpdir(), 'cl-alerts-'));
    try {
      const files = ruleTests(groups).map(async (test, index) => {
        const rules = `rules-${index}.json`;
        const file = path.join(scratch, `test-${index}.json`);
        const content = { rule_files: [rules], evaluation_interval: test.evaluationInterval, tests: test.tests };
        await writeFile(path.join(scratch, rules), JSON.stringify({ groups: test.groups }));
        await writeFile(file, JSON.stringify(content));
        return file;
      });
      await run(program, ['test', 'rules', ...(await Promise.all(files))]);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  });

  it('have each a case, and a section of the page that says what to do', async () => {
    const text = await readFile('docs/operations.md', 'utf8');
    const sections = new Map(
      [...text.matchAll(/^### (\w+)\n([^]*?)(?=\n##|$(?![^]))/gm)].map(([, name = '', body = '']) => [name, body]),
    );
    const faults = alerts.flatMap(({ alert = '', labels = {}, annotations = {}, expr }) => {
      const { severity = '', window } = labels;
      const hasCase = alertCases.some(
        (each) => each.alert === alert && each.severity === severity && each.window === window,
      );
      const wanted = `docs/operations.md#${alert.toLowerCase()}`;
      const shown = [...(annotations['summary'] ?? '').matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
      const isKept = (label: string): boolean =>
        /\bby \(|absent\(/.test(expr) ? new RegExp(`by \\([^)]*\\b${label}\\b`).test(expr) : /\w/.test(label);
      return [
        ...(hasCase ? [] : ['has no case']),
        ...(annotations['runbook'] === wanted ? [] : [`its runbook is not ${wanted}`]),
        ...(sections.get(alert)?.includes('**Do**') ? [] : ['has no section that says what to do']),
        ...shown.filter((label) => !isKept(label)).map((label) => `its result has no label ${label}`),
      ].map((fault) => `${alert}: ${fault}`);
    });
    assert.deepEqual(faults, []);
    const known = new Set(alerts.map(({ alert }) => alert));
    const named = [...sections.keys()].filter((name) =>
      /^(?:ApiServer|Aggregated|Process|Controller|Etcd)\w/.test(name),
    );
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    );
    assert.ok(known.size > 40);
  });
});

describe('the dashboards of deploy/monitoring', () => {
  it('have panels with ids, places and units of their own, and name no data source and no job', async () => {
    const names = await readdir(`${folder}/dashboards`);
    assert.ok(names.length >= 3);
    const uids = new Set<string>();
    for (const name of names) {
      const model = JSON.parse(await readFile(`${folder}/dashboards/${name}`, 'utf8')) as DashboardModel;
      assert.equal(`${model.uid}.json`, name);
      uids.add(model.uid);
      assert.deepEqual(
        model.templating.list.map((each) => each.name),
        ['datasource', 'job', 'instance'],
      );
      assert.equal(model.templating.list[0]?.type, 'datasource');
      const { panels } = model;
      assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
      for (const [index, panel] of panels.entries()) checkPanel(panel, panels.slice(index + 1));
    }
    assert.equal(uids.size, names.length);
  });

  it('and the rules name the metrics that are known to be absent, and no others are listed', async () => {
    const queries = [...(await queriesOfDashboards(folder)), ...queriesOfRules(await ruleGroups(folder))];
    const named = new Set(queries.flatMap(({ selectors }) => selectors.map(({ metric }) => metric)));
    assert.deepEqual(
      Object.keys(absentMetrics).filter((metric) => !named.has(metric)),
      [],
    );
  });
});

function checkPanel(panel: PanelModel, others: readonly PanelModel[]): void {
  const { title, type, targets = [], gridPos } = panel;
  const covered = others.filter(({ gridPos: { x, y, w, h } }) => {
    const isBeside = x >= gridPos.x + gridPos.w || gridPos.x >= x + w;
    return !isBeside && y < gridPos.y + gridPos.h && gridPos.y < y + h;
  });
  assert.deepEqual(
    covered.map((other) => other.title),
    [],
    `${title} covers others`,
  );
  assert.ok(gridPos.x + gridPos.w <= 24, title);
  if (type === 'row') return;
  assert.match(panel.fieldConfig?.defaults.unit ?? '', /^\w+$/, title);
  assert.ok(targets.length > 0, title);
  assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title);
  for (const { expr, datasource } of targets) {
    assert.deepEqual(datasource, { type: 'prometheus', uid: '${datasource}' });
    assert.doesNotMatch(expr, /job=~?"(?!\$job")/, title);
    if (!expr.includes('cl_apiserver:')) assert.match(expr, /job="\$job"/, title);
  }
}
