import type { FlagTable } from '../../../flags/flag-table.ts';
import { choice, repeated, text, toggle } from '../../../flags/flag-types.ts';
import { identifiersOf } from '../../../identifiers/identifiers.ts';

const { prefix } = identifiersOf('kubernetes');

const optional = (flag: string, placeholder: string, help: string) =>
  ({ flag, type: text(placeholder), help }) as const;
const many = (flag: string, placeholder: string, help: string) =>
  ({
    flag,
    type: repeated(text(placeholder)),
    default: [] as readonly string[],
    help: `${help}; can be repeated`,
  }) as const;
const allowed = (flag: string, help: string) => ({ flag, type: toggle, help }) as const;

/** Flags of `cl kustomize`, which are passed on to the program that builds. */
export const kustomizeFlags = {
  asCurrentUser: allowed('as-current-user', 'run functions with the ids of this user'),
  enableAlphaPlugins: allowed('enable-alpha-plugins', 'allow plugins of the program'),
  enableHelm: allowed('enable-helm', 'allow charts, which the program of --helm-command expands'),
  env: { ...many('env', 'name[=value]', 'a variable of functions'), short: 'e' },
  helmApiVersions: many('helm-api-versions', 'version', 'an API version that charts find'),
  helmCommand: optional('helm-command', 'program', 'the program that expands charts'),
  helmDebug: allowed('helm-debug', 'let that program say what it does'),
  helmServerVersion: optional(`helm-${prefix}version`, 'version', 'the version of the server that charts find'),
  loadRestrictor: {
    type: choice('mode', ['LoadRestrictionsRootOnly', 'LoadRestrictionsNone']),
    default: 'LoadRestrictionsRootOnly',
    help: 'LoadRestrictionsNone: files outside the folder may be used',
  },
  mount: many('mount', 'options', 'a folder that functions see'),
  network: allowed('network', 'let functions that ask for it use the network'),
  networkName: optional('network-name', 'name', 'the network of their containers'),
  output: { type: text('file'), short: 'o', help: 'a file for what is built, or a folder for a file of each object' },
} satisfies FlagTable;
