import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Invocation } from '../../../command.ts';
import { CliError } from '../../../cli-error.ts';
import type { CliIo } from '../../../cli-io.ts';
import { configMapData, readData, secretData } from './data-sources.ts';
import type { configMapFlags, plainFlags, secretFlags, secretRegistryFlags, secretTlsFlags } from './flags.ts';
import { generateObject } from './generate-object.ts';
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { nameOf } from '../../../../meta/object-meta.ts';
import { sortKeys } from '../../../../meta/sort-keys.ts';

/** `cl create namespace NAME`. */
export function createNamespace(invocation: Invocation<typeof plainFlags>): Promise<void> {
  const rest = { spec: {}, status: {} };
  return generateObject(invocation, ({ name }) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
    ...rest,
  }));
}

/** `cl create serviceaccount NAME`. */
export function createServiceAccount(invocation: Invocation<typeof plainFlags>): Promise<void> {
  return generateObject(invocation, ({ name }) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } }));
}

/** `cl create configmap NAME`. */
export function createConfigMap(invocation: Invocation<typeof configMapFlags>): Promise<void> {
  const { options } = invocation;
  return generateObject(invocation, async ({ name, io }) => {
    const content = configMapData(await readData(options, io));
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...content };
    return options.appendHash ? withContentHash(object) : object;
  });
}

/** `cl create secret generic NAME`. */
export function createSecret(invocation: Invocation<typeof secretFlags>): Promise<void> {
  const { options } = invocation;
  return generateObject(invocation, async ({ name, io }) => {
    const data = secretData(await readData(options, io));
    const content = {
      ...(Object.keys(data).length > 0 ? { data } : {}),
      ...(options.type ? { type: options.type } : {}),
    };
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...content };
    return options.appendHash ? withContentHash(object) : object;
  });
}

/** `cl create secret tls NAME`. */
export function createTlsSecret(invocation: Invocation<typeof secretTlsFlags>): Promise<void> {
  const { options } = invocation;
  return generateObject(invocation, async ({ name, io, identifiers }) => {
    const [cert, key] = await Promise.all([readPem(options.cert, io), readPem(options.key, io)]);
    await checkPair(cert, key);
    const data = { 'tls.crt': cert.toString('base64'), 'tls.key': key.toString('base64') };
    const type = `${identifiers.labelDomain}/tls`;
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data, type };
    return options.appendHash ? withContentHash(object) : object;
  });
}

async function readPem(file: string | undefined, io: CliIo): Promise<Buffer> {
  return readFile(resolve(io.directory, file ?? '')).catch((cause: unknown) => {
    throw new CliError(`${file} cannot be read`, { cause });
  });
}

async function checkPair(cert: Buffer, key: Buffer): Promise<void> {
  const { createPrivateKey, X509Certificate } = await import('node:crypto');
  try {
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return;
  } catch (cause) {
    throw new CliError(`the certificate or its key is not PEM: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
  throw new CliError('the private key does not match the certificate');
}

/** `cl create secret docker-registry NAME`. */
export function createRegistrySecret(invocation: Invocation<typeof secretRegistryFlags>): Promise<void> {
  const { options } = invocation;
  const { dockerServer, dockerUsername: username, dockerPassword: password, dockerEmail: email = '' } = options;
  return generateObject(invocation, async ({ name, io, identifiers }) => {
    if (options.fromFile.length === 0 && !(username && password)) {
      throw new CliError('either --from-file or both --docker-username and --docker-password are needed');
    }
    const login = { username: username ?? '', password: password ?? '', ...(email ? { email } : {}) };
    const auth = Buffer.from(`${login.username}:${login.password}`).toString('base64');
    const settings = JSON.stringify({ auths: { [dockerServer]: { ...login, auth } } });
    const [file] = (await readData(options, io)).values();
    const data = { '.dockerconfigjson': (file ?? Buffer.from(settings)).toString('base64') };
    const type = `${identifiers.labelDomain}/dockerconfigjson`;
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data, type };
    return options.appendHash ? withContentHash(object) : object;
  });
}

/** The replacements of digits that could form words. */
const digits: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };
const length = 10;

/**
 * Appends a hash of the content to the name of a ConfigMap or Secret, the same hash as kubectl's.
 */
function withContentHash<T extends JsonObject>(object: T): T {
  const { kind = '', data = {}, binaryData, type } = object;
  const name = nameOf(object);
  const content: JsonObject = {
    kind,
    name,
    data,
    ...(binaryData === undefined ? {} : { binaryData }),
    ...(kind === 'Secret' ? { type: type ?? '' } : {}),
  };
  const hash = createHash('sha256')
    .update(JSON.stringify(sortKeys(content)))
    .digest('hex')
    .slice(0, length);
  const suffix = hash
    .split('')
    .map((digit) => digits[digit] ?? digit)
    .join('');
  return { ...object, metadata: { ...(object.metadata as JsonObject), name: `${name}-${suffix}` } };
}
