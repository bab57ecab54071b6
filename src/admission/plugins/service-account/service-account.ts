import type { MaybePromise } from '../../../async/maybe-promise.ts';
import { pause } from '../../../async/timers.ts';
import type { Pod, PodSpec, ServiceAccount, Secret } from '../../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { ListerOf } from '../../../meta/lister.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { isWriteTo } from '../../is-write-to.ts';
import { boundTokenVolume, mountToken, type TokenVolume, secretTokenVolume } from './token-volume.ts';
import { referencesOfPod } from '../../../kinds/core/pod-references.ts';
import { StatusError } from '../../../status/status-error.ts';
import type { AnyContainer } from '../../../kinds/core/pod.ts';

/** The parts of a service account that admission reads. */
interface KnownAccount {
  readonly name: string;
  readonly uid: string;
  /** The names of the secrets that its Pods may mount, in order. */
  readonly secrets: readonly string[];
  readonly imagePullSecrets: readonly string[];
  /** The setting of the account; undefined if the account leaves it to the Pod. */
  readonly automount: boolean | undefined;
  /** True if its Pods may use no other secrets than its own. */
  readonly limitsSecrets: boolean;
}

/** The texts that Go parses as true. */
const trueTexts: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

/** Reads a service account; `annotation` is the one that limits the secrets of its Pods. */
function readAccount(account: ServiceAccount, annotation: string): KnownAccount {
  const { name = '', uid = '', annotations } = account.metadata;
  return {
    name,
    uid,
    secrets: (account.secrets ?? []).map((secret) => secret.name ?? ''),
    imagePullSecrets: (account.imagePullSecrets ?? []).map((secret) => secret.name ?? ''),
    automount: account.automountServiceAccountToken,
    limitsSecrets: trueTexts.has(annotations?.[annotation] ?? ''),
  };
}

/** The lists of containers of a new Pod, and how messages name their items. */
const containerLists = [
  ['initContainers', 'init container'],
  ['containers', 'container'],
] as const;

/**
 * The reason why a Pod may not use one of its secrets: its account does not have it; '' if there
 * is none. Messages as in kube-apiserver.
 */
function podSecretError(spec: PodSpec, account: KnownAccount): string {
  const isUnknown = unknownTo(account);
  const volume = (spec.volumes ?? []).map(({ secret }) => secret?.secretName ?? '').find(isUnknown);
  if (volume !== undefined) return `volume with ${unreferenced(volume, account)}`;
  for (const [list, kind] of containerLists) {
    const problem = containersError(spec[list] ?? [], kind, account);
    if (problem !== '') return problem;
  }
  return pullSecretError(spec, account);
}

/**
 * The error of a Secret that ephemeral containers refer to. Updates of a Pod add such containers.
 */
function ephemeralSecretError(spec: PodSpec, account: KnownAccount): string {
  return containersError(spec.ephemeralContainers ?? [], 'ephemeral container', account);
}

function containersError(containers: readonly AnyContainer[], kind: string, account: KnownAccount): string {
  const isUnknown = unknownTo(account);
  for (const container of containers) {
    const name = `${kind} ${container.name}`;
    for (const variable of container.env ?? []) {
      const secret = variable.valueFrom?.secretKeyRef?.name ?? '';
      const which = `envVar ${variable.name}`;
      if (isUnknown(secret)) return `${name} with ${which} referencing ${unreferenced(secret, account)}`;
    }
    for (const source of container.envFrom ?? []) {
      const secret = source.secretRef?.name ?? '';
      if (isUnknown(secret)) return `${name} with envFrom referencing ${unreferenced(secret, account)}`;
    }
  }
  return '';
}

function pullSecretError(spec: PodSpec, { name, imagePullSecrets }: KnownAccount): string {
  const used = (spec.imagePullSecrets ?? []).map((secret) => secret.name ?? '');
  const index = used.findIndex((secret) => !imagePullSecrets.includes(secret));
  if (index < 0) return '';
  const which = `imagePullSecrets[${index}].name="${used[index]}"`;
  return `${which} is not allowed because service account ${name} does not reference that imagePullSecret`;
}

/** Reports whether a secret is named, and not by the account. */
function unknownTo({ secrets }: KnownAccount): (secret: string) => boolean {
  const known = new Set(secrets);
  return (secret) => secret !== '' && !known.has(secret);
}

function unreferenced(secret: string, { name }: KnownAccount): string {
  return `secret.secretName="${secret}" is not allowed because service account ${name} does not reference that secret`;
}

/** The account of Pods that name none. A controller creates it with each namespace. */
const defaultAccount = 'default';

/** How often the default account is looked up: its namespace may be new. */
const lookUps = 10;
/** Pause between these look-ups, at least; at most twice as long. */
const lookUpPauseMs = 100;

/**
 * Gives new Pods a service account, its token and its image pull secrets. Refuses Pods whose
 * account is missing, and secrets that the account does not have if it limits them (spec 5.2).
 */
export function serviceAccount({ identifiers, listerOf, emulated }: PluginContext): AdmissionPlugin {
  // Pods get tokens that are bound to them; else the tokens of their account's Secrets.
  const bindsTokens = emulated.isFeatureEnabled('BoundServiceAccountTokenVolume');
  const { labelDomain } = identifiers;
  const limits = `${labelDomain}/enforce-mountable-secrets`;
  const read = (account: ServiceAccount): KnownAccount => readAccount(account, limits);
  const accounts = listerOf({ group: '', resource: 'serviceaccounts', read });
  const mirror = `${labelDomain}/config.mirror`;
  const isMirror = ({ metadata }: Pod): boolean => metadata.annotations?.[mirror] !== undefined;
  const mountPath = `/var/run/secrets/${labelDomain}/serviceaccount`;
  const boundVolume = boundTokenVolume(identifiers);
  const volumeOf = bindsTokens ? () => boundVolume : secretTokens(identifiers, listerOf);

  /** Calls `act` with the account of a Pod, at once if the cache has it. */
  const withAccount = (
    attributes: AdmissionAttributes,
    spec: PodSpec,
    act: (account: KnownAccount) => MaybePromise<void>,
  ): MaybePromise<void> => {
    const name = spec.serviceAccountName ?? '';
    const known = accounts.peek(attributes.namespace, name);
    const find = (signal: AbortSignal) => accounts.get(attributes.namespace, name, signal);
    return known ? act(known) : findAccount(attributes, name, find).then(act);
  };
  const complete = (attributes: AdmissionAttributes, spec: PodSpec, account: KnownAccount): MaybePromise<void> => {
    const finish = (volume?: TokenVolume): void => {
      if (volume) mountToken(spec, volume, mountPath);
      addPullSecrets(spec, account);
      refuseSecrets(attributes, spec, account);
    };
    const volume = mountsToken(spec, account) ? volumeOf(attributes, account) : undefined;
    return volume instanceof Promise ? volume.then(finish) : finish(volume);
  };
  return {
    name: 'ServiceAccount',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    mutate(attributes) {
      if (!isWriteTo(attributes, '', 'pods', 'CREATE')) return undefined;
      const { object } = attributes;
      if (isMirror(object)) return refuseIf(attributes, mirrorError(object));
      const { spec } = object;
      // An account has two names.
      if (!spec.serviceAccountName) spec.serviceAccountName = spec.serviceAccount = defaultAccount;
      return withAccount(attributes, spec, (account) => complete(attributes, spec, account));
    },
    validate(attributes) {
      if (isWriteTo(attributes, '', 'pods', 'CREATE')) {
        const { object } = attributes;
        if (isMirror(object)) return refuseIf(attributes, mirrorError(object));
      } else if (!isWriteTo(attributes, '', 'pods/ephemeralcontainers', 'UPDATE')) return undefined;
      const { spec } = attributes.object;
      return withAccount(attributes, spec, (account) => refuseSecrets(attributes, spec, account));
    },
  };
}

function refuseIf(attributes: AdmissionAttributes, problem: string): void {
  if (problem !== '') throw forbidden(attributes, problem);
}

/** Refuses secrets that the account does not have, in the part of the Pod that is written. */
function refuseSecrets(attributes: AdmissionAttributes, spec: PodSpec, account: KnownAccount): void {
  if (!account.limitsSecrets) return;
  const secretError = attributes.subresource === '' ? podSecretError : ephemeralSecretError;
  refuseIf(attributes, secretError(spec, account));
}

function addPullSecrets(spec: PodSpec, { imagePullSecrets }: KnownAccount): void {
  if (imagePullSecrets.length === 0 || spec.imagePullSecrets?.length) return;
  spec.imagePullSecrets = imagePullSecrets.map((name) => ({ name }));
}

/** The Pod decides, then its account; without a choice of either the token is mounted. */
function mountsToken({ automountServiceAccountToken }: PodSpec, { automount = true }: KnownAccount): boolean {
  return automountServiceAccountToken ?? automount;
}

/** Finds an account in the store; throws 403 without one. Waits for the default account. */
async function findAccount(
  attributes: AdmissionAttributes,
  name: string,
  find: (signal: AbortSignal) => MaybePromise<KnownAccount | undefined>,
): Promise<KnownAccount> {
  const { namespace, signal } = attributes;
  const place = `${namespace}/${name}`;
  if (name === '') throw forbidden(attributes, `no service account specified for pod ${namespace}/${attributes.name}`);
  const pauseMs = lookUpPauseMs * (1 + Math.random());
  for (let left = name === defaultAccount ? lookUps : 1; ; left--) {
    const found = await find(signal);
    if (found) return found;
    if (left <= 1) break;
    await pause(pauseMs, signal);
    signal.throwIfAborted();
  }
  throw forbidden(attributes, `error looking up service account ${place}: serviceaccount "${name}" not found`);
}

/**
 * The reason why a Pod may not represent one from a node's own files; '' if it may. The node runs
 * such a Pod without asking, so it must not lead to secrets.
 */
function mirrorError(pod: Pod): string {
  const { serviceAccounts, secrets } = referencesOfPod(pod);
  if (serviceAccounts.length > 0) return 'a mirror pod may not reference service accounts';
  if (secrets.length > 0) return 'a mirror pod may not reference secrets';
  const projected = (pod.spec.volumes ?? []).flatMap((volume) => volume.projected?.sources ?? []);
  return projected.some(({ serviceAccountToken }) => serviceAccountToken)
    ? 'a mirror pod may not use ServiceAccountToken volume projections'
    : '';
}

/** A Secret as far as it may have the token of an account. */
interface KnownSecret {
  readonly name: string;
  /** The account in the form `<namespace>/<name>/<uid>`; '' if it has no token. */
  readonly account: string;
}

/**
 * Returns a function that finds the volume for the first of an account's Secrets that has a token
 * of it. It throws ServerTimeout while there is none: a controller will add one.
 */
function secretTokens(
  { labelDomain }: Identifiers,
  listerOf: ListerOf,
): (attributes: AdmissionAttributes, account: KnownAccount) => Promise<TokenVolume> {
  const read = ({ metadata, type }: Secret): KnownSecret => {
    const { name = '', namespace = '', annotations = {} } = metadata;
    const [account, uid] = ['name', 'uid'].map((part) => annotations[`${labelDomain}/service-account.${part}`] ?? '');
    const isToken = type === `${labelDomain}/service-account-token`;
    return { name, account: isToken ? `${namespace}/${account}/${uid}` : '' };
  };
  const secrets = listerOf({
    group: '',
    resource: 'secrets',
    read,
    indexes: { account: ({ account }) => (account === '' ? [] : [account]) },
  });
  return async ({ namespace, signal }, account) => {
    const tokens = await secrets.list({ by: ['account', `${namespace}/${account.name}/${account.uid}`] }, signal);
    const found = account.secrets.find((wanted) => tokens.some(({ name }) => name === wanted));
    if (found === undefined) throw noTokenYet(account);
    return secretTokenVolume(found);
  };
}

function noTokenYet({ name }: KnownAccount): StatusError {
  const hint = 'retry after the token is automatically created and added to the service account';
  return new StatusError('ServerTimeout', `No API token found for service account "${name}", ${hint}`, {
    details: { name: 'create pod', kind: 'serviceaccounts', retryAfterSeconds: 1 },
  });
}
