import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, choice, list, text, toggle } from '../../../flags/flag-types.ts';

/** Flags of `cl api-resources`. */
export const apiResourcesFlags = {
  output: { type: choice('format', ['wide', 'name', 'json', 'yaml']), short: 'o', help: 'wide, name, json or yaml' },
  namespaced: { type: boolean, default: true, help: 'only types of objects in namespaces; =false: only others' },
  verbs: { type: list('verb'), default: [] as readonly string[], help: 'only types with all of these verbs' },
  apiGroup: { type: text('group'), help: 'only types of this group' },
  categories: {
    type: list('category'),
    default: [] as readonly string[],
    help: 'only types that belong to all of these categories',
  },
  sortBy: { type: choice('column', ['name', 'kind']), help: 'name or kind' },
  noHeaders: { type: toggle, help: 'leave out the headings' },
  showManagedFields: { type: toggle, help: 'accepted for scripts; types have no managed fields' },
  cached: { type: toggle, help: 'accepted: what is kept is always used while the server says that it still holds' },
} satisfies FlagTable;

/** Flags of `cl explain`. */
export const explainFlags = {
  recursive: { type: toggle, short: 'R', help: 'show the fields of fields too' },
  apiVersion: { type: text('version'), help: '<group>/<version>; default: the preferred one' },
  output: {
    type: choice('format', ['plaintext', 'plaintext-openapiv2']),
    short: 'o',
    default: 'plaintext',
    help: 'plaintext or plaintext-openapiv2',
  },
} satisfies FlagTable;

/** Flags of `cl api-versions`: it has none of its own. */
export const apiVersionsFlags = {} satisfies FlagTable;
