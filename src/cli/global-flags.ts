import type { FlagTable, FlagValues } from '../flags/flag-table.ts';
import { identifierSets, identifiersOf } from '../identifiers/identifiers.ts';
import { duration, integer, list, repeated, text, toggle } from '../flags/flag-types.ts';

/** `$CLIENTCONFIG`, and the variable of the other set. */
const variables = identifierSets.map((set) => `$${identifiersOf(set).clientConfigVariable}`).join(' or ');

/** The flags of all commands. They may also be given before the command. */
export const globalFlags = {
  clientconfig: {
    type: text('file'),
    help: `client config file; default: ${variables}, the one of "cl up" in this folder, ~/.cl/config, ~/.kube/config`,
  },
  kubeconfig: { type: text('file'), help: 'the same as --clientconfig' },
  context: { type: text('name'), help: 'context of the client config' },
  cluster: { type: text('name'), help: 'cluster of the client config, instead of the context’s' },
  user: { type: text('name'), help: 'user of the client config, instead of the context’s' },
  namespace: { type: text('name'), short: 'n', help: 'namespace; default: that of the context' },
  server: { type: text('url'), short: 's', help: 'address of the server' },
  token: { type: text('token'), help: 'bearer token' },
  certificateAuthority: { type: text('file'), help: 'certificates that sign those of the server' },
  clientCertificate: { type: text('file'), help: 'certificate of the client' },
  clientKey: { type: text('file'), help: 'private key of the client' },
  insecureSkipTlsVerify: {
    type: toggle,
    help: 'do not verify the certificate of the server: anyone on the way can read and change what is sent',
  },
  tlsServerName: { type: text('name'), help: 'name in the certificate of the server' },
  requestTimeout: {
    type: duration(),
    default: 0,
    help: 'longest time of a request, also of get --watch, but not of a stream; 0 is no limit',
  },
  as: { type: text('user'), help: 'user to impersonate' },
  asGroup: { type: repeated(text('group')), default: [], help: 'group to impersonate; can be repeated' },
  asUid: { type: text('uid'), help: 'UID to impersonate' },
  asUserExtra: {
    type: list('key=value'),
    default: [],
    help: 'extra field of the user to impersonate; can be repeated',
  },
  cacheDir: { type: text('folder'), help: 'folder of what is kept between runs; default: ~/.cl/cache' },
  warningsAsErrors: { type: toggle, help: 'fail if the server sends a warning' },
  trace: { type: toggle, help: 'show time and decision of each step of the requests, for administrators' },
  v: {
    type: integer('level', 0, 10),
    short: 'v',
    default: 0,
    help: 'show the requests with their times (6), headers (7) and bodies (8, longer 9, whole 10); secrets are hidden',
  },
  help: { type: toggle, short: 'h', help: 'print help' },
} satisfies FlagTable;

/** The values of the flags of all commands. */
export type GlobalOptions = FlagValues<typeof globalFlags>;
