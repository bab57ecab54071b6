import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { absentMetrics, absentValues, idlePanels } from './absent-metrics.ts';
import type { RuleGroup } from './rule-groups.ts';
import { readQuery, type Selector } from './selectors.ts';

/** A query of a dashboard or a rule, and the queries that must have series. */
export interface MonitoredQuery {
  readonly place: string;
  readonly expression: string;
  readonly selectors: readonly Selector[];
  readonly groupedBy: readonly string[];
  readonly needed: readonly string[];
  /** Its series may be not a number. */
  readonly isIdle?: boolean;
}

/** The part of a dashboard that has queries. */
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

const variables: Readonly<Record<string, string>> = {
  'job="$job"': 'job!=""',
  $instance: '.*',
  $__rate_interval: '1m',
};

/** The queries of all dashboards of a folder, with values for their variables. They need series as they are. */
export async function queriesOfDashboards(folder: string): Promise<readonly MonitoredQuery[]> {
  const names = await readdir(path.join(folder, 'dashboards'));
  const found = names.map(async (name) => {
    const { panels } = JSON.parse(await readFile(path.join(folder, 'dashboards', name), 'utf8')) as Dashboard;
    return panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => {
        const expression = Object.entries(variables).reduce(
          (text, [variable, value]) => text.replaceAll(variable, value),
          expr,
        );
        const read = readQuery(expression);
        const isAbsent = read.selectors.some(mayBeAbsent);
        return {
          place: `${name}, ${title}`,
          expression,
          ...read,
          needed: isAbsent ? [] : [expression],
          isIdle: title in idlePanels,
        };
      }),
    );
  });
  return (await Promise.all(found)).flat();
}

/** The queries of rules. What a recording rule records needs series; alerts are mostly silent, so their selectors do. */
export function queriesOfRules(groups: readonly RuleGroup[]): readonly MonitoredQuery[] {
  return groups
    .flatMap(({ rules }) => rules)
    .map(({ record, alert, expr }) => {
      const read = readQuery(expr);
      const present = read.selectors.filter((selector) => !mayBeAbsent(selector));
      const needed = [...(record === undefined ? [] : [record]), ...present.map(({ text }) => text)];
      return { place: record ?? alert ?? '', expression: expr, ...read, needed };
    });
}

function mayBeAbsent({ metric = '', text }: Selector): boolean {
  return metric in absentMetrics || Object.keys(absentValues).some((value) => text.includes(value));
}
