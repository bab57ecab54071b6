import type { JsonObject } from '../../../../../meta/json-value.ts';
import type { Description, Facts, Need, Section } from '../parts/description.ts';
import {
  annotations,
  field,
  indented,
  labels,
  name,
  namespacedName,
  tableLines,
  timedConditions,
} from '../parts/fields.ts';
import { itemsAt, partAt, plain, textAt, valueAt } from '../parts/values.ts';

/** The pods that each scope of a quota selects. */
const scopes: Readonly<Record<string, string>> = {
  Terminating: 'Counts the pods that have a deadline, after which the system ends them.',
  NotTerminating: 'Counts the pods that have no deadline and run until they are deleted.',
  BestEffort: 'Counts the pods whose containers ask for no resources: their quality of service is best effort.',
  NotBestEffort: 'Counts the pods that ask for resources: their quality of service is burstable or guaranteed.',
};

function scopeLines(quota: JsonObject, mark: string): string[] {
  const found = valueAt(quota, 'spec.scopes');
  if (!Array.isArray(found) || found.length === 0) return [];
  const sorted = found.map(plain).toSorted();
  const texts = sorted.map((scope) => scopes[scope]).filter((text) => text !== undefined);
  return [`Scopes:\t${sorted.join(', ')}`, ...texts.map((text) => `${mark}${text}`)];
}

function amountLines(quota: JsonObject): string[] {
  const [hard, used] = [partAt(quota, 'status.hard'), partAt(quota, 'status.used')];
  const rows = Object.keys(hard)
    .toSorted()
    .map((resource) => ({ resource, used: used[resource] ?? '0', hard: hard[resource] ?? '' }));
  const columns = [
    ['Resource', 'resource'],
    ['Used', 'used'],
    ['Hard', 'hard'],
  ] as const;
  return tableLines(columns, rows);
}

/** Quotas. */
export const resourceQuota: Description = {
  events: 'none',
  sections: [...namespacedName, (quota) => scopeLines(quota, ' * '), amountLines],
};

const limitPaths = ['min', 'max', 'defaultRequest', 'default', 'maxLimitRequestRatio'] as const;

const limitColumns = [
  ['Type', 'type'],
  ['Resource', 'resource'],
  ['Min', 'min'],
  ['Max', 'max'],
  ['Default Request', 'defaultRequest'],
  ['Default Limit', 'default'],
  ['Max Limit/Request Ratio', 'maxLimitRequestRatio'],
] as const;

function limitLines(ranges: readonly JsonObject[]): string[] {
  const items = ranges.flatMap((range) => itemsAt(range, 'spec.limits'));
  return tableLines(limitColumns, items.flatMap(limitRows));
}

function limitRows(item: JsonObject): JsonObject[] {
  const names = new Set(limitPaths.flatMap((path) => Object.keys(partAt(item, path))));
  return [...names].toSorted().map((resource) => ({
    type: textAt(item, 'type'),
    resource,
    ...Object.fromEntries(limitPaths.map((path) => [path, plain(partAt(item, path)[resource]) || '-'])),
  }));
}

/** Limits of resources. */
export const limitRange: Description = {
  events: 'none',
  sections: [...namespacedName, (range) => limitLines([range])],
};

const quotas: Section = (_, { related }: Facts) => {
  if (!related.quotas) return [];
  if (related.quotas.length === 0) return ['', 'No resource quota.'];
  const sorted = related.quotas.toSorted((one, other) =>
    textAt(one, 'metadata.name') < textAt(other, 'metadata.name') ? -1 : 1,
  );
  const lines = sorted.flatMap((quota) => [
    `Name:\t${textAt(quota, 'metadata.name')}`,
    ...scopeLines(quota, '* '),
    ...amountLines(quota),
  ]);
  return ['', 'Resource Quotas', ...indented(lines)];
};

const limits: Section = (_, { related }: Facts) => {
  if (!related.limits) return [];
  if (related.limits.length === 0) return ['', 'No LimitRange resource.'];
  return ['', 'Resource Limits', ...limitLines(related.limits).map((line) => ` ${line}`)];
};

function inside(resource: string): Need {
  return { group: '', resource, select: (object) => ({ namespace: textAt(object, 'metadata.name') }) };
}

/** Namespaces, with their quotas and limits. */
export const namespace: Description = {
  events: 'none',
  needs: { quotas: inside('resourcequotas'), limits: inside('limitranges') },
  sections: [name, labels, annotations, field('Status', 'status.phase'), timedConditions, quotas, limits],
};
