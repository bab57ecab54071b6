import { allVerbs, type Verb } from '../registry/definition/resource-definition.ts';

/** The verb of virtual resources and of sub-resources that are actions. */
export const createOnly: readonly Verb[] = ['create'];

/** The verbs of a sub-resource that is a part of an object. */
export const readWrite: readonly Verb[] = ['get', 'patch', 'update'];

/**
 * The verbs of resources that must be deleted one by one, because each object owns many others or
 * has wide effects.
 */
export const withoutDeleteCollection: readonly Verb[] = allVerbs.filter((verb) => verb !== 'deletecollection');
