import { finalizersOf } from '../../meta/object-meta.ts';
import { validateQualifiedName } from '../../meta/validate-name.ts';
import { standardFinalizersOf } from '../../registry/definition/validate-metadata.ts';
import type { ObjectWarnings } from '../../registry/definition/resource-definition.ts';
import { isSince } from '../../scheme/api-release.ts';

/** The first release with these warnings, and the first that requires a path after the domain. */
const [warnsSince, asksForPathSince] = ['1.29', '1.32'];

/**
 * Warns of new finalizers of custom objects that are not qualified by a domain, because programs
 * could clash. Built-in kinds refuse them.
 */
export const finalizerWarnings: ObjectWarnings = (object, { emulated: { release }, identifiers, subresource, old }) => {
  if (!isSince(release, warnsSince) || subresource !== '') return [];
  const before = new Set(old && finalizersOf(old));
  const added = new Set(finalizersOf(object).filter((finalizer) => !before.has(finalizer)));
  const standard = standardFinalizersOf(identifiers);
  return [...added].toSorted().flatMap((finalizer) => {
    const problems = [...validateQualifiedName(finalizer)];
    if (!finalizer.includes('/') && !standard.includes(finalizer)) {
      const path = finalizer.includes('.') && isSince(release, asksForPathSince) ? ' including a path (/)' : '';
      const why = 'to avoid accidental conflicts with other finalizer writers';
      problems.push(`prefer a domain-qualified finalizer name${path} ${why}`);
    }
    return problems.map((problem) => `metadata.finalizers: ${JSON.stringify(finalizer)}: ${problem}`);
  });
};
