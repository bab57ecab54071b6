import { builtIn, createOnly } from '../../built-in.ts';

/** The resource `bindings` of the core group. */
export const bindings = builtIn({
  group: '',
  resource: 'bindings',
  kind: 'Binding',
  namespaced: true,
  versions: { v1: {} },
  verbs: createOnly,
});
