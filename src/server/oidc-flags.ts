import { allSigningAlgorithms, providerUrlFault } from '../authn/oidc/jwt-issuer.ts';
import type { FlagTable, FlagValues } from '../flags/flag-table.ts';
import { checked, list, repeated, text } from '../flags/flag-types.ts';
import type { OidcOptions } from './oidc-options.ts';

const section = 'Authentication';

/** The path below the issuer URL that is not part of it (spec 5.3). */
const discoveryPath = '/.well-known/openid-configuration';

const issuerUrlFault = (url: string): string | undefined =>
  url.endsWith(discoveryPath) ? `use the URL without ${discoveryPath}` : providerUrlFault(url);

const requiredClaims = checked(repeated(text('claim=value')), (pairs) => {
  const wrong = pairs.find((pair) => pair.indexOf('=') < 1);
  return wrong === undefined ? undefined : 'use <claim>=<value>';
});

const algorithms = checked(list('algorithms'), (given) => {
  const wrong = given.find((name) => !allSigningAlgorithms.some((known) => known === name));
  return wrong === undefined ? undefined : `${wrong} is not one of ${allSigningAlgorithms.join(', ')}`;
});

/** The flags of an OpenID provider. */
export const oidcFlags = {
  'oidc-issuer-url': {
    type: checked(text('url'), issuerUrlFault),
    default: undefined,
    section,
    help: 'https URL of an OpenID provider whose ID tokens authenticate users',
  },
  'oidc-client-id': {
    type: text('id'),
    default: undefined,
    section,
    help: 'client ID that ID tokens must be issued to',
  },
  'oidc-username-claim': {
    type: text('claim'),
    default: 'sub',
    section,
    help: 'claim with the user name',
  },
  'oidc-username-prefix': {
    type: text('prefix'),
    default: undefined,
    section,
    help: 'text in front of user names; - is none; default: the issuer URL and #, or none for the claim email',
  },
  'oidc-groups-claim': {
    type: text('claim'),
    default: undefined,
    section,
    help: 'claim with the groups of the user, a text or a list of texts',
  },
  'oidc-groups-prefix': {
    type: text('prefix'),
    default: '',
    section,
    help: 'text in front of groups',
  },
  'oidc-required-claim': {
    type: requiredClaims,
    default: [],
    section,
    help: 'claim that must have a value, as claim=value; repeatable',
  },
  'oidc-signing-algs': {
    type: algorithms,
    default: ['RS256'],
    section,
    help: `accepted algorithms of signatures: ${allSigningAlgorithms.join(', ')}`,
  },
  'oidc-ca-file': {
    type: text('file'),
    default: undefined,
    section,
    help: 'CA bundle that verifies the provider; default: the CAs of the system',
  },
} as const satisfies FlagTable;

type Values = FlagValues<typeof oidcFlags>;

/** The options that the flags set; undefined without a provider. */
export function oidcOptionsOf(values: Values): OidcOptions | undefined {
  const issuerUrl = values['oidc-issuer-url'];
  const clientId = values['oidc-client-id'];
  if (issuerUrl === undefined || clientId === undefined) return undefined;
  return {
    issuerUrl,
    clientId,
    usernameClaim: values['oidc-username-claim'],
    usernamePrefix: values['oidc-username-prefix'],
    groupsClaim: values['oidc-groups-claim'],
    groupsPrefix: values['oidc-groups-prefix'],
    requiredClaims: Object.fromEntries(values['oidc-required-claim'].map(splitPair)),
    signingAlgorithms: values['oidc-signing-algs'],
    caFile: values['oidc-ca-file'],
  };
}

function splitPair(pair: string): [claim: string, value: string] {
  const at = pair.indexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/** Checks flags that depend on each other. */
export function oidcFault(given: (name: keyof Values | 'authentication-config') => boolean): string | undefined {
  // The names of the table are its keys.
  const used = (Object.keys(oidcFlags) as (keyof Values)[]).find(given);
  if (used && given('authentication-config')) return `--authentication-config and --${used} cannot be used together`;
  if (given('oidc-issuer-url') && given('oidc-client-id')) return undefined;
  return used && `--${used} needs --oidc-issuer-url and --oidc-client-id together`;
}
