import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createBriefConnections } from '../client/brief-connections.ts';
import { type Client, type ClientOptions, createClient } from '../client/client.ts';
import { loadClientConfig } from '../outbound/config/load-client-config.ts';
import type { ConnectionSettings } from '../outbound/config/connection-settings.ts';
import { CliError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import type { Invocation } from './command.ts';
import { findConfigPaths } from './config-paths.ts';
import type { GlobalOptions } from './global-flags.ts';
import { loggedConnections } from './logged-connections.ts';
import { decodeJson } from '../codec/decode-json.ts';
import { encodeJson } from '../codec/encode-json.ts';
import { decodePlainYaml } from '../codec/plain-yaml.ts';
import type { JsonCodec } from '../client/runtime-json.ts';
import { defined, type JsonValue } from '../meta/json-value.ts';
import type { TimedStep } from '../client/server-timing.ts';
import type { TransportRequest } from '../client/transport.ts';
import { columnWidths, formatRows, visibleText } from './format-rows.ts';

/** Requests that a command sends to find resources, before the one that it is about. */
const discovery = /^\/(?:api(?:\/[^/]+)?|apis(?:\/[^/]+){0,2})$/;

/** Prints the trace of a request as a table on standard error. Nothing for discovery. */
function printTrace(io: CliIo, { method, path }: TransportRequest, steps: readonly TimedStep[]): void {
  if (discovery.test(path) || steps.length === 0) return;
  const rows = [
    ['STEP', 'NAME', 'MS', 'DECISION'],
    ...steps.map(({ name, durationMs, description }) => [
      ...nameParts(name),
      durationMs.toFixed(3),
      visibleText(description),
    ]),
  ];
  io.stderr.write(`${method} ${path}\n${formatRows(rows, columnWidths(rows))}`);
}

/** `webhook.admit.quota.example.com` is the webhook `admit.quota.example.com`. */
function nameParts(name: string): readonly [kind: string, name: string] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
}

/** A JSON codec that keeps all digits of numbers, for output and for manifests. */
const exactJson: JsonCodec = Object.freeze({
  parse: (bytes: Buffer): JsonValue => decodeJson(bytes, { duplicates: false }).value,
  // All values come from this codec or from YAML, so they are JSON.
  stringify: (value: unknown) => encodeJson(value as JsonValue),
});

/** The flags and the environment of a command that connects. Warnings are printed unless hidden. */
type Caller = Pick<Invocation, 'options' | 'io'> & {
  readonly hideWarnings?: boolean;
  /** Called with each warning, even if it is hidden. */
  readonly onWarning?: (text: string) => void;
};

/**
 * Connects, and closes the connections when `use` ends. Each warning of the server is printed once;
 * warnings may be errors.
 */
export async function withClient<Result>(caller: Caller, use: (client: Client) => Promise<Result>): Promise<Result> {
  const warnings = new Set<string>();
  const client = await connect(caller, (text) => {
    if (warnings.has(text)) return;
    warnings.add(text);
    caller.onWarning?.(text);
    if (!caller.hideWarnings) caller.io.stderr.write(`Warning: ${visibleText(text)}\n`);
  });
  try {
    const result = await use(client);
    if (caller.options.warningsAsErrors && warnings.size > 0) {
      throw new CliError(`the server sent ${warnings.size} warnings`);
    }
    return result;
  } finally {
    await client.close();
  }
}

/** Creates a client. Flags override what the client config says; with `--server` none is needed. */
async function connect({ options, io }: Caller, onWarning: (text: string) => void): Promise<Client> {
  const settings = await settingsOf(options, io);
  const { requestTimeout: requestTimeoutMs } = options;
  // A proxy needs the connections of the client.
  const direct = settings.proxyUrl === undefined ? createBriefConnections(settings, { requestTimeoutMs }) : undefined;
  return createClient(settings, {
    codec: exactJson,
    userAgent: 'cl',
    ...(direct
      ? { connections: options.v > 5 ? loggedConnections(direct, settings.server, options.v, io) : direct }
      : {}),
    ...impersonation(options),
    ...(options.trace ? { onTrace: (request, steps) => printTrace(io, request, steps) } : {}),
    onWarning,
  });
}

async function settingsOf(options: GlobalOptions, io: CliIo): Promise<ConnectionSettings> {
  const none = options.server === undefined ? undefined : { server: options.server, namespace: 'default' };
  const { paths, isLocal, ignored } = findConfigPaths(options, io);
  const found = paths.length === 0 ? none : await load(paths, options, isLocal);
  if (!found) throw noConfig(ignored);
  const flagged = await flaggedSettings(options, io);
  const namespace = options.namespace || found.namespace;
  return { ...(hasCredentials(flagged) ? withoutCredentials(found) : found), ...flagged, namespace };
}

async function load(
  paths: readonly string[],
  { context, cluster, user, server }: GlobalOptions,
  isLocal: boolean,
): Promise<ConnectionSettings> {
  const choice = { context, cluster, user, server, readPlainYaml: decodePlainYaml, fixedCredentials: isLocal };
  const settings = await loadClientConfig(paths, choice);
  if (!isLocal || settings.tokenFile === undefined) return settings;
  throw new CliError(`${paths.join()}: tokenFile is not supported in a config of the working directory`, {
    hint: 'name the file with --clientconfig',
  });
}

function noConfig(ignored: string | undefined): CliError {
  const hint =
    ignored === undefined
      ? 'start a server here with "cl up", or name a file with --clientconfig or $CLIENTCONFIG'
      : `${ignored} does not count, because you did not start "cl up" here; name it with --clientconfig if you trust it`;
  return new CliError('no client config was found', { hint });
}

/** The settings that flags set. */
async function flaggedSettings(options: GlobalOptions, io: CliIo): Promise<Partial<ConnectionSettings>> {
  const read = (file: string | undefined) =>
    file === undefined ? undefined : readFile(resolve(io.directory, file), 'utf8').catch(unreadable(file));
  const [ca, cert, key] = await Promise.all([
    read(options.certificateAuthority),
    read(options.clientCertificate),
    read(options.clientKey),
  ]);
  const { server, token, tlsServerName: serverName, insecureSkipTlsVerify: insecure } = options;
  return defined({
    server: server === undefined ? undefined : addressOf(server),
    ca,
    serverName,
    insecure: insecure || undefined,
    cert,
    key,
    token,
  });
}

function addressOf(server: string): string {
  const protocol = URL.canParse(server) ? new URL(server).protocol : '';
  if (protocol === 'https:' || protocol === 'http:') return server.replace(/\/+$/, '');
  throw new CliError(`--server: ${JSON.stringify(server)} is no address of a server`, {
    hint: 'use a URL like https://host:port',
  });
}

function hasCredentials({ token, cert, key }: Partial<ConnectionSettings>): boolean {
  return [token, cert, key].some((each) => each !== undefined);
}

function withoutCredentials({ server, ca, serverName, insecure, proxyUrl, namespace }: ConnectionSettings) {
  return { server, namespace, ...defined({ ca, serverName, insecure, proxyUrl }) };
}

function unreadable(file: string): (cause: unknown) => never {
  return (cause) => {
    throw new CliError(`${file} cannot be read`, { hint: String(cause), cause });
  };
}

function impersonation({ as: username, asGroup: groups, asUid: uid = '', asUserExtra }: GlobalOptions): ClientOptions {
  if (username) return { impersonate: { username, groups, uid, extra: extraOf(asUserExtra) } };
  if (groups.length === 0 && uid === '' && asUserExtra.length === 0) return {};
  throw new CliError('--as-group, --as-uid and --as-user-extra need a user', { hint: 'set it with --as' });
}

function extraOf(pairs: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const values = new Map<string, readonly string[]>();
  for (const pair of pairs) {
    const [key = ''] = pair.split('=', 1);
    values.set(key, [...(values.get(key) ?? []), pair.slice(key.length + 1)]);
  }
  return Object.fromEntries(values);
}
