import { type CelType, types } from './cel-type.ts';

/** The types of variables of types, by name. `bound` has the names as they were bound. */
export interface Bindings {
  readonly types: Map<string, CelType>;
  readonly bound: string[];
}

/** No variable is bound. */
export function makeBindings(): Bindings {
  return { types: new Map(), bound: [] };
}

/** Runs an attempt that binds variables. If it fails they are free again. */
export function attempt({ types: known, bound }: Bindings, work: () => boolean): boolean {
  const before = bound.length;
  if (work()) return true;
  for (const name of bound.splice(before)) known.delete(name);
  return false;
}

/** A type with its variables replaced by their bindings; free ones become dyn if wanted. */
export function resolveType(bindings: Bindings, type: CelType, free: 'keep' | 'dyn' = 'keep'): CelType {
  if (type.kind === 'variable') {
    const bound = bindings.types.get(type.name);
    if (bound) return resolveType(bindings, bound, free);
    return free === 'dyn' ? types.dyn : type;
  }
  return mapParts(type, (part) => resolveType(bindings, part, free));
}

/** A type whose parts are replaced. */
export function mapParts(type: CelType, replace: (part: CelType) => CelType): CelType {
  if (type.kind === 'list') return { ...type, element: replace(type.element) };
  if (type.kind === 'map') return { ...type, key: replace(type.key), value: replace(type.value) };
  if (type.kind === 'optional') return { ...type, value: replace(type.value) };
  return type.kind === 'type' ? { ...type, of: replace(type.of) } : type;
}

/**
 * Reports whether a value of type `given` may be where `wanted` is declared, and binds variables so
 * that it may, in an `attempt`.
 */
export function assign(bindings: Bindings, wanted: CelType, given: CelType): boolean {
  const [left, right] = [direct(bindings, wanted), direct(bindings, given)];
  if (left.kind === 'variable' && right.kind === 'variable' && left.name === right.name) return true;
  if (left.kind === 'variable') return bind(bindings, left.name, right);
  if (right.kind === 'variable') return bind(bindings, right.name, left);
  if (isAny(left) || isAny(right)) return true;
  if (right.kind === 'null') return left.kind === 'null' || nullable.has(left.kind);
  if (left.kind === 'null') return nullable.has(right.kind);
  return left.kind === right.kind && assignParts(bindings, left, right);
}

const nullable: ReadonlySet<CelType['kind']> = new Set(['object', 'opaque', 'optional', 'timestamp', 'duration']);

function isAny({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'error';
}

function direct(bindings: Bindings, type: CelType): CelType {
  let found = type;
  while (found.kind === 'variable') {
    const bound = bindings.types.get(found.name);
    if (!bound) return found;
    found = bound;
  }
  return found;
}

function bind(bindings: Bindings, name: string, type: CelType): boolean {
  if (occurs(bindings, name, type)) return false;
  bindings.types.set(name, type);
  bindings.bound.push(name);
  return true;
}

function occurs(bindings: Bindings, name: string, type: CelType): boolean {
  const found = direct(bindings, type);
  if (found.kind === 'variable') return found.name === name;
  return partsOf(found).some((part) => occurs(bindings, name, part));
}

/** The types that a type consists of. */
function partsOf(type: CelType): readonly CelType[] {
  if (type.kind === 'list') return [type.element];
  if (type.kind === 'map') return [type.key, type.value];
  if (type.kind === 'optional') return [type.value];
  return [];
}

function assignParts(bindings: Bindings, left: CelType, right: CelType): boolean {
  // Types are values of one type, whatever they are the type of.
  if (left.kind === 'type') return true;
  if ((left.kind === 'object' || left.kind === 'opaque') && left.kind === right.kind) return left.name === right.name;
  const others = partsOf(right);
  return partsOf(left).every((part, index) => assign(bindings, part, others[index] ?? types.dyn));
}

/** The more general one of two types, which can be assigned to each other. */
export function widerType(left: CelType, right: CelType): CelType {
  if (isAny(left)) return left;
  if (isAny(right)) return right;
  if (left.kind === 'null') return right;
  return left;
}

/** Reports whether two types are the same. */
export function sameType(left: CelType, right: CelType): boolean {
  if (left.kind !== right.kind) return false;
  if ('name' in left && 'name' in right) return left.name === right.name;
  if (left.kind === 'type' && right.kind === 'type') return sameType(left.of, right.of);
  const others = partsOf(right);
  return partsOf(left).every((part, index) => sameType(part, others[index] ?? types.error));
}
