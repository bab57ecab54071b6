import { type FieldError, invalid, required } from '../status/field-error.ts';

/** The rules for names of encrypted resources, with the message for names that break them. */
const nameRules: readonly (readonly [isBroken: (name: string, group: string) => boolean, message: string])[] = [
  [(name) => name.toLowerCase() !== name, 'resource name should not contain capital letters'],
  [(name) => name === '*', "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources"],
  [
    (name) => ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'].includes(name),
    'resources which do not have REST API/s cannot be encrypted',
  ],
  [(_, group) => group === 'extensions', "'extensions' group has been removed and cannot be used for encryption"],
  [
    (name, group) => group === '*' && !name.startsWith('*.'),
    'encrypting the same resource across groups is not supported',
  ],
];

/**
 * The errors of the resources in one rule. `eventsGroup` is refused, because Events are stored
 * under the core group.
 */
export function encryptedResourceErrors(resources: readonly string[], at: string, eventsGroup: string): FieldError[] {
  if (resources.length === 0) return [required(at, `at least one ${at} is required`)];
  return [
    ...overlapErrors(resources, at),
    ...resources.flatMap((name, index) => {
      const message = groupOf(name) === eventsGroup ? eventsMessage(eventsGroup) : nameMessage(name);
      return message === undefined ? [] : [invalid(`${at}[${index}]`, name, message)];
    }),
  ];
}

function nameMessage(name: string): string | undefined {
  return nameRules.find(([isBroken]) => isBroken(name, groupOf(name)))?.[1];
}

function eventsMessage(group: string): string {
  return `'*.${group}' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file`;
}

/**
 * The errors of resources that a pattern of an earlier rule covers: the later rule has no effect.
 */
export function maskedResourceErrors(rules: readonly (readonly string[])[]): FieldError[] {
  const named = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, resources] of rules.entries()) {
    for (const [place, name] of resources.entries()) {
      const mask = [`*.${groupOf(name)}`, '*.*'].find((pattern) => named.has(pattern));
      const at = `resources[${index}].resources[${place}]`;
      if (mask) errors.push(invalid(at, name, `resource "${name}" is masked by earlier rule "${mask}"`));
    }
    for (const name of resources) named.add(name);
  }
  return errors;
}

function groupOf(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
}

function overlapErrors(resources: readonly string[], at: string): FieldError[] {
  const overlaps = resources.some((name, index) =>
    resources.some((other, place) => index !== place && name !== other && covers(name, other)),
  );
  return [
    ...(new Set(resources).size < resources.length
      ? [invalid(at, resources, 'the same resource cannot be specified multiple times')]
      : []),
    ...(overlaps
      ? [
          invalid(
            at,
            resources,
            "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
          ),
        ]
      : []),
  ];
}

/** True if a pattern covers a resource. */
function covers(pattern: string, name: string): boolean {
  return pattern === '*.*' || pattern === `*.${groupOf(name)}`;
}
