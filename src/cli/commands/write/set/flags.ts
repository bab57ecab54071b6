import type { FlagTable } from '../../../../flags/flag-table.ts';
import { boolean, list, repeated, text, toggle } from '../../../../flags/flag-types.ts';
import { fieldManager, localFlags, resultFlags, selectionFlags } from '../../../write-flags.ts';

const setFlags = {
  ...selectionFlags,
  ...localFlags,
  ...resultFlags,
  fieldManager: fieldManager('cl-set'),
} satisfies FlagTable;

const containers = {
  type: text('pattern'),
  short: 'c',
  default: '*',
  help: 'names of the containers, with *',
} as const;

/** Flags of `cl set image` and `cl set serviceaccount`. */
export const setPlainFlags = setFlags;

/** Flags of `cl set env`. */
export const setEnvFlags = {
  ...setFlags,
  containers,
  env: { type: repeated(text('name=value')), short: 'e', default: [], help: 'a variable; can be repeated' },
  from: { type: text('type/name'), help: 'the ConfigMap or Secret whose keys are variables' },
  keys: { type: list('key'), default: [], help: 'with --from: only these keys' },
  prefix: { type: text('prefix'), default: '', help: 'with --from: the beginning of the names' },
  list: { type: toggle, help: 'show the variables' },
  resolve: { type: toggle, help: 'with --list: show the values of ConfigMaps and Secrets' },
  overwrite: { type: boolean, default: true, help: 'change variables that are set' },
} satisfies FlagTable;

/** Flags of `cl set resources`. */
export const setResourcesFlags = {
  ...setFlags,
  containers,
  limits: { type: text('cpu=1,memory=1Gi'), default: '', help: 'the most of each resource' },
  requests: { type: text('cpu=1,memory=1Gi'), default: '', help: 'what is reserved of each' },
} satisfies FlagTable;

/** Flags of `cl set subject`. */
export const setSubjectFlags = {
  ...setFlags,
  users: { flag: 'user', type: repeated(text('name')), default: [], help: 'a user; can be repeated' },
  group: { type: repeated(text('name')), default: [], help: 'a group; can be repeated' },
  serviceaccount: { type: repeated(text('namespace:name')), default: [], help: 'a service account; can be repeated' },
} satisfies FlagTable;

/** Flags of `cl set selector`. */
export const setSelectorFlags = {
  ...setFlags,
  resourceVersion: { type: text('version'), help: 'only while the object is at this version' },
} satisfies FlagTable;
