import { resolve } from 'node:path';
import { identifiersOf } from '../../../identifiers/identifiers.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { CliError } from '../../cli-error.ts';
import { changeConfig, entryWrite, findEntry } from '../../client-config-files/change-config.ts';
import { type ConfigList, currentContextOf } from '../../client-config-files/config-entries.ts';
import { mergeConfigFiles } from '../../client-config-files/read-config-files.ts';
import type { Invocation } from '../../command.ts';
import { visibleLine } from '../../format-rows.ts';
import type { setClusterFlags, setContextFlags, setCredentialsFlags } from './flags.ts';
import { base64Of } from './view.ts';

/** Sets fields of an entry; those that are undefined are removed. */
async function setEntry(
  caller: Pick<Invocation, 'options' | 'io'>,
  { list, name }: { readonly list: ConfigList; readonly name: string },
  change: (content: JsonObject) => Readonly<Record<string, JsonValue | undefined>>,
): Promise<boolean> {
  return changeConfig(caller, (files) => {
    const { content } = findEntry(files, list, name);
    const changed: JsonObject = { ...content };
    for (const [field, value] of Object.entries(change(content ?? {}))) {
      if (value === undefined) delete changed[field];
      else changed[field] = value;
    }
    return { writes: [entryWrite(files, list, name, changed)], result: content !== undefined };
  });
}

/** `cl config set-context`: creates or changes a context. */
export async function setContext(invocation: Invocation<typeof setContextFlags>): Promise<void> {
  const { words, options, io, given } = invocation;
  if (options.current === words.length > 0) {
    throw new CliError('a name or --current is needed', { hint: 'and not both' });
  }
  const name = words[0] ?? (await currentName({ options, io }));
  const fields = (['cluster', 'user', 'namespace'] as const).filter((field) => given(field));
  const values = Object.fromEntries(fields.map((field) => [field, options[field] ?? '']));
  const existed = await setEntry({ options, io }, { list: 'contexts', name }, (content) => ({
    cluster: '',
    user: '',
    ...content,
    ...values,
  }));
  io.stdout.write(visibleLine(`Context "${name}" ${existed ? 'modified' : 'created'}.`));
}

async function currentName(caller: Pick<Invocation, 'options' | 'io'>): Promise<string> {
  const name = await changeConfig(caller, (files) => ({
    writes: [],
    result: currentContextOf(mergeConfigFiles(files)),
  }));
  if (name === '') throw new CliError('no current context is set', { hint: 'name one' });
  return name;
}

/** `cl config set-cluster`: creates or changes a cluster. */
export async function setCluster(invocation: Invocation<typeof setClusterFlags>): Promise<void> {
  const {
    words: [name = ''],
    options,
    io,
    given,
  } = invocation;
  const { server, tlsServerName, proxyUrl, insecureSkipTlsVerify, certificateAuthority } = options;
  if (certificateAuthority && insecureSkipTlsVerify) {
    throw new CliError('you cannot specify a certificate authority and insecure mode at the same time', {
      hint: 'with the one, the other has no effect',
    });
  }
  const ca = await materialFields('certificate-authority', certificateAuthority, options.embedCerts, io.directory);
  const insecure = given('insecureSkipTlsVerify')
    ? { 'insecure-skip-tls-verify': insecureSkipTlsVerify || undefined }
    : {};
  await setEntry({ options, io }, { list: 'clusters', name }, () => ({
    ...(server === undefined ? {} : { server }),
    ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName || undefined }),
    ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl || undefined }),
    ...insecure,
    ...ca,
    // One of the two would be without effect, and kubectl refuses both.
    ...(insecureSkipTlsVerify ? { 'certificate-authority': undefined, 'certificate-authority-data': undefined } : {}),
    ...(certificateAuthority ? { 'insecure-skip-tls-verify': undefined } : {}),
  }));
  io.stdout.write(visibleLine(`Cluster "${name}" set.`));
}

/** A certificate or a key as a path, or with its content. */
async function materialFields(
  field: string,
  path: string | undefined,
  embed: boolean,
  directory: string,
): Promise<Readonly<Record<string, string | undefined>>> {
  if (path === undefined) return {};
  const file = resolve(directory, path);
  const content = embed || path === '' ? undefined : file;
  return { [field]: content, [`${field}-data`]: embed && path !== '' ? await base64Of(file) : undefined };
}

type Credentials = Invocation<typeof setCredentialsFlags>;

/** `cl config set-credentials`: creates or changes a user. */
export async function setCredentials(invocation: Credentials): Promise<void> {
  const {
    words: [name = ''],
    options,
    io,
  } = invocation;
  const { token, username, password, embedCerts } = options;
  const basic = username !== undefined || password !== undefined;
  if (token && basic) {
    const both = '--token, --username/--password';
    throw new CliError(`you cannot specify more than one authentication method at the same time: ${both}`);
  }
  const [cert, key] = await Promise.all([
    materialFields('client-certificate', options.clientCertificate, embedCerts, io.directory),
    materialFields('client-key', options.clientKey, embedCerts, io.directory),
  ]);
  await setEntry({ options, io }, { list: 'users', name }, (content) => ({
    ...cert,
    ...key,
    ...(token === undefined ? {} : { token: token || undefined, ...(token ? withoutBasic : {}) }),
    ...(basic ? { tokenFile: undefined, token: undefined } : {}),
    ...(username === undefined ? {} : { username: username || undefined }),
    ...(password === undefined ? {} : { password: password || undefined }),
    ...execFields(content, invocation),
    ...providerFields(content, options),
  }));
  io.stdout.write(visibleLine(`User "${name}" set.`));
}

const withoutBasic = { username: undefined, password: undefined, tokenFile: undefined };

/** The version of programs that print credentials, if none is given. */
const execVersion = `client.authentication.${identifiersOf('kubernetes').apiDomain}/v1`;

function execFields(content: JsonObject, { options, given }: Credentials): Readonly<Record<string, JsonValue>> {
  const { execCommand, execArg, execEnv, execApiVersion, execInteractiveMode, execProvideClusterInfo } = options;
  const isGiven = [execCommand, execApiVersion, execInteractiveMode, ...execArg, ...execEnv].some(Boolean);
  if (!isGiven && !given('execProvideClusterInfo')) return {};
  const known = objectAt(content, 'exec');
  if (!execCommand && stringAt(known, 'command') === '') {
    throw new CliError('--exec-command is missing', { hint: 'it names the program that prints credentials' });
  }
  const env = environment(objectsAt(known, 'env'), execEnv);
  const exec: JsonObject = {
    interactiveMode: 'IfAvailable',
    apiVersion: execVersion,
    provideClusterInfo: false,
    ...known,
    ...(execCommand ? { command: execCommand } : {}),
    ...(execArg.length > 0 ? { args: [...execArg] } : {}),
    ...(env.length > 0 ? { env } : {}),
    ...(execApiVersion ? { apiVersion: execApiVersion } : {}),
    ...(execInteractiveMode ? { interactiveMode: execInteractiveMode } : {}),
    ...(given('execProvideClusterInfo') ? { provideClusterInfo: execProvideClusterInfo } : {}),
  };
  return { exec };
}

/** Variables with others set by `name=value` and removed by `name-`. */
function environment(known: readonly JsonObject[], changes: readonly string[]): JsonObject[] {
  const variables = new Map(known.map((each) => [stringAt(each, 'name'), stringAt(each, 'value')]));
  applyPairs(variables, changes);
  return [...variables].map(([name, value]) => ({ name, value }));
}

function applyPairs(values: Map<string, string>, changes: readonly string[]): void {
  for (const change of changes) {
    const sign = change.indexOf('=');
    if (sign > 0) values.set(change.slice(0, sign), change.slice(sign + 1));
    else if (change.endsWith('-')) values.delete(change.slice(0, -1));
    else throw new CliError(`"${change}" is not of the form name=value or name-`);
  }
}

function providerFields(content: JsonObject, options: Credentials['options']): Readonly<Record<string, JsonValue>> {
  const { authProvider, authProviderArg } = options;
  if (authProvider === undefined && authProviderArg.length === 0) return {};
  const known = getOwn(content, 'auth-provider');
  const before = isJsonObject(known) ? known : {};
  const name = authProvider ?? stringAt(before, 'name');
  if (name === '') throw new CliError('--auth-provider is missing', { hint: 'for example: --auth-provider=oidc' });
  const config = new Map(
    Object.keys(objectAt(before, 'config')).map((key) => [key, stringAt(objectAt(before, 'config'), key)]),
  );
  applyPairs(config, authProviderArg);
  return { 'auth-provider': { name, config: Object.fromEntries(config) } };
}
