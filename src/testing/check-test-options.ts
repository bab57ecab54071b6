import { checkServerOptions } from '../config/check-server-options.ts';
import { controllerFlags } from '../controllers/options/controller-flags.ts';
import { checkOptions, flagCheck, type OptionChecks } from '../flags/check-options.ts';
import type { Flag } from '../flags/flag-table.ts';
import { list, text } from '../flags/flag-types.ts';

const controllerChecks: OptionChecks = Object.fromEntries(
  Object.entries<Flag>(controllerFlags).map(([name, { type }]) => [name, flagCheck(type)]),
);

/** The options of `startServer` alone; groups of nodes have their own check. */
const ownChecks: OptionChecks = {
  // The server checks the object of an existing store.
  store: (value) =>
    typeof value !== 'string' || value === 'memory' || value === 'etcd'
      ? undefined
      : 'use memory, etcd, or an object that configures an existing store',
  controllers: (value) =>
    typeof value === 'boolean' || Array.isArray(value) ? undefined : 'use true, false or a list of names',
  controllerOptions: (value) => {
    checkOptions(value, controllerChecks);
    return undefined;
  },
  from: flagCheck(text('file')),
  nodePortTargets: flagCheck(list('addresses')),
};

/**
 * Checks the options of `startServer`. Throws TypeError with the name of one that is unknown or
 * wrong.
 */
export function checkTestOptions(given: Readonly<Record<string, unknown>>): void {
  checkServerOptions(given, [...Object.keys(ownChecks), 'nodes']);
  checkOptions(Object.fromEntries(Object.entries(given).filter(([name]) => name in ownChecks)), ownChecks);
}
