import { Access } from './access/access.tsx';
import type { ObjectProps } from './object-props.ts';

/** The users who may do something with an object. */
export function AccessTab({ kinds, kind, namespace, name }: ObjectProps) {
  return <Access kinds={kinds} kind={kind} namespace={namespace} name={name} />;
}
