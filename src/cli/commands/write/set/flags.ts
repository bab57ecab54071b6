import type { FlagTable } from '../../../../flags/flag-table.ts';
import { boolean, list, repeated, text } from '../../../../flags/flag-types.ts';
import { section } from '../../../shared-flags.ts';
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
  section,
  help: 'names of the containers, with *',
} as const;

/** Flags of `cl set image` and `cl set serviceaccount`. */
export const setPlainFlags = setFlags;

/** Flags of `cl set env`. */
export const setEnvFlags = {
  ...setFlags,
  containers,
  env: { type: repeated(text('name=value')), short: 'e', default: [], section, help: 'a variable; can be repeated' },
  from: {
    type: text('type/name'),
    default: undefined,
    section,
    help: 'the ConfigMap or Secret whose keys are variables',
  },
  keys: { type: list('key'), default: [], section, help: 'with --from: only these keys' },
  prefix: { type: text('prefix'), default: '', section, help: 'with --from: the beginning of the names' },
  list: { type: boolean, default: false, section, help: 'show the variables' },
  resolve: { type: boolean, default: false, section, help: 'with --list: show the values of ConfigMaps and Secrets' },
  overwrite: { type: boolean, default: true, section, help: 'change variables that are set' },
} satisfies FlagTable;

/** Flags of `cl set resources`. */
export const setResourcesFlags = {
  ...setFlags,
  containers,
  limits: { type: text('cpu=1,memory=1Gi'), default: '', section, help: 'the most of each resource' },
  requests: { type: text('cpu=1,memory=1Gi'), default: '', section, help: 'what is reserved of each' },
} satisfies FlagTable;

/** Flags of `cl set subject`. */
export const setSubjectFlags = {
  ...setFlags,
  users: { flag: 'user', type: repeated(text('name')), default: [], section, help: 'a user; can be repeated' },
  group: { type: repeated(text('name')), default: [], section, help: 'a group; can be repeated' },
  serviceaccount: {
    type: repeated(text('namespace:name')),
    default: [],
    section,
    help: 'a service account; can be repeated',
  },
} satisfies FlagTable;

/** Flags of `cl set selector`. */
export const setSelectorFlags = {
  ...setFlags,
  resourceVersion: {
    flag: 'resource-version',
    type: text('version'),
    default: undefined,
    section,
    help: 'only while the object is at this version',
  },
} satisfies FlagTable;
