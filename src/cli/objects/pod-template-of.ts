import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import { CliError } from '../cli-error.ts';

/**
 * The pod of a kind that has pods, or the template of one: an object with `metadata` and `spec`.
 */
export function podTemplateOf(object: JsonObject): JsonObject {
  const spec = objectAt(object, 'spec');
  if (object.kind === 'Pod') return object;
  const template = object.kind === 'CronJob' ? objectAt(spec, 'jobTemplate', 'spec', 'template') : spec.template;
  if (isJsonObject(template) && isJsonObject(template.spec)) return template;
  throw new CliError(`${stringAt(object, 'kind')} has no pods`, { hint: 'name a pod, or what has a template of pods' });
}

/** The containers of an object that has pods, those that run before the others last. */
export function containersOf(object: JsonObject): readonly JsonObject[] {
  const spec = objectAt(podTemplateOf(object), 'spec');
  return [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
}

/** A predicate for names with `*`. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  const whole = new RegExp(`^${parts.join('.*')}$`);
  return (name) => whole.test(name);
}
