import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Client, type ClientOptions, createClient } from '../client/client.ts';
import { pathsIn } from '../outbound/config/find-client-config.ts';
import { loadClientConfig } from '../outbound/config/load-client-config.ts';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { CliError } from './cli-error.ts';
import type { CliIo, GlobalOptions } from './cli-io.ts';
import { decodeJson } from '../codec/decode-json.ts';
import { encodeJson } from '../codec/encode-json.ts';
import type { JsonCodec } from '../client/json-codec.ts';
import type { JsonValue } from '../meta/json-value.ts';
import type { TimedStep } from '../client/server-timing.ts';
import type { TransportRequest } from '../client/transport.ts';
import { columnWidths, formatRows } from './printers/table.ts';

/** Requests that a command sends to find resources, before the one that it is about. */
const discovery = /^\/(?:api(?:\/[^/]+)?|apis(?:\/[^/]+){0,2})$/;

/** Prints the trace of a request as a table on standard error. Nothing for discovery. */
function printTrace(io: CliIo, { method, path }: TransportRequest, steps: readonly TimedStep[]): void {
  if (discovery.test(path) || steps.length === 0) return;
  const rows = [
    ['STEP', 'NAME', 'MS', 'DECISION'],
    ...steps.map(({ name, durationMs, description }) => [...nameParts(name), durationMs.toFixed(3), description]),
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

/**
 * Creates a client. The client config is the first found of `--clientconfig`, the files in
 * `$CLIENTCONFIG`, the file that `cl up` wrote below this directory, and `~/.cl/config`.
 */
export async function connect(options: GlobalOptions, io: CliIo): Promise<Client> {
  const settings = await loadClientConfig(configPaths(options, io), { context: options.context });
  return createClient(
    { ...settings, namespace: options.namespace || settings.namespace },
    {
      codec: exactJson,
      userAgent: 'cl',
      ...impersonation(options),
      ...(options.trace ? { onTrace: (request, steps) => printTrace(io, request, steps) } : {}),
      onWarning: (text) => io.stderr.write(`Warning: ${text}\n`),
    },
  );
}

function impersonation({ as: username, asGroup: groups = [], asUid: uid = '' }: GlobalOptions): ClientOptions {
  if (username) return { impersonate: { username, groups, uid } };
  if (groups.length === 0 && uid === '') return {};
  throw new CliError('--as-group and --as-uid need a user', { hint: 'set it with --as', usage: true });
}

function configPaths(options: GlobalOptions, io: CliIo): string | readonly string[] {
  const { clientConfigVariable } = identifiersOf('cluster');
  if (options.clientconfig) return resolve(io.directory, options.clientconfig);
  const named = pathsIn(io.env[clientConfigVariable]).map((path) => resolve(io.directory, path));
  if (named.length > 0) return named;
  const usual = [...adminConfigNames.map((name) => join(io.directory, '.cl', name)), join(homedir(), '.cl', 'config')];
  const found = usual.find((path) => existsSync(path));
  if (found === undefined) {
    throw new CliError('no client config was found', {
      hint: `start a server here with "cl up", or name a file with --clientconfig or $${clientConfigVariable}`,
    });
  }
  return found;
}

/** The files that `cl up` writes, for both sets of identifiers. */
const adminConfigNames = (['cluster', 'kubernetes'] as const).map((set) => `admin.${identifiersOf(set).clientConfig}`);
