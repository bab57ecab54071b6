import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/** The folder of the rules for Prometheus. */
export const rulesFolder = 'deploy/monitoring/rules';

/** A file with groups of rules. */
interface RuleFile {
  readonly groups: readonly object[];
}

const labels = { 'app.kubernetes.io/part-of': 'cl-apiserver' };
const group = 'monitoring.coreos.com/v1';

/** Returns the PrometheusRule with the groups of all files of rules. */
export function prometheusRule(): object {
  const names = readdirSync(rulesFolder).toSorted();
  const files = names.map((name) => parse(readFileSync(path.join(rulesFolder, name), 'utf8')) as RuleFile);
  return {
    apiVersion: group,
    kind: 'PrometheusRule',
    metadata: { name: 'cl-apiserver', labels },
    spec: { groups: files.flatMap(({ groups }) => groups) },
  };
}

const token = { name: 'cl-apiserver-monitoring', key: 'token' };
const ca = { secret: { name: 'cl-apiserver-monitoring', key: 'ca.crt' } };
/** Pods are reached by their addresses, which the certificate does not name. */
const secure = { scheme: 'https', authorization: { credentials: token }, tlsConfig: { ca, serverName: 'localhost' } };
/** A part of a control plane, by the labels of its Services or pods. */
interface Monitored {
  readonly component: string;
  readonly kind: 'ServiceMonitor' | 'PodMonitor';
  readonly endpoints: readonly object[];
}

/** Where the parts have their metrics, by the ports of the Helm chart. The rules know the jobs by these names. */
const monitored: readonly Monitored[] = [
  {
    component: 'apiserver',
    kind: 'ServiceMonitor',
    endpoints: [
      { port: 'https', ...secure, relabelings: [jobNamed('cl-apiserver')] },
      { port: 'https', path: '/metrics/slis', ...secure, relabelings: [jobNamed('cl-apiserver-slis')] },
    ],
  },
  {
    component: 'controllers',
    kind: 'PodMonitor',
    endpoints: [{ port: 'health', relabelings: [jobNamed('cl-controller-manager')] }],
  },
  {
    component: 'etcd',
    kind: 'PodMonitor',
    endpoints: [{ port: 'metrics', relabelings: [jobNamed('etcd')] }],
  },
];

function jobNamed(replacement: string): object {
  return { targetLabel: 'job', replacement };
}

/** Returns the monitors of the parts, which have the labels of the Helm chart. */
export function monitors(): object[] {
  return monitored.map(({ component, kind, endpoints }) => ({
    apiVersion: group,
    kind,
    metadata: { name: `cl-${component}`, labels },
    spec: {
      selector: {
        matchLabels: { 'app.kubernetes.io/name': 'cl-apiserver', 'app.kubernetes.io/component': component },
      },
      [kind === 'PodMonitor' ? 'podMetricsEndpoints' : 'endpoints']: endpoints,
    },
  }));
}
