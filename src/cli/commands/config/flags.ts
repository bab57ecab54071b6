import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, choice, repeated, text, toggle } from '../../../flags/flag-types.ts';
import { printFlags } from '../../shared-flags.ts';

/** Flags of `cl config view`. */
export const viewFlags = {
  flatten: { type: toggle, help: 'with the content of files in place of their paths' },
  minify: { type: toggle, help: 'only what the current context uses' },
  raw: { type: toggle, help: 'with secrets and certificates' },
  merge: { type: boolean, default: true, help: 'all files as one; false is only the first' },
  ...printFlags,
  output: { ...printFlags.output, default: 'yaml' },
} satisfies FlagTable;

/** Flags of `cl config get-contexts`. */
export const getContextsFlags = {
  output: { type: choice('format', ['name']), short: 'o', help: 'name: only the names' },
  noHeaders: { type: toggle, help: 'without the first line' },
} satisfies FlagTable;

/** Flags of commands with only the flags of all commands. */
export const noFlags = {} satisfies FlagTable;

/** Flags of `cl config set`. */
export const setFlags = {
  setRawBytes: { type: toggle, help: 'the value of a field with base64 is given as it is, and encoded' },
} satisfies FlagTable;

/** Flags of `cl config set-context`; `--cluster`, `--user` and `--namespace` are global. */
export const setContextFlags = {
  current: { type: toggle, help: 'change the current context' },
} satisfies FlagTable;

const embedCerts = {
  type: toggle,
  help: 'keep the content of certificates and keys in place of their paths',
} as const;

/** Flags of `cl config set-cluster`; `--server` and the flags of its certificate are global. */
export const setClusterFlags = {
  embedCerts,
  proxyUrl: { type: text('url'), help: 'proxy: http, https or socks5' },
} satisfies FlagTable;

const optional = (flag: string, placeholder: string, help: string) =>
  ({ flag, type: text(placeholder), help }) as const;

const several = (flag: string, placeholder: string, help: string) =>
  ({ flag, type: repeated(text(placeholder)), default: [], help: `${help}; can be repeated` }) as const;

/** Flags of `cl config set-credentials`; `--token` and the flags of certificates are global. */
export const setCredentialsFlags = {
  embedCerts,
  username: optional('username', 'name', 'name for basic authentication'),
  password: optional('password', 'password', 'password for basic authentication'),
  execCommand: optional('exec-command', 'program', 'program that prints credentials'),
  execArg: several('exec-arg', 'argument', 'argument of this program'),
  execEnv: several('exec-env', 'name=value', 'variable of this program; name- removes one'),
  execApiVersion: optional('exec-api-version', 'version', 'version of what it prints'),
  execInteractiveMode: {
    type: choice('mode', ['Never', 'IfAvailable', 'Always']),
    help: 'use of standard input by this program',
  },
  execProvideClusterInfo: { type: toggle, help: 'describe the cluster to this program' },
  authProvider: optional('auth-provider', 'name', 'provider of tokens: oidc'),
  authProviderArg: several('auth-provider-arg', 'key=value', 'setting of the provider; key- removes one'),
} satisfies FlagTable;

/** Flags of `cl config merge`. */
export const mergeFlags = {
  overwrite: { type: toggle, help: 'replace entries that have the same names' },
  use: { type: toggle, help: 'switch to the current context of the file' },
} satisfies FlagTable;
