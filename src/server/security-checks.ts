import { stat } from 'node:fs/promises';
import { authorizationModesOf, configuredModes } from '../config/flags/authorization-options.ts';
import { allowsEveryone, anonymousAuthOf } from './access/authorizers-of.ts';
import { isLoopback, isLoopbackEndpoint } from '../config/loopback.ts';
import { defaultServerOptions, type ServerOptions } from '../config/server-options.ts';

/** The input of the rules. */
interface SecurityFacts {
  readonly options: ServerOptions;
  /** True if any authenticator is enabled. */
  readonly identifiesClients: boolean;
  /** Files with secrets that other users of the machine can access. */
  readonly exposedFiles: readonly string[];
}

/** A rule about settings, with its message. */
interface SecurityRule {
  readonly when: (facts: SecurityFacts) => boolean;
  readonly message: (facts: SecurityFacts) => string;
}

const beyondLoopback = ({ options }: SecurityFacts): boolean => !isLoopback(options.bindAddress);

const modesOf = (options: ServerOptions): string => authorizationModesOf(options).join(',');

/** Reports whether everyone who can connect is an administrator. */
const isOpen = ({ options }: SecurityFacts): boolean =>
  anonymousAuthOf(options) && options.anonymousPaths === undefined && allowsEveryone(options);

/** The server does not start with these settings. */
const refusals: readonly SecurityRule[] = [
  {
    when: ({ options, identifiesClients }) => !identifiesClients && options.anonymousAuth !== true,
    message: () =>
      'no authentication is configured: set --client-ca-file or --token-auth-file, or the option `tokens` of ' +
      'createServer. `cl up` generates a CA and a client certificate. To try the server without authentication, set ' +
      '--anonymous-auth=true and --bind-address=127.0.0.1',
  },
  {
    when: (facts) => isOpen(facts) && beyondLoopback(facts),
    message: ({ options }) =>
      `--anonymous-auth=true with --authorization-mode=${modesOf(options)} would make everyone who can connect ` +
      `to ${options.bindAddress} an administrator: set --bind-address=127.0.0.1, or remove --anonymous-auth and set ` +
      '--client-ca-file or --token-auth-file',
  },
];

const isPlain = (endpoint: string): boolean => !/^(https|grpcs):/.test(endpoint) && !isLoopbackEndpoint(endpoint);

/** Store endpoints on other machines that are used without TLS. */
function plainEndpoints({ options: { store } }: SecurityFacts): readonly string[] {
  if (store.kind === 'memory') return [];
  return (store.kind === 'etcd' ? store.servers : [store.endpoint]).filter(isPlain);
}

/** Public paths that are not public by default. */
function morePublicPaths({ options }: SecurityFacts): readonly string[] {
  const harmless = new Set([...defaultServerOptions.alwaysAllowPaths, '/version']);
  return options.alwaysAllowPaths.filter((path) => !harmless.has(path));
}

/** The server starts with these settings and logs the message. */
const warnings: readonly SecurityRule[] = [
  {
    when: isOpen,
    message: ({ options }) =>
      `anonymous requests are allowed and the authorization mode is ${modesOf(options)}: ` +
      'every process on this machine is an administrator of this server',
  },
  {
    when: (facts) => allowsEveryone(facts.options) && beyondLoopback(facts),
    message: ({ options }) =>
      `--authorization-mode=${modesOf(options)}: every client with a valid credential is an administrator`,
  },
  {
    when: ({ options }) =>
      authorizationModesOf(options).includes('Node') && !options.admissionPlugins.enabled.includes('NodeRestriction'),
    message: () =>
      '--authorization-mode=Node without --enable-admission-plugins=NodeRestriction: every node can change other nodes ' +
      'and the pods on them',
  },
  {
    when: (facts) => plainEndpoints(facts).length > 0,
    message: (facts) =>
      `connections to ${plainEndpoints(facts).join(', ')} do not use TLS: ` +
      'others on the network can read and change all objects',
  },
  {
    when: ({ options }) => options.tokenAuthFile !== undefined,
    message: () => '--token-auth-file: tokens do not expire and changes need a restart; prefer --client-ca-file',
  },
  {
    when: ({ exposedFiles }) => exposedFiles.length > 0,
    message: ({ exposedFiles }) =>
      `other users of this machine can read or write ${exposedFiles.join(', ')}; use mode 600`,
  },
  {
    when: (facts) => morePublicPaths(facts).length > 0,
    message: (facts) =>
      `--authorization-always-allow-paths: ${morePublicPaths(facts).join(', ')} can be read without credentials`,
  },
  {
    when: ({ options: { clientCaFile, store } }) =>
      clientCaFile !== undefined && store.kind === 'etcd' && store.caFile === clientCaFile,
    message: () =>
      '--client-ca-file and --etcd-cafile are the same file: every certificate of etcd is also accepted from clients of ' +
      'this server; use a separate CA for clients',
  },
];

/** Permission bits for users who are neither owner nor in the group. */
const rightsOfOthers = 0o007;

/**
 * The configured files with secrets that other users can access. Missing files are reported by
 * their readers.
 */
async function exposedFilesOf(options: ServerOptions): Promise<string[]> {
  const { tokenAuthFile, tlsPrivateKeyFile, serviceAccountSigningKeyFile, store } = options;
  const etcdKey = store.kind === 'etcd' ? store.keyFile : undefined;
  const webhooks = configuredModes(options).map((mode) =>
    typeof mode === 'string' ? undefined : mode.clientConfigFile,
  );
  const files = [tokenAuthFile, tlsPrivateKeyFile, serviceAccountSigningKeyFile, etcdKey, ...webhooks].filter(
    (file) => file !== undefined,
  );
  const modes = await Promise.all(
    files.map((file) =>
      stat(file)
        .then(({ mode }) => mode)
        .catch(() => 0),
    ),
  );
  return files.filter((_, index) => ((modes[index] ?? 0) & rightsOfOthers) !== 0);
}

/**
 * Checks the options for settings that weaken security and returns a warning for each. Throws an
 * Error with advice if the server would be open to everyone or to nobody.
 */
export async function checkSecurity(options: ServerOptions, identifiesClients: boolean): Promise<readonly string[]> {
  const facts = { options, identifiesClients, exposedFiles: await exposedFilesOf(options) };
  const refusal = refusals.find(({ when }) => when(facts));
  if (refusal) throw new Error(refusal.message(facts));
  return warnings.filter(({ when }) => when(facts)).map(({ message }) => message(facts));
}
