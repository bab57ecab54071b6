import { defined } from '../meta/defined.ts';
import { type AuthenticationOptions, defaultAuthenticationOptions } from './authentication-options.ts';
import type { FlagTable, FlagValues } from '../flags/flag-table.ts';
import { boolean, text } from '../flags/flag-types.ts';
import { tokenWebhookFlags, tokenWebhookOptionsOf } from './token-webhook-flags.ts';
import { oidcFlags, oidcOptionsOf } from './oidc-flags.ts';
import { frontProxyFlags, frontProxyOptionsOf } from './front-proxy-flags.ts';

const file = text('file');
const section = 'Authentication';

/** The flags of authentication. */
export const authenticationFlags = {
  'client-ca-file': {
    type: file,
    default: undefined,
    section,
    help: 'CA bundle that verifies client certificates',
  },
  'token-auth-file': {
    type: file,
    default: undefined,
    section,
    help: 'CSV file of bearer tokens: token,user,uid,"group1,group2"',
  },
  'enable-bootstrap-token-auth': {
    type: boolean,
    default: defaultAuthenticationOptions.enableBootstrapTokenAuth,
    section,
    help: 'accept bootstrap tokens, from Secrets of type bootstrap.<domain>/token in the system namespace',
  },
  'anonymous-auth': {
    type: boolean,
    default: undefined,
    section,
    help: 'serve requests without credentials as system:anonymous; default: true, and with AlwaysAllow for health and version alone',
  },
  'authentication-config': {
    type: file,
    default: undefined,
    section,
    help: 'AuthenticationConfiguration with issuers of tokens, read again when it changes, and paths of anonymous requests',
  },
  ...frontProxyFlags,
  ...oidcFlags,
  ...tokenWebhookFlags,
} as const satisfies FlagTable;

/** The options that the flags set. */
export function authenticationOptionsOf(values: FlagValues<typeof authenticationFlags>): AuthenticationOptions {
  return {
    ...defaultAuthenticationOptions,
    enableBootstrapTokenAuth: values['enable-bootstrap-token-auth'],
    ...defined({
      clientCaFile: values['client-ca-file'],
      tokenAuthFile: values['token-auth-file'],
      anonymousAuth: values['anonymous-auth'],
      authenticationConfigFile: values['authentication-config'],
      frontProxy: frontProxyOptionsOf(values),
      oidc: oidcOptionsOf(values),
      tokenWebhook: tokenWebhookOptionsOf(values),
    }),
  };
}
