import { inSection } from '../../flags/flag-table.ts';
import { boolean, checked, duration, list, repeated, text } from '../../flags/flag-types.ts';

const file = text('file');
const hourMs = 3_600_000;
/** The largest lifetime of the API, 2^32 seconds. */
const longestMs = 2 ** 32 * 1000;

/** A text with a colon must be a URL, as in OpenID Connect and RFC 7519 (StringOrURI). */
const issuer = checked(text('issuer'), (value) =>
  value.includes(':') && !URL.canParse(value) ? 'use a URL, or a name without a colon' : undefined,
);

const lifetime = checked(duration(), (ms) =>
  ms === 0 || (ms >= hourMs && ms <= longestMs) ? undefined : 'use 0, or 1h to 2^32 seconds',
);

const httpsUrl = checked(text('URL'), (value) =>
  URL.canParse(value) && new URL(value).protocol === 'https:' ? undefined : 'use a URL that begins with https:',
);

/** The flags of tokens of service accounts. */
export const serviceAccountFlags = inSection('Authentication', {
  /**
   * The issuers of accepted tokens; the first one issues new tokens. None:
   * `https://<product>.default.svc`.
   */
  serviceAccountIssuers: {
    flag: 'service-account-issuer',
    type: repeated(issuer),
    default: [],
    help:
      'issuer of service account tokens; new tokens have the first, tokens of all are accepted; may be repeated; ' +
      'default: https://<product>.default.svc',
  },
  /**
   * Files with PEM keys that verify tokens, public or private. The key that signs tokens verifies
   * them too.
   */
  serviceAccountKeyFiles: {
    flag: 'service-account-key-file',
    type: repeated(file),
    default: [],
    help:
      'PEM keys, RSA or EC, public or private, that verify service account tokens besides the key that signs them; ' +
      'may be repeated; default: the key of --tls-private-key-file',
  },
  /**
   * PEM private key that signs tokens; undefined: a key of this server's own, in `certDir` or in
   * memory.
   */
  serviceAccountSigningKeyFile: {
    flag: 'service-account-signing-key-file',
    type: file,
    help: 'PEM private key that signs service account tokens; default: a generated one, kept in --cert-dir',
  },
  /** True if tokens of Secrets need their Secret and their account. */
  serviceAccountLookup: {
    flag: 'service-account-lookup',
    type: boolean,
    default: true,
    help: 'accept service account tokens of Secrets only while the Secret and the account exist',
  },
  /** The longest lifetime of a new token; 0: only the limit of the API, 2^32 seconds. */
  serviceAccountMaxTokenExpirationMs: {
    flag: 'service-account-max-token-expiration',
    type: lifetime,
    default: 0,
    help: 'longest lifetime of new service account tokens; longer requests get this one; 0: 2^32 seconds',
  },
  /**
   * Makes tokens of projected volumes valid for a year, for clients that do not read new ones. The
   * use of such a token after its hour is counted.
   */
  serviceAccountExtendTokenExpiration: {
    flag: 'service-account-extend-token-expiration',
    type: boolean,
    default: true,
    help: 'issue tokens of projected volumes for a year, and count the uses after the requested time',
  },
  /** The audiences of this server; none: the issuers. */
  apiAudiences: {
    flag: 'api-audiences',
    aliases: ['service-account-api-audiences'],
    type: list('audiences'),
    default: [],
    help: 'audiences of this server: tokens with audiences must name one of them; default: the issuers',
  },
  /** The published URL of the keys; undefined: the URL on this server. */
  serviceAccountJwksUri: {
    flag: 'service-account-jwks-uri',
    type: httpsUrl,
    help: 'published URL of the keys of service account tokens; default: /openid/v1/jwks of this server',
  },
});
