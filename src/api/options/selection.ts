import {
  commonFields,
  type FieldRequirement,
  type FieldSelector,
  parseFieldSelector,
} from '../../meta/field-selector.ts';
import type { LabelOperator } from '../../meta/label-demand.ts';
import { type LabelRequirement, matchRequirements } from '../../meta/label-requirement.ts';
import { parseLabelRequirements } from '../../meta/label-selector.ts';
import { badRequest } from '../../status/status-error.ts';
import type { ObjectFilter, SelectionTerm, SelectionTerms } from '../../storage/cache/resource-cache.ts';
import { pathSegmentErrors } from '../request/path-segment-name.ts';
import type { ListFeatures } from '../request/list-features.ts';
import { parseShardSelector, type ShardSelector } from './shard-selector.ts';
import type { Query } from '../../http-protocol/requests/query.ts';

/** The selected objects of a collection. All fields are absent without selectors. */
interface Selection {
  readonly filter?: ObjectFilter;
  readonly terms?: SelectionTerms;
  /** The name that a field selector requires, if it is valid in a storage key. */
  readonly fieldName?: string;
}

const nothingSelected: Selection = Object.freeze({});

/** Parsed selectors of a request. Their fields are not yet checked against the resource. */
interface Selectors {
  readonly labels: readonly LabelRequirement[];
  readonly fields: Pick<FieldSelector, 'requirements' | 'name'>;
  readonly shard?: ShardSelector | undefined;
}

const noSelectors: Selectors = Object.freeze({ labels: [], fields: { requirements: [], name: undefined } });

/**
 * Parses `labelSelector`, `fieldSelector` and, if the server supports it, `shardSelector`. Throws
 * 400 for a syntax error.
 */
export function parseSelectors(query: Query, { shards }: Pick<ListFeatures, 'shards'>): Selectors {
  const labels = query.get('labelSelector');
  const fields = query.get('fieldSelector');
  const shard = shards ? query.get('shardSelector') : undefined;
  if (!labels && !fields && !shard) return noSelectors;
  return {
    labels: labels ? parseLabelRequirements(labels) : noSelectors.labels,
    fields: fields ? parseFieldSelector(fields) : noSelectors.fields,
    shard: shard ? parseShardSelector(shard) : undefined,
  };
}

/**
 * Converts selectors to a selection. `selectableFields` maps the selectable fields of the resource
 * to the names used in objects. Throws 400 for a field that is not selectable.
 */
export function selectionOf(selectors: Selectors, selectableFields: ReadonlyMap<string, string>): Selection {
  if (selectors === noSelectors) return nothingSelected;
  const { labels, fields, shard } = selectors;
  const { name } = fields;
  const requirements = fields.requirements.map((requirement) => {
    checkField(requirement.field, selectableFields);
    return { ...requirement, field: selectableFields.get(requirement.field) ?? requirement.field };
  });
  const fieldName = name !== undefined && isKeyable(name) ? name : undefined;
  const nameOnly = fieldName !== undefined && requirements.length === 1;
  const fieldFilter = requirements.length === 0 || nameOnly ? undefined : fieldFilterOf(requirements);
  const filter = both(both(labelFilterOf(labels), fieldFilter), shard?.filter);
  const terms = [...labels.flatMap(labelTerm), ...requirements.flatMap(fieldTerm)];
  const complete = terms.length === labels.length + requirements.length && !shard;
  return {
    ...(filter ? { filter } : {}),
    ...(terms.length > 0 ? { terms: { all: terms, complete } } : {}),
    ...(fieldName === undefined ? {} : { fieldName }),
  };
}

function isKeyable(name: string): boolean {
  return name !== '' && pathSegmentErrors(name).length === 0;
}

function labelFilterOf(requirements: readonly LabelRequirement[]): ObjectFilter | undefined {
  if (requirements.length === 0) return undefined;
  const matches = matchRequirements(requirements);
  return (index) => matches(index.labels);
}

const valueOperators: ReadonlySet<LabelOperator> = new Set(['=', '==', 'in']);

function labelTerm({ key, operator, values }: LabelRequirement): SelectionTerm[] {
  return valueOperators.has(operator) ? [{ kind: 'label', name: key, values }] : [];
}

/** Names and namespaces need no term: they are part of the storage key. */
function fieldTerm({ field, operator, value }: FieldRequirement): SelectionTerm[] {
  return operator === '=' && !commonFields.has(field) ? [{ kind: 'field', name: field, values: [value] }] : [];
}

/** Combines all requirements of a field, so that an object is checked once for each field. */
function fieldFilterOf(requirements: readonly FieldRequirement[]): ObjectFilter {
  const demands = new Map<string, { equal: Set<string>; different: Set<string> }>();
  for (const { field, operator, value } of requirements) {
    const demand = demands.get(field) ?? { equal: new Set(), different: new Set() };
    (operator === '=' ? demand.equal : demand.different).add(value);
    demands.set(field, demand);
  }
  return ({ fields }) => {
    for (const [field, { equal, different }] of demands) {
      const value = fields.get(field) ?? '';
      // No value equals two different values.
      if (equal.size > 1 || (equal.size === 1 && !equal.has(value)) || different.has(value)) return false;
    }
    return true;
  };
}

function both(first: ObjectFilter | undefined, second: ObjectFilter | undefined): ObjectFilter | undefined {
  if (!first || !second) return first ?? second;
  return (index, object) => first(index, object) && second(index, object);
}

function checkField(field: string, selectableFields: ReadonlyMap<string, string>): void {
  if (selectableFields.has(field)) return;
  const hasOwnFields = [...selectableFields.keys()].some((name) => !commonFields.has(name));
  if (hasOwnFields) throw badRequest(`field label not supported: ${field}`);
  const known = [...commonFields.keys()].map((name) => JSON.stringify(name)).join(', ');
  throw badRequest(`${JSON.stringify(field)} is not a known field selector: only ${known}`);
}
