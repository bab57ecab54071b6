import { checkOptions, flagCheck, type OptionCheck, type OptionChecks } from '../flags/check-options.ts';
import type { OptionsOf } from '../flags/flag-options.ts';
import { isJsonObject, type JsonValue } from '../meta/json-value.ts';
import { authorizationModes } from './flags/authorization-options.ts';
import { type ServerOptions, serverTable } from './server-options.ts';

type OwnOption = Exclude<keyof ServerOptions, keyof OptionsOf<typeof serverTable>>;

/** The options that no single flag sets. */
const ownChecks: Readonly<Record<OwnOption, OptionCheck>> = {
  store: checkStore,
  certificateReloadMs: checkTime,
  tokens: (value) => (isListOf(value, isToken) ? undefined : 'use a list of { token, username, groups }'),
  anonymousPaths: (value) => (isListOf(value, isText) ? undefined : 'use a list of paths'),
  authorizationMode: (value) =>
    (Array.isArray(value) ? value : [value]).every(isMode)
      ? undefined
      : `use ${authorizationModes.join(', ')}, or a list of them; a webhook is { type: 'Webhook', ... }`,
  frontProxy: checkObject,
  oidc: checkObject,
  tokenWebhook: checkObject,
  auditLog: checkObject,
  auditWebhook: checkObject,
  admissionPlugins: (value) =>
    isObject(value) && isListOf(value['enabled'], isText) && isListOf(value['disabled'], isText)
      ? undefined
      : 'use { enabled: [names], disabled: [names] }',
  admissionConfigurations: checkObject,
  proxyClient: checkObject,
  nodeAgent: checkObject,
  headersTimeoutMs: checkTime,
  receiveTimeoutMs: checkTime,
  drainTimeoutMs: checkTime,
  cache: checkObject,
  flags: checkObject,
  siblings: checkObject,
  identityName: (value) => (isText(value) && value !== '' ? undefined : 'use a text'),
};

const rowChecks: OptionChecks = Object.fromEntries(
  Object.entries(serverTable).flatMap(([name, row]) => ('flag' in row ? [[name, flagCheck(row.type)]] : [])),
);

/** Options of programs with a wider range than their flags. */
const widerChecks: OptionChecks = {
  emulatedRelease: (value) => (value === 'newest' ? undefined : rowChecks['emulatedRelease']?.(value)),
  // A program may know that its bodies are small.
  maxBodyBytes: (value) =>
    Number.isInteger(value) && Number(value) >= 0 ? undefined : 'use a number of bytes, 0 or more',
};

/**
 * Checks the options of a program that starts a server. Throws TypeError with the name of one that
 * is unknown or wrong. The names of `others` are options of the caller.
 */
export function checkServerOptions(given: unknown, others: readonly string[] = []): void {
  checkOptions(given, { ...rowChecks, ...ownChecks, ...widerChecks }, others);
}

function checkStore(value: unknown): string | undefined {
  if (isObject(value)) {
    const { kind, servers, endpoint } = value;
    if (kind === 'memory' || (kind === 'remote' && isText(endpoint))) return undefined;
    if (kind === 'etcd' && isListOf(servers, isText)) return undefined;
  }
  return "use { kind: 'memory' }, { kind: 'etcd', servers: [urls] } or { kind: 'remote', endpoint }";
}

function checkTime(value: unknown): string | undefined {
  return typeof value === 'number' && value >= 0 ? undefined : 'use a number of milliseconds';
}

function checkObject(value: unknown): string | undefined {
  return isObject(value) ? undefined : 'use an object';
}

function isToken(value: unknown): boolean {
  return (
    isObject(value) &&
    isText(value['token']) &&
    isText(value['username']) &&
    (value['groups'] === undefined || isListOf(value['groups'], isText))
  );
}

function isMode(value: unknown): boolean {
  if (isObject(value)) return value['type'] === 'Webhook';
  return value !== 'Webhook' && authorizationModes.some((mode) => mode === value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOf(value: unknown, isElement: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isElement);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  // A value of a caller may be anything; its members are checked one by one.
  return isJsonObject(value as JsonValue | undefined);
}
