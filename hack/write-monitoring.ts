// Writes what is made of tables in deploy/monitoring/: the dashboards for Grafana, and the rules and monitors as objects for
// prometheus-operator. With --check it writes nothing, and fails if a file is not what it would write.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { apiServerDashboard } from './monitoring/apiserver-dashboard.ts';
import { controllersDashboard } from './monitoring/controllers-dashboard.ts';
import { dashboardModel } from './monitoring/dashboard.ts';
import { etcdDashboard } from './monitoring/etcd-dashboard.ts';
import { monitors, prometheusRule } from './monitoring/operator-objects.ts';

const folder = 'deploy/monitoring';
const remark = '# Made by `node dist/hack/write-monitoring.js`: change the rules, then make it again.\n';

function yamlOf(objects: readonly object[]): string {
  return (
    remark + objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n')
  );
}

const dashboards = [apiServerDashboard, etcdDashboard, controllersDashboard];
const files: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    dashboards.map((dashboard) => [
      `dashboards/${dashboard.uid}.json`,
      `${JSON.stringify(dashboardModel(dashboard), undefined, 2)}\n`,
    ]),
  ),
  'operator/rules.yaml': yamlOf([prometheusRule()]),
  'operator/monitors.yaml': yamlOf(monitors()),
};

const isCheck = process.argv.includes('--check');
for (const [name, text] of Object.entries(files)) {
  const file = `${folder}/${name}`;
  if (!isCheck) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is not what node dist/hack/write-monitoring.js writes`);
    process.exitCode = 1;
  }
}
if (process.exitCode === undefined) console.log('monitoring: ok');
