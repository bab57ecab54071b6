import type { FlagTable } from '../../../../flags/flag-table.ts';
import { choice, integer, text, toggle } from '../../../../flags/flag-types.ts';
import { allNamespaces } from '../../../shared-flags.ts';
import {
  deletionFlags,
  fieldManager,
  fileFlags,
  localFlags,
  resultFlags,
  selectionFlags,
  timeout,
  validationFlags,
} from '../../../write-flags.ts';

const resourceVersion = { type: text('version'), help: 'only while the object is at this version' } as const;

const subresource = { type: text('name'), help: 'the sub-resource: status, scale' } as const;

const metadataFlags = {
  ...selectionFlags,
  fieldSelector: { type: text('selector'), help: 'only objects with these fields: metadata.name=a' },
  allNamespaces,
  list: { type: toggle, help: 'show them, after the change' },
  overwrite: { type: toggle, help: 'give another value to a key that has one' },
  resourceVersion,
  ...localFlags,
  ...resultFlags,
} satisfies FlagTable;

/** Flags of `cl label`. */
export const labelFlags = { ...metadataFlags, fieldManager: fieldManager('cl-label') } satisfies FlagTable;

/** Flags of `cl annotate`. */
export const annotateFlags = { ...metadataFlags, fieldManager: fieldManager('cl-annotate') } satisfies FlagTable;

/** Flags of `cl scale`. */
export const scaleFlags = {
  ...selectionFlags,
  replicas: { type: integer('number'), help: 'how many there are to be' },
  currentReplicas: {
    type: integer('number', -1),
    default: -1,
    help: 'only if there are so many now; -1 is any number',
  },
  resourceVersion,
  timeout,
  ...resultFlags,
} satisfies FlagTable;

/** Flags of `cl patch`. */
export const patchFlags = {
  ...fileFlags,
  type: {
    type: choice('type', ['strategic', 'merge', 'json']),
    default: 'strategic',
    help: 'strategic: merge, with lists by their keys; merge: RFC 7386; json: RFC 6902',
  },
  patch: { type: text('patch'), short: 'p', help: 'the patch, as JSON or YAML' },
  patchFile: { type: text('file'), help: 'a file with the patch' },
  subresource,
  ...localFlags,
  ...resultFlags,
  fieldManager: fieldManager('cl-patch'),
} satisfies FlagTable;

/** Flags of `cl replace`. */
export const replaceFlags = {
  ...fileFlags,
  ...resultFlags,
  ...validationFlags,
  ...deletionFlags,
  force: { type: toggle, help: 'delete the objects, wait until they are gone, and create them' },
  raw: { type: text('path'), help: 'send the file with PUT to a path of the server' },
  subresource,
  fieldManager: fieldManager('cl-replace'),
} satisfies FlagTable;
