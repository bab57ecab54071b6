import { allVerbs, type Verb } from '../registry/resource-definition.ts';

/** Of a kind that is answered and not stored. */
export const createOnly: readonly Verb[] = ['create'];

/** Of a sub-resource through which a part of an object is read and written. */
export const readWrite: readonly Verb[] = ['get', 'patch', 'update'];

/** Of kinds whose objects hold or reach much: they are deleted one by one. */
export const withoutDeleteCollection: readonly Verb[] = allVerbs.filter((verb) => verb !== 'deletecollection');
