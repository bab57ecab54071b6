import type { JsonObject } from '../../../meta/json-value.ts';
import { annotationsOf, nameOf, uidOf } from '../../../meta/object-meta.ts';
import { isSet, isTrue, objectsAt, stringAt } from '../../../meta/read-field.ts';

/** The parts of a service account that admission reads. */
export interface KnownAccount {
  readonly name: string;
  readonly uid: string;
  /** The names of the secrets that its Pods may mount, in order. */
  readonly secrets: readonly string[];
  readonly imagePullSecrets: readonly string[];
  /** Undefined if the account leaves it to the Pod. */
  readonly automount: boolean | undefined;
  /** True if its Pods may use no other secrets than its own. */
  readonly limitsSecrets: boolean;
}

/** The texts that Go parses as true. */
const trueTexts: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

/** Reads a service account; `annotation` is the one that limits the secrets of its Pods. */
export function readAccount(account: JsonObject, annotation: string): KnownAccount {
  const namesAt = (field: string) => objectsAt(account, field).map((reference) => stringAt(reference, 'name'));
  return {
    name: nameOf(account),
    uid: uidOf(account),
    secrets: namesAt('secrets'),
    imagePullSecrets: namesAt('imagePullSecrets'),
    automount: isSet(account, 'automountServiceAccountToken')
      ? isTrue(account, 'automountServiceAccountToken')
      : undefined,
    limitsSecrets: trueTexts.has(annotationsOf(account)[annotation] ?? ''),
  };
}
