import { builtIn } from '../../built-in.ts';
import { strategy } from './strategy.ts';

/** The resource `limitranges` of the core group. */
export const limitRanges = builtIn({
  group: '',
  resource: 'limitranges',
  kind: 'LimitRange',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['limits'],
  strategy,
});
