import type { LimitRange } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { validateLimitRange } from './validate.ts';

/** The resource `limitranges` of the core group. */
export const limitRanges = builtIn<LimitRange>({
  group: '',
  resource: 'limitranges',
  kind: 'LimitRange',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['limits'],
  strategy: {
    randomNames: true,
    default: defaultLimitRange,
    validate: validateLimitRange,
    allowCreateOnUpdate: true,
  },
});

/** The amounts of containers that follow from others where they are missing, in order. */
const derived = [
  ['default', 'max'],
  ['defaultRequest', 'default'],
  ['defaultRequest', 'min'],
] as const;

/** Fills in the defaults of containers. Mutates. */
function defaultLimitRange({ spec }: LimitRange): void {
  for (const limit of spec.limits ?? []) {
    if (limit.type !== 'Container') continue;
    for (const [target, source] of derived) {
      const { [target]: given, [source]: amounts = {} } = limit;
      if (Object.keys(amounts).length > 0) limit[target] = { ...given, ...amounts, ...given };
    }
  }
}
