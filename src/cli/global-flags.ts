import type { FlagTable, FlagValues } from '../flags/flag-table.ts';
import { identifierSets, identifiersOf } from '../identifiers/identifiers.ts';
import { boolean, duration, integer, list, repeated, text } from '../flags/flag-types.ts';

const section = 'Global';

/** `$CLIENTCONFIG`, and the variable of the other set. */
const variables = identifierSets.map((set) => `$${identifiersOf(set).clientConfigVariable}`).join(' or ');

/** The flags of all commands. They may also be given before the command. */
export const globalFlags = {
  clientconfig: {
    type: text('file'),
    default: undefined,
    section,
    help: `client config file; default: ${variables}, the one of "cl up" in this folder, ~/.cl/config, ~/.kube/config`,
  },
  kubeconfig: { type: text('file'), default: undefined, section, help: 'the same as --clientconfig' },
  context: { type: text('name'), default: undefined, section, help: 'context of the client config' },
  cluster: {
    type: text('name'),
    default: undefined,
    section,
    help: 'cluster of the client config, instead of the context’s',
  },
  user: {
    type: text('name'),
    default: undefined,
    section,
    help: 'user of the client config, instead of the context’s',
  },
  namespace: {
    type: text('name'),
    short: 'n',
    default: undefined,
    section,
    help: 'namespace; default: that of the context',
  },
  server: { type: text('url'), short: 's', default: undefined, section, help: 'address of the server' },
  token: { type: text('token'), default: undefined, section, help: 'bearer token' },
  certificateAuthority: {
    flag: 'certificate-authority',
    type: text('file'),
    default: undefined,
    section,
    help: 'certificates that sign those of the server',
  },
  clientCertificate: {
    flag: 'client-certificate',
    type: text('file'),
    default: undefined,
    section,
    help: 'certificate of the client',
  },
  clientKey: { flag: 'client-key', type: text('file'), default: undefined, section, help: 'private key of the client' },
  insecureSkipTlsVerify: {
    flag: 'insecure-skip-tls-verify',
    type: boolean,
    default: false,
    section,
    help: 'do not verify the certificate of the server: anyone on the way can read and change what is sent',
  },
  tlsServerName: {
    flag: 'tls-server-name',
    type: text('name'),
    default: undefined,
    section,
    help: 'name in the certificate of the server',
  },
  requestTimeout: {
    flag: 'request-timeout',
    type: duration(),
    default: 0,
    section,
    help: 'longest time of a request, also of get --watch, but not of a stream; 0 is no limit',
  },
  as: { type: text('user'), default: undefined, section, help: 'user to impersonate' },
  asGroup: {
    flag: 'as-group',
    type: repeated(text('group')),
    default: [],
    section,
    help: 'group to impersonate; can be repeated',
  },
  asUid: { flag: 'as-uid', type: text('uid'), default: undefined, section, help: 'UID to impersonate' },
  asUserExtra: {
    flag: 'as-user-extra',
    type: list('key=value'),
    default: [],
    section,
    help: 'extra field of the user to impersonate; can be repeated',
  },
  cacheDir: {
    flag: 'cache-dir',
    type: text('folder'),
    default: undefined,
    section,
    help: 'folder of what is kept between runs; default: ~/.cl/cache',
  },
  warningsAsErrors: {
    flag: 'warnings-as-errors',
    type: boolean,
    default: false,
    section,
    help: 'fail if the server sends a warning',
  },
  trace: {
    type: boolean,
    default: false,
    section,
    help: 'show time and decision of each step of the requests, for administrators',
  },
  v: {
    type: integer('level', 0, 10),
    short: 'v',
    default: 0,
    section,
    help: 'show the requests with their times (6), headers (7) and bodies (8, longer 9, whole 10); secrets are hidden',
  },
  help: { type: boolean, short: 'h', default: false, section, help: 'print help' },
} satisfies FlagTable;

/** The values of the flags of all commands. */
export type GlobalOptions = FlagValues<typeof globalFlags>;
