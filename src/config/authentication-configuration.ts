import { X509Certificate } from 'node:crypto';
import {
  allSigningAlgorithms,
  type ClaimMapping,
  type JwtIssuer,
  providerUrlErrors,
} from '../authn/oidc/jwt-issuer.ts';
import { defined, getOwn, type JsonObject } from '../meta/json-value.ts';
import { isSet, objectAt, objectsAt, sameValue, stringAt, stringsAt } from '../meta/read-field.ts';
import { decodePem, encodePem } from '../pki/pem.ts';
import { duplicate, type FieldError, invalid, required, forbidden, tooMany } from '../status/field-error.ts';
import { claimExpressionErrors, claimExpressionsOf, unverifiedEmailErrors } from './claim-expression-errors.ts';
import { contentHash } from './content-hash.ts';
import { type ConfigurationShape, parseConfiguration, shapeErrors } from './configuration-file.ts';
import { type Compile, createExpressionLoader } from './expression-loader.ts';
import { readFile } from 'node:fs/promises';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { named } from './flags/pem-files.ts';
import { featuresOf } from './feature-gates.ts';
import type { ServerOptions } from './server-options.ts';
import { refuseErrors } from '../admission/check-configuration.ts';

/** The versions of AuthenticationConfiguration, which have the same fields. */
const versions = ['v1', 'v1beta1', 'v1alpha1'];

const string = 'string';
const listOf = (item: ConfigurationShape): ConfigurationShape => ({ list: item });
const objectOf = (fields: Readonly<Record<string, ConfigurationShape>>): ConfigurationShape => ({ fields });
const mappingShape = objectOf({ claim: string, prefix: string, expression: string });

const shape = objectOf({
  apiVersion: string,
  kind: string,
  jwt: listOf(
    objectOf({
      issuer: objectOf({
        url: string,
        discoveryURL: string,
        certificateAuthority: string,
        audiences: listOf(string),
        audienceMatchPolicy: string,
        egressSelectorType: string,
      }),
      claimValidationRules: listOf(
        objectOf({ claim: string, requiredValue: string, expression: string, message: string }),
      ),
      claimMappings: objectOf({
        username: mappingShape,
        groups: mappingShape,
        uid: objectOf({ claim: string, expression: string }),
        extra: listOf(objectOf({ key: string, valueExpression: string })),
      }),
      userValidationRules: listOf(objectOf({ expression: string, message: string })),
    }),
  ),
  anonymous: objectOf({ enabled: 'boolean', conditions: listOf(objectOf({ path: string })) }),
});

/** The maximum of kube-apiserver. */
const mostIssuers = 64;

/** The content of an AuthenticationConfiguration. */
export interface AuthenticationConfiguration {
  readonly issuers: readonly JwtIssuer[];
  /** The settings of anonymous requests; undefined: flags decide. */
  readonly anonymous: AnonymousSettings | undefined;
  /** The hash of the file. */
  readonly hash: string;
}

/** The requests without credentials that are served. */
interface AnonymousSettings {
  readonly enabled: boolean;
  /** The only paths that may be requested; none: all. */
  readonly paths: readonly string[];
}

/** An issuer, and the entry of the file that configures it. */
interface ConfiguredIssuer {
  readonly entry: JsonObject;
  readonly issuer: JwtIssuer;
}

/** The options that affect how the file is read. */
type ReadOptions = Pick<ServerOptions, 'identifiers'> &
  Partial<Pick<ServerOptions, 'serviceAccountIssuers'>> &
  Parameters<typeof featuresOf>[0];

/** The context of parsing the file. */
interface ParseContext {
  /** The full API group of the kind. */
  readonly group: string;
  readonly compile: Compile;
  /** The issuers of the tokens of this server. */
  readonly ownIssuers: readonly string[];
  /** Reports whether a feature gate is on. */
  readonly isEnabled: (gate: string) => boolean;
  /** The issuers of the previous content: an issuer with an equal entry is reused. */
  readonly known: readonly ConfiguredIssuer[];
}

/** Parses an AuthenticationConfiguration, in YAML or JSON. Throws an Error with all mistakes. */
function parseAuthenticationConfiguration(
  text: string,
  { group, compile, known, ownIssuers, isEnabled }: ParseContext,
): AuthenticationConfiguration & { readonly known: readonly ConfiguredIssuer[] } {
  const content = parseConfiguration(text, {
    kind: 'AuthenticationConfiguration',
    apiVersions: versions.map((version) => `${group}/${version}`),
  });
  refuseErrors(shapeErrors('', content, shape));
  const entries = objectsAt(content, 'jwt');
  if (entries.length > mostIssuers) refuseErrors([tooMany('jwt', entries.length, mostIssuers)]);
  const errors = entries.flatMap((entry, index) => {
    return entryErrors(entry, `jwt[${index}]`, { earlier: entries.slice(0, index), compile, ownIssuers, isEnabled });
  });
  const anonymous = isSet(content, 'anonymous') ? objectAt(content, 'anonymous') : undefined;
  if (anonymous) errors.push(...anonymousErrors(anonymous));
  refuseErrors(errors);
  const found = entries.map((entry) => {
    return known.find((one) => sameValue(one.entry, entry)) ?? { entry, issuer: issuerOf(entry, compile) };
  });
  const issuers = found.map(({ issuer }) => issuer);
  refuseErrors(
    issuers.flatMap(({ expressions }, index) =>
      expressions ? unverifiedEmailErrors(expressions, `jwt[${index}]`) : [],
    ),
  );
  return { issuers, anonymous: anonymous && anonymousOf(anonymous), hash: contentHash(text), known: found };
}

function anonymousErrors(anonymous: JsonObject): FieldError[] {
  const conditions = objectsAt(anonymous, 'conditions');
  return conditions.length > 0 && !anonymousOf(anonymous).enabled
    ? [invalid('anonymous.conditions', conditions, 'enabled should be set to true when conditions are defined')]
    : [];
}

function anonymousOf(anonymous: JsonObject): AnonymousSettings {
  return {
    enabled: getOwn(anonymous, 'enabled') === true,
    paths: objectsAt(anonymous, 'conditions').map((condition) => stringAt(condition, 'path')),
  };
}

/** The context of the rules of an entry, with the entries before it. */
interface EntryContext extends Pick<ParseContext, 'compile' | 'ownIssuers' | 'isEnabled'> {
  readonly earlier: readonly JsonObject[];
}

function entryErrors(entry: JsonObject, at: string, { compile, ...context }: EntryContext): FieldError[] {
  return [
    ...issuerErrors(objectAt(entry, 'issuer'), `${at}.issuer`, context),
    ...mappingsErrors(objectAt(entry, 'claimMappings'), `${at}.claimMappings`),
    ...claimExpressionErrors(entry, at, compile),
  ];
}

function issuerErrors(
  issuer: JsonObject,
  at: string,
  { earlier, ownIssuers, isEnabled }: Omit<EntryContext, 'compile'>,
): FieldError[] {
  const url = stringAt(issuer, 'url');
  const discoveryUrl = stringAt(issuer, 'discoveryURL');
  const isRepeated = (name: string): boolean =>
    earlier.some((other) => stringAt(objectAt(other, 'issuer'), name) === stringAt(issuer, name));
  return [
    ...(url === '' ? [required(`${at}.url`, 'URL is required')] : urlErrors(url, `${at}.url`)),
    ...(ownIssuers.includes(url)
      ? [invalid(`${at}.url`, url, `URL must not overlap with disallowed issuers: [${ownIssuers.join(' ')}]`)]
      : []),
    ...(isRepeated('url') ? [duplicate(`${at}.url`, url)] : []),
    ...(discoveryUrl === '' ? [] : urlErrors(discoveryUrl, `${at}.discoveryURL`)),
    ...(discoveryUrl !== '' && url !== '' && withoutSlashes(discoveryUrl) === withoutSlashes(url)
      ? [invalid(`${at}.discoveryURL`, discoveryUrl, 'discoveryURL must be different from URL')]
      : []),
    ...(discoveryUrl !== '' && isRepeated('discoveryURL') ? [duplicate(`${at}.discoveryURL`, discoveryUrl)] : []),
    ...audienceErrors(issuer, at),
    ...authorityErrors(stringAt(issuer, 'certificateAuthority'), `${at}.certificateAuthority`),
    ...egressErrors(stringAt(issuer, 'egressSelectorType'), `${at}.egressSelectorType`, isEnabled),
  ];
}

const egressGates = ['StructuredAuthenticationConfiguration', 'StructuredAuthenticationConfigurationEgressSelector'];

function egressErrors(type: string, at: string, isEnabled: ParseContext['isEnabled']): FieldError[] {
  if (type === '') return [];
  return [
    ...egressGates
      .filter((gate) => !isEnabled(gate))
      .map((gate) => invalid(at, type, `egress selector is not supported when ${gate} feature gate is disabled`)),
    ...(egressOf(type) ? [] : [invalid(at, type, 'egress selector must be either controlplane or cluster')]),
  ];
}

function egressOf(type: string): JwtIssuer['egress'] {
  return type === 'controlplane' || type === 'cluster' ? type : undefined;
}

function withoutSlashes(url: string): string {
  return url.replace(/\/+$/, '');
}

function urlErrors(url: string, at: string): FieldError[] {
  return providerUrlErrors(url).map((problem) => invalid(at, url, problem));
}

function audienceErrors(issuer: JsonObject, at: string): FieldError[] {
  const audiences = stringsAt(issuer, 'audiences');
  const policy = stringAt(issuer, 'audienceMatchPolicy');
  const policyAt = `${at}.audienceMatchPolicy`;
  if (audiences.length === 0) return [required(`${at}.audiences`, `at least one ${at}.audiences is required`)];
  return [
    ...audiences.flatMap((audience, index) => {
      if (audience === '') return [required(`${at}.audiences[${index}]`, 'audience cannot be empty')];
      return audiences.indexOf(audience) < index ? [duplicate(`${at}.audiences[${index}]`, audience)] : [];
    }),
    ...(audiences.length > 1 && policy !== 'MatchAny'
      ? [invalid(policyAt, policy, 'audienceMatchPolicy must be MatchAny for multiple audiences')]
      : []),
    ...(audiences.length === 1 && policy !== '' && policy !== 'MatchAny'
      ? [invalid(policyAt, policy, 'audienceMatchPolicy must be empty or MatchAny for single audience')]
      : []),
  ];
}

function authorityErrors(pem: string, at: string): FieldError[] {
  if (pem === '') return [];
  try {
    const certificates = decodePem(pem).filter(({ label }) => label === 'CERTIFICATE');
    for (const { label, der } of certificates) new X509Certificate(encodePem(label, der)).toString();
    return certificates.length > 0 ? [] : [invalid(at, '<omitted>', 'must have a PEM block of type CERTIFICATE')];
  } catch {
    return [invalid(at, '<omitted>', 'must be PEM with certificates')];
  }
}

function mappingsErrors(mappings: JsonObject, at: string): FieldError[] {
  const username = objectAt(mappings, 'username');
  return [
    ...mappingErrors(username, `${at}.username`),
    ...(stringAt(username, 'claim') === '' && stringAt(username, 'expression') === ''
      ? [required(`${at}.username`, 'claim or expression is required')]
      : []),
    ...mappingErrors(objectAt(mappings, 'groups'), `${at}.groups`),
  ];
}

function mappingErrors(entry: JsonObject, at: string): FieldError[] {
  const lacksPrefix =
    stringAt(entry, 'claim') !== '' && stringAt(entry, 'expression') === '' && !isSet(entry, 'prefix');
  const detail = 'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
  return lacksPrefix ? [required(`${at}.prefix`, detail)] : [];
}

/** The issuer in a valid entry. */
function issuerOf(entry: JsonObject, compile: Compile): JwtIssuer {
  const issuer = objectAt(entry, 'issuer');
  const mappings = objectAt(entry, 'claimMappings');
  const rules = objectsAt(entry, 'claimValidationRules');
  const expressions = claimExpressionsOf(entry, compile);
  return {
    url: stringAt(issuer, 'url'),
    discoveryUrl: stringAt(issuer, 'discoveryURL') || undefined,
    ...defined({ egress: egressOf(stringAt(issuer, 'egressSelectorType')) }),
    ca: stringAt(issuer, 'certificateAuthority') || undefined,
    audiences: stringsAt(issuer, 'audiences'),
    signingAlgorithms: allSigningAlgorithms,
    username: mappingOf(objectAt(mappings, 'username')),
    groups: stringAt(objectAt(mappings, 'groups'), 'claim') ? mappingOf(objectAt(mappings, 'groups')) : undefined,
    uidClaim: stringAt(objectAt(mappings, 'uid'), 'claim') || undefined,
    requiredClaims: Object.fromEntries(
      rules
        .filter((rule) => stringAt(rule, 'claim') !== '')
        .map((rule) => [stringAt(rule, 'claim'), stringAt(rule, 'requiredValue')]),
    ),
    ...(expressions ? { expressions } : {}),
  };
}

function mappingOf(mapping: JsonObject): ClaimMapping {
  return { claim: stringAt(mapping, 'claim'), prefix: stringAt(mapping, 'prefix') };
}

/**
 * Replaces the settings of anonymous requests with the settings of `authenticationConfigFile`, if
 * it has any. Rejects if the file is invalid, or if both decide.
 */
export async function resolveAuthentication(options: ServerOptions): Promise<ServerOptions> {
  const { authenticationConfigFile: file, anonymousAuth } = options;
  if (file === undefined) return options;
  const { anonymous } = await authenticationReader(file, options)();
  if (!anonymous) return options;
  if (anonymousAuth !== undefined) {
    const detail =
      '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
    const { field, message } = forbidden('anonymous', detail);
    throw new Error(`${field}: ${message}`);
  }
  const { enabled, paths } = anonymous;
  return { ...options, anonymousAuth: enabled, ...(paths.length > 0 ? { anonymousPaths: paths } : {}) };
}

/**
 * Returns a function that reads an AuthenticationConfiguration and rejects if the file is invalid.
 * Issuers whose entries did not change stay the same objects and keep their keys.
 */
export function authenticationReader(file: string, options: ReadOptions): () => Promise<AuthenticationConfiguration> {
  const { identifiers, serviceAccountIssuers: ownIssuers = [] } = options;
  const group = `apiserver.config.${identifiersOf(identifiers).apiDomain}`;
  const { isEnabled } = featuresOf(options);
  const compilerOf = createExpressionLoader();
  let last: readonly ConfiguredIssuer[] = [];
  return () =>
    named({ flag: '--authentication-config', file }, async () => {
      const text = await readFile(file, 'utf8');
      const compile = await compilerOf(text);
      const { known, ...configuration } = parseAuthenticationConfiguration(text, {
        group,
        compile,
        known: last,
        ownIssuers,
        isEnabled,
      });
      last = known;
      return configuration;
    });
}
