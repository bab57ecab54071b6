import type { FlagTable } from '../flags/flag-table.ts';
import { choice, duration, integer, text, toggle } from '../flags/flag-types.ts';
import { filename, kustomize, printFlags, selector } from './shared-flags.ts';

/** The end of a write: the store, the client before the request, or the server before the store. */
export type DryRun = 'none' | 'client' | 'server';

const dryRun = {
  type: choice('mode', ['none', 'client', 'server']),
  bare: 'client',
  default: 'none',
  help: 'client: show the object and send nothing; server: let the server check and show it, and store nothing',
} as const;

/** The flag of commands that may wait a limited time. */
export const timeout = { type: duration(), default: 0, help: 'how long to wait; 0 is no limit' } as const;

/** The manager of the fields that a command writes; `initial` unless another is given. */
export function fieldManager(initial: string) {
  return { type: text('name'), default: initial, help: 'the owner of the fields that are written' } as const;
}

const validate = {
  type: choice('mode', ['strict', 'warn', 'ignore', 'true', 'false']),
  bare: 'strict',
  default: 'strict',
  help: 'what the server does with unknown and duplicate fields: strict refuses them, warn warns',
} as const;

const fieldValidations = { strict: 'Strict', true: 'Strict', warn: 'Warn', ignore: 'Ignore', false: 'Ignore' } as const;

/** The value of the server's `fieldValidation` for one of `--validate`. */
export function fieldValidationOf(mode: keyof typeof fieldValidations): 'Strict' | 'Warn' | 'Ignore' {
  return fieldValidations[mode];
}

/** Flags of commands that read manifests. */
export const fileFlags = {
  filename,
  recursive: { type: toggle, short: 'R', help: 'read the folders below those of -f too' },
  kustomize,
} satisfies FlagTable;

/** Flags of commands that print what they write. */
export const resultFlags = { dryRun, ...printFlags } satisfies FlagTable;

/** Flags of commands whose objects the server checks for unknown fields. */
export const validationFlags = { validate } satisfies FlagTable;

/** Flags that select the objects that a command changes. */
export const selectionFlags = {
  ...fileFlags,
  selector,
  all: { type: toggle, help: 'all objects of the type in the namespace' },
} satisfies FlagTable;

/** Flags of commands that can change manifests without a server. */
export const localFlags = {
  local: { type: toggle, help: 'change and print what -f has, without a server' },
} satisfies FlagTable;

/** Flags of commands that delete objects. */
export const deletionFlags = {
  cascade: {
    type: choice('mode', ['background', 'foreground', 'orphan', 'true', 'false']),
    bare: 'background',
    default: 'background',
    help: 'delete dependents after the object, before it, or leave them',
  },
  force: { type: toggle, help: 'delete at once, without waiting for what still runs' },
  gracePeriod: {
    type: integer('seconds', -1),
    default: -1,
    help: 'seconds to end in; -1 is what the object says, 0 needs --force',
  },
  timeout,
  wait: { type: toggle, help: 'wait until the objects are gone' },
} satisfies FlagTable;
