import { flagsOf } from '../../flags/flag-options.ts';
import { inSection } from '../../flags/flag-table.ts';
import { boolean, text } from '../../flags/flag-types.ts';
import { tokenWebhookFlags } from './token-webhook-flags.ts';
import { oidcFlags } from './oidc-flags.ts';
import { frontProxyFlags, frontProxyHeaderFlags } from './front-proxy-flags.ts';

const file = text('file');
/** The flags of authentication. */
export const authenticationFlags = inSection('Authentication', {
  /** PEM bundle that verifies client certificates; undefined: they identify nobody. */
  clientCaFile: {
    flag: 'client-ca-file',
    type: file,
    help: 'CA bundle that verifies client certificates',
  },
  /** CSV of `token,user,uid,"group1,group2"`. */
  tokenAuthFile: {
    flag: 'token-auth-file',
    type: file,
    help: 'CSV file of bearer tokens: token,user,uid,"group1,group2"',
  },
  /** Accepts the bootstrap tokens in Secrets of the system namespace (spec 5.9). */
  enableBootstrapTokenAuth: {
    flag: 'enable-bootstrap-token-auth',
    type: boolean,
    default: false,
    help: 'accept bootstrap tokens, from Secrets of type bootstrap.<domain>/token in the system namespace',
  },
  /**
   * Serves requests without credentials as the anonymous user. Default: true unless the
   * authorization mode allows everything to everyone (spec 5.6). `alwaysAllowPaths` are readable
   * unless this is set to false.
   */
  anonymousAuth: {
    flag: 'anonymous-auth',
    type: boolean,
    help: 'serve requests without credentials as system:anonymous; default: true, and with AlwaysAllow for health and version alone',
  },
  /**
   * An AuthenticationConfiguration: issuers of tokens, in place of `oidc`, and the settings of
   * anonymous requests, in place of `anonymousAuth`.
   */
  authenticationConfigFile: {
    flag: 'authentication-config',
    type: file,
    help: 'AuthenticationConfiguration with issuers of tokens, read again when it changes, and paths of anonymous requests',
  },
  ...flagsOf(frontProxyFlags),
  ...flagsOf(frontProxyHeaderFlags),
  ...flagsOf(oidcFlags),
  ...flagsOf(tokenWebhookFlags),
});
