import type { NamespaceCondition } from '../../gen/types/core-v1.ts';
import type { DeletionOutcome } from './delete-content.ts';
import { finalizerCounts } from './remaining-content.ts';

/** How a condition is formed: its reason and message if all is well, and otherwise. */
interface ConditionRow {
  readonly type: string;
  readonly successReason: string;
  readonly successMessage: string;
  readonly failureReason: string;
  /** Returns undefined if all is well. */
  readonly problem: (outcome: DeletionOutcome) => string | undefined;
}

/** The conditions in the order of the status; texts are as in kube-controller-manager. */
const rows: readonly ConditionRow[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    successReason: 'ResourcesDiscovered',
    successMessage: 'All resources successfully discovered',
    failureReason: 'DiscoveryFailed',
    problem: discoveryError,
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    successReason: 'ParsedGroupVersions',
    successMessage: 'All legacy kube types successfully parsed',
    failureReason: 'GroupVersionParsingFailed',
    problem: () => undefined,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    successReason: 'ContentDeleted',
    successMessage: 'All content successfully deleted, may be waiting on finalization',
    failureReason: 'ContentDeletionFailed',
    problem: contentError,
  },
  {
    type: 'NamespaceContentRemaining',
    successReason: 'ContentRemoved',
    successMessage: 'All content successfully removed',
    failureReason: 'SomeResourcesRemain',
    problem: remainingError,
  },
  {
    type: 'NamespaceFinalizersRemaining',
    successReason: 'ContentHasNoFinalizers',
    successMessage: 'All content-preserving finalizers finished',
    failureReason: 'SomeFinalizersRemain',
    problem: finalizersError,
  },
];

/**
 * The conditions of a namespace after an attempt to delete its content; undefined if they are the
 * present ones. Conditions of others stay. `now` is an RFC 3339 time.
 */
export function changedConditions(
  present: readonly NamespaceCondition[],
  outcome: DeletionOutcome,
  now: string,
): NamespaceCondition[] | undefined {
  const own = rows.map((row) => {
    const condition = conditionOf(row, outcome);
    const before = present.find(({ type }) => type === row.type);
    const isSame = before?.status === condition.status && before.message === condition.message;
    if (before && isSame && before.reason === condition.reason) return before;
    return { ...condition, lastTransitionTime: (isSame ? before?.lastTransitionTime : undefined) ?? now };
  });
  if (own.every((condition) => present.includes(condition))) return undefined;
  const types = new Set(own.map(({ type }) => type));
  return [...present.filter(({ type }) => !types.has(type)), ...own];
}

function conditionOf(row: ConditionRow, outcome: DeletionOutcome): NamespaceCondition {
  const problem = row.problem(outcome);
  const { type, successReason, successMessage, failureReason } = row;
  return problem === undefined
    ? { type, status: 'False', reason: successReason, message: successMessage }
    : { type, status: 'True', reason: failureReason, message: problem };
}

function discoveryError({ discoveryErrors }: DeletionOutcome): string | undefined {
  if (discoveryErrors.length === 0) return undefined;
  const each = discoveryErrors.map(({ groupVersion, message }) => `${groupVersion}: ${message}`).toSorted();
  const all = `unable to retrieve the complete list of server APIs: ${each.join(', ')}`;
  return `Discovery failed for some groups, ${each.length} failing: ${all}`;
}

function contentError({ contentErrors }: DeletionOutcome): string | undefined {
  if (contentErrors.length === 0) return undefined;
  const messages = contentErrors.map(({ message }) => message).toSorted();
  return `Failed to delete all resource types, ${messages.length} remaining: ${messages.join(', ')}`;
}

function remainingError({ remaining }: DeletionOutcome): string | undefined {
  if (remaining.length === 0) return undefined;
  const kinds = remaining.map(
    ({ resource: { resource, group }, objects }) => `${resource}.${group} has ${objects.length} resource instances`,
  );
  return `Some resources are remaining: ${kinds.toSorted().join(', ')}`;
}

function finalizersError({ remaining }: DeletionOutcome): string | undefined {
  const counts = finalizerCounts(remaining);
  if (counts.size === 0) return undefined;
  const each = [...counts].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
  return `Some content in the namespace has finalizers remaining: ${each.toSorted().join(', ')}`;
}
