import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, choice, list, text } from '../../../flags/flag-types.ts';
import { section } from '../../shared-flags.ts';

/** Flags of `cl api-resources`. */
export const apiResourcesFlags = {
  output: {
    type: choice('format', ['wide', 'name', 'json', 'yaml']),
    short: 'o',
    default: undefined,
    section,
    help: 'wide, name, json or yaml',
  },
  namespaced: {
    type: boolean,
    default: true,
    section,
    help: 'only types of objects in namespaces; =false: only others',
  },
  verbs: { type: list('verb'), default: [] as readonly string[], section, help: 'only types with all of these verbs' },
  apiGroup: { flag: 'api-group', type: text('group'), default: undefined, section, help: 'only types of this group' },
  categories: {
    type: list('category'),
    default: [] as readonly string[],
    section,
    help: 'only types that belong to all of these categories',
  },
  sortBy: {
    flag: 'sort-by',
    type: choice('column', ['name', 'kind']),
    default: undefined,
    section,
    help: 'name or kind',
  },
  noHeaders: { flag: 'no-headers', type: boolean, default: false, section, help: 'leave out the headings' },
  showManagedFields: {
    flag: 'show-managed-fields',
    type: boolean,
    default: false,
    section,
    help: 'accepted for scripts; types have no managed fields',
  },
  cached: {
    type: boolean,
    default: false,
    section,
    help: 'accepted: what is kept is always used while the server says that it still holds',
  },
} satisfies FlagTable;

/** Flags of `cl explain`. */
export const explainFlags = {
  recursive: { type: boolean, short: 'R', default: false, section, help: 'show the fields of fields too' },
  apiVersion: {
    flag: 'api-version',
    type: text('version'),
    default: undefined,
    section,
    help: '<group>/<version>; default: the preferred one',
  },
  output: {
    type: choice('format', ['plaintext', 'plaintext-openapiv2']),
    short: 'o',
    default: 'plaintext',
    section,
    help: 'plaintext or plaintext-openapiv2',
  },
} satisfies FlagTable;

/** Flags of `cl api-versions`: it has none of its own. */
export const apiVersionsFlags = {} satisfies FlagTable;
