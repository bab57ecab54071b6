import { allSigningAlgorithms, providerUrlError } from '../../authn/oidc/jwt-issuer.ts';
import { flagsOf, type GroupOf } from '../../flags/flag-options.ts';
import { inSection } from '../../flags/flag-table.ts';
import { checked, type FlagType, FlagValueError, list, text } from '../../flags/flag-types.ts';

/** The path below the issuer URL that is not part of it (spec 5.3). */
const discoveryPath = '/.well-known/openid-configuration';

const issuerUrlError = (url: string): string | undefined =>
  url.endsWith(discoveryPath) ? `use the URL without ${discoveryPath}` : providerUrlError(url);

const requiredClaims: FlagType<Readonly<Record<string, string>>> = {
  placeholder: 'claim=value',
  parse: (given) => {
    if (given === '') return {};
    const at = given.indexOf('=');
    if (at < 1) throw new FlagValueError('use <claim>=<value>');
    return { [given.slice(0, at)]: given.slice(at + 1) };
  },
  format: (claims) =>
    Object.entries(claims)
      .map((pair) => pair.join('='))
      .join(', '),
  join: (all) => Object.fromEntries(all.flatMap((claims) => Object.entries(claims))),
};

const algorithms = checked(list('algorithms'), (given) => {
  const wrong = given.find((name) => !allSigningAlgorithms.some((known) => known === name));
  return wrong === undefined ? undefined : `${wrong} is not one of ${allSigningAlgorithms.join(', ')}`;
});

/** The flags of an OpenID provider. */
export const oidcFlags = inSection('Authentication', {
  issuerUrl: {
    flag: 'oidc-issuer-url',
    type: checked(text('url'), issuerUrlError),
    help: 'https URL of an OpenID provider whose ID tokens authenticate users',
  },
  clientId: {
    flag: 'oidc-client-id',
    type: text('id'),
    help: 'client ID that ID tokens must be issued to',
  },
  usernameClaim: {
    flag: 'oidc-username-claim',
    type: text('claim'),
    default: 'sub',
    help: 'claim with the user name',
  },
  /** The prefix of user names; undefined: the issuer and `#`, or nothing for the claim `email`. */
  usernamePrefix: {
    flag: 'oidc-username-prefix',
    type: text('prefix'),
    help: 'text in front of user names; - is none; default: the issuer URL and #, or none for the claim email',
  },
  groupsClaim: {
    flag: 'oidc-groups-claim',
    type: text('claim'),
    help: 'claim with the groups of the user, a text or a list of texts',
  },
  groupsPrefix: {
    flag: 'oidc-groups-prefix',
    type: text('prefix'),
    default: '',
    help: 'text in front of groups',
  },
  requiredClaims: {
    flag: 'oidc-required-claim',
    type: requiredClaims,
    default: {},
    help: 'claim that must have a value, as claim=value; repeatable',
  },
  signingAlgorithms: {
    flag: 'oidc-signing-algs',
    type: algorithms,
    default: ['RS256'],
    help: `accepted algorithms of signatures: ${allSigningAlgorithms.join(', ')}`,
  },
  /** PEM of the CAs that verify the provider; undefined: the CAs of the system. */
  caFile: {
    flag: 'oidc-ca-file',
    type: text('file'),
    help: 'CA bundle that verifies the provider; default: the CAs of the system',
  },
});

/** An OpenID provider, as flags describe it (spec 5.3). */
export type OidcOptions = GroupOf<typeof oidcFlags, 'issuerUrl' | 'clientId'>;

type OidcFlag = (typeof oidcFlags)[keyof typeof oidcFlags]['flag'];

/** Checks flags that depend on each other. */
export function oidcError(given: (name: OidcFlag | 'authentication-config') => boolean): string | undefined {
  // The names of the table are its keys.
  const used = (Object.keys(flagsOf(oidcFlags)) as OidcFlag[]).find(given);
  if (used && given('authentication-config')) return `--authentication-config and --${used} cannot be used together`;
  if (given('oidc-issuer-url') && given('oidc-client-id')) return undefined;
  return used && `--${used} needs --oidc-issuer-url and --oidc-client-id together`;
}
