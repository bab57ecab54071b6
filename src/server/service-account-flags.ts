import type { FlagTable, FlagValues } from '../flags/flag-table.ts';
import { boolean, checked, duration, list, repeated, text } from '../flags/flag-types.ts';
import { defined } from '../meta/defined.ts';
import { defaultServiceAccountOptions, type ServiceAccountOptions } from './service-account-options.ts';

const file = text('file');
const section = 'Authentication';

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
export const serviceAccountFlags = {
  'service-account-issuer': {
    type: repeated(issuer),
    default: defaultServiceAccountOptions.serviceAccountIssuers,
    section,
    help:
      'issuer of service account tokens; new tokens have the first, tokens of all are accepted; may be repeated; ' +
      'default: https://<product>.default.svc',
  },
  'service-account-key-file': {
    type: repeated(file),
    default: defaultServiceAccountOptions.serviceAccountKeyFiles,
    section,
    help:
      'PEM keys, RSA or EC, public or private, that verify service account tokens besides the key that signs them; ' +
      'may be repeated; default: the key of --tls-private-key-file',
  },
  'service-account-signing-key-file': {
    type: file,
    default: undefined,
    section,
    help: 'PEM private key that signs service account tokens; default: a generated one, kept in --cert-dir',
  },
  'service-account-lookup': {
    type: boolean,
    default: defaultServiceAccountOptions.serviceAccountLookup,
    section,
    help: 'accept service account tokens of Secrets only while the Secret and the account exist',
  },
  'service-account-max-token-expiration': {
    type: lifetime,
    default: defaultServiceAccountOptions.serviceAccountMaxTokenExpirationMs,
    section,
    help: 'longest lifetime of new service account tokens; longer requests get this one; 0: 2^32 seconds',
  },
  'service-account-extend-token-expiration': {
    type: boolean,
    default: defaultServiceAccountOptions.serviceAccountExtendTokenExpiration,
    section,
    help: 'issue tokens of projected volumes for a year, and count the uses after the requested time',
  },
  'api-audiences': {
    type: list('audiences'),
    default: defaultServiceAccountOptions.apiAudiences,
    section,
    help: 'audiences of this server: tokens with audiences must name one of them; default: the issuers',
  },
  'service-account-jwks-uri': {
    type: httpsUrl,
    default: undefined,
    section,
    help: 'published URL of the keys of service account tokens; default: /openid/v1/jwks of this server',
  },
} as const satisfies FlagTable;

/** The options that the flags set. */
export function serviceAccountOptionsOf(values: FlagValues<typeof serviceAccountFlags>): ServiceAccountOptions {
  return {
    serviceAccountIssuers: values['service-account-issuer'],
    serviceAccountKeyFiles: values['service-account-key-file'],
    serviceAccountLookup: values['service-account-lookup'],
    serviceAccountMaxTokenExpirationMs: values['service-account-max-token-expiration'],
    serviceAccountExtendTokenExpiration: values['service-account-extend-token-expiration'],
    apiAudiences: values['api-audiences'],
    ...defined({
      serviceAccountSigningKeyFile: values['service-account-signing-key-file'],
      serviceAccountJwksUri: values['service-account-jwks-uri'],
    }),
  };
}
