import { codeText, madeBy, markdownTable, plainText } from './markdown-table.ts';
import type { RegisteredFamily, RegisteredMetrics } from './registered-metrics.ts';

/** Families of `/metrics/slis`; a name follows the identifiers of the server. */
const isIndicator = ({ name }: RegisteredFamily): boolean => name.includes('_healthcheck');

/** The page of all families of metrics. */
export function metricsPage({ server, controllerManager }: RegisteredMetrics): string {
  return `# Families of metrics

${madeBy} [metrics.md](../metrics.md) says how they are read, and
what their values mean where their help does not.

A family without a level is alpha, as in Kubernetes: it may change with any release. Those of every process (\`process_\`, \`nodejs_\`, of queues
and informers) have the names of their usual clients and no level. With \`--identifiers=kubernetes\` the names that begin with \`cluster_\`
begin with \`kubernetes_\`.

## cl-apiserver, \`/metrics\`

${tableOf(server.filter((family) => !isIndicator(family)))}

## cl-apiserver, \`/metrics/slis\`

${tableOf(server.filter(isIndicator))}

## cl-controller-manager, \`/metrics\`

Also in programs with \`createQueueMetrics\` and \`createInformerMetrics\` of \`cl-apiserver/client\`.

${tableOf(controllerManager)}
`;
}

function tableOf(families: readonly RegisteredFamily[]): string {
  const rows = families.map(({ name, type, labelNames = [], stability, deprecated, help }) => [
    codeText(name),
    type,
    labelNames.map(codeText).join(', '),
    deprecated === undefined ? (stability === 'STABLE' ? 'stable' : '') : `deprecated since ${deprecated}`,
    plainText(help),
  ]);
  return markdownTable(['family', 'type', 'labels', 'level', 'help'], rows);
}

/** A finding for each family that a table of a page names and no program has; `_rest` is the end of a name. */
export function unknownFamilies(
  page: string,
  text: string,
  { server, controllerManager }: RegisteredMetrics,
): readonly string[] {
  const known = [...server, ...controllerManager].map(({ name }) => name);
  const cells = text.split('\n').flatMap((line) => /^\| (`[a-z_]+`(?:, `[a-z_]+`)*) \|/.exec(line)?.[1] ?? []);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([a-z]*_[a-z_]+)`/g)].map(([, name = '']) => name));
  const isKnown = (given: string): boolean =>
    known.some((name) => name === given || (given.startsWith('_') && name.endsWith(given)));
  return named.filter((name) => !isKnown(name)).map((name) => `${page}: no program has the metric ${name}`);
}
